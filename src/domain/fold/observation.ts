/** A reading arrives: what it says of the thing when ids are compared (R1-R4). What it says of a call is `settle.ts`. */
import { iso } from "../ids.ts";
import type { ObservationRecord, SettledBy } from "../journal.ts";
import type { Reading } from "../outcome.ts";
import { hasNoEndYet } from "../past.ts";
import type { OutputSource, StepState } from "../state.ts";
import { isAlive } from "../state.ts";
import type { StepEvent } from "../status.ts";
import { type SteadyTime, steadyThen } from "../steady.ts";
import { completed, ended, entomb, inDoubt, merge, move, withoutSurplus } from "./move.ts";

/** What this reading says, once ids are compared: another id than the recorded one is not the same thing (R1). */
export const readingAbout = (state: StepState, reading: Reading): Reading => {
  if (reading.kind !== "observed" || reading.id === null || state.identity === null) return reading;
  if (reading.id === state.identity.id) return reading;
  return { kind: "ambiguous", ids: [state.identity.id, reading.id] };
};

export const observed = (state: StepState, record: ObservationRecord): StepState => {
  const askedAt = whenAsked(state, record);
  const asked: StepState = {
    ...state,
    lastEvidence: record.evidence,
    lastReading: record.surplusId === null ? record.reading.kind : state.lastReading,
    senderSeen: record.senderAlive ? askedAt : state.senderSeen,
    // N6: from now on its sender is known to be gone.
    open: record.senderAlive
      ? state.open
      : state.open.map((o) => (hasNoEndYet(state, o) ? { ...o, ended: askedAt } : o)),
  };
  if (record.surplusId !== null) return surplusSeen(asked, record, record.surplusId);
  const reading = readingAbout(asked, record.reading);
  switch (reading.kind) {
    case "observed":
      return present(asked, reading, record);
    case "absent":
      return missing(asked, record);
    case "ambiguous": {
      const [only, ...others] = reading.ids;
      const why =
        only !== undefined && others.length === 0
          ? `${only} was found, and nothing proves that it is this step's; a person has to decide`
          : `several things match: ${reading.ids.join(", ")}; a person has to choose`;
      if (!isAlive(asked)) return asked;
      return move(asked, "ambiguous", "unresolved", why);
    }
    default: {
      const silent = move(asked, "no-answer", asked.status, asked.reason);
      if (!record.last) return silent;
      const why = inDoubt(asked);
      const unread = `it could not be read: ${reading.reason}`;
      const told = why === undefined ? unread : `${why}, and ${unread}`;
      return asked.status === "unresolved" ? { ...silent, reason: told } : giveUp(silent, "no-answer", told);
    }
  }
};

const whenAsked = ({ anchor }: StepState, { clock, askedMs }: ObservationRecord): SteadyTime =>
  steadyThen(anchor, { id: clock.id, ms: askedMs });

/** Ends the asking of this run: a call that is answered but not seen is in doubt from here on. */
const giveUp = (state: StepState, event: StepEvent, why: string): StepState =>
  state.status === "running" || state.status === "destroying" ? move(state, event, "unresolved", why) : state;

