/**
 * The beginning of an operation: the lease (N1), results that an earlier run had to spool (W6), and what is planned (P1).
 * All of it, or one sentence why not, before anything is called.
 */
import { advance } from "../domain/fold.ts";
import type { Digest, StackId, StackName, StepName } from "../domain/ids.ts";
import { epoch, instant, operationId, stackId } from "../domain/ids.ts";
import type { Decision, DecisionRecord, JournalRecord, PlannedStep } from "../domain/journal.ts";
import { describeHolder, LEASE_MS, type Lease, type LeaseState, leaseState } from "../domain/lease.ts";
import type { Operation } from "../domain/operation.ts";
import type { StepState } from "../domain/state.ts";
import { compensationOf, type Stack } from "../domain/step.ts";
import type { Spool } from "../ports/spool.ts";
import { type Current, StoreFault, type Write } from "../ports/store.ts";
import { readClock } from "./clock-reading.ts";
import { Session } from "./ledger.ts";
import { positionOf } from "./position.ts";
import { isRefused, type Refused, type Runtime, refused } from "./runtime.ts";
import { learnWritten } from "./secrecy.ts";

export interface BeginRequest {
  readonly stack: StackName;
  /** From `asfound.lock`; null: not known yet. */
  readonly stackId: StackId | null;
  readonly verb: Operation["verb"];
  readonly reason: string | null;
  readonly options: Operation["options"];
  readonly fileDigest: Operation["fileDigest"];
  /** Steps whose plan begins now. */
  readonly planned: readonly PlannedStep[];
  readonly renamed: readonly { readonly from: StepName; readonly to: StepName }[];
  /** From a saved plan: the ledger must still stand where it stood (compared in the transaction that grants the lease). */
  readonly expectPosition: Digest | null;
  /** May make the stack's row. */
  readonly create: boolean;
  /** How long to wait for another operation to end. */
  readonly leaseWaitMs: number;
}

/** Takes the stack's lease, replays what was spooled, and lays down the plan; or says why not (N1, W6). */
export const begin = async (
  runtime: Runtime,
  asked: BeginRequest,
  stack: Stack | null,
): Promise<Session | Refused> => {
  const reason = await guarded(() => withoutSecrets(runtime, asked, stack));
  if (isRefused(reason)) return reason;
  const request = { ...asked, ...reason };
  const giveUpAt = runtime.clock.monotonicMs() + request.leaseWaitMs;
  for (;;) {
    const answer = await acquire(runtime, request);
    if (answer.kind === "session") return answer.session;
    if (answer.kind === "refused") return answer;
    const left = giveUpAt - runtime.clock.monotonicMs();
    if (left <= 0 || runtime.interrupt.drain.aborted)
      return refused(
        interruptedBy(runtime) ?? 23,
        `another operation holds the stack ${request.stack}: ${describeHolder(answer.lease)}; nothing was called`,
      );
    runtime.reporter.report({
      kind: "waiting",
      step: null,
      why: `for ${describeHolder(answer.lease)} to end`,
      untilMs: left,
    });
    await runtime.clock.sleep(Math.min(500, left), runtime.interrupt.drain);
  }
};

/** A person may have copied a secret into the reason: what the file and the records name as secret is known before it is written. */
const withoutSecrets = async (
  runtime: Runtime,
  { stack: name, reason }: BeginRequest,
  stack: Stack | null,
): Promise<Pick<BeginRequest, "reason">> => {
  if (reason === null) return { reason };
  for (const step of stack?.steps.values() ?? [])
    for (const written of [step.with, step.compensate?.with ?? {}])
      await learnWritten(runtime, written, step);
  for (const { declared, policy } of (await runtime.store.steps(name)).values())
    if (declared !== null) await learnWritten(runtime, declared.inputs, policy);
  return { reason: runtime.scrubber.text(reason) };
};

