/**
 * A recovery by Git, told: the normal, the failing and the recovery commit, what changed in between, whether what is there is the
 * declared recovery commit, and what was first aid.
 *
 * Laws: it is judged by the declared recovery commit and its tree, not by whichever commit came first (Y1), and confirmed only where a
 * Pod that has come up since the failure is right (Y2). First aid (deleted Pods, live edits) is told apart from the fix, which is in Git (Y4). What Git or the cluster could not tell is said to be not known (R2).
 */
import type { Commit } from "../domain/commit.ts";
import type { Seen } from "../domain/evidence.ts";
import type { ExitCode } from "../domain/exit.ts";
import type { GitRecord } from "../domain/git-record.ts";
import { iso } from "../domain/ids.ts";
import type { Known } from "../domain/known.ts";
import type { Question } from "../domain/question.ts";
import { RESOURCES } from "../domain/resource.ts";
import { EXIT_OF_VERDICT } from "../domain/verdict.ts";
import { differencesOf, pathText } from "../judge/differences.ts";
import { shortOf } from "../judge/gitops/sources.ts";
import { hint, itemsAt, OBJECT, TEXT, valueAt } from "../judge/read.ts";
import { listed, nameOf, quoted } from "../judge/words.ts";
import { writersOf } from "../judge/writers.ts";
import type { Collected } from "../ports/evidence-source.ts";
import type { Repository } from "../ports/repository.ts";
import type { GitRecoveryInput, RecoveryContent } from "../wire/api/git-recovery-report.ts";
import { type Happened, happenedIn } from "./cluster-timeline.ts";
import { NO_COMPARISON } from "./comparison.ts";
import { recordOf, whyOf, withGit } from "./git-evidence.ts";
import { ownPods, unconfirmed } from "./git-replacement.ts";
import { manifestChange } from "./manifest-changes.ts";
import { reportOf, type VerdictReport } from "./verify.ts";

export interface GitRecoveryReport extends GitRecoveryInput {
  readonly exit: ExitCode;
}

export const ROLES = ["normal", "failure", "recovery"] as const;
type Role = (typeof ROLES)[number];

export interface RecoveryAsked {
  readonly git: Repository;
  /** Whole ids. */
  readonly commits: Readonly<Record<Role, string>>;
  /** Of the repository; null: the Application's. */
  readonly path: string | null;
  /** About the target, with the Application and the recovery commit expected. */
  readonly question: Question;
}

/** `now`: as it is after the recovery; `failed`: as it was found at the failure, null: nobody kept it. */
export const gitRecoveryOf = async (
  asked: RecoveryAsked,
  now: Collected,
  failed: Collected | null,
): Promise<GitRecoveryReport> => {
  const { git, commits, question } = asked;
  const collected = await withGit(now, question, git);
  const report = reportOf(collected, question, NO_COMPARISON);
  const application = applicationIn(collected, question, report);
  const path = asked.path ?? pathOf(application);
  const sourceType =
    application === null ? null : (hint(application.raw, ["status", "sourceType"], TEXT) ?? null);
  const records = await Promise.all(ROLES.map((role) => recordOf(git, commits[role], [path])));
  const content = await contentOf(git, commits, path);
  const [failing, recovering] = await Promise.all([
    manifestChange(git, commits.normal, commits.failure, path, sourceType),
    manifestChange(git, commits.failure, commits.recovery, path, sourceType),
  ]);
  const line = await git.line(commits.recovery, commits.normal);
  const before = failed === null ? null : subjectIn(failed, report.subject);
  const open =
    report.verdict === "proven"
      ? unconfirmed(question, collected, failed, { subject: report.subject, before })
      : null;
  const verdict = open === null ? report.verdict : "undetermined";
  return {
    target: report.target,
    application: application === null ? null : nameOf(application),
    verdict,
    statement: statementOf(report, open, commits.recovery, content),
    commits: ROLES.map((role, at) => ({ role, ...(records[at] as GitRecord) })),
    lineage: {
      failureAfterNormal: await related(git, commits.normal, commits.failure),
      recoveryAfterFailure: await related(git, commits.failure, commits.recovery),
    },
    saysItReverts:
      records[2]?.reverts === null ? null : (records[2]?.reverts.includes(commits.failure) ?? null),
    path,
    content,
    changes: { failing, recovering },
    findings: report.findings,
    firstAid: firstAidOf(report.subject, before, application, failed, collected),
    permanent: permanentOf(report, commits.recovery, content),
    identity: identityOf(report.subject, before, application, failed),
    timeline: {
      git: commitsOf(line, records, commits),
      cluster: clusterOf(collected, report.subject, application, failed, before),
    },
    limits: [...report.trust.limits, ...limitsOf(line, failed)],
    window: report.window,
    exit: open === null ? report.exit : EXIT_OF_VERDICT[verdict],
  };
};

