/** Turns what SQLite and the file system report into `StoreFault`s: what happened, where, and what to do. */
import { accessSync, closeSync, constants, openSync, statfsSync } from "node:fs";
import { dirname } from "node:path";
import { StoreFault } from "../../ports/store.ts";

/** SQLite's primary result codes (https://www.sqlite.org/rescode.html). */
const BUSY = 5;
const LOCKED = 6;
const READONLY = 8;
const IOERR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const NOTADB = 26;
const IOERR_FSYNC = 1034;
/** I/O errors of writing: WRITE, FSYNC, DIR_FSYNC, TRUNCATE, and SHMOPEN, SHMSIZE, SHMMAP of the log's index. */
const WRITING: ReadonlySet<number> = new Set([778, IOERR_FSYNC, 1290, 1546, 4618, 4874, 5386]);

export const WAY_OUT =
  "restore a backup with `asfound ledger import FILE`, or put back a file that `asfound ledger backup` made";

/** SQLite's extended result code; undefined when the error is none of SQLite's. */
export const sqliteCode = (error: unknown): number | undefined =>
  error instanceof Error && "errcode" in error && typeof error.errcode === "number"
    ? error.errcode
    : undefined;

const primary = (error: unknown): number => (sqliteCode(error) ?? 0) & 0xff;

export const isBusy = (error: unknown): boolean => primary(error) === BUSY || primary(error) === LOCKED;
export const isFailedSync = (error: unknown): boolean => sqliteCode(error) === IOERR_FSYNC;
export const isIoError = (error: unknown): boolean => primary(error) === IOERR;

/** What means the same whether it was read or written; undefined for anything else. */
const commonFault = (error: unknown, path: string): StoreFault | undefined => {
  switch (primary(error)) {
    case BUSY:
    case LOCKED:
      return busy(error, path);
    case CORRUPT:
    case NOTADB:
      return corrupt(path, (error as Error).message, error);
    case READONLY:
      return openedToRead(error, path);
    case CANTOPEN:
      return withoutDescriptor(error, path);
    default:
      return undefined;
  }
};

/**
 * SQLite opens for reading only what it could not open for writing, whatever the reason was, and does not tell it. So the
 * system is asked again: about the folder, since to open and close the file itself would drop SQLite's locks on it.
 */
const openedToRead = (error: unknown, path: string): StoreFault => {
  for (const place of [path, dirname(path)])
    try {
      accessSync(place, constants.W_OK);
    } catch (why) {
      const fault = fileFault(why, path, "writing");
      return fault instanceof StoreFault ? fault : readOnly(error, path);
    }
  const fault = withoutDescriptor(error, path);
  if (fault !== undefined) return fault;
  return new StoreFault(
    "not-durable",
    `nothing was recorded: the ledger ${path} could be opened for reading only, although this user may write it; for a ` +
      "moment too many files may have been open (ulimit -n); run again",
    { cause: error },
  );
};

/** The fault where the process or the system has no file descriptor left; SQLite only says that it could not open. */
const withoutDescriptor = (error: unknown, path: string): StoreFault | undefined => {
  try {
    closeSync(openSync(dirname(path), "r"));
  } catch (why) {
    const code = why instanceof Error && "code" in why ? why.code : undefined;
    if (code === "EMFILE" || code === "ENFILE") return tooManyOpen(error, path);
  }
  return undefined;
};

const tooManyOpen = (
  cause: unknown,
  path: string,
  code: "not-durable" | "unreadable" = "not-durable",
): StoreFault =>
  new StoreFault(
    code,
    `the ledger ${path} cannot be opened: too many files are open; raise the limit (ulimit -n), then run again`,
    { cause },
  );

/** The fault for an error while reading or opening. Errors that are none of SQLite's or the system's pass as they are. */
export const readFault = (error: unknown, path: string): unknown => {
  // A damaged number: beyond what JavaScript holds, or what a place in the journal can be.
  if (error instanceof RangeError) return corrupt(path, "it holds a number that no ledger holds", error);
  if (sqliteCode(error) === undefined) return fileFault(error, path);
  return commonFault(error, path) ?? unreadable(path, (error as Error).message, error);
};

