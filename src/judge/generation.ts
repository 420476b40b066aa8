/**
 * `spec-observed`: generation and UID first (O1). Everything else in `status` is believed only after this.
 *
 * Rule: the API server raises metadata.generation with every change of spec; the controller writes the one that it has
 * processed into status.observedGeneration (Kubernetes API conventions, "Typical status properties"). A kind that says it
 * elsewhere has a reader of its own (`Case.observed`).
 */
import type { Seen } from "../domain/evidence.ts";
import type { Expected } from "../domain/expected.ts";
import type { Known } from "../domain/known.ts";
import type { Case, Rule } from "./case.ts";
import { type Found, Inquiry } from "./inquiry.ts";
import { dotted, type Field, fieldAt, hint, OBJECT, TEXT, WHOLE } from "./read.ts";
import { quoted } from "./words.ts";

export const specObserved: Rule = (given) => {
  const inquiry = new Inquiry("spec-observed");
  const stop = sameIncarnation(inquiry, given.target, given.expected) ?? sinceFault(inquiry, given);
  if (stop !== undefined) return stop;
  const generation = inquiry.need(given.target, ["metadata", "generation"], WHOLE);
  const { path, shape } = observedAt(given);
  const observed = inquiry.need(given.target, path, shape);
  if (generation === undefined) return inquiry.unknown();
  if (observed === undefined) return unreported(inquiry, given);
  if (observed > generation)
    return inquiry.undetermined(
      "contradiction",
      `the controller says that it processed generation ${observed}, and the object is at ${generation}: the two are not of one reading`,
    );
  if (observed < generation)
    return inquiry.progressing(
      "generation-behind",
      `the controller has processed generation ${observed}, and this is generation ${generation}`,
    );
  return inquiry.proven("observed", `the controller has processed generation ${generation}`);
};

/** No controller has reported on this object, or not in a way that can be read (k8s-04, k8s-31). */
const unreported = (inquiry: Inquiry, given: Case): Found => {
  const { raw } = given.target;
  const { path, shape } = observedAt(given);
  const status = hint(raw, ["status"], OBJECT);
  if (fieldAt(raw, path, shape).kind === "unreadable") return inquiry.unknown();
  return inquiry.undetermined(
    "not-reported",
    status === undefined || Object.keys(status).length === 0
      ? "no controller has reported on this object: it has no status"
      : `no controller has said which generation its status speaks of (${dotted(path)})`,
  );
};

const USUAL: Field<number> = { path: ["status", "observedGeneration"], shape: WHOLE };

const observedAt = ({ observed }: Case): Field<number> => (observed === undefined ? USUAL : observed);

/** V3: evidence of another incarnation counts as missing. */
export const sameIncarnation = (inquiry: Inquiry, target: Seen, expected: Expected): Found | undefined => {
  const uid = inquiry.need(target, ["metadata", "uid"], TEXT);
  if (uid === undefined) return inquiry.unknown();
  if (expected.uid === null || expected.uid === uid) return undefined;
  inquiry.miss(`the object with UID ${expected.uid}`);
  return inquiry.undetermined(
    "object-replaced",
    `this is another object of the same name: its UID is ${quoted(uid)}, and ${expected.uid} was expected`,
  );
};

/** The object is from before the change that is verified. */
const sinceFault = (inquiry: Inquiry, { target, expected }: Case): Found | undefined => {
  if (expected.since === null || !("generation" in expected.since)) return undefined;
  const generation = inquiry.need(target, ["metadata", "generation"], WHOLE);
  if (generation === undefined || generation >= expected.since.generation) return undefined;
  return inquiry.undetermined(
    "before-the-change",
    `this is generation ${generation}, from before the change that made generation ${expected.since.generation}; read it again`,
  );
};

/** The generation of this incarnation, as of the change that is verified; else the finding to give. */
export const generationAsked = (inquiry: Inquiry, given: Case): number | Found => {
  const stop = sameIncarnation(inquiry, given.target, given.expected) ?? sinceFault(inquiry, given);
  if (stop !== undefined) return stop;
  const generation = inquiry.need(given.target, ["metadata", "generation"], WHOLE);
  return generation === undefined ? inquiry.unknown() : generation;
};

/** Whether status speaks of this generation of this object, for the claims that rest on it; else the finding to give. */
export const statusOfThisGeneration = (inquiry: Inquiry, given: Case): Found | undefined => {
  const stop = sameIncarnation(inquiry, given.target, given.expected);
  if (stop !== undefined) return stop;
  const generation = inquiry.need(given.target, ["metadata", "generation"], WHOLE);
  const { path, shape } = observedAt(given);
  const observed = inquiry.need(given.target, path, shape);
  const seen = given.before.get("spec-observed");
  if (seen?.finding === "progressing")
    return inquiry.progressing("waiting-for", `waits for the controller: ${seen.sentence}`);
  if (seen?.finding === "undetermined")
    return inquiry.undetermined(
      seen.reason,
      `whether status speaks of this generation is not known: ${seen.sentence}`,
    );
  return generation === undefined || observed === undefined || generation !== observed
    ? inquiry.unknown()
    : undefined;
};

/**
 * V8, the one reader of counters: Kubernetes leaves a zero out (`omitempty`), so one that is not there is an encoded 0
 * while status speaks of this generation, and is said to be; otherwise it is unknown. To be called after
 * `statusOfThisGeneration`.
 */
export const counter = (inquiry: Inquiry, target: Seen, name: string): number | undefined => {
  const field: Known<number> = fieldAt(target.raw, ["status", name], WHOLE);
  if (field.kind !== "absent") return inquiry.need(target, ["status", name], WHOLE);
  inquiry.limit(`status.${name} is not there, which for a counter is 0`);
  return 0;
};
