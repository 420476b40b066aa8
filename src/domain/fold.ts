/**
 * The fold: state + record → state. Pure, total over legal journals, and the only writer of a step's state.
 *
 * Laws held here:
 *   W3 a call without an outcome stays open; nothing but evidence or a decision closes it.
 *   W4 outputs are merged and never deleted; those of an earlier incarnation become `previous`.
 *   N3 the first outcome stands; a later one is merged and, where it contradicts, reopens the step.
 *   D1 alive until absence was proven. D5 a destroy never leads up to `complete`.
 *   P1 what did not run is `pending`. P3 obligations stay owed until an `owed` call is done.
 * Every change of status is checked against the one table in `status.ts`.
 */
import type { Instant } from "./ids.ts";
import { iso } from "./ids.ts";
import type {
  Decision,
  DecisionRecord,
  IdentityRecord,
  IntentRecord,
  JournalRecord,
  ObservationRecord,
  OutcomeRecord,
  PlannedStep,
  Policy,
  SettledBy,
  SettlementRecord,
} from "./journal.ts";
import type { JsonObject } from "./json.ts";
import type { Brought, Reading } from "./outcome.ts";
import type { OpenIntent, OutputSource, StepState } from "./state.ts";
import { isAlive } from "./state.ts";
import type { StepEvent, StepStatus } from "./status.ts";
import { transitionFault } from "./status.ts";
import { DEFAULTS } from "./step.ts";

/** A journal that breaks the table: a defect of asfound or an altered ledger, never an operator's mistake. */
export class IllegalTransition extends Error {
  readonly code = "ASFOUND_ILLEGAL_TRANSITION";
}

const CLOSED_KEPT = 16;

export const DEFAULT_POLICY: Policy = {
  retry: "once",
  keyLifetimeMs: DEFAULTS.keyLifetimeMs,
  settleMs: DEFAULTS.settleMs,
  deadlineMs: DEFAULTS.deadlineMs,
  retain: null,
  approve: null,
  public: [],
  keepSecrets: false,
};

const blank = (planned: PlannedStep, at: Instant): StepState => ({
  step: planned.step,
  uses: planned.uses,
  needs: planned.needs,
  partOf: planned.partOf,
  policy: planned.policy,
  status: "pending",
  reason: "it has not run yet",
  provenBy: null,
  key: null,
  keySince: null,
  keys: [],
  identity: null,
  surplus: [],
  present: false,
  open: [],
  closed: [],
  outputs: {},
  outputsFrom: {},
  previous: [],
  declared: null,
  applied: null,
  effect: "none",
  failedCommand: null,
  failedIn: null,
  lastError: null,
  owes: [],
  confirmed: null,
  retained: null,
  approvals: [],
  missingSince: null,
  senderSeenAt: null,
  disappeared: false,
  lastEvidence: null,
  lastReading: null,
  lastIntent: null,
  lastOperation: null,
  attempts: 0,
  updatedAt: at,
});

/** The state after `record`. Throws `IllegalTransition` when the table does not allow it. */
export const advance = (state: StepState | undefined, record: JournalRecord): StepState => {
  const dated = state === undefined ? undefined : { ...state, updatedAt: record.at };
  return { ...step(dated, record), lastOperation: record.operation };
};

const step = (state: StepState | undefined, record: JournalRecord): StepState => {
  if (record.kind === "decision") return decided(state, record);
  if (state === undefined)
    throw new IllegalTransition(
      `step ${record.step}: a record of kind ${record.kind} came before the step was planned`,
    );
  switch (record.kind) {
    case "intent":
      return intended(state, record);
    case "identity":
      return identified(state, record);
    case "outcome":
      return concluded(state, record);
    case "observation":
      return observed(state, record);
    case "settlement":
      return settled(state, record);
  }
};

const move = (state: StepState, event: StepEvent, to: StepStatus, reason: string): StepState => {
  const fault = transitionFault(state.status, event, to);
  if (fault !== undefined) throw new IllegalTransition(`step ${state.step}: ${fault}`);
  return { ...state, status: to, reason };
};

const merge = (state: StepState, outputs: JsonObject, source: OutputSource): StepState => {
  const names = Object.keys(outputs);
  if (names.length === 0) return state;
  const outputsFrom: Record<string, OutputSource> = { ...state.outputsFrom };
  for (const name of names) outputsFrom[name] = source;
  return { ...state, outputs: { ...state.outputs, ...outputs }, outputsFrom };
};

