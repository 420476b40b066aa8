/** A folder with a stack over the shell cloud, driven in this process through compose, or by a process of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Access, openProject, type Project, systemClock, type Where } from "../../src/compose.ts";
import { type StepName, stepName } from "../../src/domain/ids.ts";
import type { OperationOptions } from "../../src/domain/operation.ts";
import type { StepState } from "../../src/domain/state.ts";
import type { ProgressEvent } from "../../src/ports/reporter.ts";
import type { ChainedRecord } from "../../src/ports/store.ts";
import type { SavedPermission } from "../../src/runtime/apply.ts";
import type { Done } from "../../src/runtime/operation.ts";
import { type PlanReport, planApply } from "../../src/runtime/plan.ts";
import { type Interrupt, isRefused, type Refused, type Runtime } from "../../src/runtime/runtime.ts";
import { type StatusReport, type StepReport, statusOf } from "../../src/runtime/status.ts";
import type { Job } from "./driver.ts";
import { type Ahead, ahead } from "./tap.ts";
import { CREATES, perform, type Verb } from "./verbs.ts";

const CLOUD_SH = fileURLToPath(new URL("../fixtures/cloud/cloud.sh", import.meta.url));
const DRIVER = fileURLToPath(new URL("driver.ts", import.meta.url));

/** Longer than an intent without an outcome is waited for: call-by, its slack, and the harness's settle of 1 s. */
export const PAST_CALL_BY_MS = 60_000;

export interface Child {
  readonly process: ChildProcess;
  readonly events: readonly { readonly kind: string; readonly [field: string]: unknown }[];
  /** The next event of that kind, one that came already included. */
  event(kind: string): Promise<{ readonly [field: string]: unknown }>;
  readonly ended: Promise<Ended>;
}

export interface Ended {
  readonly exit: number | null;
  readonly signal: NodeJS.Signals | null;
  /** null when the process did not come to it. */
  readonly result: (Partial<Done> & Partial<Refused>) | null;
  readonly output: string;
}

export interface Place {
  readonly root: string;
  readonly folder: string;
  readonly cloud: string;
  readonly events: ProgressEvent[];
  writeStack(text: string): Promise<void>;
  removeStack(): Promise<void>;
  fault(action: string, step: string, what: string): Promise<void>;
  /** Lets a held call go on. */
  release(action: string, step: string): Promise<void>;
  /** Resolves once that call is being held. */
  held(action: string, step: string): Promise<void>;
  /** A property of the cloud: `keyed`, `named`, `secretive`, `dump`. */
  cloudIs(what: string): Promise<void>;
  log(): Promise<string[]>;
  /** The calls of one action for one step, as they were sent. */
  calls(action: string, step: string): Promise<readonly string[]>;
  /** How often an effect really happened. */
  effects(what: string): Promise<number>;
  /** How often a planted fault really struck. */
  struck(what: string): Promise<number>;
  objects(): Promise<string[]>;
  /** Somebody else's hand on the cloud. */
  removeObject(id: string): Promise<void>;
  makeObject(id: string, text: string): Promise<void>;
  /** Everything that follows happens that much later. */
  passTime(ms: number): void;
  /** Sets the wall clock of everything that follows, forward or back from where it is. */
  setClock(ms: number): void;
  where(more?: Partial<Where>): Where;
  open(access: Access, more?: Partial<Where>): Promise<Project>;
  tryOpen(access: Access, more?: Partial<Where>): Promise<Awaited<ReturnType<typeof openProject>>>;
  /** Any verb in this process. */
  do(verb: Verb, how?: How): Promise<Done | Refused>;
  apply(options?: Partial<OperationOptions>, how?: How): Promise<Done | Refused>;
  destroy(only?: string[], how?: How): Promise<Done | Refused>;
  reconcile(how?: { readonly wait?: boolean; readonly endSurvivors?: boolean }): Promise<Done | Refused>;
  plan(allowDestroy?: boolean): Promise<PlanReport>;
  /** Any verb in a process of its own. */
  job(): Job["where"];
  start(verb: Job["verb"], how?: Partial<Omit<Job, "verb">>): Child;
  run(verb: Job["verb"], how?: Partial<Omit<Job, "verb">>): Promise<Ended>;
  status(): Promise<StatusReport>;
  step(name: string): Promise<StepReport>;
  state(name: string): Promise<StepState>;
  records(): Promise<readonly ChainedRecord[]>;
  end(): Promise<void>;
}

export interface How {
  readonly where?: Partial<Where>;
  readonly plan?: SavedPermission;
  readonly runtime?: (runtime: Runtime) => Runtime;
  readonly interrupt?: Interrupt;
}

const never: Interrupt = {
  drain: new AbortController().signal,
  kill: new AbortController().signal,
  first: () => null,
};

const VERBS = ["observe", "create", "update", "destroy", "owed", "compensate"] as const;

