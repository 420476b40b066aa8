import { SCENARIOS } from "./scenarios.ts";
import { sweep } from "./sweep.ts";

sweep("http", SCENARIOS);
