import { sweep } from "./sweep.ts";

sweep("http");
