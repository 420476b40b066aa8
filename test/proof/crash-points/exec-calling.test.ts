import { CALLING } from "./scenarios.ts";
import { sweep } from "./sweep.ts";

sweep("exec", CALLING);
