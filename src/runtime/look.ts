/**
 * Looking: one question to a provider, recorded as it was answered; or several, until the doubt is settled.
 * A question changes nothing outside (R6).
 */
import { readingAbout } from "../domain/fold.ts";
import type { Instant, StepName } from "../domain/ids.ts";
import type { Declared } from "../domain/journal.ts";
import type { JsonObject } from "../domain/json.ts";
import type { Reading } from "../domain/outcome.ts";
import { doubtEnds, hasNoEndYet } from "../domain/past.ts";
import { judgeReading } from "../domain/settle.ts";
import type { StepState } from "../domain/state.ts";
import { isAlive } from "../domain/state.ts";
import { type SteadyTime, steadyNow } from "../domain/steady.ts";
import type { CallIo, Provider } from "../ports/provider.ts";
import { readClock } from "./clock-reading.ts";
import { writtenOf } from "./describe.ts";
import { prepare, previousInputs, type ReadAgain, recordedInputs } from "./inputs.ts";
import { progress, remember } from "./intend.ts";
import type { Seen } from "./ledger.ts";
import { storable } from "./secrecy.ts";
import type { Work } from "./work.ts";

/** Whom to ask, and about what. */
export interface Subject {
  readonly step: StepName;
  readonly provider: Provider;
  /** Resolved. */
  readonly inputs: JsonObject;
  /** Of those inputs; `asDeclared` speaks of them. */
  readonly inputsDigest: string | null;
  /** A second object of the step. */
  readonly surplusId?: string;
  /** Steps that are gone when this one is (D2). */
  readonly contained: () => readonly StepName[];
}

export interface Asked {
  readonly reading: Reading;
  readonly askedAt: Instant;
  /** The same by the clock that is never set. */
  readonly askedMs: number;
  readonly senderAlive: boolean;
}

const ask = async (work: Work, subject: Subject): Promise<Asked> => {
  const { runtime, session } = work;
  const state = session.state(subject.step);
  if (state === undefined) throw new Error(`step ${subject.step} was never planned`);
  runtime.reporter.report({ kind: "observing", step: subject.step });
  runtime.reached("question-due");
  // A call of this operation that was answered with done has ended: nobody can still be sending it.
  const unsure = state.open.some(
    (open) => open.outcome !== "done" || open.operation !== session.operation.id,
  );
  const senders = unsure ? await work.senders.of(state.keys) : [];
  const askedAt = runtime.clock.now();
  const askedMs = readClock(runtime.clock).ms;
  const identity = subject.surplusId === undefined ? state.identity : { id: subject.surplusId };
  const question = {
    stack: session.operation.stack,
    step: subject.step,
    operation: session.operation.id,
    attempt: state.attempts,
    key: state.key,
    keys: state.keys,
    epoch: session.epoch,
    inputs: subject.inputs,
    identity,
    outputs: state.outputs,
    previousInputs: await previousInputs(work, state, readAgainWith(work)),
    inDoubt: state.open.length > 0,
  };
  const reading = await answer(work, subject, state, question);
  runtime.reached("answer-told");
  for (const sender of senders)
    progress(work, subject.step, `a provider's process still lives: pid ${sender.pid} (${sender.command})`);
  return { reading, askedAt, askedMs, senderAlive: senders.length > 0 };
};

const answer = async (
  work: Work,
  subject: Subject,
  state: StepState,
  question: Parameters<Provider["observe"]>[0],
): Promise<Reading> => {
  const io: CallIo = {
    deadlineMs: state.policy.deadlineMs,
    stop: work.runtime.interrupt.kill,
    baseDirectory: work.runtime.baseDirectory,
    identity: async () => undefined,
    progress: (text) => progress(work, subject.step, text),
  };
  try {
    return storableReading(work, subject, state, await subject.provider.observe(question, io));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return {
      kind: "failed",
      reason: work.runtime.scrubber.text(`the provider broke during observe: ${reason}`),
    };
  }
};