const applicationIn = (
  { evidence }: Collected,
  { expected }: Question,
  { subject }: VerdictReport,
): Seen | null => {
  const { group, kind } = RESOURCES.Application;
  if (subject !== null && subject.kind === kind && subject.group === group) return subject;
  const { application } = expected;
  const found = evidence.objects.find(
    (one) =>
      one.group === group &&
      one.kind === kind &&
      one.namespace === application?.namespace &&
      one.name === application.name,
  );
  return found ?? null;
};

const pathOf = (application: Seen | null): string =>
  (application === null ? undefined : hint(application.raw, ["spec", "source", "path"], TEXT)) ?? ".";

/** The same object as it was then, by its name; its UID is compared where it matters. */
const subjectIn = ({ evidence }: Collected, subject: Seen | null): Seen | null =>
  (subject === null
    ? undefined
    : evidence.objects.find(
        (one) =>
          one.group === subject.group &&
          one.kind === subject.kind &&
          one.namespace === subject.namespace &&
          one.name === subject.name,
      )) ?? null;

const MOST_PATHS = 100;

/** Y1: by the trees of the two declared commits. */
const contentOf = async (
  git: Repository,
  { normal, recovery }: RecoveryAsked["commits"],
  path: string,
): Promise<RecoveryContent> => {
  const [was, is] = [await git.commit(normal), await git.commit(recovery)];
  const unread = [was, is].find(({ kind }) => kind !== "known");
  const unknown = (why: string): RecoveryContent => ({ equal: "unknown", differs: [], why });
  if (was.kind !== "known" || is.kind !== "known")
    return unknown(whyOf(unread as Exclude<Known<Commit>, { kind: "known" }>));
  if (was.value.tree === is.value.tree) return { equal: "tree", differs: [], why: null };
  const changes = await git.changes(normal, recovery, path);
  if (changes.kind !== "known") return unknown(whyOf(changes));
  if (changes.value.length > 0)
    return {
      equal: "no",
      differs: changes.value.slice(0, MOST_PATHS).map((one) => ({
        path: one.path,
        how: one.before === null ? "added" : one.after === null ? "removed" : "changed",
      })),
      why:
        changes.value.length > MOST_PATHS ? `${changes.value.length} paths differ; the first are told` : null,
    };
  const there = await git.entry(normal, path);
  return there.kind === "known"
    ? { equal: "path", differs: [], why: null }
    : unknown(`there is nothing at ${quoted(path)} in the normal commit`);
};

const related = async (git: Repository, earlier: string, later: string): Promise<string> => {
  const lineage = await git.lineage(earlier, later);
  if (lineage.kind !== "known") return `not known: ${whyOf(lineage)}`;
  return {
    same: "the same commit",
    ancestor: "after it",
    descendant: "before it: it went back to an earlier commit",
    diverged: "on another branch",
    unrelated: "of another history",
  }[lineage.value];
};

const CONTENT: Readonly<Record<RecoveryContent["equal"], string>> = {
  tree: "its tree is that of the normal commit",
  path: "the same stands at the path as in the normal commit",
  no: "it is another content than the normal commit's",
  unknown: "whether it is the normal commit's content is not known",
};

