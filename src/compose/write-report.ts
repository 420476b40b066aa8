/** A report as a file: a new one, never written over. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { reasonOf } from "../adapters/system/read-file.ts";
import { createFile } from "../adapters/system/write-file.ts";

const IS_THERE = "there is a file of that name already, and a report is never written over";

/** Asked before anything begins: a report that cannot be kept is known then. A clause; undefined: nothing stands there. */
export const reportFault = (cwd: string, file: string): string | undefined =>
  existsSync(resolve(cwd, file)) ? IS_THERE : undefined;

export const writeReport = async (cwd: string, file: string, text: string): Promise<string | undefined> => {
  try {
    return (await createFile(resolve(cwd, file), text, 0o444)) ? undefined : IS_THERE;
  } catch (error) {
    return `it cannot be written: ${reasonOf(error).why}`;
  }
};
