/** `asfound.lock` on disk: read whole, written so that after any crash the old or the new one is there. */
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import type { Lock } from "../../wire/lock.ts";
import { formatLock, parseLock, withoutPassword } from "../../wire/lock.ts";
import type { Fault } from "../../wire/manifest/fault.ts";
import { decodeText } from "../../wire/manifest/text.ts";
import { readPlain, reasonOf } from "./read-file.ts";
import { createFile, replaceFile } from "./write-file.ts";

const MAX_BYTES = 65_536;

/** The lock that belongs to stacks in this folder. */
export const lockPath = (folder: string): string => join(folder, "asfound.lock");

export type ReadLock =
  | { readonly kind: "lock"; readonly lock: Lock }
  | { readonly kind: "absent" }
  | { readonly kind: "faults"; readonly faults: readonly Fault[] };

/** What cannot be read is a fault, never an absent lock: an absent one allows a new ledger. */
export const readLock = async (path: string): Promise<ReadLock> => {
  const failed = (message: string): ReadLock => ({
    kind: "faults",
    faults: [{ file: path, line: null, column: null, field: "", message }],
  });
  const read = readPlain(path, MAX_BYTES);
  if ("fault" in read)
    return read.code === "ENOENT" ? { kind: "absent" } : failed(`the lock cannot be read: ${read.fault}`);
  const decoded = decodeText(read.bytes);
  if ("fault" in decoded) return failed(decoded.fault);
  const parsed = await parseLock(decoded.text, path);
  return "lock" in parsed ? { kind: "lock", lock: parsed.lock } : { kind: "faults", faults: parsed.faults };
};

/** Durable when it returns undefined; else one sentence, and what was there before still stands. */
export const writeLock = async (path: string, lock: Lock): Promise<string | undefined> => {
  try {
    await replaceFile(path, formatLock(lock), 0o644);
    return undefined;
  } catch (error) {
    return `the lock ${path} cannot be written: ${reasonOf(error).why}`;
  }
};

/** The first lock of a folder: of several that are made at the same moment one stands. A text is the fault. */
export const makeLock = async (
  path: string,
  lock: Lock,
): Promise<"made" | "there" | { readonly fault: string }> => {
  try {
    return (await createFile(path, formatLock(lock), 0o644)) ? "made" : "there";
  } catch (error) {
    return { fault: `the lock ${path} cannot be written: ${reasonOf(error).why}` };
  }
};

const isUrl = (location: string): boolean => /^[a-z][a-z0-9+.-]+:\/\//i.test(location);

/**
 * Where a ledger is, as the lock says it: relative to the lock's folder when it is inside it (with `/`, so that every
 * system reads it), else absolute; of a URL everything but the password.
 */
export const locationForLock = (location: string, folder: string): string => {
  if (isUrl(location)) return withoutPassword(location);
  const way = relative(folder, resolve(folder, location));
  const inside = way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
  return inside ? way.split(sep).join("/") : resolve(folder, location);
};

/** The way back: an absolute path, or the URL. */
export const locationFromLock = (location: string, folder: string): string =>
  isUrl(location) ? location : resolve(folder, location);
