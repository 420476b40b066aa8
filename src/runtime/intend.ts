/**
 * W1: the one module that calls a provider's mutating methods. Intent, call, outcome: always these three, in this order.
 * What the provider throws is an outcome as well: `refused` when the call was never opened, else `unknown`. What it answers
 * after it was given up is recorded all the same (W4, N3).
 */
import type { CommittedIntent } from "../domain/committed-intent.ts";
import type { StepName } from "../domain/ids.ts";
import { isJsonObject, type JsonObject } from "../domain/json.ts";
import { NotSent } from "../domain/not-sent.ts";
import { nothingBrought, type Outcome } from "../domain/outcome.ts";
import type { StepState } from "../domain/state.ts";
import type { Action } from "../domain/step.ts";
import type { CallIo, Provider } from "../ports/provider.ts";
import type { Committed, IntentRequest, NotCommitted } from "./ledger.ts";
import { storable } from "./secrecy.ts";
import type { Work } from "./work.ts";

export interface Called {
  readonly kind: "called";
  readonly outcome: Outcome["kind"];
  readonly state: StepState;
  /** False: the result waits in the spool of this host (W6). */
  readonly recorded: boolean;
}

/** A provider that does not come back is given this much longer than its deadline, and again after it was told to stop. */
const OVERTIME_MS = 10_000;

type Methods = {
  readonly [A in Action]: (provider: Provider, intent: CommittedIntent<A>, io: CallIo) => Promise<Outcome>;
};

const METHODS: Methods = {
  create: (provider, intent, io) => provider.create(intent, io),
  update: (provider, intent, io) => provider.update(intent, io),
  destroy: (provider, intent, io) => provider.destroy(intent, io),
  compensate: (provider, intent, io) => provider.compensate(intent, io),
  owed: (provider, intent, io) => provider.owed(intent, io),
};

/** One mutating call from its intent to its recorded outcome. */
export const carryOut = async <A extends Action>(
  work: Work,
  provider: Provider,
  request: IntentRequest<A>,
): Promise<Called | NotCommitted> => {
  const committed = await work.session.intend(request);
  if (committed.kind === "not-committed") return committed;
  const { reporter } = work.runtime;
  reporter.report({
    kind: "calling",
    step: request.step,
    action: request.action,
    attempt: committed.record.attempt,
  });
  const { inTime, late } = await call(work, provider, committed);
  if (inTime.kind !== "refused") remember(work, request.step, inTime.outputs);
  const outcome = kept(work, committed, inTime);
  work.runtime.reached("outcome-told");
  const recorded = await work.session.conclude(
    committed,
    outcome,
    late === null ? null : late.then((said) => kept(work, committed, said)),
  );
  const state = work.session.state(request.step);
  if (state === undefined) throw new Error(`step ${request.step} lost its state`);
  return { kind: "called", outcome: outcome.kind, state, recorded };
};

interface Answered {
  readonly inTime: Outcome;
  /** W4: what a call that was given up may still be answered with; null when it was answered in time. */
  readonly late: Promise<Outcome> | null;
}

const call = async <A extends Action>(
  work: Work,
  provider: Provider,
  committed: Committed<A>,
): Promise<Answered> => {
  const overtime = new AbortController();
  const stop = AbortSignal.any([work.runtime.interrupt.kill, overtime.signal]);
  const io = ioFor(work, committed, stop);
  const calling = answer(provider, committed, io);
  const inTime = await withOvertime(work, calling, io.deadlineMs, overtime);
  if (inTime !== null) return { inTime, late: null };
  const reason = "the provider did not come back after its deadline";
  return { inTime: { kind: "unknown", reason, ...nothingBrought }, late: calling };
};

/** Rejects never: what the provider throws is an outcome as well. */
const answer = async <A extends Action>(
  provider: Provider,
  { intent, record }: Committed<A>,
  io: CallIo,
): Promise<Outcome> => {
  const method: Methods[A] = METHODS[intent.action];
  try {
    return sound(await method(provider, intent, io));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (error instanceof NotSent || !intent.opened)
      return { kind: "refused", reason: `nothing was sent: ${reason}` };
    return {
      kind: "unknown",
      reason: `the provider ${provider.name} broke during ${record.action}: ${reason}`,
      ...nothingBrought,
    };
  }
};

