/** What a gate judges of one reading: its own question, and of which release the reading is. Pure. */
import { configDigest } from "../../domain/config-digest.ts";
import type { Seen } from "../../domain/evidence.ts";
import type { GateSubject, GateVerdict } from "../../domain/gate-decision.ts";
import type { JsonValue } from "../../domain/json.ts";
import { isJsonObject } from "../../domain/json.ts";
import type { Question } from "../../domain/question.ts";
import { RESOURCES } from "../../domain/resource.ts";
import { Collection } from "../../judge/collection.ts";
import { hint, itemsAt, TEXT } from "../../judge/read.ts";
import { type Unit, unitOf } from "../../judge/release/unit.ts";
import { rulesOf } from "../../judge/rules.ts";
import type { Collected } from "../../ports/evidence-source.ts";
import { digestOf } from "../../wire/digest.ts";
import { withoutSecrets } from "../../wire/objects/without-secrets.ts";
import { NO_COMPARISON } from "../comparison.ts";
import { generationOf } from "../readings.ts";
import { meantBy, reportIn, type VerdictReport } from "../verify.ts";

export interface GateJudged {
  readonly report: VerdictReport;
  readonly verdict: GateVerdict;
}

export const gateJudged = (collected: Collected, question: Question): GateJudged => {
  const collection = new Collection(collected.evidence);
  const report = reportIn(collection, collected, question, NO_COMPARISON);
  const { verdict, findings } = report;
  return {
    report,
    verdict: { verdict, findings, subject: subjectOf(collection, collected, question, report) },
  };
};

const NOTHING: GateSubject = {
  uid: null,
  generation: null,
  template: null,
  images: new Map(),
  config: new Map(),
  revisions: [],
};

const subjectOf = (
  collection: Collection,
  collected: Collected,
  question: Question,
  report: VerdictReport,
): GateSubject => {
  const target = report.subject;
  if (target === null) return NOTHING;
  const asked = meantBy(question, collected);
  const application = applicationOf(target, asked, collection);
  const revisions = application === undefined ? [] : revisionsOf(application);
  // An Application's generation tells nothing: each report of its controller raises it.
  if (application === target) return { ...NOTHING, uid: target.uid, revisions };
  const given = {
    target,
    expected: asked.expected,
    collection,
    at: report.judgedAt,
    before: new Map(report.findings.map((one) => [one.claim, one])),
  };
  const unit = unitOf(given, rulesOf(asked).of(target));
  const of = { uid: target.uid, generation: generationOf(target.raw), revisions };
  return "fault" in unit ? { ...NOTHING, ...of } : { ...of, ...unitSubject(unit, collection, target) };
};

const applicationOf = (target: Seen, { expected }: Question, collection: Collection): Seen | undefined => {
  const { group, kind } = RESOURCES.Application;
  if (target.group === group && target.kind === kind) return target;
  const { application } = expected;
  if (application === null) return undefined;
  const found = collection.object(RESOURCES.Application, application.namespace, application.name);
  return found.kind === "known" ? found.value : undefined;
};

const revisionsOf = ({ raw }: Seen): readonly string[] => {
  const one = hint(raw, ["status", "sync", "revision"], TEXT);
  const several = itemsAt(raw, ["status", "sync", "revisions"]).filter((each) => typeof each === "string");
  return several.length > 0 ? (several as readonly string[]) : one === undefined ? [] : [one];
};

const unitSubject = (
  unit: Unit,
  collection: Collection,
  target: Seen,
): Pick<GateSubject, "template" | "images" | "config"> => ({
  template: templateDigest(unit.template),
  images: new Map(unit.images.map(({ container, digests }) => [container, [...digests]])),
  config: new Map(
    unit.named.map(({ kind, name }) => {
      const found = collection.object(RESOURCES[kind], target.namespace, name);
      const is = found.kind === "known" ? contentOf(found.value) : found.kind;
      return [`${kind} ${name}`, is];
    }),
  ),
});

/** Its UID and the digest of what it holds; what a Secret holds is never compared by a digest (C6), but by its version. */
const contentOf = (object: Seen): string => {
  const uid = object.uid === null ? "no UID" : object.uid;
  if (object.kind === "Secret") {
    const version = hint(object.raw, ["metadata", "resourceVersion"], TEXT);
    return `${uid} at ${version === undefined ? "no version" : version}`;
  }
  const digest = configDigest(object.raw);
  return `${uid} ${digest === null ? "unreadable" : digest.slice(0, 12)}`;
};

/** Literal values are removed from what is stored, by a digest of a key of its own each time: they are left out of both. */
const templateDigest = (template: Unit["template"]): string => {
  const { object } = withoutSecrets(template, false, new Uint8Array(32));
  return digestOf(masked(object));
};

const masked = (value: JsonValue): JsonValue => {
  if (typeof value === "string") return /^removed:hmac-sha256:[0-9a-f]{64}$/.test(value) ? "removed" : value;
  if (Array.isArray(value)) return value.map(masked);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, masked(one)]));
};
