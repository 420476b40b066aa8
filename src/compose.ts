/**
 * Where adapters meet the runtime. Opens what a verb works on: the stack file, its lock, its ledger; and says in one
 * sentence, before anything is called, why it cannot.
 *
 * The lock is the guard against the very accident this tool is for: a fresh clone that believes nothing exists. With a
 * lock whose ledger is not there, or another one, nothing is called (exit 23).
 */
import { userInfo } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { systemClock } from "./adapters/system/clock.ts";
import { systemHost } from "./adapters/system/host.ts";
import { systemIds } from "./adapters/system/ids.ts";
import { inputFiles } from "./adapters/system/input-files.ts";
import { systemRunFiles } from "./adapters/system/run-files.ts";
import { systemSecrets } from "./adapters/system/secrets.ts";
import { openSpool } from "./adapters/system/spool.ts";
import { advance } from "./domain/fold.ts";
import type { Digest, StackId, StackName, StepName } from "./domain/ids.ts";
import { ledgerId, stackId } from "./domain/ids.ts";
import type { Stack } from "./domain/step.ts";
import type { Provider } from "./ports/provider.ts";
import type { Reporter } from "./ports/reporter.ts";
import { type Store, StoreFault } from "./ports/store.ts";
import type { Vault } from "./ports/vault.ts";
import { type Described, describeStack, type StackFault } from "./runtime/describe.ts";
import { type Check, checkHost, checkStates } from "./runtime/doctor.ts";
import { emptyStore } from "./runtime/empty-store.ts";
import { type Interrupt, isRefused, type Refused, type Runtime, refused } from "./runtime/runtime.ts";
import type { Lock } from "./wire/lock.ts";
import type { Fault } from "./wire/manifest/fault.ts";
import { printable, Scrubber } from "./wire/redact.ts";

export { systemClock } from "./adapters/system/clock.ts";
export { armSignals } from "./adapters/system/signals.ts";

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

export interface Project {
  readonly kind: "project";
  readonly stackName: StackName;
  readonly stackId: StackId | null;
  readonly stack: Stack | null;
  readonly described: ReadonlyMap<StepName, Described>;
  readonly fileDigest: Digest | null;
  readonly filePath: string | null;
  readonly runtime: Runtime;
  close(): Promise<void>;
}

export interface StackFaults {
  readonly kind: "faults";
  readonly faults: readonly Fault[];
}

export interface Io {
  readonly reporter: Reporter;
  readonly interrupt: Interrupt;
}

/** Providers written by others, for use from code. */
export interface More {
  readonly providers?: readonly Provider[];
  /** A stack made in code instead of read from a file. */
  readonly stack?: { readonly stack: Stack; readonly fileDigest: Digest; readonly directory: string };
}

export const openProject = async (
  where: Where,
  access: Access,
  io: Io,
  more: More = {},
): Promise<Project | Refused | StackFaults> => {
  try {
    return await open(where, access, io, more);
  } catch (error) {
    if (error instanceof StoreFault)
      return refused(exitOfFault(error, access), `${error.message}; nothing was called`);
    throw error;
  }
};

const exitOfFault = (fault: StoreFault, access: Access): 1 | 22 => {
  const durable = fault.code === "not-durable" || fault.code === "read-only" || fault.code === "busy";
  return durable && access !== "read" ? 22 : 1;
};

const open = async (
  where: Where,
  access: Access,
  io: Io,
  more: More,
): Promise<Project | Refused | StackFaults> => {
  const file = await readFile(where, more);
  if (file.kind === "faults" || isRefused(file)) return file;
  const lock = await readLockOf(file);
  if (lock !== null && "kind" in lock) return lock;
  const place = ledgerPlace(where, file, lock);
  if (isRefused(place)) return place;
  // W5: what the file says is checked before anything is made or opened.
  const provider = providers(where, more.providers ?? []);
  const described = await describedIn(file, provider);
  if ("kind" in described && where.needsFile) return described;
  const store = await openLedger(place, lock, access, where);
  if (isRefused(store)) return store;
  const named = await nameOf(where, file, lock, store);
  if (isRefused(named)) {
    await store.close();
    return named;
  }
  // A verb that can do without the file does without one that is broken (op-08).
  const usable: FileRead = "kind" in described ? { ...file, stack: null, digest: null } : file;
  return assemble(where, access, io, {
    file: usable,
    lock,
    place,
    store,
    name: named,
    provider,
    described: "kind" in described ? new Map() : described.steps,
  });
};

// ---- the file and the lock -------------------------------------------------------------------------------------

interface FileRead {
  readonly kind: "file";
  readonly path: string | null;
  /** Where relative paths start. */
  readonly folder: string;
  readonly stack: Stack | null;
  readonly digest: Digest | null;
  readonly text: string | null;
}

