/** A call ends: what its outcome says (W3, W4, P3), and what a later one of the same call still changes (N3). */
import type { OutcomeRecord, SettledBy } from "../journal.ts";
import type { Brought } from "../outcome.ts";
import { believableFrom } from "../past.ts";
import type { OpenIntent, OutputSource, StepState } from "../state.ts";
import { isAlive } from "../state.ts";
import { steadyThen } from "../steady.ts";
import { isFormer, reopen, takeId } from "./call.ts";
import { CLOSED_KEPT, completed, entomb, inDoubt, merge, move, now, unanswered, without } from "./move.ts";

export const concluded = (state: StepState, record: OutcomeRecord): StepState => {
  const open = state.open.find((o) => o.intent === record.intent);
  if (open === undefined || open.outcome !== null) return late(state, record, open);
  const { outcome } = record;
  if (state.lastIntent !== record.intent) return kept(state, record, open);
  if (outcome.kind === "refused") return refused(state, open, outcome.reason);

  const source: OutputSource = { from: "outcome", operation: record.operation, at: record.at };
  let next = merge(state, outcome.outputs, source);
  if (open.action !== "destroy") next = takeId(next, outcome.id, open, false);
  next = owing(next, open, outcome, outcome.kind === "done");
  next = withOpen(next, { ...open, outcome: outcome.kind, ended: steadyThen(state.anchor, record.ended) });
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

/** A later call was sent since: this one's answer is kept with it, and the later call decides the status. */
const kept = (state: StepState, record: OutcomeRecord, open: OpenIntent): StepState => {
  const { outcome } = record;
  if (outcome.kind === "refused") return afterLater(without(state, open));
  const source: OutputSource = { from: "outcome", operation: record.operation, at: record.at };
  let next = merge(state, outcome.outputs, source);
  if (open.action !== "destroy") next = takeId(next, outcome.id, open, false);
  next = owing(next, open, outcome, outcome.kind === "done");
  const itsWord = outcome.kind === "done" && open.action !== "destroy" && !observable(state);
  const answered = itsWord || (outcome.kind !== "unknown" && unreadable(open));
  next = answered
    ? { ...without(next, open), present: next.present || itsWord }
    : withOpen(next, { ...open, outcome: outcome.kind, ended: steadyThen(state.anchor, record.ended) });
  return afterLater(next);
};

/** What was unresolved only because of the earlier call is again what the later one left: it did not end well. */
const afterLater = (state: StepState): StepState => {
  if (state.status !== "unresolved" || inDoubt(state) !== undefined)
    return move(state, "outcome:late", state.status, state.reason);
  return move(state, "outcome:late", "error", state.lastError === null ? state.reason : state.lastError);
};

const observable = (state: StepState): boolean => state.declared?.can.observe === true;

/** No reading can tell what an `owed` or a `compensate` did: its own answer is all there will be. */
const unreadable = (open: OpenIntent): boolean => open.action === "owed" || open.action === "compensate";

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
  const answered = unreadable(open) ? without(state, open) : state;
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
  const ownWord: SettledBy = { kind: "own-word" };
  if (open.action === "destroy") return removed(state, open, ownWord);
  if (unreadable(open)) {
    // It may be repeated only where that is harmless, so one that is done answers for the ones in doubt before it.
    const cleared = { ...state, open: state.open.filter((o) => o.action !== open.action) };
    return completed(cleared, "outcome:done", ownWord, `${open.action} is done, by its own word`);
  }
  if (observable(state)) return awaited(state, "running", `${open.action} was answered with done`);
  const others = state.open.filter((o) => o.action !== "destroy" && unanswered(o));
  const cleared = {
    ...state,
    open: state.open.filter((o) => o.action === "destroy"),
    closed: [...state.closed, ...others].slice(-CLOSED_KEPT),
    present: true,
    applied: state.declared,
  };
  return completed(cleared, "outcome:done", ownWord, "complete by its own word; nothing can observe it");
};

/** Answered with `done`, which only a reading can make true. Who comes late to a step in doubt leaves it there. */
const awaited = (state: StepState, at: "running" | "destroying", what: string): StepState =>
  move(
    state,
    "outcome:done",
    state.status === "unresolved" ? "unresolved" : at,
    `${what}; it was not observed yet`,
  );