// ---- intents ---------------------------------------------------------------------------------------------------

const intended = (state: StepState, record: IntentRecord): StepState => {
  const fresh = record.key !== state.key;
  const begins = record.action === "create" || record.action === "compensate";
  const open: OpenIntent = {
    intent: record.intent,
    action: record.action,
    operation: record.operation,
    attempt: record.attempt,
    key: record.key,
    epoch: record.epoch,
    at: record.at,
    callBy: record.callBy,
    target: record.target,
    outcome: null,
    endedAt: null,
    absenceSeen: record.absenceSeen,
    inputsDigest: record.declared.inputsDigest.digest,
  };
  const to = record.action === "destroy" ? "destroying" : "running";
  const moved = move(state, `intent:${record.action}`, to, `${record.action} was begun at ${iso(record.at)}`);
  return {
    ...moved,
    uses: record.declared.uses,
    key: record.key,
    keySince: fresh ? record.at : state.keySince,
    keys: fresh ? [...(begins ? [] : state.keys), record.key] : state.keys,
    open: [...state.open, open],
    declared:
      record.action === "destroy" || record.action === "owed"
        ? (state.declared ?? record.declared)
        : record.declared,
    effect: "possible",
    missingSince: null,
    disappeared: false,
    provenBy: null,
    lastIntent: record.intent,
    attempts: state.attempts + 1,
    // An approval is for one call.
    approvals: state.approvals.filter((a) => a.before !== "any" && a.before !== record.action),
  };
};

/** Takes an id that a call brought. A second real id is kept as surplus, never dropped and never mixed up (N3). */
const takeId = (
  state: StepState,
  id: string | null,
  intent: OpenIntent | undefined,
  late: boolean,
  at: Instant,
): StepState => {
  if (id === null || state.identity?.id === id) return id === null ? state : { ...state, present: true };
  if (state.surplus.some((s) => s.id === id)) return state;
  if (state.identity === null) return { ...state, identity: { id }, present: true };
  const surplus = (extra: string, why: string) => [
    ...state.surplus,
    {
      id: extra,
      since: at,
      operation: intent?.operation ?? state.lastOperation ?? ("op_unknown" as never),
      why,
    },
  ];
  if (!late && intent?.action === "update")
    return {
      ...state,
      present: true,
      identity: { id },
      surplus: surplus(
        state.identity.id,
        `an update answered with another id, ${id}; this one was recorded before`,
      ),
    };
  return {
    ...state,
    present: true,
    surplus: surplus(id, `a second id was answered; ${state.identity.id} was recorded first`),
  };
};

const identified = (state: StepState, record: IdentityRecord): StepState => {
  const open = state.open.find((o) => o.intent === record.intent);
  const source: OutputSource = { from: "identity", operation: record.operation, at: record.at };
  const known = takeId(merge(state, record.outputs, source), record.id, open, open === undefined, record.at);
  if (open !== undefined) return move(known, "identity", state.status, state.reason);
  return reopen(known, "identity", record.intent, `an id (${record.id}) arrived after the step was settled`);
};

// ---- outcomes --------------------------------------------------------------------------------------------------

const concluded = (state: StepState, record: OutcomeRecord): StepState => {
  const open = state.open.find((o) => o.intent === record.intent);
  if (open === undefined || open.outcome !== null) return late(state, record, open);
  const { outcome } = record;
  if (outcome.kind === "refused") return refused(state, open, outcome.reason);

  const source: OutputSource = { from: "outcome", operation: record.operation, at: record.at };
  let next = merge(state, outcome.outputs, source);
  if (open.action !== "destroy") next = takeId(next, outcome.id, open, false, record.at);
  next = owing(next, open, outcome, outcome.kind === "done");
  next = withOpen(next, { ...open, outcome: outcome.kind, endedAt: record.endedAt });
  if (outcome.kind === "done") return done(next, open);
  if (outcome.kind === "failed") return failed(next, open, outcome.reason);
  const moved = move(
    next,
    "outcome:unknown",
    "unresolved",
    `nobody knows what ${open.action} did: ${outcome.reason}`,
  );
  return {
    ...moved,
    effect: "possible",
    failedCommand: open.action,
    failedIn: open.operation,
    lastError: outcome.reason,
  };
};

