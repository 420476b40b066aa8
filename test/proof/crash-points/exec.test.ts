import { sweep } from "./sweep.ts";

sweep("exec");