const storableReading = (work: Work, subject: Subject, state: StepState, reading: Reading): Reading => {
  const { scrubber } = work.runtime;
  if (reading.kind === "observed") {
    // Another thing's outputs are not this step's, secret ones least of all (R1).
    const isOwn = subject.surplusId === undefined && readingAbout(state, reading).kind === "observed";
    if (isOwn) remember(work, subject.step, reading.outputs);
    const outputs = storable(work.runtime, reading.outputs, state.policy);
    const id = reading.id === null ? null : reading.id.toWellFormed();
    return {
      ...reading,
      id,
      outputs,
      reason: reading.reason === null ? null : scrubber.text(reading.reason.toWellFormed()),
    };
  }
  if (reading.kind === "ambiguous") return { ...reading, ids: reading.ids.map((id) => id.toWellFormed()) };
  return "reason" in reading ? { ...reading, reason: scrubber.text(reading.reason.toWellFormed()) } : reading;
};

/** Records what was asked, with what it settles. */
const record = (
  work: Work,
  subject: Subject,
  asked: Asked,
  how: { readonly last: boolean; readonly justCalled: boolean },
): Promise<Seen> =>
  work.session.observed(subject.step, asked.reading, {
    askedAt: asked.askedAt,
    askedMs: asked.askedMs,
    senderAlive: asked.senderAlive,
    justCalled: how.justCalled,
    inputsDigest: subject.inputsDigest,
    last: how.last,
    // Only a proven absence closes what was contained.
    contained: asked.reading.kind === "absent" ? subject.contained : () => [],
    ...(subject.surplusId === undefined ? {} : { surplusId: subject.surplusId }),
  });

/** One question, recorded. */
export const lookOnce = async (work: Work, subject: Subject): Promise<Seen> =>
  record(work, subject, await ask(work, subject), { last: true, justCalled: false });

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2_000;

export interface Following {
  /** Asked last at about then, by `monotonicMs`; null: for as long as something is awaited. */
  readonly untilMs: number | null;
  readonly justCalled: boolean;
}

/**
 * Asks until the doubt is settled, only a person can settle it, the time is over, or a signal came. Readings that tell
 * nothing new are not recorded.
 */
export const follow = async (work: Work, subject: Subject, how: Following): Promise<Seen> => {
  const { runtime, session } = work;
  let pauseMs = FIRST_PAUSE_MS;
  for (;;) {
    const asked = await ask(work, subject);
    const state = session.state(subject.step);
    if (state === undefined) throw new Error(`step ${subject.step} has no state`);
    const belief = judgeReading(state, asked.reading, {
      ...asked,
      clock: readClock(runtime.clock),
      justCalled: how.justCalled,
      inputsDigest: subject.inputsDigest,
    });
    const nowMs = runtime.clock.monotonicMs();
    const now = stepTime(work, state);
    const over =
      (how.untilMs !== null && nowMs >= how.untilMs) ||
      runtime.interrupt.drain.aborted ||
      session.lost.aborted;
    const waits = belief.kind === "wait" || belief.kind === "no-answer";
    const unanswered = how.untilMs === null && belief.kind === "no-answer" && now >= doubtEnds(state);
    if (!waits || over || unanswered)
      return record(work, subject, asked, { last: true, justCalled: how.justCalled });
    if (isNews(work, state, asked))
      await record(work, subject, asked, { last: false, justCalled: how.justCalled });
    const end = belief.kind === "wait" && belief.until > now ? belief.until - now : null;
    const leftMs = how.untilMs === null ? end : Math.max(0, how.untilMs - nowMs);
    runtime.reporter.report({
      kind: "waiting",
      step: subject.step,
      why: belief.why,
      untilMs: leftMs,
    });
    runtime.reached("look-waits");
    const napMs = leftMs === null || leftMs === 0 ? pauseMs : Math.min(pauseMs, leftMs);
    await runtime.clock.sleep(Math.max(1, napMs), runtime.interrupt.drain);
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
  }
};