export interface StepOptions {
  /** More lines of the step. */
  readonly lines?: readonly string[];
  /** More lines of `with`. */
  readonly with?: readonly string[];
  /** Commands it does not have. */
  readonly without?: readonly string[];
}

/** One step over the shell cloud; `extra` are more lines of the step. */
export const cloudStep = (name: string, extra: readonly string[] | StepOptions = []): string => {
  const {
    lines = [],
    with: inputs = [],
    without = [],
  }: StepOptions = Array.isArray(extra) ? { lines: extra as readonly string[] } : (extra as StepOptions);
  const given = lines.join("\n");
  const defaults = ["settle: 1s", "deadline: 5s"].filter(
    (line) => !given.includes(line.split(":")[0] as string),
  );
  return [
    `  ${name}:`,
    "    uses: exec",
    ...[...defaults, ...lines].map((line) => `    ${line}`),
    "    with:",
    ...VERBS.filter((verb) => !without.includes(verb)).map(
      (verb) => `      ${verb}: ["${CLOUD_SH}", "CLOUD"]`,
    ),
    ...inputs.map((line) => `      ${line}`),
  ].join("\n");
};

export const stackText = (steps: readonly string[], name = "shop"): string =>
  `apiVersion: asfound.dev/v1alpha1\nkind: Stack\nmetadata: { name: ${name} }\nsteps:${
    steps.length === 0 ? " {}" : `\n${steps.join("\n")}`
  }\n`;

const POLL_MS = 20;
const PATIENCE_MS = 25_000;

/** Until it holds. Files of another process have no event to wait for that is cheaper. */
export const until = async (what: string, holds: () => Promise<boolean> | boolean): Promise<void> => {
  const giveUpAt = systemClock.monotonicMs() + PATIENCE_MS;
  while (!(await holds())) {
    if (systemClock.monotonicMs() > giveUpAt) throw new Error(`it never came to be: ${what}`);
    await systemClock.sleep(POLL_MS);
  }
};

