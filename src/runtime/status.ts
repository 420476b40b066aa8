/** What is known of a stack, read from the ledger alone: nothing is asked, nothing is written. */
import { approvalFault } from "../domain/approval.ts";
import { EXIT, type ExitCode, worstExit } from "../domain/exit.ts";
import { exitOf } from "../domain/exit-of-step.ts";
import type { Key, OperationId, StackName, StepName } from "../domain/ids.ts";
import { describeHolder, leaseState } from "../domain/lease.ts";
import { nextCommands, type Standing, type Suggestion } from "../domain/next-step.ts";
import { isRecoveryStack, recoveryAdvice } from "../domain/recovery.ts";
import { RERUN_NAME, resolvedName } from "../domain/run-file.ts";
import { type Shown, showing, waitingOn } from "../domain/shown.ts";
import { isAlive, isHistory, retainOf, type StepState } from "../domain/state.ts";
import type { Survivor } from "../ports/host.ts";
import type { StackHead } from "../ports/store.ts";
import type { StepStatusInput } from "../wire/api/stack-status.ts";
import type { Runtime } from "./runtime.ts";

/** One step, all fields always present (DESIGN §7). */
export interface StepReport extends StepStatusInput {
  readonly step: StepName;
  readonly status: Shown["status"];
  readonly waitingOn: readonly { readonly step: StepName; readonly why: string }[];
  readonly effect: StepState["effect"];
  readonly runId: OperationId | null;
}

export interface StatusReport {
  readonly stack: StackName;
  readonly ledger: string;
  /** The operation at work, as one clause; null when none is. */
  readonly working: string | null;
  readonly steps: readonly StepReport[];
  readonly next: readonly Suggestion[];
  readonly notOffered: readonly Suggestion[];
  readonly exit: ExitCode;
}

export const statusOf = async (
  runtime: Pick<Runtime, "store" | "clock" | "host" | "runFiles">,
  stack: StackName,
): Promise<StatusReport | undefined> => {
  const head = await runtime.store.head(stack);
  if (head === null) return undefined;
  const states = await runtime.store.steps(stack);
  const keys = orphanKeys(states.values(), liveOperation(runtime, head)?.operation ?? null);
  const survivors = keys.size === 0 ? [] : await runtime.host.survivors(keys);
  const past = await runtime.store.operations(stack, LOOK_BACK);
  const last = past.find(({ verb }) => verb === "apply" || verb === "destroy")?.verb;
  return reportOf(runtime, head, states, survivors, last === "apply" || last === "destroy" ? last : null);
};

/** Decisions and reconciles may lie between now and what `resume` would do again. */
const LOOK_BACK = 50;

/** N6: keys of calls whose owner is gone; a call of the operation at work has its process by right. */
export const orphanKeys = (states: Iterable<StepState>, live: OperationId | null): ReadonlySet<Key> => {
  const keys = new Set<Key>();
  for (const state of states)
    if (state.open.some((open) => open.operation !== live)) for (const key of state.keys) keys.add(key);
  return keys;
};

/** The operation that holds the stack now, if one really does. */
export const liveOperation = (runtime: Pick<Runtime, "clock" | "host">, head: StackHead) => {
  if (head.lease === null) return null;
  const state = leaseState(head.lease, runtime.host.isAlive(head.lease.holder), runtime.clock.now());
  return state.kind === "held" ? state.lease : null;
};

const reportOf = (
  runtime: Pick<Runtime, "store" | "clock" | "host" | "runFiles">,
  head: StackHead,
  states: ReadonlyMap<StepName, StepState>,
  survivors: readonly Survivor[],
  last: "apply" | "destroy" | null,
): StatusReport => {
  const lease = liveOperation(runtime, head);
  const live = lease?.operation ?? null;
  const current = [...states.values()].filter((state) => !isHistory(state));
  const show = showing(states, live);
  const steps = current.map((state) => stepReport(runtime, state, states, show, survivors));
  const advice = nextCommands(
    steps.map((report) => standing(report, states.get(report.step))),
    last,
  );
  const { next, notOffered } = isRecoveryStack(head.name) ? recoveryAdvice(advice) : advice;
  return {
    stack: head.name,
    ledger: runtime.store.location,
    working: lease === null ? null : describeHolder(lease),
    steps,
    next,
    notOffered,
    exit: worstExit([EXIT.proven, ...steps.map((report) => exitOfReport(report, states.get(report.step)))]),
  };
};

const exitOfReport = (report: StepReport, state: StepState | undefined): ExitCode =>
  state === undefined ? EXIT.broken : exitOf({ ...state, status: report.status });

const stepReport = (
  runtime: Pick<Runtime, "runFiles">,
  state: StepState,
  states: ReadonlyMap<StepName, StepState>,
  show: (state: StepState) => Shown,
  survivors: readonly Survivor[],
): StepReport => {
  const { status, reason } = show(state);
  const run = state.failedIn;
  return {
    step: state.step,
    provider: state.uses,
    status,
    reason,
    confirmed: state.confirmed?.finding ?? null,
    identity: state.identity,
    surplus: state.surplus,
    outputs: state.outputs,
    outputsFrom: state.outputsFrom,
    previous: state.previous,
    waitingOn: [...waitingOn(state, states, show), ...waitingForApproval(state)],
    failedCommand:
      state.failedCommand ?? (status === "unresolved" ? (state.open.at(-1)?.action ?? null) : null),
    lastError: state.lastError ?? (status === "unresolved" ? reason : null),
    effect: state.effect,
    owes: state.owes,
    rerunInputsFile: run === null ? null : runtime.runFiles.find(run, RERUN_NAME),
    resolvedInputsFile: run === null ? null : runtime.runFiles.find(run, resolvedName(state.step)),
    runId: state.lastOperation,
    intent: state.lastIntent,
    retained: retainOf(state),
    evidence: state.lastEvidence === null ? [] : [state.lastEvidence],
    survivors:
      state.open.length === 0
        ? []
        : survivors
            .filter((s) => state.keys.includes(s.key))
            .map(({ pid, command }) => ({ pid, command: programOf(command) })),
    updatedAt: state.updatedAt,
  };
};

/** Arguments may hold secrets that nobody here knows of (E5): the program's name is enough to find it by its pid. */
export const programOf = (command: string): string => command.split(" ", 1)[0] ?? command;

/** A step that never ran and may not before somebody agrees waits for that, not for another step (P1). */
const waitingForApproval = (state: StepState) => {
  const why =
    state.status === "pending"
      ? approvalFault(state.step, state.policy.approve, state, "create", null)
      : undefined;
  return why === undefined ? [] : [{ step: state.step, why }];
};

const standing = (report: StepReport, state: StepState | undefined): Standing => ({
  step: report.step,
  status: report.status,
  effect: report.effect,
  observable: state?.declared?.can.observe ?? false,
  owes: report.owes.length > 0,
  failedCommand: report.failedCommand,
  alive: state !== undefined && isAlive(state),
  surplus: report.surplus.map((surplus) => surplus.id),
  ambiguous: state?.lastReading === "ambiguous",
  owedInDoubt: state?.open.some((open) => open.action === "owed") ?? false,
  identified: state?.identity != null,
  approval: report.waitingOn.some((waiting) => waiting.step === report.step),
});
