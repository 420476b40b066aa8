/**
 * A verdict as a run of evidence: what was seen, what was asked, what was said, as the files of a run and the facts that its
 * statement tells (`domain/evidence-run.ts`).
 */
import type { Bystanders } from "../domain/bystander.ts";
import type { EvidenceQuestion } from "../domain/evidence-question.ts";
import type { RunFacts, RunFinding, RunId, RunLink, RunTarget } from "../domain/evidence-run.ts";
import type { ExpectedCommit } from "../domain/expected-commit.ts";
import type { Finding } from "../domain/finding.ts";
import type { Instant } from "../domain/ids.ts";
import type { JsonObject, JsonValue } from "../domain/json.ts";
import type { RunFile } from "../ports/evidence-runs.ts";
import { verdictList } from "../wire/api/verdict-list.ts";
import { verdictReport } from "../wire/api/verdict-report.ts";
import { questionDocument } from "../wire/evidence/question.ts";
import { withoutSecrets } from "../wire/objects/without-secrets.ts";
import type { VerdictList } from "./sweep.ts";
import type { VerdictReport } from "./verify.ts";

/** Raised whenever a judge comes to another finding of the same bytes. */
const RULES_VERSION = "1";

export interface RunOf {
  readonly run: RunId;
  readonly verb: string;
  readonly actor: string;
  readonly at: Instant;
  /** Of asfound. */
  readonly version: string;
  readonly replays: RunLink | null;
  readonly details: JsonObject | null;
}

export type Verdict =
  | { readonly kind: "one"; readonly report: VerdictReport }
  | { readonly kind: "sweep"; readonly list: VerdictList };

export const factsOf = (verdict: Verdict, of: RunOf): RunFacts => ({
  run: of.run,
  kind: "verdict",
  verb: of.verb,
  actor: of.actor,
  recordedAt: of.at,
  ...(verdict.kind === "one"
    ? saidOf(verdict.report)
    : { target: null, verdict: verdict.list.verdict, findings: [] }),
  replays: of.replays,
  tool: of.version,
  rules: RULES_VERSION,
  details: of.details,
});

/** What a run's statement tells of one verdict. */
export const saidOf = (report: VerdictReport): Pick<RunFacts, "target" | "verdict" | "findings"> => ({
  target: targetOf(report),
  verdict: report.verdict,
  findings: report.findings.map(findingOf),
});

const targetOf = ({ target: { kind, namespace, name, uid } }: VerdictReport): RunTarget => ({
  kind,
  namespace,
  name,
  uid,
});

const findingOf = ({ claim, finding, reason, required }: Finding): RunFinding => ({
  claim,
  finding,
  reason,
  required,
});

export const reportJson = (verdict: Verdict): JsonObject =>
  verdict.kind === "one" ? verdictReport(verdict.report) : verdictList(verdict.list);

export const jsonFile = (path: string, value: JsonValue): RunFile => ({
  path,
  bytes: new TextEncoder().encode(`${JSON.stringify(value, null, 2)}\n`),
});

/** `snapshot`: by its path below `snapshot/`, redacted already. */
export const filesOfRun = (
  snapshot: readonly { readonly name: string; readonly bytes: Uint8Array }[],
  question: EvidenceQuestion,
  verdict: Verdict,
): readonly RunFile[] => [
  ...snapshot.map(({ name, bytes }) => ({ path: `snapshot/${name}`, bytes })),
  jsonFile("question.json", questionDocument(question)),
  jsonFile("report.json", reportJson(verdict)),
];

/** E5: what a question took from files and flags, less what is never written; each place is told in `removed`. */
export const keptQuestion = (question: EvidenceQuestion, key: Uint8Array): EvidenceQuestion => {
  const { asked } = question;
  if (asked.kind === "sweep") return question;
  const removed: string[] = [];
  const without = (object: JsonObject, at: string, isSecret = false): JsonObject => {
    const made = withoutSecrets(object, isSecret, key, `/asked/expected${at}`, "leave");
    removed.push(...made.removed);
    return made.object;
  };
  const { expected } = asked.question;
  const { commit, bystanders } = expected;
  const kept = {
    ...expected,
    commit: commit === null ? null : commitWithout(commit, without),
    bystanders: bystanders === null ? null : bystandersWithout(bystanders, without),
  };
  return {
    ...question,
    asked: { kind: "one", question: { ...asked.question, expected: kept } },
    removed: [...question.removed, ...removed.map((pointer) => ({ file: "question.json", pointer }))],
  };
};

type Without = (object: JsonObject, at: string, isSecret?: boolean) => JsonObject;

const commitWithout = (commit: ExpectedCommit, without: Without): ExpectedCommit => {
  const { sha, tree, repository, source } = commit;
  const named = repository === null ? {} : without({ repository }, "/commit");
  return {
    sha,
    tree,
    repository: repository === null ? null : String(named["repository"]),
    source: source === null ? null : without(source, "/commit/source"),
  };
};

const bystandersWithout = (bystanders: Bystanders, without: Without): Bystanders => {
  const { before } = bystanders;
  if (before === null) return bystanders;
  const objects = before.evidence.objects.map((seen, at) => ({
    ...seen,
    raw: without(
      seen.raw,
      `/bystanders/before/evidence/objects/${at}/raw`,
      seen.group === "" && seen.kind === "Secret",
    ),
  }));
  return { ...bystanders, before: { ...before, evidence: { ...before.evidence, objects } } };
};
