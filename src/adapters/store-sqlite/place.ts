/**
 * The ledger's place in the file system: what lies there is examined before SQLite may touch it, and a new file comes
 * into being whole, under another name, synced and then linked into place.
 *
 * An existing file is never treated as absent and never made anew, whatever its state (cases op-06, op-22).
 */

import type { Stats } from "node:fs";
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { StoreFault } from "../../ports/store.ts";
import { corrupt, fileFault, unreadable } from "./faults.ts";
import { networkUnder } from "./file-system.ts";

/**
 * Looks without changing anything. "absent" only when there is surely nothing. Throws `StoreFault`.
 * It never opens the file: closing it again would drop the locks that SQLite holds on it in this process
 * (https://www.sqlite.org/howtocorrupt.html, 2.2). What is inside is SQLite's to judge.
 */
export const examine = (path: string): "absent" | "there" => {
  const folder = lstat(dirname(path), path);
  if (folder === undefined) return "absent";
  if (folder.isSymbolicLink()) throw linked(dirname(path));
  const found = lstat(path, path);
  for (const beside of [`${path}-wal`, `${path}-shm`])
    if (lstat(beside, path)?.isSymbolicLink() === true) throw linked(beside);
  if (found === undefined) {
    const log = lstat(`${path}-wal`, path);
    if (log !== undefined && log.size > 0)
      throw corrupt(
        path,
        `the file is gone, but its write-ahead log ${basename(path)}-wal (${log.size} bytes) is there`,
      );
    return "absent";
  }
  if (found.isSymbolicLink()) throw linked(path);
  if (!found.isFile()) throw unreadable(path, "it is not a regular file");
  if (found.size === 0) throw corrupt(path, "it is empty (0 bytes)");
  refuseNetwork(dirname(path));
  return "there";
};

export const refuseNetwork = (folder: string): void => {
  let network: string | undefined;
  try {
    network = networkUnder(folder);
  } catch (error) {
    throw fileFault(error, folder);
  }
  if (network !== undefined)
    throw new StoreFault(
      "network-file-system",
      `the ledger's folder ${folder} is on a network file system (${network}), where SQLite's locks and syncs are not ` +
        "reliable; name a local path with --ledger, or a PostgreSQL ledger (postgres://…)",
    );
};

const linked = (path: string): StoreFault =>
  new StoreFault(
    "unreadable",
    `${path} is a symbolic link, so the ledger would be somewhere else than it says; ` +
      "remove the link, or name the real path with --ledger",
  );

const lstat = (path: string, ledger: string): Stats | undefined => {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw fileFault(error, ledger);
  }
};

/** Makes the folder (0700, with a `.gitignore` that keeps all of it out of Git) unless it is there. */
export const makeFolder = (path: string): void => {
  const folder = dirname(path);
  try {
    if (!existsSync(folder)) {
      makeWithParents(folder, 0o700);
      ignoreInGit(folder);
    } else if (basename(folder) === ".asfound") {
      ignoreInGit(folder);
    }
  } catch (error) {
    throw fileFault(error, path, "writing");
  }
};

/** Step by step, since Node's `recursive` says ENOENT where the system said EROFS. */
const makeWithParents = (folder: string, mode: number): void => {
  if (existsSync(folder)) return;
  makeWithParents(dirname(folder), 0o777);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
  syncFolder(dirname(folder));
};

const ignoreInGit = (folder: string): void => {
  const file = join(folder, ".gitignore");
  // A folder that people made themselves is theirs; this file is written only where asfound owns the folder.
  try {
    writeFileSync(file, "*\n", { flag: "wx", mode: 0o600 });
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
};

/** An empty file that only its owner may read; SQLite gives its log files the same mode. */
export const makeEmpty = (path: string): void => {
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    if (codeOf(error) === "EEXIST")
      throw new StoreFault(
        "not-durable",
        `${path} is there, unfinished, from a run that was cut off or still goes on; when none does, remove it and run again`,
        { cause: error },
      );
    throw fileFault(error, path, "writing");
  }
};

const syncFile = (path: string): void => {
  const file = openSync(path, "r+");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
};

/**
 * Makes the names in a folder durable. SQLite does this for its log as well, but does not look at the answer: a log
 * whose name is lost takes with it every record it holds.
 */
export const syncLedgerFolder = (path: string): void => {
  try {
    syncFolder(dirname(path));
  } catch (error) {
    throw new StoreFault(
      "not-durable",
      `nothing was recorded: the folder of the ledger ${path} could not be synced; look at the disk, then run again`,
      { cause: error },
    );
  }
};

const syncFolder = (path: string): void => {
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
};

/**
 * Gives the finished file its name, unless that is taken: a link fails where a rename would overwrite.
 * "taken" leaves everything as it was.
 */
export const putInPlace = (finished: string, path: string): "placed" | "taken" => {
  try {
    syncFile(finished);
    try {
      linkSync(finished, path);
      unlinkSync(finished);
    } catch (error) {
      const code = codeOf(error);
      if (code === "EEXIST") return "taken";
      // Some file systems know no hard links.
      if (code !== "EPERM" && code !== "ENOTSUP" && code !== "ENOSYS" && code !== "EMLINK") throw error;
      if (existsSync(path)) return "taken";
      renameSync(finished, path);
    }
    syncFolder(dirname(path));
    return "placed";
  } catch (error) {
    throw fileFault(error, path, "writing");
  }
};

/** Removes an unfinished file and what SQLite may have put beside it. */
export const discard = (unfinished: string): void => {
  for (const end of ["", "-journal", "-wal", "-shm"]) rmSync(`${unfinished}${end}`, { force: true });
};

/** Throws `StoreFault` when this user, or this mount, cannot write the file: SQLite would open it for reading and not say so. */
export const refuseUnwritable = (path: string): void => {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    accessSync(dirname(path), constants.W_OK | constants.X_OK);
  } catch (error) {
    throw fileFault(error, path, "writing");
  }
};

const codeOf = (error: unknown): unknown =>
  error instanceof Error && "code" in error ? error.code : undefined;
