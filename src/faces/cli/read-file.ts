/** Files that a person names on the command line: ordinary ones only, so that no pipe or device holds a verb up. */
import type { FileHandle } from "node:fs/promises";
import { Usage } from "./usage.ts";

/** Opened for reading. Throws `Usage` with what is wrong, under the name by which it was given. */
export const openOrdinary = async (path: string, named: string): Promise<FileHandle> => {
  const { constants } = await import("node:fs");
  const { open } = await import("node:fs/promises");
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(
    (error: NodeJS.ErrnoException) => {
      throw new Usage(`${named} cannot be read (${error.code ?? "unknown cause"})`);
    },
  );
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw new Usage(`${named} is not an ordinary file`);
};