const KINDS: ReadonlySet<string> = new Set<Outcome["kind"]>(["done", "refused", "failed", "unknown"]);

/** What a provider written in code may answer against its type: then nobody knows, and an id is kept all the same (W4). */
const sound = (outcome: Outcome): Outcome => {
  const said: Partial<Record<"kind" | "id" | "outputs" | "owes" | "reason", unknown>> = Object(outcome);
  const { kind, id, outputs, owes, reason } = said;
  const isDone = kind === "done";
  const isWhole =
    kind === "refused" ||
    ((id === null || typeof id === "string") &&
      isJsonObject(outputs) &&
      Array.isArray(owes) &&
      owes.every((o) => typeof o === "string"));
  if (typeof kind === "string" && KINDS.has(kind) && isWhole && (isDone || typeof reason === "string"))
    return outcome;
  return {
    kind: "unknown",
    reason: "the provider answered with something that is no outcome",
    ...nothingBrought,
    id: typeof id === "string" ? id : null,
  };
};

/** Never waits for ever: a provider that ignores its deadline is told to stop, and then given up (null). */
const withOvertime = async (
  work: Work,
  calling: Promise<Outcome>,
  deadlineMs: number,
  overtime: AbortController,
): Promise<Outcome | null> => {
  const over = new AbortController();
  const watchdog = async (): Promise<null> => {
    await work.runtime.clock.sleep(deadlineMs + OVERTIME_MS, over.signal);
    if (!over.signal.aborted) overtime.abort("over its deadline");
    await work.runtime.clock.sleep(OVERTIME_MS, over.signal);
    return null;
  };
  try {
    return await Promise.race([calling, watchdog()]);
  } finally {
    // A reason of its own spares the making of a DOMException for every call.
    over.abort("the call ended");
  }
};

/** A call that names its id over and over is recorded so many times; what it says after that comes with its outcome. */
const MOST_IDENTITIES = 100;

const ioFor = (work: Work, committed: Committed<Action>, stop: AbortSignal): CallIo => {
  let recorded = 0;
  let last = "";
  return {
    deadlineMs: work.session.state(committed.record.step)?.policy.deadlineMs ?? 0,
    stop,
    baseDirectory: work.runtime.baseDirectory,
    identity: async (id, outputs = {}) => {
      remember(work, committed.record.step, outputs);
      const kept = storable(work.runtime, outputs, committed.record.declared.policy);
      const said = JSON.stringify([id, kept]);
      if (said === last || recorded >= MOST_IDENTITIES) return;
      last = said;
      recorded += 1;
      await work.session.identify(committed, id.toWellFormed(), kept);
    },
    progress: (text) => progress(work, committed.record.step, text),
  };
};

/** One line from a provider, cleaned of secrets. */
export const progress = (work: Work, step: StepName, text: string): void =>
  work.runtime.reporter.report({ kind: "progress", step, text: work.runtime.scrubber.text(text) });

/** Keeps whole outputs for this process, so that a dependant can use a secret one without reading it again. */
export const remember = (work: Work, step: StepName, outputs: JsonObject): void => {
  if (Object.keys(outputs).length > 0)
    work.wholeOutputs.set(step, { ...work.wholeOutputs.get(step), ...outputs });
};

/** The outcome as it may be stored: no secret in its words or outputs (op-25). */
const kept = (work: Work, committed: Committed<Action>, outcome: Outcome): Outcome => {
  if (outcome.kind === "refused") return { ...outcome, reason: wellFormed(work, outcome.reason) };
  const id = outcome.id === null ? null : outcome.id.toWellFormed();
  const outputs = storable(work.runtime, outcome.outputs, committed.record.declared.policy);
  const owes = outcome.owes.map((owed) => wellFormed(work, owed));
  if (outcome.kind === "done") return { ...outcome, id, outputs, owes };
  return { ...outcome, id, outputs, owes, reason: wellFormed(work, outcome.reason) };
};

const wellFormed = (work: Work, text: string): string => work.runtime.scrubber.text(text.toWellFormed());
