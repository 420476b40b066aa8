/**
 * What a verb works on, found: the stack file, its lock, its ledger; or one sentence why not, before anything is called.
 *
 * The lock is the guard against the very accident this tool is for: a fresh clone that believes nothing exists. With a
 * lock whose ledger is not there, or another one, nothing is called (exit 23).
 *
 * Light to load: a verb that only asks the ledger needs no more than this (`ask.ts`).
 */
import { basename, dirname, join, resolve } from "node:path";
import { systemClock } from "../adapters/system/clock.ts";
import { systemIds } from "../adapters/system/ids.ts";
import type { Digest, StackName } from "../domain/ids.ts";
import { ledgerId } from "../domain/ids.ts";
import type { Stack } from "../domain/step.ts";
import { type Store, StoreFault } from "../ports/store.ts";
import { emptyStore } from "../runtime/empty-store.ts";
import { isRefused, type Refused, refused } from "../runtime/runtime.ts";
import { isCi } from "../wire/environment.ts";
import type { Lock, LockedStack } from "../wire/lock.ts";
import type { Fault } from "../wire/manifest/fault.ts";
import { printable } from "../wire/redact/printable.ts";

/** Where a person said things are. */
export interface Where {
  readonly file: string | null;
  readonly ledger: string | null;
  /** Only for verbs that work without a file, when the ledger knows several stacks. */
  readonly stack: string | null;
  readonly vars: ReadonlyMap<string, string>;
  readonly actor: string | null;
  readonly cwd: string;
  /** False: the verb can do without the file (op-08), so a missing or broken one is not in its way. */
  readonly needsFile: boolean;
  /** The verb only asks the ledger: where the lock says which stack the file holds, the file is not even read. */
  readonly lockSuffices?: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** `read` changes nothing anywhere; `write` needs what is there; `create` makes ledger, key and lock at a first apply. */
export type Access = "read" | "write" | "create";

export interface StackFaults {
  readonly kind: "faults";
  readonly faults: readonly Fault[];
}

/** A stack made in code instead of read from a file. */
export interface StackInCode {
  readonly stack: Stack;
  readonly fileDigest: Digest;
  readonly directory: string;
}

export const ids = systemIds(systemClock);

/** A store that cannot be read, or written before a call. */
export const refusedBy = (fault: StoreFault, access: Access): Refused => {
  const durable = fault.code === "not-durable" || fault.code === "read-only" || fault.code === "busy";
  return refused(durable && access !== "read" ? 22 : 1, `${fault.message}; nothing was called`);
};

// ---- the file and the lock -------------------------------------------------------------------------------------

export interface FileRead {
  readonly kind: "file";
  readonly path: string | null;
  /** Where relative paths start. */
  readonly folder: string;
  readonly stack: Stack | null;
  readonly digest: Digest | null;
  readonly text: string | null;
}

/** The stack file alone, for a verb that asks nothing of the ledger. */
export const readStack = async (where: Where): Promise<Stack | Refused | StackFaults> => {
  const file = await readFile({ ...where, needsFile: true }, undefined);
  if (file.kind !== "file") return file;
  return file.stack ?? refused(2, "there is no stack file; name one with -f");
};

const readFile = async (
  where: Where,
  inCode: StackInCode | undefined,
): Promise<FileRead | Refused | StackFaults> => {
  if (inCode !== undefined) {
    const { stack, fileDigest, directory } = inCode;
    return { kind: "file", path: null, folder: directory, stack, digest: fileDigest, text: null };
  }
  const { findStackFile } = await import("../adapters/system/find-stack.ts");
  const found = findStackFile(where.file, where.cwd);
  if ("fault" in found) {
    if (where.needsFile || where.file !== null) return refused(2, found.fault);
    return { kind: "file", path: null, folder: where.cwd, stack: null, digest: null, text: null };
  }
  const beside = dirname(found.path);
  if (where.lockSuffices === true && where.stack === null && (await lockNames(found.path)))
    return { kind: "file", path: found.path, folder: beside, stack: null, digest: null, text: null };
  const { loadStackFile } = await import("../adapters/system/stack-file.ts");
  const loaded = await loadStackFile(found.path, where.vars);
  const folder =
    "faults" in loaded || loaded.stack.directory === null ? beside : resolve(beside, loaded.stack.directory);
  if (!("faults" in loaded) && loaded.stack.directory !== null && !(await isFolder(folder))) {
    const message = `there is no folder ${printable(folder)}; relative paths would start there`;
    return {
      kind: "faults",
      faults: [await faultAt(found.path, loaded.text, ["metadata", "directory"], message)],
    };
  }
  if (!("faults" in loaded) && where.stack !== null && loaded.stack.name !== where.stack) {
    if (where.needsFile)
      return refused(
        2,
        `${printable(found.path)} is the file of the stack ${loaded.stack.name}, not of ${printable(where.stack)}`,
      );
    // The person named another stack of the same ledger: this file says nothing of it.
    return { kind: "file", path: null, folder, stack: null, digest: null, text: null };
  }
  if (!("faults" in loaded))
    return {
      kind: "file",
      path: found.path,
      folder,
      stack: loaded.stack,
      digest: loaded.fileDigest,
      text: loaded.text,
    };
  if (where.needsFile) return { kind: "faults", faults: loaded.faults };
  return { kind: "file", path: found.path, folder, stack: null, digest: null, text: null };
};

const lockNames = async (path: string): Promise<boolean> => {
  const { lockPath, readLock } = await import("../adapters/system/lock-file.ts");
  const read = await readLock(lockPath(dirname(path)));
  return read.kind === "lock" && read.lock.stack.file === basename(path) && read.lock.others.length === 0;
};

/** What the lock of the folder says: which ledger every stack here has, and which stack this one is. */
export interface Locked {
  readonly lock: Lock;
  /** null: a stack that the lock does not name yet. */
  readonly stack: LockedStack | null;
}

const readLockOf = async (where: Where, file: FileRead): Promise<Locked | null | StackFaults | Refused> => {
  const { lockPath, readLock } = await import("../adapters/system/lock-file.ts");
  const read = await readLock(lockPath(file.folder));
  if (read.kind === "faults") return { kind: "faults", faults: read.faults };
  if (read.kind === "absent") return null;
  const { lock } = read;
  const wanted = where.stack ?? file.stack?.name ?? null;
  if (wanted === null) return { lock, stack: lock.stack };
  const all = [lock.stack, ...lock.others];
  const mine = all.find((stack) => stack.name === wanted);
  if (mine !== undefined) return { lock, stack: mine };
  // Under a new name its objects would be created once more beside the old ones.
  const renamed =
    file.path === null || file.stack === null
      ? undefined
      : all.find((stack) => stack.file === basename(file.path ?? ""));
  if (renamed !== undefined)
    return refused(
      23,
      `${basename(file.path ?? "")} is the stack ${renamed.name} by asfound.lock, and now calls itself ${wanted}: what exists is known under the old name; name it so again, or give the new stack a file of its own; nothing was called`,
    );
  return { lock, stack: null };
};

// ---- the ledger ------------------------------------------------------------------------------------------------

export interface Place {
  readonly path: string;
  /** Said by the person, the environment, the file or the lock; not just the default. */
  readonly named: boolean;
}

const ledgerPlace = (where: Where, file: FileRead, lock: Locked | null): Place | Refused => {
  const given = where.ledger ?? (where.environment["ASFOUND_LEDGER"] || null);
  const text = given ?? file.stack?.ledger ?? lock?.lock.ledger.location ?? null;
  if (text !== null && /^postgres(ql)?:\/\//i.test(text))
    return refused(
      2,
      "a PostgreSQL ledger needs a version of asfound that has that store; this one keeps ledgers in files",
    );
  if (text === null) return { path: join(file.folder, ".asfound", "ledger.db"), named: false };
  const fault = placeFault(text);
  if (fault !== undefined) return refused(2, fault);
  return { path: resolve(given === null ? file.folder : where.cwd, text), named: true };
};

/** A mistyped URL must not become a folder of that name. */
const placeFault = (text: string): string | undefined => {
  if (text.trim() === "")
    return "the ledger's place is empty; name a path with --ledger or ASFOUND_LEDGER, or leave it out";
  if (text.includes("\0")) return "the ledger's place has a NUL character in it; name a path";
  if (/^(?:[a-z][a-z0-9+.-]+:|:)/i.test(text))
    return `${printable(text)} is no place for a ledger: a path to a file is (write ./${printable(text)} if it is one)`;
  return undefined;
};

/** What stands before every ledger: the file, the lock beside it, and where by them the ledger is. */
export interface Found {
  readonly kind: "found";
  readonly file: FileRead;
  readonly lock: Locked | null;
  readonly place: Place;
}

export const findPlace = async (
  where: Where,
  inCode?: StackInCode,
): Promise<Found | Refused | StackFaults> => {
  const file = await readFile(where, inCode);
  if (file.kind === "faults" || isRefused(file)) return file;
  const lock = await readLockOf(where, file);
  if (lock !== null && "kind" in lock) return lock;
  const place = ledgerPlace(where, file, lock);
  return isRefused(place) ? place : { kind: "found", file, lock, place };
};

export const openLedger = async (
  place: Place,
  lock: Locked | null,
  access: Access,
  where: Where,
): Promise<Store | Refused> => {
  const { openSqliteStore } = await import("../adapters/store-sqlite/store.ts");
  const mayCreate = access === "create" && lock === null;
  if (mayCreate && !place.named && isCi(where.environment) && !(await exists(place.path)))
    return refused(
      23,
      `CI is set, and there is neither an asfound.lock nor a named ledger: a ledger at ${place.path} would vanish with the job; name one with --ledger, ASFOUND_LEDGER or ledger: in the file; nothing was called`,
    );
  try {
    const mode = mayCreate ? "create" : access === "read" ? "read" : "write";
    const store = await openSqliteStore({
      path: place.path,
      mode,
      newLedgerId: () => ledgerId(`lg_${ids.uuid()}`),
    });
    if (lock === null || store.ledgerId === lock.lock.ledger.id) return store;
    const why = `the ledger at ${place.path} is ${store.ledgerId}, but asfound.lock ties this stack to ${lock.lock.ledger.id}`;
    await store.close();
    return refused(23, `${why}; name the right ledger with --ledger; nothing was called`);
  } catch (error) {
    if (!(error instanceof StoreFault) || error.code !== "missing") throw error;
    if (lock === null) return emptyStore(place.path);
    return refused(
      23,
      `asfound.lock ties this stack to the ledger ${lock.lock.ledger.id}, and there is none at ${place.path}: what exists is not known here; bring that ledger, or name it with --ledger; nothing was called`,
    );
  }
};

const isFolder = async (path: string): Promise<boolean> => {
  const { statSync } = await import("node:fs");
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
};

const faultAt = async (
  file: string,
  text: string | null,
  path: readonly string[],
  message: string,
): Promise<Fault> => {
  const { locate } = await import("../wire/manifest/text.ts");
  const at = text === null ? null : await locate(text, path);
  return { file, line: at?.line ?? null, column: at?.column ?? null, field: path.join("."), message };
};

const exists = async (path: string): Promise<boolean> => {
  const { existsSync } = await import("node:fs");
  return existsSync(path);
};

export const nameOf = async (
  where: Where,
  file: FileRead,
  lock: Locked | null,
  store: Store,
): Promise<StackName | Refused> => {
  if (where.stack !== null) return where.stack as StackName;
  if (file.stack !== null) return file.stack.name;
  if (lock !== null) return lock.lock.stack.name;
  const heads = await store.stacks();
  const [only] = heads;
  if (only !== undefined && heads.length === 1) return only.name;
  if (heads.length === 0)
    return refused(
      2,
      `there is no stack file, and the ledger at ${store.location} knows no stack; name the file with -f`,
    );
  return refused(
    2,
    `the ledger knows ${heads.length} stacks (${heads
      .slice(0, 5)
      .map((head) => head.name)
      .join(", ")}); name one with --stack`,
  );
};