const statementOf = (
  report: VerdictReport,
  unconfirmed: string | null,
  recovery: string,
  content: RecoveryContent,
): string => {
  if (report.verdict === "proven") {
    const runs = `${shortOf(recovery)} is what was synced and runs; ${CONTENT[content.equal]}`;
    return unconfirmed === null
      ? `Recovered by Git: ${runs}, and a Pod that has come up since the failure is right.`
      : `Not confirmed: ${runs}; ${unconfirmed}.`;
  }
  const open = report.findings.filter(
    ({ finding, required }) => finding === "refuted" || (required && finding !== "proven"),
  );
  const why = open.slice(0, 3).map(({ claim, finding, sentence }) => `${claim} is ${finding}: ${sentence}`);
  const lead = report.verdict === "refuted" ? "Not recovered" : "Not shown to be recovered";
  return why.length === 0 ? `${lead}: ${report.statement}` : `${lead}: ${why.join("; ")}`;
};

const permanentOf = (
  { findings }: VerdictReport,
  recovery: string,
  content: RecoveryContent,
): readonly string[] => {
  const synced = findings.find(({ claim }) => claim === "synced-revision");
  return [
    synced?.finding === "proven"
      ? `in Git: commit ${shortOf(recovery)} is synced (${synced.reason}); ${CONTENT[content.equal]}`
      : `not shown: ${synced === undefined ? "no Application was judged (--application)" : synced.sentence}`,
    ...content.differs.slice(0, 5).map(({ path, how }) => `${path} was ${how} against the normal commit`),
  ];
};

const isByHand = (manager: string): boolean => manager.startsWith("kubectl");

/** Y4: what was done in the cluster, and is nowhere in Git. */
const firstAidOf = (
  subject: Seen | null,
  before: Seen | null,
  application: Seen | null,
  failed: Collected | null,
  now: Collected,
): readonly string[] => {
  if (subject === null) return [];
  return [
    ...(before === null || before.uid !== subject.uid ? [] : undoneIn(before, subject, application)),
    ...standingIn(subject),
    ...(failed === null ? [] : goneOf(ownPods(failed, before), ownPods(now, subject))),
  ];
};

/** A live edit that holds no more: what stood there by hand, and who has written it since. */
const undoneIn = (before: Seen, subject: Seen, application: Seen | null): readonly string[] => {
  const steps = [{ kind: "member", name: "spec" } as const];
  const edited = differencesOf(valueAt(before.raw, ["spec"]), valueAt(subject.raw, ["spec"]), steps).flatMap(
    (one) => {
      const hands = (writersOf(before.raw, one.steps) ?? []).filter(({ manager }) => isByHand(manager));
      const since = (writersOf(subject.raw, one.steps) ?? []).filter(({ manager }) => !isByHand(manager));
      const [hand] = hands;
      if (hand === undefined) return [];
      const then = hand.at === null ? "" : ` at ${iso(hand.at)}`;
      return [
        `${quoted(pathText(one.steps))} was edited live by ${hand.manager}${then}; it holds something else now${since.length === 0 ? "" : `, written by ${listed(since.map(({ manager }) => manager))}`}`,
      ];
    },
  );
  const heals =
    edited.length > 0 &&
    application !== null &&
    valueAt(application.raw, ["spec", "syncPolicy", "automated", "selfHeal"]) === true;
  const count =
    application === null
      ? undefined
      : valueAt(application.raw, ["status", "operationState", "operation", "sync", "autoHealAttemptsCount"]);
  return [
    ...edited,
    ...(heals
      ? [
          `its Application undoes live edits by itself (selfHeal)${typeof count === "number" ? `, and its last sync was such a one (attempt ${count})` : ""}`,
        ]
      : []),
  ];
};