const withOpen = (state: StepState, changed: OpenIntent): StepState => ({
  ...state,
  open: state.open.map((o) => (o.intent === changed.intent ? changed : o)),
});

const without = (state: StepState, intent: OpenIntent): StepState => ({
  ...state,
  open: state.open.filter((o) => o.intent !== intent.intent),
});

const owing = (state: StepState, open: OpenIntent, brought: Brought, isDone: boolean): StepState => {
  if (open.action === "owed" && isDone) return { ...state, owes: [...new Set(brought.owes)] };
  return { ...state, owes: [...new Set([...state.owes, ...brought.owes])] };
};

const refused = (state: StepState, open: OpenIntent, reason: string): StepState => {
  const rest = without(state, open);
  const doubt = inDoubt(rest);
  const why = doubt ?? `${open.action} was refused: ${reason}`;
  const moved = move(rest, "outcome:refused", doubt === undefined ? "error" : "unresolved", why);
  return {
    ...moved,
    effect: "none",
    failedCommand: open.action,
    failedIn: open.operation,
    lastError: reason,
  };
};

const failed = (state: StepState, open: OpenIntent, reason: string): StepState => {
  // No reading can tell what an `owed` or a `compensate` did: its own answer is all there will be.
  const answered = open.action === "owed" || open.action === "compensate" ? without(state, open) : state;
  const doubt = inDoubt(answered);
  const why = doubt ?? `${open.action} answered that it failed, and an effect is possible: ${reason}`;
  const moved = move(answered, "outcome:failed", doubt === undefined ? "error" : "unresolved", why);
  return {
    ...moved,
    effect: "possible",
    failedCommand: open.action,
    failedIn: open.operation,
    lastError: reason,
  };
};

const done = (state: StepState, open: OpenIntent): StepState => {
  const canObserve = state.declared?.can.observe === true;
  const ownWord: SettledBy = { kind: "own-word" };
  if (open.action === "destroy") {
    if (canObserve || open.target !== (state.identity?.id ?? null))
      return move(
        state,
        "outcome:done",
        "destroying",
        "destroy was answered with done; its absence was not observed yet",
      );
    return entomb(
      move(state, "outcome:done", "destroyed", "destroyed by its own word; nothing can observe it"),
      ownWord,
    );
  }
  if (open.action === "owed" || open.action === "compensate") {
    // It may be repeated only where that is harmless, so one that is done answers for the ones in doubt before it.
    const cleared = { ...state, open: state.open.filter((o) => o.action !== open.action) };
    return completed(cleared, "outcome:done", ownWord, `${open.action} is done, by its own word`);
  }
  if (canObserve)
    return move(
      state,
      "outcome:done",
      "running",
      `${open.action} was answered with done; it was not observed yet`,
    );
  const cleared = {
    ...state,
    open: state.open.filter((o) => o.action === "destroy"),
    present: true,
    applied: state.declared,
  };
  return completed(cleared, "outcome:done", ownWord, "complete by its own word; nothing can observe it");
};

/** N3: the first outcome stands. What a later one brings is kept; if it contradicts what was settled, the step reopens. */
const late = (state: StepState, record: OutcomeRecord, open: OpenIntent | undefined): StepState => {
  const { outcome } = record;
  if (outcome.kind === "refused") return move(state, "outcome:late", state.status, state.reason);
  const closed = open ?? state.closed.find((o) => o.intent === record.intent);
  const source: OutputSource = { from: "outcome", operation: record.operation, at: record.at };
  const before = state.identity?.id ?? null;
  let next = merge(state, outcome.outputs, source);
  if (closed?.action !== "destroy") next = takeId(next, outcome.id, closed, true, record.at);
  next = { ...next, owes: [...new Set([...next.owes, ...outcome.owes])] };

  const created = closed?.action === "create" && !isAlive(state);
  const another = outcome.id !== null && before !== null && before !== outcome.id;
  if (!created && !another && !(before === null && outcome.id !== null && !isAlive(state)))
    return move(next, "outcome:late", state.status, state.reason);
  return reopen(
    next,
    "outcome:late",
    record.intent,
    `a late outcome (${outcome.kind}) contradicts what was settled before`,
  );
};

