/**
 * The journal's records as they are read back: from a row, an export, a spool. Nothing is believed because it was
 * once written: every member is checked, and what is wrong is named. Extra members are kept as they are, since the
 * chain's hash covers them.
 */
import type { Decision, JournalRecord } from "../domain/journal.ts";
import { ACTIONS, RETRY_CLASSES } from "../domain/step.ts";
import type { Shape } from "./shape.ts";
import { anyObject, count, flag, listOf, name, objectOf, oneOf, orNull, taggedBy, text } from "./shape.ts";

const retain = objectOf({ owner: text, reason: text, reviewBy: text });
const before = oneOf("create", "update", "destroy", "any");
const approve = objectOf({ before, by: listOf(text) });

/** The step as an intent wrote it down. */
export const declaredShape: Shape = objectOf({
  uses: name,
  inputs: anyObject,
  inputsDigest: objectOf({ digest: name, keyId: orNull(text) }),
  needs: listOf(name),
  partOf: orNull(name),
  retry: oneOf(...RETRY_CLASSES),
  keyLifetimeMs: count,
  settleMs: count,
  deadlineMs: count,
  retain: orNull(retain),
  approve: orNull(approve),
  public: listOf(text),
  keepSecrets: flag,
  can: objectOf({ observe: flag, create: flag, update: flag, destroy: flag, compensate: flag, owed: flag }),
});

const brought = { id: orNull(text), outputs: anyObject, owes: listOf(text) };
const outcome = taggedBy("kind", {
  done: objectOf(brought),
  refused: objectOf({ reason: text }),
  failed: objectOf({ reason: text, ...brought }),
  unknown: objectOf({ reason: text, ...brought }),
});

const asDeclared = taggedBy("kind", {
  known: objectOf({ value: flag }),
  absent: anyObject,
  unreadable: objectOf({ why: text }),
  "not-asked": anyObject,
});
const reading = taggedBy("kind", {
  observed: objectOf({ id: orNull(text), outputs: anyObject, asDeclared, reason: orNull(text) }),
  absent: anyObject,
  ambiguous: objectOf({ ids: listOf(text) }),
  denied: objectOf({ reason: text }),
  failed: objectOf({ reason: text }),
  "timed-out": objectOf({ reason: text }),
  "not-asked": objectOf({ reason: text }),
});

export const settledByShape: Shape = taggedBy("kind", {
  observation: objectOf({ evidence: name }),
  parent: objectOf({ step: name, evidence: orNull(name) }),
  decision: objectOf({ actor: text }),
  "own-word": anyObject,
});

/** A new decision does not compile until it has a shape here. */
const decisions: Readonly<Record<Decision["what"], Shape>> = {
  planned: objectOf({
    steps: listOf(objectOf({ step: name, uses: name, needs: listOf(name), partOf: orNull(name) })),
  }),
  renamed: objectOf({ from: name }),
  resolve: objectOf({ as: oneOf("present", "absent"), id: orNull(text) }),
  retain: objectOf({ retain }),
  "release-retain": anyObject,
  forget: objectOf({ id: orNull(text) }),
  import: objectOf({ id: text, declared: declaredShape }),
  approve: objectOf({ before, plan: orNull(text) }),
  "contained-gone": objectOf({ parent: name, by: settledByShape }),
  confirmed: objectOf({
    finding: oneOf("proven", "refuted", "progressing", "undetermined"),
    sentence: text,
  }),
};

const common = { step: name, operation: name, at: count };

/** A new kind of record does not compile until it has a shape here. */
const kinds: Readonly<Record<JournalRecord["kind"], Shape>> = {
  intent: objectOf({
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
  identity: objectOf({ ...common, intent: name, id: text, outputs: anyObject }),
  outcome: objectOf({ ...common, intent: name, outcome, source: oneOf("call", "spool"), endedAt: count }),
  observation: objectOf({ ...common, evidence: name, reading }),
  settlement: objectOf({
    ...common,
    intent: name,
    says: oneOf("effect", "no-effect", "superseded"),
    by: settledByShape,
    reason: text,
  }),
  decision: objectOf({ ...common, decision: taggedBy("what", decisions), actor: text, reason: text }),
};

const recordShape = taggedBy("kind", kinds);

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
export const isFault = (answer: object): answer is { readonly fault: string } =>
  "fault" in answer && !("kind" in answer);
