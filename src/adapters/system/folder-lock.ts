/**
 * One writer of a folder at a time. The system's own lock on a file, taken through SQLite: it goes with the process that
 * holds it, whatever ends that, so no dead one is ever waited for. Nothing is written into the file.
 */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";

const EVERY_MS = 20;
const BUSY = 5;

/** Throws the system's error, or one that says that others held it all the time. */
export const withFolderLock = async <T>(
  folder: string,
  waitMs: number,
  use: () => Promise<T>,
): Promise<T | { readonly fault: string }> => {
  const lock = new DatabaseSync(join(folder, ".lock"), { timeout: 0 });
  try {
    for (let waitedMs = 0; !isTaken(lock); waitedMs += EVERY_MS) {
      if (waitedMs >= waitMs) return { fault: "others write there all the time; run it again" };
      await sleep(EVERY_MS);
    }
    return await use();
  } finally {
    lock.close();
  }
};

const isTaken = (lock: DatabaseSync): boolean => {
  try {
    lock.exec("BEGIN EXCLUSIVE");
    return true;
  } catch (error) {
    if (error instanceof Error && "errcode" in error && error.errcode === BUSY) return false;
    throw error;
  }
};