const reopen = (state: StepState, event: StepEvent, intent: string, why: string): StepState => {
  const closed = state.closed.find((o) => o.intent === intent);
  const again =
    closed === undefined
      ? state.open
      : [...state.open, { ...closed, outcome: "unknown" as const, endedAt: null }];
  const moved = move({ ...state, open: again }, event, "unresolved", why);
  return {
    ...moved,
    closed: state.closed.filter((o) => o.intent !== intent),
    effect: "possible",
    provenBy: null,
    missingSince: null,
  };
};

// ---- observations ----------------------------------------------------------------------------------------------

/** What this reading says, once ids are compared: another id than the recorded one is not the same thing (R1). */
export const readingAbout = (state: StepState, reading: Reading): Reading => {
  if (reading.kind !== "observed" || reading.id === null || state.identity === null) return reading;
  if (reading.id === state.identity.id) return reading;
  return { kind: "ambiguous", ids: [state.identity.id, reading.id] };
};

const observed = (state: StepState, record: ObservationRecord): StepState => {
  const asked: StepState = {
    ...state,
    lastEvidence: record.evidence,
    lastReading: record.surplusId === null ? record.reading.kind : state.lastReading,
    senderSeenAt: record.senderAlive ? record.at : state.senderSeenAt,
  };
  if (record.surplusId !== null) return surplusSeen(asked, record, record.surplusId);
  const reading = readingAbout(asked, record.reading);
  switch (reading.kind) {
    case "observed":
      return present(asked, reading, record);
    case "absent":
      return missing(asked, record);
    case "ambiguous": {
      const why = `several things match: ${reading.ids.join(", ")}; a person has to choose`;
      if (!isAlive(asked)) return asked;
      return move(asked, "ambiguous", "unresolved", why);
    }
    default: {
      const silent = move(asked, "no-answer", asked.status, asked.reason);
      return record.last ? giveUp(silent, "no-answer", `it could not be read: ${reading.reason}`) : silent;
    }
  }
};

/** Ends the asking of this run: a call that is answered but not seen is in doubt from here on. */
const giveUp = (state: StepState, event: StepEvent, why: string): StepState =>
  state.status === "running" || state.status === "destroying" ? move(state, event, "unresolved", why) : state;

const surplusSeen = (state: StepState, record: ObservationRecord, id: string): StepState => {
  const since = state.surplus.find((s) => s.id === id)?.since;
  if (record.reading.kind !== "absent" || since === undefined || record.at - since < state.policy.settleMs)
    return state;
  const surplus = state.surplus.filter((s) => s.id !== id);
  const open = state.open.filter((o) => !(o.action === "destroy" && o.target === id));
  const rest = { ...state, surplus, open };
  const doubt = inDoubt(rest);
  if (doubt !== undefined || (state.status !== "unresolved" && state.status !== "destroying")) return rest;
  if (!isAlive(rest))
    return move(rest, "absent", "destroyed", `the second object ${id} is gone, and nothing else is there`);
  // The step itself is judged by the next reading of it.
  return move(
    rest,
    "absent",
    "unresolved",
    `the second object ${id} is gone; the step itself was not looked at since`,
  );
};

const present = (
  state: StepState,
  reading: Extract<Reading, { kind: "observed" }>,
  record: ObservationRecord,
): StepState => {
  if (!isAlive(state)) return seenWithoutCause(state, reading);
  const source: OutputSource = { from: "observation", operation: record.operation, at: record.at };
  const named =
    reading.id !== null && state.identity === null ? { ...state, identity: { id: reading.id } } : state;
  const seen: StepState = { ...merge(named, reading.outputs, source), present: true, missingSince: null };
  if (seen.open.length > 0)
    return record.last
      ? giveUp(move(seen, "observed", seen.status, seen.reason), "observed", notSettled(reading))
      : move(seen, "observed", seen.status, seen.reason);
  return compared(seen, reading, record);
};

const notSettled = (reading: Extract<Reading, { kind: "observed" }>): string =>
  `it is there, but what the call did is not settled${reading.reason === null ? "" : `: ${reading.reason}`}`;

