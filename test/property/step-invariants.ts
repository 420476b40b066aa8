/** What must hold after every record of one step, checked against the world as it really is. */
import type { Judgement } from "../../src/domain/finding.ts";
import type { JournalRecord } from "../../src/domain/journal.ts";
import { isAlive, type StepState } from "../../src/domain/state.ts";
import { type StepEvent, TRANSITIONS } from "../../src/domain/status.ts";
import type { Laws } from "../support/step-history.ts";
import type { Operator } from "./operator.ts";

export class Broken extends Error {
  readonly law: string;
  constructor(law: string, what: string) {
    super(`${law}: ${what}`);
    this.law = law;
  }
}

const must = (law: string, holds: boolean, what: () => string): void => {
  if (!holds) throw new Broken(law, what());
};

/** Everything that was ever told of the step, kept apart from what the state remembers of it. */
export class Memory {
  readonly ids = new Set<string>();
  outputs = new Set<string>();
  owed = new Set<string>();
  readonly concluded = new Set<string>();
  /** The last judgement of what it has to be confirmed by, since the last call and since that was asked for. */
  judged: Judgement | null = null;
  /** Creates that were settled as if nothing came of them, and were not contradicted yet. */
  readonly leftNothing = new Set<string>();
  /** ... and those that were, when another thing had been made. */
  readonly beside = new Set<string>();
}

export const checkRecord = (
  operator: Operator,
  memory: Memory,
  laws: Laws,
  record: JournalRecord,
  before: StepState | undefined,
  after: StepState,
): void => {
  if (before === undefined) return;
  const summary = () => `${record.kind} turned ${brief(before)} into ${brief(after)}`;
  tableAllows(record, before, after, summary);
  doubtsCloseByEvidence(record, before, after, summary);
  failedDestroyRaisesNothing(record, before, after, summary);
  contradictionReopens(memory, record, before, after, summary);
  must("W3", honestlyShown(laws, after), () => `${brief(after)} is shown as if its owner lived`);
  nothingIsLost(operator, memory, record, before, after, summary);
  completeOnlyByProof(memory, record, before, after, summary);
};

const completeOnlyByProof = (
  memory: Memory,
  record: JournalRecord,
  before: StepState,
  after: StepState,
  summary: () => string,
): void => {
  if (record.kind === "intent") memory.judged = null;
  if (record.kind === "decision") {
    const { decision } = record;
    if (decision.what === "confirmed") memory.judged = decision.finding;
    if (decision.what === "planned") {
      const asked = decision.steps.find(({ step }) => step === after.step)?.policy.confirm;
      if (JSON.stringify(asked?.claims) !== JSON.stringify(before.policy.confirm?.claims))
        memory.judged = null;
    }
  }
  if (after.policy.confirm === undefined || after.status !== "complete") return;
  must(
    "confirm",
    memory.judged === "proven",
    () => `complete, and the last judgement of it is ${memory.judged}: ${summary()}`,
  );
};

const brief = (s: StepState): string =>
  JSON.stringify({
    status: s.status,
    present: s.present,
    id: s.identity?.id ?? null,
    surplus: s.surplus.map((one) => one.id),
    open: s.open.map((o) => `${o.action}:${o.outcome}`),
    why: s.reason,
  });

/** The same row must be allowed to change that way by some event that such a record can be. */
const EVENTS_OF: { readonly [K in JournalRecord["kind"]]: (event: StepEvent) => boolean } = {
  intent: (event) => event.startsWith("intent:"),
  identity: (event) => event === "identity",
  outcome: (event) => event.startsWith("outcome:"),
  observation: (event) => ["observed", "absent", "no-answer", "ambiguous"].includes(event),
  settlement: (event) => event === "settled",
  decision: (event) =>
    event.startsWith("decision:") ||
    [
      "planned",
      "confirmed",
      "contained-gone",
      "nothing-to-remove",
      "not-run",
      "renamed",
      "kept",
      "taken-up",
      "left",
    ].includes(event),
};

