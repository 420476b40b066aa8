/** Where a recovery by Git is told: a clone, the cluster as it is or a saved state, and a saved state of the failure. */
import { resolve } from "node:path";
import { savedEvidence } from "../adapters/system/saved-evidence.ts";
import { EXIT } from "../domain/exit.ts";
import { isCommit } from "../domain/expected-commit.ts";
import type { Instant } from "../domain/ids.ts";
import { known } from "../domain/known.ts";
import type { Question } from "../domain/question.ts";
import type { Collected } from "../ports/evidence-source.ts";
import type { Repository } from "../ports/repository.ts";
import { liveEvidence } from "../runtime/collect.ts";
import { NO_COMPARISON } from "../runtime/comparison.ts";
import { whyOf } from "../runtime/git-evidence.ts";
import { type GitRecoveryReport, gitRecoveryOf, ROLES } from "../runtime/git-recovery.ts";
import { type Refused, refused } from "../runtime/runtime.ts";
import { type GitPlace, gitClone } from "./git.ts";
import type { StackFaults } from "./place.ts";
import { asking, type Live } from "./verify-cluster.ts";

export interface ReportAsked {
  /** The clone, as the person wrote it. */
  readonly git: string;
  /** By any name that Git knows. */
  readonly normal: string;
  readonly failure: string;
  readonly recovery: string;
  readonly path: string | null;
  /** Saved files of the failure; null: none. */
  readonly failed: string | null;
  /** The commit that it expects is the recovery's, once that is known. */
  readonly question: Question;
  readonly repository: string | null;
}

export interface SavedState extends GitPlace {
  readonly from: string;
  readonly at: Instant | null;
}

export const recoveryReportSaved = (
  state: SavedState,
  asked: ReportAsked,
): Promise<GitRecoveryReport | StackFaults | Refused> =>
  reported(state, asked, () => savedState(state.from, state.cwd, state.at));

export const recoveryReportLive = (
  live: Live,
  asked: ReportAsked,
): Promise<GitRecoveryReport | StackFaults | Refused> =>
  reported(live, asked, (question) =>
    asking({ ...live, git: undefined }, question, (options) =>
      liveEvidence({ ...options, comparison: NO_COMPARISON }).collect(),
    ),
  );

const savedState = async (
  from: string,
  cwd: string,
  at: Instant | null,
): Promise<Collected | StackFaults> => {
  const collected = await savedEvidence({ path: resolve(cwd, from), named: from, at }).collect();
  return "faults" in collected ? { kind: "faults", faults: collected.faults } : collected;
};

const reported = async (
  place: GitPlace,
  asked: ReportAsked,
  read: (question: Question) => Promise<Collected | StackFaults | Refused>,
): Promise<GitRecoveryReport | StackFaults | Refused> => {
  const clone = await gitClone(asked.git, place);
  if (clone.kind === "refused") return clone;
  const git = clone.git as Repository;
  try {
    const commits = { normal: "", failure: "", recovery: "" };
    for (const role of ROLES) {
      const named = asked[role];
      // A whole id names a commit whether or not this clone holds it: what it lacks is told in the report.
      const id = isCommit(named) ? known(named) : await git.resolve(named);
      if (id.kind !== "known")
        return refused(EXIT.usage, `--${role} ${named}: ${whyOf(id)}; nothing was asked`);
      commits[role] = id.value;
    }
    const commit = { sha: commits.recovery, tree: null, repository: asked.repository, source: null };
    const question = { ...asked.question, expected: { ...asked.question.expected, commit } };
    const failed = asked.failed === null ? null : await savedState(asked.failed, place.cwd, null);
    if (failed !== null && "kind" in failed) return failed;
    const now = await read(question);
    if ("kind" in now) return now;
    return await gitRecoveryOf({ git, commits, path: asked.path, question }, now, failed);
  } finally {
    git.close();
  }
};