/** By this process's clocks, on the scale of that step. */
const stepTime = ({ runtime: { clock } }: Work, state: StepState): SteadyTime =>
  steadyNow(state.anchor, clock.now(), readClock(clock));

/**
 * A first id, a first absence of a thing that was there, a sender that lives or is gone: later readings build on them. So they do on
 * the first look by a clock that the step's time was not counted by before.
 */
const isNews = (work: Work, state: StepState, asked: Asked): boolean => {
  if (state.anchor.clock.id !== work.runtime.clock.id) return true;
  if (asked.senderAlive || state.open.some((open) => hasNoEndYet(state, open))) return true;
  if (asked.reading.kind === "observed") return state.identity === null && asked.reading.id !== null;
  return asked.reading.kind === "absent" && isAlive(state) && state.present && state.missingSince === null;
};

/** R3: a thing that should be there was not found once. Looks a second time, `settle` later. */
export const lookAgainAfterSettle = async (work: Work, subject: Subject, seen: Seen): Promise<Seen> => {
  const { runtime } = work;
  const since = seen.state.missingSince;
  if (since === null || !isAlive(seen.state)) return seen;
  const until = since.steady + seen.state.policy.settleMs;
  let now = stepTime(work, seen.state);
  while (now < until && !runtime.interrupt.drain.aborted) {
    const why = "it was not found once; it is looked for a second time";
    runtime.reporter.report({ kind: "waiting", step: subject.step, why, untilMs: until - now });
    await runtime.clock.sleep(until - now, runtime.interrupt.drain);
    now = stepTime(work, seen.state);
  }
  return runtime.interrupt.drain.aborted ? seen : lookOnce(work, subject);
};

/** The subject that a record describes: the step as it was last declared, without the file. */
export const recordedSubject = async (
  work: Work,
  state: StepState,
  contained: Subject["contained"],
): Promise<Subject | { readonly fault: string }> => {
  const declared = state.open.length > 0 || state.applied === null ? state.declared : state.applied;
  if (declared === null) return { fault: "it has no recorded declaration" };
  const provider = await work.runtime.provider(declared.uses);
  if (provider === undefined) return { fault: `there is no provider named ${declared.uses}` };
  const read = await recordedInputs(work, declared, readAgainWith(work));
  const usable = "fault" in read ? await sameToday(work, state.step, declared) : read;
  if (usable === undefined) return read as { readonly fault: string };
  return {
    step: state.step,
    provider,
    inputs: usable.inputs,
    inputsDigest: declared.inputsDigest.digest,
    contained,
  };
};

/** Today's inputs, where they are the recorded ones: a literal secret is not stored, but the file may still have it. */
const sameToday = async (
  work: Work,
  step: StepName,
  declared: Declared,
): Promise<{ readonly inputs: JsonObject } | undefined> => {
  const described = work.described.get(step);
  if (described === undefined) return undefined;
  const prepared = await prepare(work, writtenOf(described), readAgainWith(work));
  if (prepared.kind === "not-ready") return undefined;
  return prepared.declared.inputsDigest.digest === declared.inputsDigest.digest
    ? { inputs: prepared.inputs }
    : undefined;
};

/** Asks a step's provider again for outputs that were not kept; only what a complete step shows is used. */
export const readAgainWith =
  (work: Work): ReadAgain =>
  async (step) => {
    const state = work.session.state(step);
    if (state === undefined || state.declared?.can.observe !== true) return undefined;
    const whole = work.wholeOutputs.get(step);
    if (whole !== undefined) return whole;
    const subject = await recordedSubject(work, state, () => []);
    if ("fault" in subject) return undefined;
    const asked = await ask(work, subject);
    return asked.reading.kind === "observed" ? work.wholeOutputs.get(step) : undefined;
  };