/** Nothing is in doubt: the reading says whether the thing is as it was declared. */
const compared = (
  state: StepState,
  reading: Extract<Reading, { kind: "observed" }>,
  record: ObservationRecord,
): StepState => {
  const by: SettledBy = { kind: "observation", evidence: record.evidence };
  const told = reading.asDeclared.kind === "known" ? reading.asDeclared.value : undefined;
  if (state.status === "retained") return move(state, "observed", "retained", state.reason);
  if (told === false) {
    const why = `it is there, but not as declared${reading.reason === null ? "" : `: ${reading.reason}`}`;
    const moved = move(state, "observed", "error", why);
    return { ...moved, effect: "known", lastError: why, provenBy: null };
  }
  if (state.surplus.length > 0 || state.owes.length > 0)
    return move(state, "observed", state.status, state.reason);
  const cause = state.failedCommand;
  const attempted = state.declared?.inputsDigest.digest;
  const clears = told === true && (cause === null || record.inputsDigest === attempted);
  if (state.status === "error" && !clears) return move(state, "observed", "error", state.reason);
  if (state.status === "unresolved" && state.applied === null && told !== true)
    return completed({ ...state, applied: state.declared }, "observed", by, limit(told));
  return completed(
    { ...state, applied: clears ? state.declared : state.applied },
    "observed",
    by,
    limit(told),
  );
};

const limit = (told: boolean | undefined): string =>
  told === true
    ? "observed present and as declared"
    : "observed present; the provider does not tell whether it is as declared";

/** Something is there although nothing of ours is known to have made it: never adopted by a reading alone (R4). */
const seenWithoutCause = (state: StepState, reading: Extract<Reading, { kind: "observed" }>): StepState => {
  const last = state.previous.at(-1);
  if (reading.id !== null && last?.identity === reading.id && state.status === "destroyed") {
    const why = `${reading.id} was proven absent before and was found again`;
    return {
      ...move(state, "observed", "unresolved", why),
      identity: { id: reading.id },
      present: true,
      outputs: last.outputs,
    };
  }
  return move(state, "observed", state.status, state.reason);
};

/** R3: one reading that finds nothing is not yet absence; two, `settle` apart, are. */
const missing = (state: StepState, record: ObservationRecord): StepState => {
  if (!isAlive(state)) return move(state, "absent", state.status, state.reason);
  const since = state.missingSince ?? record.at;
  const marked: StepState = { ...state, missingSince: since };
  if (state.open.length > 0) {
    const kept = move(marked, "absent", state.status, state.reason);
    return record.last ? giveUp(kept, "absent", "it was answered with done, but nothing was found") : kept;
  }
  const enough = state.missingSince !== null && record.at - since >= state.policy.settleMs;
  if (!enough || state.surplus.length > 0) return move(marked, "absent", state.status, state.reason);
  const why = `disappeared: nothing was found at ${iso(since)} and at ${iso(record.at)}`;
  const gone = entomb(move(marked, "absent", "destroyed", why), {
    kind: "observation",
    evidence: record.evidence,
  });
  return { ...gone, disappeared: true };
};

// ---- settlements -----------------------------------------------------------------------------------------------

const settled = (state: StepState, record: SettlementRecord): StepState => {
  const open = state.open.find((o) => o.intent === record.intent);
  if (open === undefined)
    throw new IllegalTransition(`step ${state.step}: ${record.intent} was settled, but it is not in doubt`);
  const kept =
    open.outcome === null || open.outcome === "unknown"
      ? [...state.closed, open].slice(-CLOSED_KEPT)
      : state.closed;
  const rest: StepState = { ...without(state, open), closed: kept };
  switch (record.says) {
    case "superseded":
      return rest;
    case "complete": {
      const sameBody = open.inputsDigest === state.declared?.inputsDigest.digest;
      const applied =
        open.action === "create" || open.action === "update"
          ? { present: true, applied: sameBody ? state.declared : state.applied }
          : {};
      return completed({ ...rest, ...applied }, "settled", record.by, record.reason);
    }
    case "drift": {
      const moved = move({ ...rest, present: true }, "settled", doubtOr(rest, "error"), record.reason);
      return {
        ...moved,
        effect: "known",
        failedCommand: open.action,
        failedIn: open.operation,
        lastError: state.lastError ?? record.reason,
      };
    }
    case "still-there": {
      const moved = move(rest, "settled", doubtOr(rest, "error"), record.reason);
      return {
        ...moved,
        effect: "known",
        failedCommand: "destroy",
        failedIn: open.operation,
        lastError: record.reason,
      };
    }
    case "no-effect":
      return noEffect(rest, open, record);
    case "gone":
      return entomb(move({ ...rest, open: [] }, "settled", "destroyed", record.reason), record.by);
  }
};

