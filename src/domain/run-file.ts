/** What the files are called that an operation leaves for people (seed 000). */
import type { StepName } from "./ids.ts";

export const RERUN_NAME = "rerun.yaml";
export const resolvedName = (step: StepName): string => `${step}.resolved.json`;
