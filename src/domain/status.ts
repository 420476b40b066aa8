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
  "kept",
  "taken-up",
  "left",
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

/** Facts that may arrive at any time about a thing that may exist: they leave the status, or put it in doubt. */
const seen = (own: StepStatus): Row => ({
  identity: [own, "unresolved"],
  // What was unresolved only because of a call that is answered late is again what the later call left.
  "outcome:late": own === "unresolved" ? ["unresolved", "error"] : [own, "unresolved"],
  ambiguous: ["unresolved"],
  "decision:approve": [own],
  renamed: [own],
  left: [own],
});

/** What a person decides of a thing that may exist. */
const decided = (own: StepStatus): Row => ({
  // What was refuted stays so, whatever was decided of the thing itself.
  "decision:resolve": [
    ...(["complete", "unconfirmed", "destroyed", "pending", "unresolved"] as const),
    ...(own === "error" ? (["error"] as const) : []),
  ],
  "decision:forget":
    own === "unresolved"
      ? ["unresolved", "complete", "unconfirmed", "pending"]
      : own === "running" || own === "destroying"
        ? ["unresolved", "pending"]
        : [own, "pending"],
  "decision:import": ["unresolved"],
});

/** The table: in this status, that event may lead to these statuses; what is not listed is refused. */
export const TRANSITIONS: Readonly<Record<StepStatus, Row>> = {
  pending: {
    ...seen("pending"),
    ...decided("pending"),
    planned: ["pending"],
    "not-run": ["pending"],
    "intent:create": ["running"],
    "intent:compensate": ["running"],
    absent: ["pending"],
    "no-answer": ["pending"],
    // Found although nothing of ours is known to have been sent: an observation alone never adopts (R4).
    observed: ["pending"],
    "decision:retain": ["retained"],
    kept: ["retained"],
  },
  running: {
    ...seen("running"),
    "outcome:done": ["running", "complete", "unconfirmed", "unresolved"],
    "outcome:refused": ["error", "unresolved"],
    "outcome:failed": ["error", "unresolved"],
    "outcome:unknown": ["unresolved"],
    observed: ["running", "complete", "unconfirmed", "error", "unresolved"],
    absent: ["running", "unresolved", "pending", "error"],
    "no-answer": ["running", "unresolved"],
    settled: ["running", "complete", "unconfirmed", "error", "unresolved", "pending", "destroyed"],
    "contained-gone": ["destroyed"],
    "nothing-to-remove": ["destroyed"],
    ...decided("running"),
    "decision:retain": ["running"],
    kept: ["running"],
    // A dead owner's call: the next operation takes over what is shown as unresolved.
    "intent:create": ["running"],
    "intent:update": ["running"],
    "intent:owed": ["running"],
    "intent:compensate": ["running"],
    "intent:destroy": ["destroying"],
    planned: ["running"],
  },
  destroying: {
    ...seen("destroying"),
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
    ...decided("destroying"),
    "decision:retain": ["destroying"],
    kept: ["destroying"],
    "intent:destroy": ["destroying"],
    planned: ["destroying"],
  },
  complete: {
    ...seen("complete"),
    ...decided("complete"),
    // The file asks for another proof now.
    planned: ["complete", "unconfirmed"],
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
    kept: ["retained"],
  },
  unconfirmed: {
    ...seen("unconfirmed"),
    ...decided("unconfirmed"),
    planned: ["unconfirmed", "complete"],
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
    kept: ["retained"],
  },
  error: {
    ...seen("error"),
    ...decided("error"),
    planned: ["error", "unconfirmed", "complete"],
    "intent:create": ["running"],
    "intent:update": ["running"],
    "intent:owed": ["running"],
    "intent:compensate": ["running"],
    "intent:destroy": ["destroying"],
    observed: ["error", "complete", "unconfirmed"],
    absent: ["error", "destroyed", "pending"],
    "no-answer": ["error"],
    settled: ["error", "complete", "unconfirmed", "destroyed", "pending", "unresolved"],
    "contained-gone": ["destroyed"],
    "nothing-to-remove": ["destroyed"],
    confirmed: ["error", "complete", "unconfirmed"],
    "decision:retain": ["retained", "error"],
    kept: ["retained", "error"],
  },
  unresolved: {
    ...seen("unresolved"),
    ...decided("unresolved"),
    planned: ["unresolved"],
    "intent:create": ["running"],
    "intent:update": ["running"],
    "intent:owed": ["running"],
    "intent:compensate": ["running"],
    "intent:destroy": ["destroying"],
    // The outcome of a call that was given up for lost: from the spool, or from a process that woke.
    "outcome:done": ["unresolved", "complete", "unconfirmed", "destroyed"],
    "outcome:refused": ["error", "unresolved"],
    "outcome:failed": ["error", "unresolved"],
    "outcome:unknown": ["unresolved"],
    observed: ["unresolved", "complete", "unconfirmed", "error"],
    absent: ["unresolved", "destroyed", "pending", "error"],
    "no-answer": ["unresolved"],
    settled: ["unresolved", "complete", "unconfirmed", "error", "destroyed", "pending"],
    "contained-gone": ["destroyed"],
    "nothing-to-remove": ["destroyed"],
    confirmed: ["unresolved"],
    "decision:retain": ["retained", "unresolved"],
    kept: ["retained", "unresolved"],
  },
  destroyed: {
    ...seen("destroyed"),
    planned: ["pending"],
    "intent:create": ["running"],
    absent: ["destroyed"],
    "no-answer": ["destroyed"],
    observed: ["destroyed", "unresolved"],
    "contained-gone": ["destroyed"],
    "nothing-to-remove": ["destroyed"],
    "decision:resolve": ["destroyed"],
    "decision:forget": ["destroyed", "pending"],
    "decision:import": ["unresolved"],
    "decision:retain": ["retained"],
    kept: ["retained"],
  },
  retained: {
    ...seen("retained"),
    ...decided("retained"),
    planned: ["retained"],
    observed: ["retained"],
    absent: ["retained", "destroyed"],
    "no-answer": ["retained"],
    "contained-gone": ["destroyed"],
    "taken-up": ["complete", "error", "unresolved", "unconfirmed", "pending"],
    "decision:release-retain": ["complete", "error", "unresolved", "unconfirmed", "pending"],
    "decision:retain": ["retained"],
    kept: ["retained"],
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