const readFile = async (where: Where, more: More): Promise<FileRead | Refused | StackFaults> => {
  if (more.stack !== undefined) {
    const { stack, fileDigest, directory } = more.stack;
    return { kind: "file", path: null, folder: directory, stack, digest: fileDigest, text: null };
  }
  const { findStackFile } = await import("./adapters/system/find-stack.ts");
  const found = await findStackFile(where.file, where.cwd);
  if ("fault" in found) {
    if (where.needsFile || where.file !== null) return refused(2, found.fault);
    return { kind: "file", path: null, folder: where.cwd, stack: null, digest: null, text: null };
  }
  const beside = dirname(found.path);
  if (where.lockSuffices === true && (await lockNames(found.path)))
    return { kind: "file", path: found.path, folder: beside, stack: null, digest: null, text: null };
  const { loadStackFile } = await import("./adapters/system/stack-file.ts");
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
  const { lockPath, readLock } = await import("./adapters/system/lock-file.ts");
  const read = await readLock(lockPath(dirname(path)));
  return read.kind === "lock" && read.lock.stack.file === basename(path);
};

const readLockOf = async (file: FileRead): Promise<Lock | null | StackFaults> => {
  const { lockPath, readLock } = await import("./adapters/system/lock-file.ts");
  const read = await readLock(lockPath(file.folder));
  if (read.kind === "faults") return { kind: "faults", faults: read.faults };
  if (read.kind === "absent") return null;
  // A folder may hold several stack files; the lock speaks of one of them.
  return file.stack === null || file.stack.name === read.lock.stack.name ? read.lock : null;
};

// ---- the ledger ------------------------------------------------------------------------------------------------

interface Place {
  readonly path: string;
  /** Said by the person, the environment, the file or the lock; not just the default. */
  readonly named: boolean;
}

const ledgerPlace = (where: Where, file: FileRead, lock: Lock | null): Place | Refused => {
  const given = where.ledger ?? (where.environment["ASFOUND_LEDGER"] || null);
  const text = given ?? file.stack?.ledger ?? lock?.ledger.location ?? null;
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

const openLedger = async (
  place: Place,
  lock: Lock | null,
  access: Access,
  where: Where,
): Promise<Store | Refused> => {
  const { openSqliteStore } = await import("./adapters/store-sqlite/store.ts");
  const mayCreate = access === "create" && lock === null;
  if (mayCreate && !place.named && isCi(where) && !(await exists(place.path)))
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
    if (lock === null || store.ledgerId === lock.ledger.id) return store;
    const why = `the ledger at ${place.path} is ${store.ledgerId}, but asfound.lock ties this stack to ${lock.ledger.id}`;
    await store.close();
    return refused(23, `${why}; name the right ledger with --ledger; nothing was called`);
  } catch (error) {
    if (!(error instanceof StoreFault) || error.code !== "missing") throw error;
    if (lock === null) return emptyStore(place.path);
    return refused(
      23,
      `asfound.lock ties this stack to the ledger ${lock.ledger.id}, and there is none at ${place.path}: what exists is not known here; bring that ledger, or name it with --ledger; nothing was called`,
    );
  }
};

const isCi = (where: Where): boolean => {
  const value = where.environment["CI"];
  return value !== undefined && value !== "" && value !== "false" && value !== "0";
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
  const { locate } = await import("./wire/manifest/text.ts");
  const at = text === null ? null : await locate(text, path);
  return { file, line: at?.line ?? null, column: at?.column ?? null, field: path.join("."), message };
};

const exists = async (path: string): Promise<boolean> => {
  const { existsSync } = await import("node:fs");
  return existsSync(path);
};

