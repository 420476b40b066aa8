/**
 * Where adapters meet the runtime: a project opened for a verb that calls providers. What is found where is
 * `compose/place.ts`; what only asks the ledger is `compose/ask.ts`; the ledger as a whole `compose/whole-ledger.ts`.
 */
import { dirname, join } from "node:path";
import { systemClock } from "./adapters/system/clock.ts";
import { CRASH_VARIABLE, crashAt } from "./adapters/system/crash-at.ts";
import { systemHost } from "./adapters/system/host.ts";
import { inputFiles } from "./adapters/system/input-files.ts";
import { systemRunFiles } from "./adapters/system/run-files.ts";
import { systemSecrets } from "./adapters/system/secrets.ts";
import { openSpool } from "./adapters/system/spool.ts";
import { actorOf } from "./compose/actor.ts";
import {
  type Access,
  type FileRead,
  findPlace,
  ids,
  type Locked,
  nameOf,
  openLedger,
  type Place,
  refusedBy,
  type StackFaults,
  type StackInCode,
  type Where,
} from "./compose/place.ts";
import { stackIdIn } from "./compose/stack-id.ts";
import type { Reached } from "./domain/crash-point.ts";
import type { Digest, StackId, StackName, StepName } from "./domain/ids.ts";
import type { Stack } from "./domain/step.ts";
import type { Provider } from "./ports/provider.ts";
import type { Reporter } from "./ports/reporter.ts";
import { type Store, StoreFault } from "./ports/store.ts";
import type { Vault } from "./ports/vault.ts";
import { type Described, describeStack, type StackFault } from "./runtime/describe.ts";
import { type Interrupt, isRefused, type Refused, type Runtime, refused } from "./runtime/runtime.ts";
import type { Fault } from "./wire/manifest/fault.ts";
import { Scrubber } from "./wire/redact.ts";

export { systemClock } from "./adapters/system/clock.ts";
export { armSignals } from "./adapters/system/signals.ts";
export type { Access, StackFaults, Where } from "./compose/place.ts";
export { backupLedger, doctor, exportLedger, importLedger } from "./compose/whole-ledger.ts";

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

export interface Io {
  readonly reporter: Reporter;
  readonly interrupt: Interrupt;
}

/** Providers written by others, for use from code. */
export interface More {
  readonly providers?: readonly Provider[];
  readonly stack?: StackInCode;
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
    if (error instanceof StoreFault) return refusedBy(error, access);
    throw error;
  }
};

const open = async (
  where: Where,
  access: Access,
  io: Io,
  more: More,
): Promise<Project | Refused | StackFaults> => {
  const reached = crashAt(where.environment[CRASH_VARIABLE]);
  if (typeof reached === "object") return refused(2, reached.fault);
  const found = await findPlace(where, more.stack);
  if (found.kind !== "found") return found;
  const { file, lock, place } = found;
  // W5: what the file says is checked before anything is made or opened.
  const provider = providers(where, more.providers ?? [], reached);
  const described = await describedIn(file, provider);
  if ("kind" in described && where.needsFile) return described;
  const store = await openLedger(place, lock, access, where);
  if (isRefused(store)) return store;
  reached("ledger-opened");
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
    reached,
    described: "kind" in described ? new Map() : described.steps,
  });
};

// ---- all together ----------------------------------------------------------------------------------------------

interface Opened {
  readonly file: FileRead;
  readonly lock: Locked | null;
  readonly place: Place;
  readonly store: Store;
  readonly name: StackName;
  readonly provider: Runtime["provider"];
  readonly reached: Reached;
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
  const link = access === "read" ? undefined : await linkIn(state);
  if (link !== undefined) {
    await close();
    return refused(
      22,
      `${link} is a symbolic link, so what is written there would be elsewhere than it says; remove the link; nothing was called`,
    );
  }
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
    verifier: async (cluster) =>
      (await import("./compose/verifier.ts")).openVerifier(cluster, file.folder, where.environment),
    reporter: io.reporter,
    scrubber: new Scrubber(),
    interrupt: io.interrupt,
    reached: opened.reached,
    actor: actorOf(where.actor, where.environment),
    baseDirectory: file.folder,
  };
  const { store: known, name: stack } = opened;
  const id = await stackIdIn({ file, lock: opened.lock, store: known, stack, creates: access === "create" });
  if (isRefused(id)) {
    await close();
    return id;
  }
  opened.reached("lock-written");
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

/** Folders that asfound writes below its state folder, and that must be there themselves. */
const linkIn = async (state: string): Promise<string | undefined> => {
  const { lstatSync } = await import("node:fs");
  return ["spool", "runs"]
    .map((name) => join(state, name))
    .find((path) => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true);
};

const vaultFor = async (place: Place, store: Store, access: Access): Promise<Vault | Refused> => {
  const { openVault, passingVault } = await import("./adapters/system/vault.ts");
  const making = access !== "read" && !store.readOnly;
  const opened = await openVault(`${place.path}.key`, { create: making });
  if (opened.kind === "vault") return opened.vault;
  if (opened.kind === "absent") return passingVault();
  return refused(making ? 22 : 1, `${opened.fault}; nothing was called`);
};

const providers = (where: Where, added: readonly Provider[], reached: Reached): Runtime["provider"] => {
  const loaded = new Map<string, Promise<Provider | undefined>>(
    added.map((provider) => [provider.name, Promise.resolve(provider)]),
  );
  return (name) => {
    const known = loaded.get(name);
    if (known !== undefined) return known;
    const loading = load(name, where, reached);
    loaded.set(name, loading);
    return loading;
  };
};

const load = async (name: string, where: Where, reached: Reached): Promise<Provider | undefined> => {
  switch (name) {
    case "exec":
      return (await import("./adapters/provider-exec/provider.ts")).execProvider({
        environment: where.environment,
        reached,
      });
    case "http":
      return (await import("./adapters/provider-http/provider.ts")).httpProvider(systemClock, reached);
    case "kubernetes":
      return (await import("./compose/kubernetes.ts")).kubernetesOver(where.environment, reached);
    case "argocd":
      return (await import("./compose/kubernetes.ts")).argocdOver(where.environment, reached);
    case "kubernetes-drill":
      return (await import("./compose/kubernetes.ts")).drillOver(where.environment, reached);
    case "kubernetes-config":
    case "kubernetes-template":
      return (await import("./compose/kubernetes.ts")).rollbackOver(name, where.environment, reached);
    case "kubernetes-namespace":
      return (await import("./compose/kubernetes.ts")).namespaceOver(where.environment, reached);
    default:
      return undefined;
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