export const makePlace = async (parent = tmpdir()): Promise<Place> => {
  const root = await mkdtemp(join(parent, "asfound-scenario-"));
  const folder = join(root, "project");
  const cloud = join(root, "cloud");
  await mkdir(join(cloud, "faults"), { recursive: true });
  await mkdir(folder);
  const events: ProgressEvent[] = [];
  const children: ChildProcess[] = [];
  let by: Ahead = { passedMs: 0, setMs: 0 };
  const clock = ahead(systemClock, () => by);
  const base: Where = {
    file: join(folder, "asfound.yaml"),
    ledger: null,
    stack: null,
    vars: new Map(),
    actor: "tester",
    cwd: folder,
    needsFile: true,
    environment: { ...process.env, CI: "" },
  };
  const lines = async (name: string): Promise<string[]> => {
    try {
      return (await readFile(join(cloud, name), "utf8")).split("\n").filter((line) => line !== "");
    } catch {
      return [];
    }
  };
  const count = async (prefix: string) =>
    (await lines("log")).filter((line) => line.startsWith(prefix)).length;
  const place: Place = {
    root,
    folder,
    cloud,
    events,
    writeStack: (text) =>
      writeFile(join(folder, "asfound.yaml"), text.replaceAll('"CLOUD"', JSON.stringify(cloud))),
    removeStack: () => rm(join(folder, "asfound.yaml")),
    fault: (action, step, what) => writeFile(join(cloud, "faults", `${action}-${step}`), what),
    release: (action, step) => writeFile(join(cloud, `go-${action}-${step}`), ""),
    held: (action, step) =>
      until(`${action} of ${step} is held`, () => existsSync(join(cloud, `held-${action}-${step}`))),
    cloudIs: (what) => writeFile(join(cloud, what), ""),
    log: () => lines("log"),
    calls: async (action, step) =>
      (await lines("log")).filter((line) => line.startsWith(`${action} ${step} `)),
    effects: (what) => count(`EFFECT ${what}`),
    struck: (what) => count(`FAULT ${what}`),
    objects: async () => (await readdir(join(cloud, "objects")).catch(() => [])).sort(),
    removeObject: (id) => rm(join(cloud, "objects", id)),
    makeObject: async (id, text) => {
      await mkdir(join(cloud, "objects"), { recursive: true });
      await writeFile(join(cloud, "objects", id), text);
    },
    passTime: (ms) => {
      by = { ...by, passedMs: by.passedMs + ms };
    },
    setClock: (ms) => {
      by = { ...by, setMs: by.setMs + ms };
    },
    where: (more = {}) => ({ ...base, ...more }),
    tryOpen: async (access, more = {}) => {
      const opened = await openProject({ ...base, ...more }, access, {
        reporter: { report: (event) => void events.push(event) },
        interrupt: never,
      });
      return opened.kind === "project" ? { ...opened, runtime: { ...opened.runtime, clock } } : opened;
    },
    open: async (access, more = {}) => {
      const opened = await place.tryOpen(access, more);
      if (opened.kind === "project") return opened;
      throw new Error(JSON.stringify(opened));
    },
    do: async (verb, how = {}) => {
      const needsFile = CREATES.has(verb.verb) || verb.verb === "compensate";
      const access = CREATES.has(verb.verb) ? "create" : "write";
      const opened = await place.tryOpen(access, { needsFile, ...how.where });
      if (isRefused(opened)) return opened;
      if (opened.kind === "faults") throw new Error(JSON.stringify(opened.faults));
      const interrupt = how.interrupt ?? never;
      const runtime = (how.runtime ?? ((r) => r))({ ...opened.runtime, interrupt });
      try {
        return await perform({ ...opened, runtime }, verb, how.plan ?? null);
      } finally {
        await opened.close();
      }
    },
    apply: (options = {}, how = {}) => place.do({ verb: "apply", options }, how),
    destroy: (only = [], how = {}) => place.do({ verb: "destroy", only }, how),
    reconcile: (how = {}) => place.do({ verb: "reconcile", ...how }),
    plan: async (allowDestroy = false) => {
      const opened = await place.open("read");
      try {
        const { stack, fileDigest, described, runtime } = opened;
        if (stack === null || fileDigest === null) throw new Error("no stack");
        return await planApply(runtime, { stack, described, fileDigest, allowDestroy });
      } finally {
        await opened.close();
      }
    },
    job: () => {
      const { file, ledger, stack, actor, cwd } = base;
      return { file, ledger, stack, actor, cwd };
    },
    start: (verb, how = {}) => {
      const job: Job = {
        where: place.job(),
        environment: {},
        verb,
        ahead: by,
        graceMs: 20_000,
        strike: null,
        mutant: null,
        ...how,
      };
      const child = spawn(process.execPath, [DRIVER, JSON.stringify(job)], {
        cwd: folder,
        stdio: ["ignore", "pipe", "pipe"],
      });
      children.push(child);
      return following(child);
    },
    run: (verb, how = {}) => place.start(verb, how).ended,
    status: async () => {
      const opened = await place.open("read", { needsFile: false });
      try {
        const report = await statusOf(opened.runtime, opened.stackName);
        if (report === undefined) throw new Error("the ledger knows no such stack");
        return report;
      } finally {
        await opened.close();
      }
    },
    step: async (name) => {
      const found = (await place.status()).steps.find((step) => step.step === name);
      if (found === undefined) throw new Error(`the ledger knows no step ${name}`);
      return found;
    },
    state: async (name) => {
      const opened = await place.open("read", { needsFile: false });
      try {
        const found = await opened.runtime.store.step(opened.stackName, stepName(name) as StepName);
        if (found === null) throw new Error(`the ledger knows no step ${name}`);
        return found;
      } finally {
        await opened.close();
      }
    },
    records: async () => {
      const opened = await place.open("read", { needsFile: false });
      try {
        const found: ChainedRecord[] = [];
        for await (const record of opened.runtime.store.records({ stack: opened.stackName }))
          found.push(record);
        return found;
      } finally {
        await opened.close();
      }
    },
    end: async () => {
      // Calls that still wait to go on end by themselves; so do processes that a test left stopped.
      for (const name of await readdir(cloud).catch(() => []))
        if (name.startsWith("held-")) await writeFile(join(cloud, name.replace("held-", "go-")), "");
      for (const child of children)
        if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
      await rm(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    },
  };
  return place;
};

const following = (process: ChildProcess): Child => {
  const events: { readonly kind: string; readonly [field: string]: unknown }[] = [];
  const waiting: { kind: string; give(event: (typeof events)[number]): void }[] = [];
  let output = "";
  let stdout = "";
  let rest = "";
  process.stdout?.on("data", (chunk: Buffer) => {
    stdout += chunk.toString();
    output += chunk.toString();
  });
  process.stderr?.on("data", (chunk: Buffer) => {
    output += chunk.toString();
    rest += chunk.toString();
    const parts = rest.split("\n");
    rest = parts.pop() ?? "";
    for (const line of parts) {
      if (!line.startsWith("{")) continue;
      const event = JSON.parse(line) as (typeof events)[number];
      events.push(event);
      for (const each of waiting.filter((w) => w.kind === event.kind)) each.give(event);
    }
  });
  const ended = new Promise<Ended>((resolve) =>
    process.once("close", (exit, signal) => {
      const line = stdout.trim();
      const result = line.startsWith("{") ? (JSON.parse(line) as Ended["result"]) : null;
      resolve({ exit, signal, result, output });
    }),
  );
  return {
    process,
    events,
    ended,
    event: (kind) => {
      const had = events.find((event) => event.kind === kind);
      if (had !== undefined) return Promise.resolve(had);
      return new Promise((give, reject) => {
        waiting.push({ kind, give });
        void ended.then(() => reject(new Error(`it ended without the event ${kind}: ${output}`)));
      });
    },
  };
};
