/** A call ends: what its outcome says (W3, W4, P3), and what a later one of the same call still changes (N3). */
import type { OutcomeRecord, SettledBy } from "../journal.ts";
import type { Brought } from "../outcome.ts";
import type { OpenIntent, OutputSource, StepState } from "../state.ts";
import { isAlive } from "../state.ts";
import { reopen, takeId } from "./call.ts";
import { completed, entomb, inDoubt, merge, move, without } from "./move.ts";

export const concluded = (state: StepState, record: OutcomeRecord): StepState => {
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