/** The order of exit codes puts a signal before a lease that was not had. */
const interruptedBy = (runtime: Runtime): 130 | 143 | undefined => {
  const signal = runtime.interrupt.first();
  return signal === null ? undefined : signal === "SIGINT" ? 130 : 143;
};

type Begun = {
  readonly kind: "begun";
  readonly operation: Operation;
  readonly states: ReadonlyMap<StepName, StepState>;
  readonly tookOver: Extract<LeaseState, { readonly lease: Lease }> | null;
};
type Acquired =
  | { readonly kind: "session"; readonly session: Session }
  | Refused
  | { readonly kind: "held"; readonly lease: Lease };

const acquire = async (runtime: Runtime, request: BeginRequest): Promise<Acquired> => {
  const id = operationId(`op_${runtime.ids.uuid()}`);
  const holder = runtime.host.self(runtime.actor);
  const began = await guarded(() =>
    runtime.store.commit<Begun | Refused | { readonly kind: "held"; readonly lease: Lease }>({
      stack: request.stack,
      steps: "all",
      decide: (current) => {
        const now = runtime.clock.now();
        const { head } = current;
        if (head === null && !request.create)
          return { write: null, value: refused(23, `the ledger knows no stack named ${request.stack}`) };
        if (head !== null && request.stackId !== null && head.id !== request.stackId)
          return {
            write: null,
            value: refused(23, `the ledger's stack ${request.stack} is not the one of asfound.lock`),
          };
        if (request.expectPosition !== null && positionOf(current.steps.values()) !== request.expectPosition)
          return {
            write: null,
            value: refused(
              23,
              "the saved plan does not fit any more: the ledger has moved on since; nothing was called",
            ),
          };
        const lease = head?.lease ?? null;
        const state = leaseState(
          lease,
          lease === null ? { kind: "absent" } : runtime.host.isAlive(lease.holder),
          now,
        );
        if (state.kind === "held")
          return { write: null, value: { kind: "held" as const, lease: state.lease } };
        const granted = epoch((head?.epoch ?? 0) + 1);
        const operation: Operation = {
          id,
          stack: request.stack,
          verb: request.verb,
          actor: runtime.actor,
          reason: request.reason,
          options: request.options,
          epoch: granted,
          holder,
          startedAt: now,
          endedAt: null,
          exit: null,
          summary: null,
          fileDigest: request.fileDigest,
        };
        const next: Lease = {
          operation: id,
          epoch: granted,
          holder,
          acquiredAt: now,
          expiresAt: instant(now + LEASE_MS),
        };
        const laid = layDown(current, request, {
          ...{ operation: id, at: now, clock: readClock(runtime.clock) },
          actor: runtime.actor,
        });
        const stack =
          head === null
            ? { create: request.stackId ?? stackId(`st_${runtime.ids.uuid()}`), lease: next, epoch: granted }
            : { lease: next, epoch: granted };
        const states = new Map(current.steps);
        for (const gone of laid.removedSteps ?? []) states.delete(gone);
        for (const step of laid.steps) states.set(step.step, step);
        return {
          write: { ...laid, stack, operation },
          value: {
            kind: "begun" as const,
            operation,
            states,
            tookOver: state.kind === "free" ? null : state,
          },
        };
      },
    }),
  );
  if (began.kind !== "begun") return began;
  if (began.tookOver !== null) {
    const why = began.tookOver.kind === "dead" ? "its process is dead" : "its lease expired";
    runtime.reporter.report({
      kind: "note",
      text: `took over from ${describeHolder(began.tookOver.lease)}: ${why}`,
    });
  }
  runtime.reached("lease-granted");
  const session = new Session(runtime, began.operation, began.states);
  session.startHeartbeat();
  const fault = await replaySpool(runtime, session).catch(async (error: unknown) => {
    await session.end(1, error instanceof Error ? error.message : String(error));
    throw error;
  });
  if (fault !== undefined) {
    await session.end(fault.exit, fault.why);
    return fault;
  }
  return { kind: "session", session };
};

