/**
 * The journal's records as they are read back: from a row, an export, a spool. Nothing is believed because it was
 * once written: every member is checked, and what is wrong is named. Extra members are kept as they are, since the
 * chain's hash covers them.
 */
import type {
  Brought,
  Capabilities,
  Decision,
  DecisionRecord,
  Declared,
  IdentityRecord,
  InputsDigest,
  IntentRecord,
  JournalRecord,
  ObservationRecord,
  Outcome,
  OutcomeRecord,
  PlannedStep,
  Policy,
  Reading,
  SettledBy,
  SettlementRecord,
} from "../domain/journal.ts";
import type { ClockReading } from "../domain/steady.ts";
import type { Approve, Confirm, Retain } from "../domain/step.ts";
import { ACTIONS, RETRY_CLASSES } from "../domain/step.ts";
import {
  anyList,
  anyObject,
  count,
  flag,
  listOf,
  name,
  objectOf,
  oneOf,
  orLeftOut,
  orNull,
  type Shape,
  taggedBy,
  text,
} from "./shape.ts";

/** One member of a union by its tag. */
type Kind<T, K> = Extract<T, { kind: K }>;
type What<K> = Extract<Decision, { what: K }>;

export const retainShape: Shape = objectOf<Retain>({ owner: text, reason: text, reviewBy: text });
export const beforeShape: Shape = oneOf("create", "update", "destroy", "any");
const approve = objectOf<Approve>({ before: beforeShape, by: listOf(text) });

export const policyShape: Shape = objectOf<Policy>({
  retry: oneOf(...RETRY_CLASSES),
  keyLifetimeMs: count,
  settleMs: count,
  deadlineMs: count,
  retain: orNull(retainShape),
  approve: orNull(approve),
  public: listOf(text),
  keepSecrets: flag,
  // Records of before there was one have none.
  confirm: orLeftOut(objectOf<Confirm>({ claims: anyList, windowMs: count })),
});

const can = objectOf<Capabilities>({
  observe: flag,
  create: flag,
  update: flag,
  destroy: flag,
  compensate: flag,
  owed: flag,
});

/** The step as an intent wrote it down. */
export const declaredShape: Shape = objectOf<Declared>({
  uses: name,
  inputs: anyObject,
  inputsDigest: objectOf<InputsDigest>({ digest: name, keyId: orNull(text) }),
  policy: policyShape,
  can,
});

const brought = { id: orNull(text), outputs: anyObject, owes: listOf(text) };
const outcome = taggedBy<Outcome["kind"]>("kind", {
  done: objectOf<Brought>(brought),
  refused: objectOf<Kind<Outcome, "refused">>({ reason: text }),
  failed: objectOf<Kind<Outcome, "failed">>({ reason: text, ...brought }),
  unknown: objectOf<Kind<Outcome, "unknown">>({ reason: text, ...brought }),
});

const asDeclared = taggedBy("kind", {
  known: objectOf<{ value: boolean }>({ value: flag }),
  absent: anyObject,
  unreadable: objectOf<{ why: string }>({ why: text }),
  "not-asked": anyObject,
});
const unanswered = objectOf<{ reason: string }>({ reason: text });
const readings: { readonly [Kind in Reading["kind"]]: Shape } = {
  observed: objectOf<Kind<Reading, "observed">>({
    id: orNull(text),
    outputs: anyObject,
    asDeclared,
    reason: orNull(text),
  }),
  absent: anyObject,
  ambiguous: objectOf<Kind<Reading, "ambiguous">>({ ids: listOf(text) }),
  denied: unanswered,
  failed: unanswered,
  "timed-out": unanswered,
  "not-asked": unanswered,
};
const reading = taggedBy("kind", readings);
export const readingKindShape: Shape = oneOf(...Object.keys(readings));

export const settledByShape: Shape = taggedBy<SettledBy["kind"]>("kind", {
  observation: objectOf<Kind<SettledBy, "observation">>({ evidence: name }),
  parent: objectOf<Kind<SettledBy, "parent">>({ step: name, evidence: orNull(name) }),
  decision: objectOf<Kind<SettledBy, "decision">>({ actor: text }),
  "own-word": anyObject,
});

const planned = objectOf<PlannedStep>({
  step: name,
  uses: name,
  needs: listOf(name),
  partOf: orNull(name),
  policy: policyShape,
});

const decision = taggedBy<Decision["what"]>("what", {
  planned: objectOf<What<"planned">>({ steps: listOf(planned) }),
  renamed: objectOf<What<"renamed">>({ from: name }),
  relinked: objectOf<What<"relinked">>({ from: name, to: name }),
  resolve: objectOf<What<"resolve">>({
    as: oneOf("present", "absent"),
    id: orNull(text),
    owed: orNull(oneOf("done", "again")),
  }),
  retain: objectOf<What<"retain">>({ retain: retainShape }),
  "release-retain": anyObject,
  kept: anyObject,
  "taken-up": anyObject,
  left: anyObject,
  forget: objectOf<What<"forget">>({ id: orNull(text) }),
  import: objectOf<What<"import">>({ id: text, declared: declaredShape }),
  approve: objectOf<What<"approve">>({ before: beforeShape, plan: orNull(text) }),
  "contained-gone": objectOf<What<"contained-gone">>({ parent: name, by: settledByShape }),
  "nothing-to-remove": anyObject,
  "not-run": anyObject,
  confirmed: objectOf<What<"confirmed">>({
    finding: oneOf("proven", "refuted", "progressing", "undetermined"),
    sentence: text,
  }),
});

/** Of a clock that counts on and is never set. */
export const clockShape = objectOf<ClockReading>({ id: name, ms: count });
const common = { step: name, operation: name, at: count, clock: clockShape };

const recordShape = taggedBy<JournalRecord["kind"]>("kind", {
  intent: objectOf<IntentRecord>({
    ...common,
    intent: name,
    action: oneOf(...ACTIONS),
    attempt: count,
    key: name,
    epoch: count,
    callBy: count,
    declared: declaredShape,
    target: orNull(text),
    priorOutputs: anyObject,
    absenceSeen: flag,
  }),
  identity: objectOf<IdentityRecord>({ ...common, intent: name, id: text, outputs: anyObject }),
  outcome: objectOf<OutcomeRecord>({
    ...common,
    intent: name,
    outcome,
    source: oneOf("call", "spool"),
    endedAt: count,
    ended: clockShape,
  }),
  observation: objectOf<ObservationRecord>({
    ...common,
    evidence: name,
    reading,
    inputsDigest: orNull(text),
    surplusId: orNull(text),
    senderAlive: flag,
    last: flag,
    askedMs: count,
  }),
  settlement: objectOf<SettlementRecord>({
    ...common,
    intent: name,
    says: oneOf("complete", "drift", "no-effect", "still-there", "gone", "superseded"),
    by: settledByShape,
    reason: text,
  }),
  decision: objectOf<DecisionRecord>({ ...common, decision, actor: text, reason: text }),
});

/** The record, or why it is none: one clause that names the member. */
export const checkRecord = (value: unknown): JournalRecord | { readonly fault: string } => {
  const fault = recordShape(value, "record");
  return fault === null ? (value as JournalRecord) : { fault };
};

/** Reads one record's text. Never throws. */
export const decodeRecord = (body: string): JournalRecord | { readonly fault: string } => {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return { fault: "record is not JSON" };
  }
  return checkRecord(value);
};

/** Tells the two answers of `decodeRecord` apart. */
export const isFault = (
  answer: JournalRecord | { readonly fault: string },
): answer is { readonly fault: string } => !("kind" in answer);