const tableAllows = (
  record: JournalRecord,
  before: StepState,
  after: StepState,
  summary: () => string,
): void => {
  if (before.status === after.status) return;
  const row = TRANSITIONS[before.status];
  const allowed = (Object.keys(row) as StepEvent[]).some(
    (event) => EVENTS_OF[record.kind](event) && row[event]?.includes(after.status),
  );
  // A look may take two steps at once: the reading, and the end of the asking.
  must("table", allowed, summary);
};

const doubtsCloseByEvidence = (
  record: JournalRecord,
  before: StepState,
  after: StepState,
  summary: () => string,
): void => {
  const still = new Set(after.open.map((o) => o.intent));
  for (const open of before.open) {
    if (still.has(open.intent)) continue;
    const closes =
      record.kind === "settlement" ||
      record.kind === "decision" ||
      (record.kind === "outcome" && closedByItsWord(record, before, open.intent)) ||
      (record.kind === "observation" && open.target !== null && record.surplusId === open.target);
    must("R1", closes, () => `${open.action} was closed without evidence: ${summary()}`);
  }
};

/** Refused: it did nothing. `owed`, and what nothing can observe: its own word is all there will be. */
const closedByItsWord = (
  record: Extract<JournalRecord, { kind: "outcome" }>,
  before: StepState,
  intent: string,
): boolean => {
  const mine = before.open.find((o) => o.intent === record.intent);
  if (record.outcome.kind === "refused") return intent === record.intent;
  if (mine?.action === "owed" || mine?.action === "compensate") return true;
  return record.outcome.kind === "done" && before.declared?.can.observe !== true;
};

const failedDestroyRaisesNothing = (
  record: JournalRecord,
  before: StepState,
  after: StepState,
  summary: () => string,
): void => {
  const destroy = before.open.find(
    (o) =>
      (record.kind === "outcome" || record.kind === "settlement") &&
      o.intent === record.intent &&
      o.action === "destroy",
  );
  const hadDestroy = before.open.some((o) => o.action === "destroy");
  const raised = ["complete", "unconfirmed", "pending"].includes(after.status);
  const byWord = record.kind === "outcome" && before.open.length === 1 && !before.declared?.can.observe;
  if (destroy !== undefined) must("D5", !raised || byWord, summary);
  if (hadDestroy && record.kind === "observation") must("D5", after.status !== "complete", summary);
};

/** A create that left nothing, and says `done` after all, of no id: something may exist beside what was made since. */
const contradictionReopens = (
  memory: Memory,
  record: JournalRecord,
  before: StepState,
  after: StepState,
  summary: () => string,
): void => {
  // What was made since is gone: from here on it is looked for by its own key.
  if (!before.present) memory.beside.clear();
  if (record.kind === "settlement") {
    const call = before.open.find((o) => o.intent === record.intent);
    const ofAnother = memory.beside.has(record.intent) && before.lastReading === "observed";
    must("R1", !ofAnother || record.by.kind !== "observation", summary);
    if (call?.action === "create" && record.says === "no-effect") memory.leftNothing.add(record.intent);
  }
  if (record.kind !== "outcome" || !before.closed.some((o) => o.intent === record.intent)) return;
  const { outcome, intent } = record;
  if (outcome.kind !== "done" || outcome.id !== null || !memory.leftNothing.delete(intent)) return;
  if (!isAlive(before)) return;
  must("N3", after.status === "unresolved" && after.open.some((o) => o.intent === intent), summary);
  memory.beside.add(intent);
};

const honestlyShown = (laws: Laws, state: StepState): boolean => {
  const { status } = laws.shown(state, new Map([[state.step, state]]), null);
  if (status === "running" || status === "destroying") return false;
  const doubtful = state.status === "running" || state.status === "destroying";
  return !doubtful || status === "unresolved";
};

const ofThisIncarnation = (state: StepState, intent: string): boolean =>
  [...state.open, ...state.closed].some((o) => o.intent === intent && state.keys.includes(o.key));