const doubtOr = (state: StepState, otherwise: StepStatus): StepStatus =>
  inDoubt(state) === undefined ? otherwise : "unresolved";

const noEffect = (rest: StepState, open: OpenIntent, record: SettlementRecord): StepState => {
  const doubt = inDoubt(rest);
  if (doubt !== undefined) return { ...move(rest, "settled", "unresolved", doubt), effect: "none" };
  if (open.outcome === "failed" || open.action !== "create") {
    const moved = move(rest, "settled", "error", record.reason);
    return { ...moved, effect: "none", failedCommand: open.action, failedIn: open.operation };
  }
  const moved = move(rest, "settled", "pending", record.reason);
  return { ...moved, effect: "none", missingSince: null };
};

const completed = (state: StepState, event: StepEvent, by: SettledBy, reason: string): StepState => {
  const doubt = inDoubt(state);
  if (doubt !== undefined) return { ...move(state, event, "unresolved", doubt), effect: "known" };
  const moved = move(state, event, "complete", reason);
  return {
    ...moved,
    provenBy: by,
    effect: "known",
    failedCommand: null,
    failedIn: null,
    lastError: null,
    missingSince: null,
  };
};

/** The incarnation ended: what was known of it stays visible as `previous`, never as identity (W4). */
const entomb = (state: StepState, by: SettledBy): StepState => {
  const had = state.identity !== null || Object.keys(state.outputs).length > 0;
  const previous = had
    ? [
        ...state.previous,
        {
          identity: state.identity?.id ?? null,
          outputs: state.outputs,
          until: state.updatedAt,
          endedBy: state.reason,
        },
      ]
    : state.previous;
  return {
    ...state,
    previous: previous.slice(-CLOSED_KEPT),
    identity: null,
    outputs: {},
    outputsFrom: {},
    present: false,
    open: [],
    applied: null,
    key: null,
    keySince: null,
    keys: [],
    owes: [],
    provenBy: by,
    effect: "known",
    failedCommand: null,
    failedIn: null,
    lastError: null,
    missingSince: null,
    confirmed: null,
    retained: null,
  };
};

/** Why the step is in doubt, as one sentence; undefined when it is not. */
export const inDoubt = (state: StepState): string | undefined => {
  const open = state.open.find((o) => o.outcome !== "failed");
  if (open !== undefined) {
    const what = open.outcome === null ? "no outcome was recorded" : `its outcome is ${open.outcome}`;
    return `${open.action} of ${iso(open.at)} is in doubt: ${what}`;
  }
  if (state.surplus.length > 0) return `a second object exists: ${state.surplus.map((s) => s.id).join(", ")}`;
  return undefined;
};

// ---- decisions -------------------------------------------------------------------------------------------------

const decided = (state: StepState | undefined, record: DecisionRecord): StepState => {
  const { decision } = record;
  if (decision.what === "planned") return planned(state, record, decision.steps);
  if (state === undefined && decision.what === "import") {
    const policy = DEFAULT_POLICY;
    const fresh = blank(
      { step: record.step, uses: decision.declared.uses, needs: [], partOf: null, policy },
      record.at,
    );
    return imported(fresh, record, decision);
  }
  if (state === undefined)
    throw new IllegalTransition(
      `step ${record.step}: the decision ${decision.what} came before the step was planned`,
    );
  return ruled(state, record, decision);
};

const planned = (
  state: StepState | undefined,
  record: DecisionRecord,
  steps: readonly PlannedStep[],
): StepState => {
  const mine = steps.find((s) => s.step === record.step);
  if (mine === undefined) throw new IllegalTransition(`step ${record.step} is not in the plan that names it`);
  if (state === undefined) return blank(mine, record.at);
  const policy = { ...state, policy: mine.policy, needs: mine.needs, partOf: mine.partOf };
  if (state.status === "destroyed")
    return {
      ...move(policy, "planned", "pending", "destroyed before, and not created again yet"),
      uses: mine.uses,
    };
  return move(policy, "planned", state.status, state.reason);
};

