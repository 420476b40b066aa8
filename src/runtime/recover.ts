/**
 * What a recovery came to: normal (the recorded release), the failure as it was found, and what is there afterwards, side by
 * side. Pure.
 *
 * Laws: recovery is judged by what was recorded of the release, never by the rollout alone (Y1), and confirmed only where a
 * replaced Pod came up right (Y2); without a drill it is undetermined. First aid (what was written into the cluster) is told apart
 * from the permanent fix (Y4), and what no rollback brings back is listed (Y5).
 */
import type { Changes } from "../domain/difference.ts";
import { EXIT, type ExitCode, worstExit } from "../domain/exit.ts";
import type { Finding, Judgement } from "../domain/finding.ts";
import { iso } from "../domain/ids.ts";
import type { Question } from "../domain/question.ts";
import { EXIT_OF_VERDICT, verdictOf } from "../domain/verdict.ts";
import { Collection } from "../judge/collection.ts";
import { isActive, isReady } from "../judge/pod.ts";
import { rulesOf } from "../judge/rules.ts";
import { counted, listed } from "../judge/words.ts";
import type { RecoveryReportInput, RecoverySide, SidePod } from "../wire/api/recovery-report.ts";
import type { Look } from "./collect.ts";
import { NO_COMPARISON } from "./comparison.ts";
import type { RollbackPlan } from "./rollback-plan.ts";
import { reportOf, type VerdictReport } from "./verify.ts";

export interface RecoveryReport extends RecoveryReportInput {
  readonly verdict: Judgement;
  readonly exit: ExitCode;
}

/** One look at the workload, and the Pods that were seen in it. */
export interface Looked {
  readonly report: VerdictReport;
  readonly pods: readonly SidePod[];
}

export const lookedAt = (look: Look, question: Question): Looked => {
  const report = reportOf(look, question, NO_COMPARISON);
  const { subject } = report;
  if (subject === null) return { report, pods: [] };
  const collection = new Collection(look.evidence);
  const given = {
    target: subject,
    expected: question.expected,
    collection,
    at: look.evidence.at,
    before: new Map(),
  };
  const population = rulesOf(question).of(subject)?.population?.(given);
  const sets =
    population === undefined
      ? []
      : ([
          ["new", population.fresh],
          ["old", population.old],
          ["held", population.held],
        ] as const);
  return {
    report,
    pods: sets.flatMap(([template, pods]) =>
      pods
        .filter(isActive)
        .map((pod): SidePod => ({ name: pod.name, uid: pod.uid, template, ready: isReady(pod) })),
    ),
  };
};

export type Drilled =
  | { readonly kind: "not-asked" }
  /** Nothing was removed; a sentence. */
  | { readonly kind: "refused"; readonly why: string }
  | { readonly kind: "ran"; readonly exit: ExitCode; readonly finding: Finding | null; readonly why: string };

export interface Course {
  /** As it was found, with what would be done. */
  readonly plan: RollbackPlan;
  readonly failure: Looked;
  /** Of `rollback run`: its exit, and its statement. */
  readonly rollback: { readonly exit: ExitCode; readonly statement: string; readonly wrote: boolean };
  readonly drill: Drilled;
  /** null: the rollback did not come through. */
  readonly recovery: Looked | null;
  /** What is there afterwards; null: it could not be read again. */
  readonly after: RollbackPlan | null;
  readonly stack: string;
}

export const recoveryOf = (course: Course): RecoveryReport => {
  const { plan, failure, rollback, drill, recovery, stack } = course;
  const findings = [
    ...(recovery === null ? [] : recovery.report.findings),
    ...(drill.kind === "ran" && drill.finding !== null ? [{ ...drill.finding, required: true }] : []),
  ];
  const verdict = judgementOf(course, findings);
  const remaining = remainingOf(course, findings);
  return {
    target: plan.report.target,
    to: plan.to === null ? null : plan.to.text,
    verdict,
    statement: statementOf(course, verdict, findings),
    sides: sidesOf(course),
    checks: plan.checks,
    rollback: { statement: rollback.statement, wrote: rollback.wrote },
    drill: drillOf(drill),
    bystanders: findings.find(({ claim }) => claim === "bystanders-unchanged") ?? null,
    findings,
    notRestored: notRestoredOf(plan),
    firstAid: firstAidOf(course),
    permanent: permanentOf(plan),
    remaining,
    stack,
    window: {
      from: failure.report.window.from,
      to: recovery === null ? failure.report.window.to : recovery.report.window.to,
    },
    exit: worstExit([
      ...(rollback.exit === EXIT.proven ? [] : [rollback.exit]),
      ...(drill.kind === "ran" ? [drill.exit] : []),
      EXIT_OF_VERDICT[verdict],
    ]),
  };
};

/** Y2: what was not drilled is not confirmed, however right it looks. */
const judgementOf = ({ recovery, drill }: Course, findings: readonly Finding[]): Judgement => {
  if (recovery === null) return "undetermined";
  const judged = verdictOf(findings);
  if (judged !== "proven") return judged;
  return drill.kind === "ran" && drill.finding?.finding === "proven" ? "proven" : "undetermined";
};

