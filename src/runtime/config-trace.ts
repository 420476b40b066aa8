/** config trace: which config each container start was given, beside the verdict about it. Changes nothing anywhere. */
import type { ClaimName } from "../domain/claim.ts";
import type { ConfigState } from "../domain/config.ts";
import { NOTHING_EXPECTED } from "../domain/expected.ts";
import type { Question } from "../domain/question.ts";
import { EXIT_OF_VERDICT, verdictOf } from "../domain/verdict.ts";
import { Collection } from "../judge/collection.ts";
import { type Row, type TracedTarget, traceTarget } from "../judge/config/of-target.ts";
import { hint, TEXT } from "../judge/read.ts";
import { rulesOf } from "../judge/rules.ts";
import { counted, listed } from "../judge/words.ts";
import type { Collected } from "../ports/evidence-source.ts";
import type { ConfigTraceInput, ConfigTraceRow } from "../wire/api/config-trace.ts";
import { NO_COMPARISON } from "./comparison.ts";
import { foundOf, sha256Of } from "./config-source.ts";
import { reportIn, type VerdictReport } from "./verify.ts";

export interface ConfigTrace extends ConfigTraceInput {
  readonly report: VerdictReport;
}

export const TRACE_CLAIMS: readonly ClaimName[] = ["config-loaded", "config-bound"];

/** Whether a rollout is under way tells why a container has not started; for more of it nothing more is read. */
export const TRACED: readonly ClaimName[] = ["rollout-complete", ...TRACE_CLAIMS];

/** What is read and judged for it. */
export const traceQuestion = (
  target: Pick<Question, "kind" | "namespace" | "name" | "secrets">,
): Question => ({
  ...target,
  expected: NOTHING_EXPECTED,
  claims: TRACE_CLAIMS,
  only: TRACED,
});

/** `question`: as `traceQuestion` makes it. */
export const configTraceOf = (collected: Collected, question: Question): ConfigTrace =>
  configTraceIn(new Collection(collected.evidence), collected, question);

/** `collection`: of what was collected; where many are traced by it, it is made once. */
export const configTraceIn = (
  collection: Collection,
  collected: Collected,
  question: Question,
): ConfigTrace => {
  const whole = reportIn(collection, collected, question, NO_COMPARISON);
  const { subject } = whole;
  if (subject === null) return { report: whole, rows: [], untraceable: [], checksums: [] };
  const { evidence } = collected;
  const given = {
    target: subject,
    expected: question.expected,
    collection,
    at: evidence.at,
    before: new Map(),
  };
  const traced = traceTarget(given, rulesOf(question).of(subject));
  return traced === null
    ? { report: whole, rows: [], untraceable: [], checksums: [] }
    : {
        report: aboutConfig(whole, traced),
        rows: traced.rows.map(rowOf),
        untraceable: traced.untraceable,
        checksums: traced.checksums.map(({ annotation, on, of, says }) => ({
          annotation,
          on,
          of: of.kind,
          object: "name" in of ? of.name : null,
          key: "key" in of ? of.key : null,
          says,
        })),
      };
};

/** That an object can be edited is how it is made, and no doubt: it leaves the verdict as what was loaded makes it. */
const aboutConfig = (whole: VerdictReport, traced: TracedTarget): VerdictReport => {
  const findings = whole.findings
    .filter(({ claim }) => TRACE_CLAIMS.includes(claim))
    .map((one) => ({ ...one, required: one.claim === "config-loaded" }));
  const verdict = verdictOf(findings);
  return { ...whole, findings, verdict, exit: EXIT_OF_VERDICT[verdict], statement: statementOf(traced) };
};

/** The worst first. */
export const STATES: readonly ConfigState[] = [
  "reference-missing",
  "stale",
  "will-change-on-restart",
  "propagating",
  "not-knowable",
  "fresh",
];

const statementOf = (traced: TracedTarget): string => {
  const rows = traced.rows.filter(({ consumption }) => !consumption.isServiceAccount);
  if (rows.length === 0) return "No container of its Pods takes anything from a ConfigMap or Secret.";
  const pods = new Set(rows.map(({ pod }) => pod.name)).size;
  const states = STATES.flatMap((state) => {
    const count = rows.filter((row) => row.state === state).length;
    return count === 0 ? [] : [`${count} ${state}`];
  });
  return `${counted(rows.length, "reference")} of ${counted(pods, "Pod")} to ConfigMaps and Secrets: ${listed(states)}.`;
};

const rowOf = (row: Row): ConfigTraceRow => {
  const { consumption, source, write, start } = row;
  const object = source.kind === "known" ? source.value : null;
  return {
    pod: row.pod.name,
    podUid: row.pod.uid,
    template: row.template,
    container: consumption.container,
    role: consumption.role,
    kind: consumption.kind,
    name: consumption.name,
    keys: consumption.keys,
    delivery: consumption.delivery,
    as: consumption.as,
    inArguments: consumption.inArguments,
    optional: consumption.optional,
    serviceAccount: consumption.isServiceAccount,
    source: {
      found: foundOf(source),
      uid: object === null ? null : object.uid,
      resourceVersion:
        object === null ? null : (hint(object.raw, ["metadata", "resourceVersion"], TEXT) ?? null),
      writtenByLatest: write === null ? null : write.at,
      manager: write === null ? null : write.manager,
      immutable: row.isImmutable,
      sha256: object === null ? null : sha256Of(object, consumption.kind),
    },
    file: row.file,
    given:
      row.given === null
        ? null
        : row.given.map(({ uid, resourceVersion, content }) => ({
            uid,
            resourceVersion,
            sha256: content === null ? null : content.sha256,
          })),
    startedAt: start === null ? null : start.at,
    state: row.state,
    level: row.level,
    reason: row.reason,
    why: row.why,
  };
};