const ruled = (state: StepState, record: DecisionRecord, decision: Decision): StepState => {
  const who = `${record.actor} decided: ${record.reason}`;
  const by: SettledBy = { kind: "decision", actor: record.actor };
  switch (decision.what) {
    case "resolve":
      return resolved(state, decision, who, by);
    case "retain": {
      const moved = move(
        state,
        "decision:retain",
        inDoubt(state) === undefined ? "retained" : state.status,
        who,
      );
      return { ...moved, retained: decision.retain };
    }
    case "release-retain": {
      const to: StepStatus = state.applied !== null ? "complete" : isAlive(state) ? "unresolved" : "pending";
      const moved = state.status === "retained" ? move(state, "decision:release-retain", to, who) : state;
      return { ...moved, retained: null };
    }
    case "forget":
      return forgotten(state, decision.id, who, by);
    case "import":
      return imported(state, record, decision);
    case "approve":
      return {
        ...move(state, "decision:approve", state.status, state.reason),
        approvals: [
          ...state.approvals,
          { actor: record.actor, before: decision.before, plan: decision.plan, at: record.at },
        ],
      };
    case "renamed":
      return { ...move(state, "renamed", state.status, state.reason), step: record.step };
    case "contained-gone":
      return entomb(move({ ...state, open: [] }, "contained-gone", "destroyed", record.reason), decision.by);
    case "nothing-to-remove": {
      const why = "destroyed by its own word: it has no destroy, so there was nothing to remove";
      return entomb(move({ ...state, open: [] }, "nothing-to-remove", "destroyed", why), {
        kind: "own-word",
      });
    }
    case "confirmed":
      return confirmed(state, decision);
    case "planned":
      return state;
  }
};

const confirmed = (state: StepState, decision: Extract<Decision, { what: "confirmed" }>): StepState => {
  const to: StepStatus =
    decision.finding === "proven" ? "complete" : decision.finding === "refuted" ? "error" : "unconfirmed";
  const moved = move(
    state,
    "confirmed",
    state.status === "unresolved" ? "unresolved" : to,
    decision.sentence,
  );
  const lastError = decision.finding === "refuted" ? decision.sentence : moved.lastError;
  return { ...moved, lastError, confirmed: { finding: decision.finding, sentence: decision.sentence } };
};

const resolved = (
  state: StepState,
  decision: Extract<Decision, { what: "resolve" }>,
  who: string,
  by: SettledBy,
): StepState => {
  const kept = state.open.filter((o) => o.outcome === null || o.outcome === "unknown");
  const closed = [...state.closed, ...kept].slice(-CLOSED_KEPT);
  if (decision.as === "absent") {
    const was = state.present || state.open.some((o) => o.action === "destroy") || state.applied !== null;
    const rest = { ...state, open: [], closed, surplus: [], disappeared: false };
    if (state.status === "destroyed") return move(rest, "decision:resolve", "destroyed", `absent: ${who}`);
    return entomb(move(rest, "decision:resolve", was ? "destroyed" : "pending", `absent: ${who}`), by);
  }
  const answersOwed = state.open.some((o) => o.action === "owed") || state.failedCommand === "owed";
  const owes = answersOwed ? [] : state.owes;
  const identity = decision.id === null ? state.identity : { id: decision.id };
  const rest: StepState = {
    ...state,
    open: [],
    closed,
    owes,
    identity,
    present: true,
    applied: state.declared,
  };
  return completed(rest, "decision:resolve", by, `present: ${who}`);
};

const forgotten = (state: StepState, id: string | null, who: string, by: SettledBy): StepState => {
  if (id !== null && state.surplus.some((s) => s.id === id)) {
    const rest = { ...state, surplus: state.surplus.filter((s) => s.id !== id) };
    const to: StepStatus =
      inDoubt(rest) !== undefined || state.status !== "unresolved"
        ? state.status
        : state.applied !== null
          ? "complete"
          : "unresolved";
    return move(rest, "decision:forget", to, who);
  }
  const moved = move(
    state,
    "decision:forget",
    "pending",
    `forgotten, so what it stood for may still exist: ${who}`,
  );
  return { ...entomb({ ...moved, open: [], surplus: [] }, by), effect: "possible", provenBy: null };
};

const imported = (
  state: StepState,
  record: DecisionRecord,
  decision: Extract<Decision, { what: "import" }>,
): StepState => {
  const moved = move(
    state,
    "decision:import",
    "unresolved",
    `imported as ${decision.id} and not observed yet: ${record.reason}`,
  );
  return {
    ...moved,
    uses: decision.declared.uses,
    identity: { id: decision.id },
    present: true,
    declared: decision.declared,
    applied: null,
  };
};