const statementOf = (
  { recovery, drill, rollback }: Course,
  verdict: Judgement,
  findings: readonly Finding[],
): string => {
  if (recovery === null) return `Not recovered: ${rollback.statement}`;
  if (verdict === "proven")
    return "Recovered: config and template are the release's, and a replaced Pod came up right.";
  const open = findings.filter(
    ({ finding, required }) => finding === "refuted" || (required && finding !== "proven"),
  );
  const why = open.slice(0, 3).map(({ claim, finding, sentence }) => `${claim} is ${finding}: ${sentence}`);
  if (why.length > 0)
    return `${verdict === "refuted" ? "Not recovered" : "Not shown to be recovered"}: ${why.join("; ")}`;
  return drill.kind === "refused"
    ? `Not confirmed: no Pod was replaced: ${drill.why}`
    : "Not confirmed: everything looks right, and no Pod was replaced to show that it holds (--drill).";
};

const drillOf = (drill: Drilled): RecoveryReportInput["drill"] => {
  if (drill.kind === "not-asked") return { asked: false, ran: false, says: "not asked for (--drill)" };
  if (drill.kind === "refused") return { asked: true, ran: false, says: drill.why };
  return {
    asked: true,
    ran: true,
    says: drill.finding === null ? drill.why : `${drill.finding.finding}: ${drill.finding.sentence}`,
  };
};

const sidesOf = ({ plan, failure, recovery, after }: Course): readonly RecoverySide[] => {
  const release = plan.target === null ? null : plan.target.release;
  const digests = (of: RollbackPlan | null, at: "recorded" | "now") =>
    (of === null ? [] : of.config).map(({ kind, name, [at]: sha256 }) => ({ kind, name, sha256 }));
  const sideOf = (side: RecoverySide["side"], looked: Looked, of: RollbackPlan | null): RecoverySide => ({
    side,
    says: looked.report.statement,
    verdict: looked.report.verdict,
    templateIsThere: of === null ? null : of.templateIsThere,
    config: digests(of, "now"),
    pods: looked.pods,
  });
  return [
    {
      side: "normal",
      says:
        release === null
          ? `${plan.to === null ? "nothing" : plan.to.text}: nobody recorded it as proven`
          : `${plan.to === null ? release.id : plan.to.text}, proven at ${iso(release.provenAt)}`,
      verdict: release === null ? null : "proven",
      templateIsThere: true,
      config: digests(plan, "recorded"),
      pods: [],
    },
    sideOf("failure", failure, plan),
    ...(recovery === null ? [] : [sideOf("recovery", recovery, after)]),
  ];
};

const OUTSIDE =
  "what the failing release did outside of its workload: data and schemas, messages that were sent, calls that others answered";

const notRestoredOf = ({ target }: RollbackPlan): readonly string[] => [
  ...(target === null || target.release === null ? [] : target.release.irreversible),
  OUTSIDE,
];

const firstAidOf = ({ plan, rollback, failure, recovery, drill }: Course): readonly string[] => {
  const written = plan.config.filter((one) => one.do !== "leave");
  const gone =
    recovery === null ? [] : failure.pods.filter(({ uid }) => !recovery.pods.some((one) => one.uid === uid));
  return [
    ...(rollback.wrote
      ? written.map(
          ({ kind, name }) => `${kind} ${name} was written in the cluster, from the release's bytes`,
        )
      : []),
    ...(rollback.wrote && !plan.templateIsThere ? ["the template was written in the cluster"] : []),
    ...(gone.length === 0
      ? []
      : [
          `${counted(gone.length, "Pod")} of the failure ${gone.length === 1 ? "is" : "are"} gone: ${listed(gone.map(({ name }) => name))}`,
        ]),
    ...(drill.kind === "ran" ? ["one Pod was replaced on purpose, by the drill"] : []),
    ...editsIn(plan.changes),
  ];
};

/** Who had written by hand what the rollback took back. */
const editsIn = (changes: Changes | null): readonly string[] =>
  (changes === null ? [] : changes.items).flatMap(({ path, writers }) => {
    const by = writers.filter(({ manager }) => manager.startsWith("kubectl"));
    return by.length === 0
      ? []
      : [`${path} had been edited live, by ${listed([...new Set(by.map(({ manager }) => manager))])}`];
  });

const permanentOf = ({ target, checks }: RollbackPlan): readonly string[] => {
  const release = target === null ? null : target.release;
  const owner = checks.find(({ check }) => check === "owner");
  return [
    ...(release === null || release.source === null
      ? [
          "what this workload is made from (a repository, a chart) was not told, and may still hold what failed",
        ]
      : [
          `Git: the release was made from commit ${release.source.commit}; what is there now may still hold what failed`,
        ]),
    ...(owner === undefined || owner.finding === "proven" ? [] : [`the GitOps owner: ${owner.sentence}`]),
  ];
};

const remainingOf = ({ drill, plan, recovery }: Course, findings: readonly Finding[]): readonly string[] => {
  const open = findings.filter(({ finding }) => finding !== "proven");
  return [
    ...(recovery === null ? ["the rollback: it did not come through"] : []),
    ...(drill.kind === "ran" ? [] : ["a drill: nothing shows yet that the next Pod comes up right"]),
    ...open.map(({ claim, finding, sentence }) => `${claim} is ${finding}: ${sentence}`),
    ...plan.checks
      .filter(({ accepted }) => accepted)
      .map(({ check, sentence }) => `you took ${check} upon yourself: ${sentence}`),
    "the permanent fix, where what this is made from still holds what failed",
  ];
};
