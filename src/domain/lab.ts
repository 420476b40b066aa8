/**
 * A lab: a story that a person runs on a cluster of theirs, in a namespace that is made for it, to see what a rollout's
 * status shows of config and what it does not.
 */
import type { ExitCode } from "./exit.ts";
import type { Finding, Judgement } from "./finding.ts";
import type { Instant } from "./ids.ts";

export const LABS = ["rollback-config", "stale-process", "synced-not-served", "git-recovery"] as const;
export type LabName = (typeof LABS)[number];

/** One thing that was seen, as a line of a table. */
export interface Sight {
  readonly what: string;
  readonly value: string;
}

/** What a rule that many pipelines end on says of the Deployment. */
export interface RolloutWord {
  readonly done: boolean;
  /** A clause. */
  readonly says: string;
}

export interface LabStep {
  readonly title: string;
  /** What was done, each a sentence. */
  readonly did: readonly string[];
  readonly saw: readonly Sight[];
  /** `kubectl rollout status`, by its rule; null: nothing was to be asked. */
  readonly kubectl: RolloutWord | null;
  /** null: nothing was judged. */
  readonly asfound: {
    readonly verdict: Judgement;
    readonly statement: string;
    readonly findings: readonly Finding[];
  } | null;
  /** What it shows, for a person. */
  readonly shows: string;
  /** What was to be seen and was not, each a clause; empty: it came as told. */
  readonly missed: readonly string[];
}

export interface LabReport {
  readonly lab: LabName;
  readonly about: string;
  readonly cluster: { readonly server: string; readonly context: string | null };
  readonly namespace: string;
  readonly image: string;
  /** What it has outside of its namespace; null: nothing. */
  readonly delivery: {
    readonly repository: string;
    readonly branch: string;
    /** `argocd/asfound-lab-…`. */
    readonly application: string;
  } | null;
  readonly from: Instant;
  readonly to: Instant;
  readonly steps: readonly LabStep[];
  /** Why it ended before its last step, a sentence; null: it did not. */
  readonly ended: string | null;
  readonly removal: { readonly removed: boolean; readonly says: string };
  /** In the ledger. */
  readonly stack: string;
  readonly exit: ExitCode;
}
