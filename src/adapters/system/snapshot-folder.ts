/** A folder of its own for a snapshot: nothing in it is ever written over (E1), and nobody else may read it. */
import { randomBytes } from "node:crypto";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { reasonOf } from "./read-file.ts";
import { createFile } from "./write-file.ts";

/** For digests that nobody is to check later. */
export const passingKey = (): Uint8Array => randomBytes(32);

/** The fault is a clause. */
export const writeSnapshot = async (
  path: string,
  files: readonly { readonly name: string; readonly text: string }[],
): Promise<{ readonly fault: string } | undefined> => {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    if ((await readdir(path)).length > 0)
      return { fault: "it is not empty, and nothing is written over; name a new folder" };
    for (const { name, text } of files)
      if (!(await createFile(join(path, name), text, 0o444)))
        return { fault: `somebody else wrote ${name} in the meantime; name a new folder` };
    return undefined;
  } catch (error) {
    return { fault: `it cannot be written: ${reasonOf(error).why}` };
  }
};