const standingIn = (subject: Seen): readonly string[] =>
  itemsAt(subject.raw, ["metadata", "managedFields"]).flatMap((entry) => {
    const manager = hint(entry, ["manager"], TEXT);
    const owns = hint(entry, ["fieldsV1", "f:spec"], OBJECT);
    if (manager === undefined || owns === undefined || !isByHand(manager)) return [];
    if (valueAt(entry, ["subresource"]) !== undefined) return [];
    const at = hint(entry, ["time"], TEXT);
    return [
      `a live edit still stands: ${quoted(manager)} owns a part of its spec${at === undefined ? "" : `, last written at ${quoted(at)}`}; it is not told to be in Git`,
    ];
  });

const goneOf = (then: readonly Seen[], now: readonly Seen[]): readonly string[] => {
  const gone = then.filter(({ uid }) => !now.some((one) => one.uid === uid));
  return gone.length === 0
    ? []
    : [
        `${listed(gone.map(({ name, uid }) => `Pod ${name} (UID ${String(uid)})`))} of the failure ${gone.length === 1 ? "is" : "are"} gone: whoever removed them, that is in no commit`,
      ];
};

const identityOf = (
  subject: Seen | null,
  before: Seen | null,
  application: Seen | null,
  failed: Collected | null,
): readonly string[] => {
  if (failed === null) return [];
  const told = (is: Seen | null, was: Seen | null): readonly string[] => {
    if (is === null) return [];
    if (was === null) return [`${nameOf(is)}: not among what was kept of the failure`];
    return [
      is.uid === was.uid
        ? `${nameOf(is)} is the same object (UID ${String(is.uid)})`
        : `${nameOf(is)} is another object (UID ${String(was.uid)} then, ${String(is.uid)} now)`,
    ];
  };
  const isOther = application !== null && application !== subject;
  return [...told(subject, before), ...(isOther ? told(application, subjectIn(failed, application)) : [])];
};

const commitsOf = (
  line: Known<readonly Commit[]>,
  records: readonly GitRecord[],
  commits: RecoveryAsked["commits"],
): GitRecoveryInput["timeline"]["git"] => {
  const roleOf = (id: string) => ROLES.find((role) => commits[role] === id) ?? null;
  if (line.kind === "known")
    return [...line.value].reverse().map(({ id, author, committer, subject }) => ({
      at: committer.at === null ? null : iso(committer.at),
      commit: id,
      author: author.name,
      subject,
      role: roleOf(id),
    }));
  return records.map(({ commit, author, committer, subject }) => ({
    at: committer === null ? null : committer.at,
    commit,
    author: author === null ? null : author.name,
    subject,
    role: roleOf(commit),
  }));
};

const clusterOf = (
  now: Collected,
  subject: Seen | null,
  application: Seen | null,
  failed: Collected | null,
  before: Seen | null,
): GitRecoveryInput["timeline"]["cluster"] => {
  const is = happenedIn(now.evidence, subject, application);
  const was =
    failed === null
      ? []
      : happenedIn(failed.evidence, before, application === null ? null : subjectIn(failed, application)).map(
          (one): Happened => ({ ...one, evidence: `failed/${one.evidence}` }),
        );
  const told = new Set<string>();
  return [...is, ...was]
    .filter(({ at, what }) => {
      const key = `${at} ${what}`;
      const isNew = !told.has(key);
      told.add(key);
      return isNew;
    })
    .sort((a, b) => a.at - b.at)
    .map(({ at, what, evidence }) => ({ at: iso(at), what, evidence }));
};

const limitsOf = (line: Known<readonly Commit[]>, failed: Collected | null): readonly string[] => [
  "times and authors of commits are as the commits say of themselves",
  ...(line.kind === "known"
    ? []
    : [
        `the commits in between are not told: ${line.kind === "absent" ? "the normal commit is not on the recovery's line of first parents" : whyOf(line)}`,
      ]),
  ...(failed === null
    ? [
        "nothing was kept of the failure (--failed): which Pods were there then, and which live edits, is not known",
      ]
    : []),
];
