/** A folder with a stack over the shell cloud, driven in this process through compose. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Access, openProject, type Project, type Where } from "../../src/compose.ts";
import { stepName } from "../../src/domain/ids.ts";
import type { OperationOptions } from "../../src/domain/operation.ts";
import type { ProgressEvent } from "../../src/ports/reporter.ts";
import { type ApplyRequest, apply } from "../../src/runtime/apply.ts";
import { destroy } from "../../src/runtime/destroy.ts";
import type { Done } from "../../src/runtime/operation.ts";
import { type ReconcileRequest, reconcile } from "../../src/runtime/reconcile.ts";
import { type Interrupt, isRefused, type Refused } from "../../src/runtime/runtime.ts";
import { type StatusReport, statusOf } from "../../src/runtime/status.ts";

export const CLOUD_SH = fileURLToPath(new URL("../fixtures/cloud/cloud.sh", import.meta.url));

export const DEFAULT_OPTIONS: OperationOptions = {
  only: [],
  allowDestroy: false,
  failFast: false,
  parallelism: 4,
};

export interface Place {
  readonly folder: string;
  readonly cloud: string;
  readonly events: ProgressEvent[];
  writeStack(text: string): Promise<void>;
  /** The shell cloud's commands for a step, as YAML flow text for `with`. */
  fault(action: string, step: string, what: string): Promise<void>;
  log(): Promise<string[]>;
  /** How often an effect really happened. */
  effects(what: string): Promise<number>;
  objects(): Promise<string[]>;
  open(access: Access, more?: Partial<Where>): Promise<Project>;
  tryOpen(access: Access, more?: Partial<Where>): Promise<Awaited<ReturnType<typeof openProject>>>;
  apply(options?: Partial<OperationOptions>, more?: Partial<ApplyRequest>): Promise<Done | Refused>;
  destroy(only?: string[]): Promise<Done | Refused>;
  reconcile(more?: Partial<ReconcileRequest>): Promise<Done | Refused>;
  status(): Promise<StatusReport>;
  end(): Promise<void>;
}

const never: Interrupt = {
  drain: new AbortController().signal,
  kill: new AbortController().signal,
  first: () => null,
};

/** One step over the shell cloud; `extra` are more lines of the step. */
export const cloudStep = (name: string, extra: readonly string[] = []): string =>
  [
    `  ${name}:`,
    `    uses: exec`,
    `    settle: 1s`,
    `    deadline: 5s`,
    ...extra.map((line) => `    ${line}`),
    `    with:`,
    ...["observe", "create", "update", "destroy", "owed", "compensate"].map(
      (verb) => `      ${verb}: ["${CLOUD_SH}", "CLOUD"]`,
    ),
  ].join("\n");

export const stackText = (steps: readonly string[], name = "shop"): string =>
  `apiVersion: asfound.dev/v1alpha1\nkind: Stack\nmetadata: { name: ${name} }\nsteps:\n${steps.join("\n")}\n`;

export const makePlace = async (): Promise<Place> => {
  const folder = await mkdtemp(join(tmpdir(), "asfound-scenario-"));
  const cloud = join(folder, "cloud");
  await mkdir(join(cloud, "faults"), { recursive: true });
  const events: ProgressEvent[] = [];
  const where: Where = {
    file: join(folder, "asfound.yaml"),
    ledger: null,
    stack: null,
    vars: new Map(),
    actor: "tester",
    cwd: folder,
    needsFile: true,
    environment: { ...process.env, CI: "" },
  };
  const read = async (name: string): Promise<string[]> => {
    try {
      return (await readFile(join(cloud, name), "utf8")).split("\n").filter((line) => line !== "");
    } catch {
      return [];
    }
  };
  const place: Place = {
    folder,
    cloud,
    events,
    writeStack: (text) =>
      writeFile(join(folder, "asfound.yaml"), text.replaceAll('"CLOUD"', JSON.stringify(cloud))),
    fault: (action, step, what) => writeFile(join(cloud, "faults", `${action}-${step}`), what),
    log: () => read("log"),
    effects: async (what) => (await read("log")).filter((line) => line.startsWith(`EFFECT ${what}`)).length,
    objects: async () => {
      const { readdir } = await import("node:fs/promises");
      return readdir(join(cloud, "objects")).catch(() => []);
    },
    tryOpen: (access, more = {}) =>
      openProject({ ...where, ...more }, access, {
        reporter: { report: (event) => void events.push(event) },
        interrupt: never,
      }),
    open: async (access, more = {}) => {
      const opened = await place.tryOpen(access, more);
      if (opened.kind === "project") return opened;
      throw new Error(JSON.stringify(opened));
    },
    apply: async (options = {}, more = {}) => {
      const opened = await place.tryOpen("create");
      if (isRefused(opened)) return opened;
      if (opened.kind === "faults") throw new Error(JSON.stringify(opened.faults));
      try {
        if (opened.stack === null || opened.fileDigest === null) throw new Error("no stack");
        return await apply(opened.runtime, {
          stack: opened.stack,
          stackId: opened.stackId,
          described: opened.described,
          fileDigest: opened.fileDigest,
          options: { ...DEFAULT_OPTIONS, ...options },
          reason: null,
          leaseWaitMs: 0,
          plan: null,
          ...more,
        });
      } finally {
        await opened.close();
      }
    },
    destroy: async (only = []) => {
      const opened = await place.open("write", { needsFile: false });
      try {
        return await destroy(opened.runtime, {
          stack: opened.stackName,
          stackId: opened.stackId,
          file: opened.stack,
          fileDigest: opened.fileDigest,
          options: { ...DEFAULT_OPTIONS, only: only.map(stepName) },
          reason: null,
          leaseWaitMs: 0,
        });
      } finally {
        await opened.close();
      }
    },
    reconcile: async (more = {}) => {
      const opened = await place.open("write", { needsFile: false });
      try {
        return await reconcile(opened.runtime, {
          stack: opened.stackName,
          stackId: opened.stackId,
          file: opened.stack,
          parallelism: 4,
          wait: true,
          endSurvivors: false,
          reason: null,
          leaseWaitMs: 0,
          ...more,
        });
      } finally {
        await opened.close();
      }
    },
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
    end: () => rm(folder, { recursive: true, force: true }),
  };
  return place;
};