const removed = (state: StepState, open: OpenIntent, ownWord: SettledBy): StepState => {
  const elsewhere = open.target !== (state.identity === null ? null : state.identity.id);
  if (observable(state) || elsewhere) return awaited(state, "destroying", "destroy was answered with done");
  // N5, N3: it answers neither for a create that may have come after it, nor for a second object.
  const after = state.open.some((o) => o.action === "create" && open.begun < believableFrom(state, o));
  if (after || state.surplus.length > 0)
    return move(
      state,
      "outcome:done",
      "unresolved",
      "destroy was answered with done, but what else may exist of it, nothing can observe",
    );
  return entomb(
    move(state, "outcome:done", "destroyed", "destroyed by its own word; nothing can observe it"),
    ownWord,
  );
};

/**
 * N3: the first outcome stands. What a later one brings is kept; if it contradicts what was settled, the step reopens.
 * It is older than what was learned since, so it fills gaps and overwrites nothing.
 */
const late = (state: StepState, record: OutcomeRecord, open: OpenIntent | undefined): StepState => {
  const { outcome } = record;
  if (outcome.kind === "refused") return move(state, "outcome:late", state.status, state.reason);
  const call = open === undefined ? state.closed.find((o) => o.intent === record.intent) : open;
  // An id that was proven absent since, or given up, is nothing new.
  if (outcome.id !== null && isFormer(state, outcome.id))
    return noted(state, record, { ...outcome, id: null }, call);
  const createdAfterAll = call?.action === "create" && !isAlive(state);
  const newId = call?.action !== "destroy" && isNews(state, outcome.id, call);
  if (!createdAfterAll && !newId) return noted(state, record, outcome, call);
  const source: OutputSource = { from: "outcome", operation: record.operation, at: record.at };
  const ofThis = createdAfterAll || ofThisIncarnation(state, call);
  const merged = ofThis
    ? merge(state, gaps(state, record, outcome), source)
    : ofBefore(state, outcome.outputs);
  const known = takeId(merged, outcome.id, call, true);
  const why = `a late outcome (${outcome.kind}) contradicts what was settled before`;
  const reopened = reopen(known, "outcome:late", record.intent, why);
  return ofThis ? owed(reopened, outcome, call) : reopened;
};

const isNews = (state: StepState, id: string | null, call: OpenIntent | undefined): boolean => {
  if (id === null || state.surplus.some((s) => s.id === id)) return false;
  if (state.identity !== null) return id !== state.identity.id;
  return call === undefined ? !isAlive(state) : !ofThisIncarnation(state, call);
};

/** Nothing new about what exists: of a thing that is gone, its outputs belong to what was before (W4). */
const noted = (
  state: StepState,
  record: OutcomeRecord,
  outcome: Brought,
  call: OpenIntent | undefined,
): StepState => {
  const source: OutputSource = { from: "outcome", operation: record.operation, at: record.at };
  if (!ofThisIncarnation(state, call))
    return move(ofBefore(state, outcome.outputs), "outcome:late", state.status, state.reason);
  const merged = owed(merge(state, gaps(state, record, outcome), source), outcome, call);
  const id = call === undefined || call.action === "destroy" ? null : outcome.id;
  const next = takeId(merged, id, call, true);
  return move(next, "outcome:late", state.status, state.reason);
};

/** A call that is not remembered was answered before. */
const ofThisIncarnation = (state: StepState, call: OpenIntent | undefined): boolean =>
  isAlive(state) && (call === undefined || state.keys.includes(call.key));

/** One that is not remembered has told before what it owes, and that may be paid (P3). */
const owed = (state: StepState, brought: Brought, call: OpenIntent | undefined): StepState =>
  call === undefined || !isAlive(state)
    ? state
    : { ...state, owes: [...new Set([...state.owes, ...brought.owes])] };

const gaps = (state: StepState, record: OutcomeRecord, brought: Brought): Brought["outputs"] =>
  Object.fromEntries(
    Object.entries(brought.outputs).filter(([name]) => {
      const from = state.outputsFrom[name];
      return from === undefined || from.at <= record.endedAt;
    }),
  );

const ofBefore = (state: StepState, outputs: Brought["outputs"]): StepState => {
  if (Object.keys(outputs).length === 0) return state;
  const last = state.previous.at(-1);
  const entry =
    last === undefined
      ? { identity: null, outputs, until: now(state), endedBy: state.reason }
      : { ...last, outputs: { ...outputs, ...last.outputs } };
  return { ...state, previous: [...state.previous.slice(0, -1), entry] };
};