/** The log and its index need about this much at once. */
const LEAST_BYTES = 256 * 1024;

/**
 * The fault for an error while opening for writing. SQLite makes its log and the index of it then, and says "disk I/O
 * error" when there is no room for them: that is W2, and no reason to restore anything.
 */
export const openFault = (error: unknown, path: string): unknown => {
  const code = primary(error);
  if (code !== IOERR && code !== CANTOPEN && code !== FULL) return readFault(error, path);
  const room = statfsSync(dirname(path));
  if (room.bavail * room.bsize < LEAST_BYTES) return full(path, error);
  return WRITING.has(sqliteCode(error) ?? 0) ? writeFault(error, path, false) : readFault(error, path);
};

const full = (path: string, cause: unknown): StoreFault =>
  new StoreFault(
    "not-durable",
    `nothing was recorded: the disk under the ledger ${path} is full; free some space and run again`,
    { cause },
  );

/** The fault for an error while writing; nothing of the transaction is there, unless `maybe`. */
export const writeFault = (error: unknown, path: string, maybe: boolean): unknown => {
  if (sqliteCode(error) === undefined) return error;
  const common = commonFault(error, path);
  if (common !== undefined) return common;
  if (primary(error) === FULL) return full(path, error);
  if (!maybe) return unwritten(path, (error as Error).message, error);
  return new StoreFault(
    "not-durable",
    `the disk under the ledger ${path} failed while a record was made durable (${(error as Error).message}), so ` +
      "it cannot be known whether it is there; look at the disk and the kernel's log, then run `asfound status`",
    { cause: error, maybe },
  );
};

const unwritten = (path: string, why: string, cause: unknown): StoreFault =>
  new StoreFault(
    "not-durable",
    `nothing was recorded: the ledger ${path} could not be written (${why}); look at the disk, then run again`,
    { cause },
  );

/** The fault for what the file system said. */
export const fileFault = (
  error: unknown,
  path: string,
  doing: "reading" | "writing" = "reading",
): unknown => {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  switch (code) {
    case "EACCES":
    case "EPERM":
      return doing === "writing"
        ? readOnly(error, path)
        : unreadable(path, "this user has no permission", error);
    case "ENOTDIR":
      return unreadable(path, "a part of its path is not a folder", error);
    case "ELOOP":
      return unreadable(path, "its path has too many symbolic links", error);
    case "ENAMETOOLONG":
      return unreadable(path, "its name is too long", error);
    case "EIO":
      return doing === "writing"
        ? unwritten(path, "the disk answers with an input/output error", error)
        : unreadable(path, "the disk answers with an input/output error", error);
    case "EMFILE":
    case "ENFILE":
      return tooManyOpen(error, path, doing === "writing" ? "not-durable" : "unreadable");
    case "EISDIR":
      return unreadable(path, "it is a folder", error);
    case "EROFS":
      return readOnly(error, path);
    case "ENOSPC":
    case "EDQUOT":
      return new StoreFault(
        "not-durable",
        `nothing was recorded: there is no room on the disk for the ledger ${path}; free some space and run again`,
        { cause: error },
      );
    default:
      return error;
  }
};

export const corrupt = (path: string, why: string, cause?: unknown): StoreFault =>
  new StoreFault(
    "corrupt",
    `the ledger ${path} is damaged: ${why}; nothing was changed. ${sentence(WAY_OUT)}`,
    { cause },
  );

export const unreadable = (path: string, why: string, cause?: unknown): StoreFault =>
  new StoreFault(
    "unreadable",
    `the ledger ${path} cannot be opened: ${why}; what it says is unknown, so nothing was called. Make it readable, or ${WAY_OUT}`,
    { cause },
  );

const readOnly = (cause: unknown, path: string): StoreFault =>
  new StoreFault(
    "read-only",
    `nothing was recorded: the ledger ${path} is on a read-only file system or may not be written by this user; ` +
      "make it writable, or name another with --ledger",
    { cause },
  );

const busy = (cause: unknown, path: string): StoreFault =>
  new StoreFault(
    "busy",
    `nothing was recorded: other processes kept the ledger ${path} locked; wait for them, then run again`,
    { cause },
  );

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