/** A store fault at the start is a refusal: nothing was called. */
const guarded = async <T>(work: () => Promise<T>): Promise<T | Refused> => {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StoreFault)) throw error;
    const durable = error.code === "not-durable" || error.code === "read-only" || error.code === "busy";
    // There is no ledger to decide anything about.
    if (error.code === "missing") return refused(23, `${error.message}; nothing was called`);
    return refused(durable ? 22 : 1, `${error.message}; nothing was called`);
  }
};

const layDown = (
  current: Current,
  request: BeginRequest,
  stamp: Pick<DecisionRecord, "operation" | "at" | "clock" | "actor">,
): Write => {
  const records: JournalRecord[] = [];
  const steps = new Map<StepName, StepState>();
  const removedSteps: StepName[] = [];
  const decide = (step: StepName, decision: Decision, reason: string, from: StepState | undefined) => {
    const record: JournalRecord = {
      kind: "decision",
      step,
      ...stamp,
      decision,
      reason,
    };
    records.push(record);
    steps.set(step, advance(from, record));
  };
  const rename = (from: StepName, to: StepName, reason: string) => {
    const old = current.steps.get(from);
    if (old === undefined || current.steps.has(to)) return;
    decide(to, { what: "renamed", from }, reason, old);
    removedSteps.push(from);
  };
  for (const { from, to } of request.renamed) {
    const reason = `the file renames ${from} to ${to}`;
    if (!current.steps.has(from) || current.steps.has(to)) continue;
    rename(from, to, reason);
    rename(compensationOf(from), compensationOf(to), reason);
    // Those that are not in the file any more still hang on it (D2, D6).
    for (const state of current.steps.values())
      if (state.partOf === from || state.needs.includes(from))
        decide(state.step, { what: "relinked", from, to }, reason, steps.get(state.step) ?? state);
  }
  for (const planned of request.planned) {
    const state = steps.get(planned.step) ?? current.steps.get(planned.step);
    if (state !== undefined && state.status !== "destroyed" && samePlan(state, planned)) continue;
    decide(planned.step, { what: "planned", steps: [planned] }, `planned by ${request.verb}`, state);
  }
  return { records, steps: [...steps.values()], removedSteps };
};

const samePlan = (state: StepState, planned: PlannedStep): boolean =>
  state.partOf === planned.partOf &&
  state.needs.length === planned.needs.length &&
  state.needs.every((need, i) => need === planned.needs[i]) &&
  JSON.stringify(state.policy) === JSON.stringify(planned.policy);

/** A spool that cannot be read may hold results, and could not take new ones (W2). */
const pendingIn = async (runtime: Runtime): Promise<Awaited<ReturnType<Spool["pending"]>> | Refused> => {
  try {
    return await runtime.spool.pending();
  } catch (error) {
    return refused(22, `${error instanceof Error ? error.message : String(error)}; nothing was called`);
  }
};

/** Why the operation cannot go on: what was not recorded then cannot be recorded now either. */
const replaySpool = async (runtime: Runtime, session: Session): Promise<Refused | undefined> => {
  const pending = await pendingIn(runtime);
  if (isRefused(pending)) return pending;
  for (const { spooled, clear } of pending) {
    if (spooled.ledger !== runtime.store.ledgerId || spooled.stack !== session.operation.stack) continue;
    const { step } = spooled.record;
    try {
      const taken = await session.takeOver(spooled.record);
      if (taken) runtime.reached("spool-taken-over");
      const text = taken
        ? `${step}: the result of an earlier run was taken over from this host's spool`
        : `${step}: this host's spool holds a result that no step of the ledger knows; it is left there`;
      runtime.reporter.report({ kind: "note", text });
      if (taken) await clear();
      if (taken) runtime.reached("spool-cleared");
    } catch (error) {
      if (!(error instanceof StoreFault)) throw error;
      return refused(21, `a result in this host's spool could not be recorded: ${error.message}`);
    }
  }
  return undefined;
};
