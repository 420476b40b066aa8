import { DOUBTING } from "./scenarios.ts";
import { sweep } from "./sweep.ts";

sweep("exec", DOUBTING);
