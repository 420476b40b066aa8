/**
 * A step's status, as an operator sees it, and the one table of how it may change (DESIGN §6).
 * Everything else derives from this file: the fold (`state.ts`) refuses a transition that is not here.
 *
 * `running` and `destroying` are what is stored while a call is out; who reads them shows `unresolved` instead when the
 * call's owner is dead (W3, `shownStatus`).
 */
export const STATUSES = [
  "pending",
  "running",
  "destroying",
  "complete",
  "unconfirmed",
  "error",
  "unresolved",
  "destroyed",
  "retained",
] as const;
export type StepStatus = (typeof STATUSES)[number];

/** What can happen to a step. */
export const EVENTS = [
  "planned",
  "intent:create",
  "intent:update",
  "intent:owed",
  "intent:compensate",
  "intent:destroy",
  "identity",
  "outcome:done",
  "outcome:refused",
  "outcome:failed",
  "outcome:unknown",
  "outcome:late",
  "observed",
  "absent",
  "no-answer",
  "ambiguous",
  "settled",
  "contained-gone",
  "nothing-to-remove",
  "not-run",
  "confirmed",
  "decision:resolve",
  "decision:retain",
  "decision:release-retain",
  "decision:forget",
  "decision:import",
  "decision:approve",
  "renamed",
] as const;
export type StepEvent = (typeof EVENTS)[number];

/** Statuses of a step that no call is out for. */
const RESTING = [
  "pending",
  "complete",
  "unconfirmed",
  "error",
  "unresolved",
  "destroyed",
  "retained",
] as const;

type Row = Partial<Record<StepEvent, readonly StepStatus[]>>;

/** Decisions that leave a status to be what the facts say. */
const DECIDED: Row = {
  "decision:resolve": ["complete", "destroyed", "pending", "error", "unresolved"],
  "decision:forget": ["pending", "complete", "error", "unresolved", "retained", "unconfirmed", "destroyed"],
  "decision:import": ["unresolved", "complete"],
};

/** Facts that may arrive at any time about a thing that may exist. */
const SEEN: Row = {
  identity: [
    "running",
    "destroying",
    "unresolved",
    "error",
    "complete",
    "unconfirmed",
    "destroyed",
    "retained",
    "pending",
  ],
  "outcome:late": [
    "unresolved",
    "error",
    "complete",
    "unconfirmed",
    "destroyed",
    "pending",
    "running",
    "destroying",
    "retained",
  ],
  ambiguous: ["unresolved", "running", "destroying"],
  "decision:approve": STATUSES,
  renamed: STATUSES,
};

