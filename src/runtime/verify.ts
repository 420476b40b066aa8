/** verify: collects evidence once, judges it, and says how far it may be trusted. Changes nothing anywhere. */
import type { Evidence, Seen } from "../domain/evidence.ts";
import type { ExitCode } from "../domain/exit.ts";
import type { Finding, Judgement } from "../domain/finding.ts";
import type { Instant } from "../domain/ids.ts";
import type { Question } from "../domain/question.ts";
import { EXIT_OF_VERDICT } from "../domain/verdict.ts";
import { Collection } from "../judge/collection.ts";
import { judgeIn } from "../judge/judge.ts";
import { hint, TEXT, WHOLE } from "../judge/read.ts";
import type { Collected } from "../ports/evidence-source.ts";
import type { VerdictReportInput } from "../wire/api/verdict-report.ts";

import type { Comparison } from "./comparison.ts";

/** As it is printed, each part with its own type. */
export interface VerdictReport extends VerdictReportInput {
  readonly verdict: Judgement;
  /** From the first question to the last answer. `ended`: nothing more is waited for; false where a watch ended early. */
  readonly window: { readonly from: Instant; readonly to: Instant; readonly ended: boolean };
  readonly trust: { readonly tier: "T0" | "T1" | "T2" | "T3"; readonly limits: readonly string[] };
  readonly exit: ExitCode;
  /** The target as it was read, for whoever keeps it; null: it was not found. */
  readonly subject: Seen | null;
  /** Of the cluster's clock, as far as it was told. */
  readonly judgedAt: Instant;
}

/** What one look at all of it comes to. Pure. */
export const reportOf = (collected: Collected, question: Question, comparison: Comparison): VerdictReport =>
  reportIn(new Collection(collected.evidence), collected, question, comparison);

/** The question with the kind and the namespace that the source found it to mean. */
export const meantBy = (question: Question, { meant }: Pick<Collected, "meant">): Question =>
  meant === null ? question : { ...question, ...meant };

/** `collection`: of what was collected; where many are judged by it, it is made once. */
export const reportIn = (
  collection: Collection,
  collected: Collected,
  question: Question,
  comparison: Comparison,
): VerdictReport => {
  const { evidence, from, to, meant } = collected;
  const asked = meantBy(question, collected);
  const { target, verdict, findings, statement, notLookedAt } = judgeIn(collection, evidence, asked);
  const named = meant === null ? question : { ...question, namespace: meant.namespace };
  return {
    target: targetOf(named, target),
    verdict,
    window: { from, to, ended: true },
    findings,
    statement,
    notLookedAt,
    changes: target === null ? null : comparison.changes({ target, collection, verdict, question: asked }),
    subject: target,
    judgedAt: evidence.at,
    trust: {
      tier: "T0",
      limits: [...releasedBy(question), ...evidence.limits, ...unsaid(evidence, findings)],
    },
    exit: EXIT_OF_VERDICT[verdict],
  };
};

/** How far what is expected may be trusted. */
const releasedBy = ({ expected: { release } }: Pick<Question, "expected">): readonly string[] =>
  release === null ? [] : release.limits;

/** Readings without an answer that no finding names, since it only gives hints (events): said all the same. */
const unsaid = ({ asked }: Evidence, findings: readonly Finding[]): readonly string[] => {
  const said = findings.flatMap(({ missing, sentence }) => [...missing, sentence]);
  return asked.flatMap(({ answer }) =>
    "why" in answer && !said.some((text) => text.includes(answer.why)) ? [answer.why] : [],
  );
};

const targetOf = ({ kind, namespace, name }: Question, seen: Seen | null): VerdictReport["target"] => {
  if (seen === null)
    return {
      apiVersion: null,
      kind,
      namespace,
      name,
      uid: null,
      generation: null,
      resourceVersion: null,
      source: null,
    };
  return {
    apiVersion: seen.group === "" ? seen.version : `${seen.group}/${seen.version}`,
    kind: seen.kind,
    namespace: seen.namespace,
    name: seen.name,
    uid: seen.uid,
    generation: hint(seen.raw, ["metadata", "generation"], WHOLE) ?? null,
    resourceVersion: hint(seen.raw, ["metadata", "resourceVersion"], TEXT) ?? null,
    source: seen.source,
  };
};
