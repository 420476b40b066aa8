/** One change to one step: the call, then looking until what it did is settled; and the obligations it left (P3). */
import { awaitsConfirm } from "../domain/confirm.ts";
import { EXIT } from "../domain/exit.ts";
import { exitOf } from "../domain/exit-of-step.ts";
import type { StepName } from "../domain/ids.ts";
import type { Declared } from "../domain/journal.ts";
import { resendFault } from "../domain/settle.ts";
import type { Provider } from "../ports/provider.ts";
import { readClock } from "./clock-reading.ts";
import { previousInputs } from "./inputs.ts";
import { type Called, carryOut } from "./intend.ts";
import type { NotCommitted } from "./ledger.ts";
import { follow, readAgainWith, type Subject } from "./look.ts";
import { type Ending, stopped, through, type Work } from "./work.ts";

export interface Target {
  readonly subject: Subject;
  readonly provider: Provider;
  readonly declared: Declared;
}

/** create or update, then asks until the answer agrees, at most for `settle`. */
export const makeAsDeclared = async (
  work: Work,
  target: Target,
  action: "create" | "update",
  absenceSeen: boolean,
): Promise<Ending> => {
  const { subject } = target;
  const before = work.session.state(subject.step);
  const called = await carryOut(work, target.provider, {
    step: subject.step,
    action,
    declared: target.declared,
    inputs: subject.inputs,
    previousInputs: await previousInputs(work, before, readAgainWith(work)),
    absenceSeen,
  });
  if (called.kind === "not-committed") return stopped(called.exit, called.why);
  if (called.outcome === "done" && called.recorded && called.state.open.length > 0) {
    const untilMs = work.runtime.clock.monotonicMs() + called.state.policy.settleMs;
    await follow(work, subject, { untilMs, justCalled: true });
  }
  return endingOf(work, subject.step, called);
};

/** How the step stands after a call. What it has still to be confirmed by is asked after it (`confirm.ts`). */
export const endingOf = (work: Work, step: StepName, called?: Called): Ending => {
  if (called !== undefined && !called.recorded)
    return stopped(
      EXIT.unresolved,
      "its result could not be recorded in the ledger and waits in this host's spool",
    );
  const state = work.session.state(step);
  if (state === undefined) return stopped(EXIT.broken, "it has no record");
  if (state.status === "complete" || awaitsConfirm(state)) return through;
  return stopped(exitOf(state), state.reason);
};

/** P3: what a finished step still owes is done before anything else. */
export const payOwed = async (work: Work, target: Target): Promise<Ending> => {
  const { step } = target.subject;
  const state = work.session.state(step);
  if (state === undefined || state.owes.length === 0) return through;
  const what = state.owes.join("; ");
  if (!target.declared.can.owed)
    return stopped(
      EXIT.refuted,
      `it still owes: ${what}; its provider has no command for that: do it, then asfound resolve ${step} --as present --owed done --reason TEXT`,
    );
  const doubt = state.open.find((open) => open.action === "owed");
  if (doubt !== undefined && state.policy.retry !== "idempotent")
    return stopped(
      EXIT.unresolved,
      `nobody knows whether it was done, and it is not declared idempotent: ${what}`,
    );
  if (doubt !== undefined && (await work.senders.of(state.keys)).length > 0)
    return stopped(EXIT.unresolved, `a provider's process that may still do it lives: ${what}`);
  const called: Called | NotCommitted = await carryOut(work, target.provider, {
    step,
    action: "owed",
    declared: target.declared,
    inputs: target.subject.inputs,
    previousInputs: null,
  });
  if (called.kind === "not-committed") return stopped(called.exit, called.why);
  const ending = endingOf(work, step, called);
  const after = work.session.state(step);
  if (ending.kind === "through" && after !== undefined && after.owes.length > 0)
    return stopped(EXIT.refuted, `it still owes: ${after.owes.join("; ")}`);
  return ending;
};

/** Whether the call in doubt may be sent again although it was not settled (R5); the sentence says why not. */
export const mayResend = async (
  work: Work,
  target: Target,
  foundNothing: boolean,
): Promise<string | undefined> => {
  const state = work.session.state(target.subject.step);
  if (state === undefined) return "it has no record";
  if (!foundNothing && target.declared.can.observe) return "what is there could not be told";
  if (!target.declared.can.observe && state.policy.retry !== "idempotent")
    return "nothing can observe it, and it is not declared idempotent";
  const senders = await work.senders.of(state.keys);
  return resendFault(state, {
    inputsDigest: target.declared.inputsDigest.digest,
    now: work.runtime.clock.now(),
    clock: readClock(work.runtime.clock),
    senderAlive: senders.length > 0,
  });
};
