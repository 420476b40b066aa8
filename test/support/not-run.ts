/** A check that cannot run on this machine is told as not run. With CI set it fails: what did not run has proven nothing. */
import type { TestContext } from "vitest";
import { isCi } from "../../src/wire/environment.ts";

/** `lacking`: a clause that says what is missing; null when nothing is. */
export const notRunWithout = ({ skip }: TestContext, lacking: string | null): void => {
  if (lacking === null) return;
  if (isCi(process.env)) throw new Error(`not run: ${lacking}; with CI set that is a failure`);
  skip(`not run: ${lacking}`);
};