const nameOf = async (
  where: Where,
  file: FileRead,
  lock: Lock | null,
  store: Store,
): Promise<StackName | Refused> => {
  if (file.stack !== null) return file.stack.name;
  if (where.stack !== null) return where.stack as StackName;
  if (lock !== null) return lock.stack.name;
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

// ---- all together ----------------------------------------------------------------------------------------------

const ids = systemIds(systemClock);

interface Opened {
  readonly file: FileRead;
  readonly lock: Lock | null;
  readonly place: Place;
  readonly store: Store;
  readonly name: StackName;
  readonly provider: Runtime["provider"];
  readonly described: ReadonlyMap<StepName, Described>;
}

const describedIn = async (
  file: FileRead,
  provider: Runtime["provider"],
): Promise<{ readonly steps: ReadonlyMap<StepName, Described> } | StackFaults> => {
  if (file.stack === null) return { steps: new Map() };
  const described = await describeStack({ provider }, file.stack);
  return "faults" in described ? { kind: "faults", faults: await placed(file, described.faults) } : described;
};

const assemble = async (
  where: Where,
  access: Access,
  io: Io,
  opened: Opened,
): Promise<Project | Refused | StackFaults> => {
  const { file, place, store } = opened;
  const close = async () => {
    await runtime?.spool.close();
    await store.close();
  };
  let runtime: Runtime | undefined;
  const vault = await vaultFor(place, store, access);
  if (isRefused(vault)) {
    await close();
    return vault;
  }
  const state = dirname(place.path);
  const host = systemHost({ clock: systemClock, environment: where.environment });
  const note = (text: string) => io.reporter.report({ kind: "note", text });
  runtime = {
    store,
    clock: systemClock,
    ids,
    host,
    spool: openSpool({ directory: join(state, "spool"), host, note }),
    vault,
    secrets: systemSecrets(file.folder, where.environment),
    files: inputFiles(file.folder),
    runFiles: systemRunFiles(join(state, "runs")),
    provider: opened.provider,
    reporter: io.reporter,
    scrubber: new Scrubber(),
    interrupt: io.interrupt,
    actor: actorOf(where),
    baseDirectory: file.folder,
  };
  const id = await stackIdOf(opened, access);
  if (isRefused(id)) {
    await close();
    return id;
  }
  return {
    kind: "project",
    stackName: opened.name,
    stackId: id,
    stack: file.stack,
    described: opened.described,
    fileDigest: file.digest,
    filePath: file.path,
    runtime,
    close,
  };
};

/** The first apply writes the lock, before anything is called. */
const stackIdOf = async (opened: Opened, access: Access): Promise<StackId | null | Refused> => {
  const { file, lock, store } = opened;
  if (lock !== null) return lock.stack.id;
  const head = await store.head(opened.name);
  if (access !== "create" || file.path === null) return head?.id ?? null;
  const id = head?.id ?? stackId(`st_${ids.uuid()}`);
  const { locationForLock, lockPath, readLock, writeLock } = await import("./adapters/system/lock-file.ts");
  const path = lockPath(file.folder);
  // The lock of another stack in this folder stays as it is.
  if ((await readLock(path)).kind !== "absent") return id;
  const ledger = { id: store.ledgerId, location: locationForLock(store.location, file.folder) };
  const fault = await writeLock(path, { stack: { name: opened.name, id, file: lockedFile(file) }, ledger });
  return fault === undefined ? id : refused(22, `${fault}; nothing was called`);
};

/** Only a file that lies beside the lock is named by it. */
const lockedFile = (file: FileRead): string | null =>
  file.path !== null && dirname(file.path) === file.folder ? basename(file.path) : null;

const vaultFor = async (place: Place, store: Store, access: Access): Promise<Vault | Refused> => {
  const { openVault, passingVault } = await import("./adapters/system/vault.ts");
  const making = access !== "read" && !store.readOnly;
  const opened = await openVault(`${place.path}.key`, { create: making });
  if (opened.kind === "vault") return opened.vault;
  if (opened.kind === "absent") return passingVault();
  return refused(making ? 22 : 1, `${opened.fault}; nothing was called`);
};

const providers = (where: Where, added: readonly Provider[]): Runtime["provider"] => {
  const loaded = new Map<string, Promise<Provider | undefined>>(
    added.map((provider) => [provider.name, Promise.resolve(provider)]),
  );
  return (name) => {
    const known = loaded.get(name);
    if (known !== undefined) return known;
    const loading = load(name, where);
    loaded.set(name, loading);
    return loading;
  };
};

const load = async (name: string, where: Where): Promise<Provider | undefined> => {
  switch (name) {
    case "exec":
      return (await import("./adapters/provider-exec/provider.ts")).execProvider({
        environment: where.environment,
      });
    case "http":
      return (await import("./adapters/provider-http/provider.ts")).httpProvider(systemClock);
    default:
      return undefined;
  }
};

/** Who acts: as said, as the CI system says, else as this system knows the user. Attributed, not authenticated. */
const actorOf = (where: Where): string => {
  const { environment } = where;
  const named = ["ASFOUND_ACTOR", "GITHUB_ACTOR", "GITLAB_USER_LOGIN", "USER", "LOGNAME"].map(
    (name) => environment[name],
  );
  return where.actor ?? named.find((name) => name !== undefined && name !== "") ?? systemUser();
};

const systemUser = (): string => {
  try {
    return userInfo().username;
  } catch {
    // A container may run under a uid that no user has.
    return `uid ${process.getuid?.() ?? "unknown"}`;
  }
};

/** A provider's faults at the file's line and column. */
const placed = async (file: FileRead, faults: readonly StackFault[]): Promise<readonly Fault[]> => {
  const { fieldOf } = await import("./wire/manifest/fault.ts");
  const { locator } = await import("./wire/manifest/text.ts");
  const place = file.text === null ? () => null : await locator(file.text);
  return faults.map((fault) => {
    const [step, compensation] = fault.step.split("~");
    const inStep = compensation === undefined ? fault.path : [compensation, ...fault.path];
    const path = ["steps", step ?? fault.step, ...inStep];
    const at = place(path);
    return {
      file: file.path ?? "(stack)",
      line: at?.line ?? null,
      column: at?.column ?? null,
      field: fieldOf(path),
      message: fault.message,
    };
  });
};

// ---- the ledger as a whole -------------------------------------------------------------------------------------

const openWhole = async (where: Where) => {
  const file = await readFile({ ...where, needsFile: false }, {});
  if (file.kind === "faults" || isRefused(file)) return file;
  const lock = await readLockOf(file);
  if (lock !== null && "kind" in lock) return lock;
  return { kind: "whole" as const, place: ledgerPlace(where, file, lock) };
};

const placeOf = async (where: Where): Promise<Place | Refused | StackFaults> => {
  const whole = await openWhole(where);
  return "kind" in whole && whole.kind === "whole" ? whole.place : (whole as Refused | StackFaults);
};

const isPlace = (place: Place | Refused | StackFaults): place is Place => !("kind" in place);

const openToRead = async (path: string) => {
  const { openSqliteStore } = await import("./adapters/store-sqlite/store.ts");
  return openSqliteStore({ path, mode: "read", newLedgerId: () => ledgerId(`lg_${ids.uuid()}`) });
};

/** The ledger as JSON lines; the last line proves that all of it came. */
export const exportLedger = async (
  where: Where,
): Promise<
  | { readonly kind: "export"; readonly lines: AsyncIterable<string>; close(): Promise<void> }
  | Refused
  | StackFaults
> => {
  const place = await placeOf(where);
  if (!isPlace(place)) return place;
  return faultsAsRefusals(async () => {
    const store = await openToRead(place.path);
    return { kind: "export", lines: store.exportJsonl(), close: () => store.close() };
  });
};

/** A new ledger out of an export; an existing one is never touched. */
export const importLedger = async (
  where: Where,
  lines: AsyncIterable<string>,
): Promise<
  | { readonly kind: "imported"; readonly path: string; readonly ledgerId: string; readonly records: number }
  | Refused
  | StackFaults
> => {
  const place = await placeOf(where);
  if (!isPlace(place)) return place;
  return faultsAsRefusals(async () => {
    const { importSqliteLedger } = await import("./adapters/store-sqlite/transfer.ts");
    const imported = await importSqliteLedger(lines, { path: place.path, fold: advance });
    if ("fault" in imported) return refused(23, imported.fault);
    return { kind: "imported", path: place.path, ledgerId: imported.ledgerId, records: imported.records };
  });
};

/** A sound copy while operations run. */
export const backupLedger = async (
  where: Where,
  toPath: string,
): Promise<{ readonly kind: "backed-up"; readonly path: string } | Refused | StackFaults> => {
  const place = await placeOf(where);
  if (!isPlace(place)) return place;
  return faultsAsRefusals(async () => {
    const store = await openToRead(place.path);
    try {
      const made = await store.backup(resolve(where.cwd, toPath));
      return "fault" in made ? refused(23, made.fault) : { kind: "backed-up", path: made.path };
    } finally {
      await store.close();
    }
  });
};

/** Everything that can be checked without changing anything. */
export const doctor = async (
  where: Where,
): Promise<{ readonly kind: "checked"; readonly checks: readonly Check[] } | Refused | StackFaults> => {
  const place = await placeOf(where);
  if (!isPlace(place)) return place;
  const checks: Check[] = [{ name: "node", finding: "fine", sentence: `Node ${process.versions.node}` }];
  try {
    const store = await openToRead(place.path);
    try {
      const faults = await store.checkIntegrity();
      checks.push(...faults.map((sentence): Check => ({ name: "ledger", finding: "wrong", sentence })));
      if (faults.length === 0)
        checks.push({
          name: "ledger",
          finding: "fine",
          sentence: `${place.path} is whole, and its chains hold`,
        });
      checks.push(...(await checkStates(store)));
      const host = systemHost({ clock: systemClock, environment: where.environment });
      const spool = openSpool({
        directory: join(dirname(place.path), "spool"),
        host,
        note: (sentence) => checks.push({ name: "spool", finding: "wrong", sentence }),
      });
      checks.push(...(await checkHost({ spool, store, host })));
    } finally {
      await store.close();
    }
  } catch (error) {
    if (!(error instanceof StoreFault)) throw error;
    const finding = error.code === "missing" ? "not-checked" : "wrong";
    checks.push({ name: "ledger", finding, sentence: error.message });
  }
  return { kind: "checked", checks };
};

const faultsAsRefusals = async <T>(work: () => Promise<T>): Promise<T | Refused> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StoreFault) return refused(1, error.message);
    throw error;
  }
};