/** The table: in this status, that event may lead to these statuses; what is not listed is refused. */
export const TRANSITIONS: Readonly<Record<StepStatus, Row>> = {
  pending: {
    ...SEEN,
    ...DECIDED,
    planned: ["pending"],
    "not-run": ["pending"],
    "intent:create": ["running"],
    "intent:compensate": ["running"],
    absent: ["pending"],
    "no-answer": ["pending"],
    // Found although nothing of ours is known to have been sent: an observation alone never adopts (R4).
    observed: ["pending"],
    "decision:retain": ["retained"],
  },
  running: {
    ...SEEN,
    "outcome:done": ["running", "complete", "unresolved"],
    "outcome:refused": ["error", "unresolved"],
    "outcome:failed": ["error", "unresolved"],
    "outcome:unknown": ["unresolved"],
    observed: ["running", "complete", "error", "unresolved"],
    absent: ["running", "unresolved", "pending", "error"],
    "no-answer": ["running", "unresolved"],
    settled: ["running", "complete", "error", "unresolved", "pending", "destroyed"],
    "contained-gone": ["destroyed"],
    "nothing-to-remove": ["destroyed"],
    ...DECIDED,
    // A dead owner's call: the next operation takes over what is shown as unresolved.
    "intent:create": ["running"],
    "intent:update": ["running"],
    "intent:owed": ["running"],
    "intent:compensate": ["running"],
    "intent:destroy": ["destroying"],
    planned: ["running"],
  },
  destroying: {
    ...SEEN,
    "outcome:done": ["destroying", "destroyed", "unresolved"],
    "outcome:refused": ["error", "unresolved"],
    "outcome:failed": ["error", "unresolved"],
    "outcome:unknown": ["unresolved"],
    // D5: no way from here to complete but a decision.
    observed: ["destroying", "error", "unresolved"],
    absent: ["destroyed", "destroying", "unresolved"],
    "no-answer": ["destroying", "unresolved"],
    settled: ["destroying", "destroyed", "error", "unresolved"],
    "contained-gone": ["destroyed"],
    "nothing-to-remove": ["destroyed"],
    ...DECIDED,
    "intent:destroy": ["destroying"],
    planned: ["destroying"],
  },
  complete: {
    ...SEEN,
    ...DECIDED,
    planned: ["complete"],
    "intent:update": ["running"],
    "intent:owed": ["running"],
    "intent:compensate": ["running"],
    "intent:destroy": ["destroying"],
    observed: ["complete", "error"],
    absent: ["complete", "destroyed"],
    "no-answer": ["complete"],
    "contained-gone": ["destroyed"],
    "nothing-to-remove": ["destroyed"],
    confirmed: ["complete", "unconfirmed", "error"],
    "decision:retain": ["retained"],
  },
  unconfirmed: {
    ...SEEN,
    ...DECIDED,
    planned: ["unconfirmed"],
    "intent:update": ["running"],
    "intent:owed": ["running"],
    "intent:destroy": ["destroying"],
    observed: ["unconfirmed", "error", "complete"],
    absent: ["unconfirmed", "destroyed"],
    "no-answer": ["unconfirmed"],
    "contained-gone": ["destroyed"],
    "nothing-to-remove": ["destroyed"],
    confirmed: ["complete", "unconfirmed", "error"],
    "decision:retain": ["retained"],
  },
  error: {
    ...SEEN,
    ...DECIDED,
    planned: ["error"],
    "intent:create": ["running"],
    "intent:update": ["running"],
    "intent:owed": ["running"],
    "intent:compensate": ["running"],
    "intent:destroy": ["destroying"],
    observed: ["error", "complete"],
    absent: ["error", "destroyed", "pending"],
    "no-answer": ["error"],
    settled: ["error", "complete", "destroyed", "pending", "unresolved"],
    "contained-gone": ["destroyed"],
    "nothing-to-remove": ["destroyed"],
    confirmed: ["error", "complete", "unconfirmed"],
    "decision:retain": ["retained"],
  },
  unresolved: {
    ...SEEN,
    ...DECIDED,
    planned: ["unresolved"],
    "intent:create": ["running"],
    "intent:update": ["running"],
    "intent:owed": ["running"],
    "intent:compensate": ["running"],
    "intent:destroy": ["destroying"],
    // The outcome of a call that was given up for lost: from the spool, or from a process that woke.
    "outcome:done": ["unresolved", "complete", "destroyed"],
    "outcome:refused": ["error", "unresolved"],
    "outcome:failed": ["error", "unresolved"],
    "outcome:unknown": ["unresolved"],
    observed: ["unresolved", "complete", "error"],
    absent: ["unresolved", "destroyed", "pending", "error"],
    "no-answer": ["unresolved"],
    settled: ["unresolved", "complete", "error", "destroyed", "pending"],
    "contained-gone": ["destroyed"],
    "nothing-to-remove": ["destroyed"],
    confirmed: ["unresolved"],
    "decision:retain": ["retained", "unresolved"],
  },
  destroyed: {
    ...SEEN,
    planned: ["pending"],
    "intent:create": ["running"],
    absent: ["destroyed"],
    "no-answer": ["destroyed"],
    observed: ["destroyed", "unresolved"],
    "contained-gone": ["destroyed"],
    "nothing-to-remove": ["destroyed"],
    "decision:resolve": ["destroyed"],
    "decision:forget": ["destroyed", "pending"],
    "decision:import": ["unresolved", "complete"],
    "decision:retain": ["retained"],
  },
  retained: {
    ...SEEN,
    ...DECIDED,
    planned: ["retained"],
    observed: ["retained"],
    absent: ["retained", "destroyed"],
    "no-answer": ["retained"],
    "intent:update": ["running"],
    "decision:release-retain": ["complete", "error", "unresolved", "unconfirmed", "pending"],
    "decision:retain": ["retained"],
  },
};

/** undefined when the table allows it; else one sentence. */
export const transitionFault = (from: StepStatus, event: StepEvent, to: StepStatus): string | undefined => {
  const allowed = TRANSITIONS[from][event];
  if (allowed === undefined) return `a step that is ${from} cannot take the event ${event}`;
  if (!allowed.includes(to)) return `${event} cannot turn a step from ${from} into ${to}`;
  return undefined;
};

export { RESTING };
