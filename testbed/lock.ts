/**
 * One at a time. The lock is SQLite's on an empty file: the kernel takes it from whoever dies, however he dies, and two
 * who want it at the same moment cannot both have it.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { TestbedFault } from "./fault.ts";

/** Holds the lock at `path` while `work` runs. Held by another: a fault that names him, or with `wait` patience. */
export const withLock = async <T>(
  path: string,
  verb: string,
  work: () => Promise<T>,
  wait?: (holder: string) => void,
): Promise<T> => {
  mkdirSync(dirname(path), { recursive: true });
  let told = false;
  let held = take(path);
  while (held === null) {
    const holder = holderOf(path);
    if (wait === undefined)
      throw new TestbedFault("failed", `${holder} is at work on it: wait for its end, or end it`);
    if (!told) wait(holder);
    told = true;
    await sleep(500);
    held = take(path);
  }
  using _lock = held;
  writeFileSync(`${path}.holder`, `\`${verb}\` (pid ${process.pid})`);
  return await work();
};

const SQLITE_BUSY = 5;

const take = (path: string): Disposable | null => {
  const database = new DatabaseSync(path);
  try {
    database.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    if ((error as { readonly errcode?: number }).errcode === SQLITE_BUSY) return null;
    throw error;
  }
  return { [Symbol.dispose]: () => database.close() };
};

const holderOf = (path: string): string => {
  try {
    return readFileSync(`${path}.holder`, "utf8");
  } catch {
    // It has the lock and has not yet written who it is.
    return "another command";
  }
};
