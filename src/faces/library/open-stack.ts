/**
 * asfound from code: the verbs of the operation half over one stack. A face like the command line: it translates, and
 * judges nothing. Expected ends are values (`done`, `refused`, `invalid`); what is thrown is a bug or broken I/O.
 *
 * Each method opens the ledger and closes it again, so an opened stack holds no lease and no file between two calls.
 * No signal handler is armed: hand in `stop` and `kill` to interrupt (N4).
 */
import { type Access, openProject, type Project } from "../../compose.ts";
import { type ApplyRequest, apply } from "../../runtime/apply.ts";
import { destroy } from "../../runtime/destroy.ts";
import { type PlanReport, planApply, planDestroy } from "../../runtime/plan.ts";
import { reconcile } from "../../runtime/reconcile.ts";
import { lastResumable } from "../../runtime/resume.ts";
import { isRefused, type Refused, refused } from "../../runtime/runtime.ts";
import { type StatusReport, statusOf } from "../../runtime/status.ts";
import {
  type ApplyOptions,
  type DestroyOptions,
  ioOf,
  onlyOf,
  operationOptions,
  type ReconcileOptions,
  type StackOptions,
  sourceOf,
  whereOf,
} from "./options.ts";
import { type Answer, type Invalid, invalid, type OperationReport, reported, type Work } from "./reports.ts";

/** The verbs of one stack. */
export interface OpenedStack {
  /** What apply would do, from the stack and the ledger alone: nothing is asked, no row is written. */
  plan(options?: { readonly allowDestroy?: boolean }): Promise<Answer<PlanReport>>;
  /** What destroy would do, told likewise. */
  planDestroy(options?: { readonly only?: readonly string[] }): Promise<Answer<PlanReport>>;
  /** Brings every step to complete. Before each call its intent is durable; after it an observation decides. */
  apply(options?: ApplyOptions): Promise<OperationReport | Refused | Invalid>;
  /** Removes all that may be alive, or the named steps; destroyed only when absence was observed. */
  destroy(options?: DestroyOptions): Promise<OperationReport | Refused | Invalid>;
  /** Asks what is there and settles what is in doubt. Changes nothing outside. */
  reconcile(options?: ReconcileOptions): Promise<OperationReport | Refused | Invalid>;
  /** The last apply or destroy again, with its permissions, on today's stack. */
  resume(options?: { readonly leaseWaitMs?: number }): Promise<OperationReport | Refused | Invalid>;
  /** What is known of every step, from the ledger alone. */
  status(): Promise<Answer<StatusReport>>;
}

/**
 * A stack made with `defineStack`, or the stack file at a path, ready to be worked on. Reads nothing yet: what is wrong
 * with it is the answer of each method (`invalid`, with every fault).
 */
export const openStack = (options: StackOptions): OpenedStack => {
  const using = <T>(access: Access, needsFile: boolean, use: (project: Project) => Promise<T>) =>
    withProject(options, access, needsFile, use);
  return {
    plan: ({ allowDestroy = false } = {}) =>
      using("read", true, async (project) => {
        const today = todayOf(project);
        if (isRefused(today)) return today;
        const { stack, described, fileDigest } = today;
        return planned(await planApply(project.runtime, { stack, described, fileDigest, allowDestroy }));
      }),
    planDestroy: ({ only = [] } = {}) =>
      using("read", false, async ({ runtime, stackName, fileDigest }) =>
        planned(await planDestroy(runtime, stackName, onlyOf(only), fileDigest)),
      ),
    apply: (given = {}) => using("create", true, (project) => applyNow(project, given)),
    destroy: (given = {}) => using("write", false, (project) => destroyNow(project, given)),
    reconcile: (given = {}) => using("write", false, (project) => reconcileNow(project, given)),
    resume: ({ leaseWaitMs = 0 } = {}) => using("write", true, (project) => resumeNow(project, leaseWaitMs)),
    status: () =>
      using("read", false, async (project) => {
        const report = await statusOf(project.runtime, project.stackName);
        return report === undefined
          ? refused(0, `the ledger knows no stack named ${project.stackName}: nothing of it was ever applied`)
          : { kind: "report" as const, ...report };
      }),
  };
};

const withProject = async <T>(
  options: StackOptions,
  access: Access,
  needsFile: boolean,
  use: (project: Project) => Promise<T>,
): Promise<T | Refused | Invalid> => {
  const source = await sourceOf(options);
  if ("faults" in source) return invalid(source.faults);
  const more = {
    ...(options.providers === undefined ? {} : { providers: options.providers }),
    ...(source.stack === null ? {} : { stack: source.stack }),
  };
  const opened = await openProject(whereOf(options, source, needsFile), access, ioOf(options), more);
  if (opened.kind === "faults") return invalid(opened.faults);
  if (isRefused(opened)) return opened;
  try {
    return await use(opened);
  } finally {
    await opened.close();
  }
};

const planned = (report: PlanReport) => ({ kind: "report" as const, ...report });

const todayOf = ({ stack, described, fileDigest }: Project) =>
  stack === null || fileDigest === null
    ? refused(2, "this needs the stack, and there is none")
    : { stack, described, fileDigest };

const applyNow = async (project: Project, given: ApplyOptions): Work => {
  const today = todayOf(project);
  if (isRefused(today)) return today;
  const request: ApplyRequest = {
    ...today,
    stackId: project.stackId,
    options: operationOptions(given),
    reason: given.reason ?? null,
    leaseWaitMs: given.leaseWaitMs ?? 0,
    plan: null,
  };
  return reported(project, await apply(project.runtime, request));
};

const destroyNow = async (project: Project, given: DestroyOptions): Work =>
  reported(
    project,
    await destroy(project.runtime, {
      stack: project.stackName,
      stackId: project.stackId,
      described: project.described,
      file: project.stack,
      fileDigest: project.fileDigest,
      options: operationOptions(given),
      reason: given.reason ?? null,
      leaseWaitMs: given.leaseWaitMs ?? 0,
    }),
  );

const reconcileNow = async (project: Project, given: ReconcileOptions): Work =>
  reported(
    project,
    await reconcile(project.runtime, {
      stack: project.stackName,
      stackId: project.stackId,
      file: project.stack,
      parallelism: operationOptions(given).parallelism,
      wait: given.wait ?? true,
      endSurvivors: given.endSurvivors ?? false,
      reason: given.reason ?? null,
      leaseWaitMs: given.leaseWaitMs ?? 0,
    }),
  );

const resumeNow = async (project: Project, leaseWaitMs: number): Work => {
  const last = await lastResumable(project.runtime, project.stackName, project.fileDigest);
  if (isRefused(last)) return last;
  if (last.changed !== null) project.runtime.reporter.report({ kind: "note", text: last.changed });
  const { options, reason, verb } = last.operation;
  const given = { ...options, leaseWaitMs, ...(reason === null ? {} : { reason }) };
  return verb === "destroy" ? destroyNow(project, given) : applyNow(project, given);
};
