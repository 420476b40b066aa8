/**
 * Removing one step: by identity (D4), and destroyed only when its absence was observed (D3).
 * Used by `destroy`, by `replace`, and for steps that left the file.
 */

import { approvalFault } from "../domain/approval.ts";
import { EXIT } from "../domain/exit.ts";
import type { Digest, StepName } from "../domain/ids.ts";
import type { Declared } from "../domain/journal.ts";
import { isAlive, retainOf, type StepState } from "../domain/state.ts";
import type { Provider } from "../ports/provider.ts";
import { endingOf } from "./call.ts";
import { previousInputs } from "./inputs.ts";
import { carryOut } from "./intend.ts";
import { follow, lookOnce, readAgainWith, recordedSubject, type Subject } from "./look.ts";
import { type Ending, stopped, through, type Work } from "./work.ts";

export interface Removal {
  readonly step: StepName;
  /** Closed by the proof of this step's absence (D2). */
  readonly contained: readonly StepName[];
  readonly plan: Digest | null;
}

export const remove = async (work: Work, removal: Removal): Promise<Ending> => {
  const found = work.session.state(removal.step);
  if (found === undefined || (!isAlive(found) && found.open.length === 0)) return through;
  const guard =
    approvalFault(found.step, found.policy.approve, found, "destroy", removal.plan) ??
    containedFault(work, removal);
  if (guard !== undefined) return stopped(EXIT.refused, guard);
  // Kept once, and to be kept no more.
  const why = "nothing retains it any more, and it is to be removed";
  const state =
    found.status === "retained" ? await work.session.decide(found.step, { what: "taken-up" }, why) : found;
  const declared = state.declared ?? state.applied;
  if (declared === null) return stopped(EXIT.refused, "it has no recorded declaration to be destroyed by");
  if (!declared.can.destroy) {
    await work.session.decide(
      removal.step,
      { what: "nothing-to-remove" },
      "destroy was asked for, and the step has none",
    );
    return through;
  }
  const subject = await recordedSubject(work, state, () => removal.contained);
  if ("fault" in subject) return stopped(EXIT.refused, `it cannot be destroyed: ${subject.fault}`);
  const looked = await settleFirst(work, subject, declared, state);
  if (looked !== undefined) return looked;
  work.runtime.reached("removal-due");
  return removeAlive(work, subject, declared);
};

/** D2: what is contained goes with its parent, so a child that is kept, or waits for an approval, stops it. */
const containedFault = (work: Work, removal: Removal): string | undefined => {
  for (const child of removal.contained) {
    const state = work.session.state(child);
    if (state === undefined || (!isAlive(state) && state.open.length === 0)) continue;
    const retain = retainOf(state);
    if (retain !== null)
      return `${child} is contained in it and retained (${retain.owner}: ${retain.reason})`;
    const approval = approvalFault(child, state.policy.approve, state, "destroy", removal.plan);
    if (approval !== undefined) return `${child} is contained in it, and its ${approval}`;
  }
  return undefined;
};

/** Over doubt, one look first. An ending when that already says all; undefined when the destroy may be sent. */
const settleFirst = async (
  work: Work,
  subject: Subject,
  declared: Declared,
  before: StepState,
): Promise<Ending | undefined> => {
  if (before.open.length === 0) return undefined;
  if (declared.can.observe) await lookOnce(work, subject);
  const state = work.session.state(subject.step);
  if (state === undefined || !isAlive(state)) return through;
  const destroy = state.open.findLast((open) => open.action === "destroy");
  // One that answered `failed`, with the thing seen since, may be followed by another: it is aimed at that identity.
  const answered =
    destroy?.outcome === "failed" && state.lastReading === "observed" && state.identity !== null;
  if (destroy !== undefined && !answered && state.policy.retry !== "idempotent")
    return stopped(EXIT.unresolved, `an earlier destroy is in doubt and is not sent again: ${state.reason}`);
  if (destroy !== undefined && (await work.senders.of(state.keys)).length > 0)
    return stopped(EXIT.unresolved, "a provider's process that may still destroy it lives");
  // D4: never by name alone. What was never seen has no identity to be destroyed by, and may yet appear.
  if (!state.present && declared.can.observe)
    return stopped(EXIT.unresolved, `it was not found, but it may still appear: ${state.reason}`);
  return undefined;
};

const removeAlive = async (work: Work, subject: Subject, declared: Declared): Promise<Ending> => {
  for (const surplus of work.session.state(subject.step)?.surplus ?? []) {
    const ending = await removeSurplus(work, subject, declared, surplus.id);
    if (ending.kind === "stopped") return ending;
  }
  const state = work.session.state(subject.step);
  if (state === undefined || (!isAlive(state) && state.open.length === 0)) return through;
  const called = await callDestroy(work, subject.provider, subject, declared);
  if (called.kind === "not-committed") return stopped(called.exit, called.why);
  if (called.recorded) await watchGone(work, subject, called.outcome, called.state);
  const after = work.session.state(subject.step);
  if (after?.status === "destroyed") return through;
  return endingOf(work, subject.step, called);
};

const callDestroy = async (
  work: Work,
  provider: Provider,
  subject: Subject,
  declared: Declared,
  target?: string,
) =>
  carryOut(work, provider, {
    step: subject.step,
    action: "destroy",
    declared,
    inputs: subject.inputs,
    previousInputs: await previousInputs(work, work.session.state(subject.step), readAgainWith(work)),
    ...(target === undefined ? {} : { target }),
  });

/** Absence seen settles a destroy at once, whatever its outcome; after `done` it is waited for, up to the deadline. */
const watchGone = async (work: Work, subject: Subject, outcome: string, state: StepState): Promise<void> => {
  if (state.declared?.can.observe !== true || outcome === "refused" || state.status === "destroyed") return;
  const patienceMs = outcome === "done" ? state.policy.deadlineMs : 0;
  await follow(work, subject, { untilMs: work.runtime.clock.monotonicMs() + patienceMs, justCalled: true });
};

/** N3: a second object goes the same way, by its own id. */
const removeSurplus = async (
  work: Work,
  subject: Subject,
  declared: Declared,
  id: string,
): Promise<Ending> => {
  const about: Subject = { ...subject, surplusId: id, contained: () => [] };
  const gone = () => !(work.session.state(subject.step)?.surplus.some((s) => s.id === id) ?? false);
  await lookOnce(work, about);
  if (gone()) return through;
  const called = await callDestroy(work, subject.provider, subject, declared, id);
  if (called.kind === "not-committed") return stopped(called.exit, called.why);
  const giveUpAt = work.runtime.clock.now() + called.state.policy.deadlineMs;
  while (
    !gone() &&
    work.runtime.clock.now() < giveUpAt &&
    !work.runtime.interrupt.drain.aborted &&
    called.outcome === "done"
  ) {
    await lookOnce(work, about);
    if (!gone()) await work.runtime.clock.sleep(500, work.runtime.interrupt.drain);
  }
  return gone() ? through : stopped(EXIT.unresolved, `the second object ${id} was not seen to be gone`);
};