const surplusSeen = (state: StepState, record: ObservationRecord, id: string): StepState => {
  const since = state.surplus.find((s) => s.id === id)?.since;
  if (record.reading.kind !== "absent" || since === undefined) return state;
  if (whenAsked(state, record) - since.steady < state.policy.settleMs) return state;
  const rest = withoutSurplus(state, id);
  const doubt = inDoubt(rest);
  if (state.status === "destroying" && doubt !== undefined && !rest.open.some((o) => o.action === "destroy"))
    return move(rest, "absent", "unresolved", doubt);
  if (doubt !== undefined || (state.status !== "unresolved" && state.status !== "destroying")) return rest;
  const by: SettledBy = { kind: "observation", evidence: record.evidence };
  if (!isAlive(rest))
    return ended(rest, "absent", by, `the second object ${id} is gone, and nothing else is there`);
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
  if (!isAlive(state)) return seenWithoutCause(state, reading, whenAsked(state, record));
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
  // It stays set apart; but what a look contradicts does not prove it any more.
  if (state.status === "retained")
    return { ...move(state, "observed", "retained", state.reason), provenBy: told === false ? null : by };
  // A second object is in doubt whatever the first looks like (N3).
  if (state.surplus.length > 0) return move(state, "observed", state.status, state.reason);
  if (reading.asDeclared.kind === "unreadable") return move(state, "observed", state.status, state.reason);
  if (told === false) {
    // Compared with inputs that were never sent, such as those of a change that waits for its approval: no drift.
    const stood = state.status === "complete" || state.status === "unconfirmed";
    if (stood && !wasDeclared(state, record.inputsDigest))
      return move(state, "observed", state.status, state.reason);
    const why = `it is there, but not as declared${reading.reason === null ? "" : `: ${reading.reason}`}`;
    const moved = move(state, "observed", "error", why);
    return { ...moved, effect: "known", lastError: why, provenBy: null };
  }
  if (state.owes.length > 0) return move(state, "observed", state.status, state.reason);
  const cause = state.failedCommand;
  const attempted = state.declared?.inputsDigest.digest;
  // D5: no look makes good what a destroy that may have had an effect left behind.
  const halfGone = cause === "destroy" && state.effect !== "none";
  const clears = told === true && !halfGone && (cause === null || record.inputsDigest === attempted);
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

/** Whether a call of ours ever carried those inputs; a question without a digest speaks of what is recorded. */
const wasDeclared = (state: StepState, inputsDigest: string | null): boolean =>
  inputsDigest === null ||
  inputsDigest === state.applied?.inputsDigest.digest ||
  inputsDigest === state.declared?.inputsDigest.digest;

const limit = (told: boolean | undefined): string =>
  told === true
    ? "observed present and as declared"
    : "observed present; the provider does not tell whether it is as declared";

/** Something is there although nothing of ours is known to have made it: never adopted by a reading alone (R4). */
const seenWithoutCause = (
  state: StepState,
  reading: Extract<Reading, { kind: "observed" }>,
  askedAt: SteadyTime,
): StepState => {
  const last = state.previous.at(-1);
  // What was asked before its absence was proven shows the older picture.
  const again = last !== undefined && last.identity === reading.id && askedAt > last.until.steady;
  if (reading.id !== null && again && state.status === "destroyed") {
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

/** What is told of the call comes from its outcome alone: one without an outcome was answered by nobody. */
const nothingFound = (state: StepState): string => {
  const open = state.open.find((o) => o.outcome !== "failed") ?? state.open.at(-1);
  const answered = open?.outcome === "done" ? "it was answered with done" : inDoubt(state);
  return `${answered === undefined ? "the call is in doubt" : answered}, but nothing was found`;
};

/** R3: one reading that finds nothing is not yet absence; two, `settle` apart, are. */
const missing = (state: StepState, record: ObservationRecord): StepState => {
  if (!isAlive(state)) return move(state, "absent", state.status, state.reason);
  const askedAt = whenAsked(state, record);
  const first = state.missingSince;
  const since = first === null ? { at: record.at, steady: askedAt } : first;
  const marked: StepState = { ...state, missingSince: since };
  if (state.open.length > 0) {
    const kept = move(marked, "absent", state.status, state.reason);
    return record.last ? giveUp(kept, "absent", nothingFound(kept)) : kept;
  }
  const enough = first !== null && askedAt - since.steady >= state.policy.settleMs;
  const once =
    state.status === "unresolved"
      ? `nothing was found at ${iso(since.at)}; a second look, settle later, decides`
      : state.reason;
  if (!enough || state.surplus.length > 0) return move(marked, "absent", state.status, once);
  const why = `disappeared: nothing was found at ${iso(since.at)} and at ${iso(record.at)}`;
  const gone = entomb(move(marked, "absent", "destroyed", why), {
    kind: "observation",
    evidence: record.evidence,
  });
  return { ...gone, disappeared: true };
};
