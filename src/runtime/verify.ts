/** verify: collects evidence once, judges it, and says how far it may be trusted. Changes nothing anywhere. */
import type { Cited, Seen } from "../domain/evidence.ts";
import type { ExitCode } from "../domain/exit.ts";
import type { Finding, Judgement } from "../domain/finding.ts";
import type { Instant } from "../domain/ids.ts";
import { EXIT_OF_VERDICT } from "../domain/verdict.ts";
import { judge, type Question } from "../judge/judge.ts";
import { hint, TEXT, WHOLE } from "../judge/read.ts";
import type { EvidenceSource, SourceFault } from "../ports/evidence-source.ts";

export type { Question } from "../judge/judge.ts";

export interface VerdictTarget {
  readonly apiVersion: string | null;
  readonly kind: string;
  readonly namespace: string | null;
  readonly name: string;
  /** null, as the two below: it was not found, or does not say. */
  readonly uid: string | null;
  readonly generation: number | null;
  readonly resourceVersion: string | null;
  readonly source: Cited | null;
}

export interface VerdictReport {
  readonly target: VerdictTarget;
  readonly verdict: Judgement;
  /** A single look: it begins and ends at the time that was judged. */
  readonly window: { readonly from: Instant; readonly to: Instant; readonly ended: boolean };
  readonly findings: readonly Finding[];
  readonly statement: string;
  readonly notLookedAt: readonly string[];
  readonly trust: { readonly tier: "T0" | "T1" | "T2" | "T3"; readonly limits: readonly string[] };
  readonly exit: ExitCode;
}

/** E3: files prove nothing of where they come from. */
const SAVED_LIMIT =
  "saved files: nothing shows who read them, from which cluster, or that they are unchanged";

export const verify = async (
  source: EvidenceSource,
  question: Question,
): Promise<VerdictReport | { readonly faults: readonly SourceFault[] }> => {
  const collected = await source.collect();
  if ("faults" in collected) return collected;
  const { evidence } = collected;
  const { target, verdict, findings, statement, notLookedAt } = judge(evidence, question);
  return {
    target: targetOf(question, target),
    verdict,
    window: { from: evidence.at, to: evidence.at, ended: true },
    findings,
    statement,
    notLookedAt,
    trust: { tier: "T0", limits: [SAVED_LIMIT, ...evidence.limits] },
    exit: EXIT_OF_VERDICT[verdict],
  };
};

const targetOf = ({ kind, namespace, name }: Question, seen: Seen | null): VerdictTarget => {
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