const nothingIsLost = (
  operator: Operator,
  memory: Memory,
  record: JournalRecord,
  before: StepState,
  after: StepState,
  summary: () => string,
): void => {
  if (record.kind === "identity") memory.ids.add(record.id);
  if (record.kind === "outcome" && record.outcome.kind !== "refused" && record.outcome.id !== null)
    memory.ids.add(record.outcome.id);
  const named = [
    after.identity?.id,
    ...after.surplus.map((s) => s.id),
    ...after.previous.map((p) => p.identity),
  ];
  for (const id of memory.ids) {
    const gone = before.surplus.some((s) => s.id === id) && record.kind === "observation";
    const ruled = record.kind === "decision";
    if (gone || ruled || operator.forgotten.has(id)) {
      if (!named.includes(id)) memory.ids.delete(id);
      continue;
    }
    must("W4", named.includes(id), () => `the id ${id} is not known any more: ${summary()}`);
  }
  const told = record.kind === "outcome" && record.outcome.kind !== "refused" ? record.outcome : null;
  for (const name of Object.keys(told?.outputs ?? {})) memory.outputs.add(name);
  if (record.kind === "identity") for (const name of Object.keys(record.outputs)) memory.outputs.add(name);
  const last = after.previous.at(-1);
  for (const name of memory.outputs) {
    const kept = name in after.outputs || after.previous.some((p) => name in p.outputs);
    must("W4", kept, () => `the output ${name} is lost (last previous: ${last?.endedBy}): ${summary()}`);
  }
  // What a replay says again may be paid already.
  const isNew =
    record.kind === "outcome" &&
    !memory.concluded.has(record.intent) &&
    ofThisIncarnation(before, record.intent);
  if (record.kind === "outcome") memory.concluded.add(record.intent);
  for (const owed of (isNew && told?.owes) || []) memory.owed.add(owed);
  const paid =
    record.kind === "decision" ||
    !isAlive(after) ||
    after.key === null ||
    (record.kind === "outcome" &&
      before.open.some((o) => o.intent === record.intent && o.action === "owed" && told?.kind === "done"));
  if (paid) memory.owed = new Set(after.owes);
  for (const owed of memory.owed)
    must("P3", after.owes.includes(owed), () => `${owed} is not owed any more: ${summary()}`);
};

/** What the ledger says against what is really there, at a moment when nobody is in the middle of a call. */
export const checkTruth = (operator: Operator): void => {
  const { state, now } = operator.history;
  const live = operator.cloud.expected(now).filter((t) => !operator.forgotten.has(t.id));
  const there = operator.cloud.alive(now).filter((t) => !operator.forgotten.has(t.id));
  if (live.length > 0) {
    must(
      "D1",
      isAlive(state),
      () => `${live.map((t) => t.id)} may be there, and ${brief(state)} is not alive`,
    );
    must(
      "promise 4",
      state.status !== "destroyed" && state.status !== "pending",
      () => `${live.map((t) => t.id)} may be there, and it says ${brief(state)}`,
    );
  }
  if (state.surplus.length > 0)
    must(
      "N3",
      !["complete", "destroyed", "pending", "unconfirmed"].includes(state.status),
      () => `a second object exists, and it says ${brief(state)}`,
    );
  if (state.status === "complete") {
    must("promise 1", state.provenBy !== null, () => `complete, and nothing proves it: ${brief(state)}`);
    must("R1", state.open.length === 0, () => `complete, and a call is in doubt: ${brief(state)}`);
    must(
      "V",
      operator.cloud.alive(now).length > 0 || operator.vanished,
      () => `complete, and nothing is there: ${brief(state)}`,
    );
    for (const thing of there)
      must(
        "no lost object",
        state.identity === null || thing.id === state.identity.id || !operator.canBeFound,
        () => `${thing.id} is there, and nobody knows of it: ${brief(state)}`,
      );
  }
  if (state.status === "destroyed")
    must("promise 4", state.provenBy !== null, () => `destroyed, and nothing proves it: ${brief(state)}`);
  must(
    "JSON",
    JSON.stringify(JSON.parse(JSON.stringify(state))) === JSON.stringify(state),
    () => `does not survive being stored: ${brief(state)}`,
  );
};
