/** What a gate's decision is made of, and what it comes to. */
import type { ClaimName } from "./claim.ts";
import type { TrustTier } from "./evidence-run.ts";
import { EXIT, type ExitCode, worstExit } from "./exit.ts";
import type { Finding, Judgement } from "./finding.ts";
import type { Instant } from "./ids.ts";
import { EXIT_OF_VERDICT } from "./verdict.ts";

/** What was released, as far as it was read: when two of these differ, they are not of one release. */
export interface GateSubject {
  /** Of the target. null, here and below: not read, or it has none. */
  readonly uid: string | null;
  readonly generation: number | null;
  /** Digest of the Pod template, less what is never written. */
  readonly template: string | null;
  /** Container: the image digests that its Pods run. */
  readonly images: ReadonlyMap<string, readonly string[]>;
  /** Config object: its UID and the digest of what it holds. */
  readonly config: ReadonlyMap<string, string>;
  /** The commits that the Application was compared at. */
  readonly revisions: readonly string[];
}

/** A field of a subject. */
export type Changed = "UID" | "generation" | "template" | "image" | "config" | "revision";

/** What a verdict says, wherever it is from. */
export interface GateVerdict {
  readonly verdict: Judgement;
  readonly findings: readonly Pick<Finding, "claim" | "finding" | "sentence" | "required" | "reason">[];
  readonly subject: GateSubject;
}

/** A run of evidence, checked, and judged again by what the gate asks. */
export interface GateEvidence {
  readonly run: string;
  /** Of its statement: what approvals name. null, as the three below: its statement cannot be read. */
  readonly sha256: string | null;
  /** When what it holds was read, by the clock of what it was read from. */
  readonly readAt: Instant | null;
  readonly recordedAt: Instant | null;
  /** What its record said then. */
  readonly recorded: Judgement | null;
  readonly trust: TrustTier;
  /** What the check of its bytes and of the chain it stands in found; empty: all is whole. */
  readonly faults: readonly {
    readonly kind: "incomplete" | "altered";
    /** One sentence without its full stop. */
    readonly sentence: string;
  }[];
  /** null: what it holds cannot be read as evidence. */
  readonly judged: GateVerdict | null;
}

/** What is there now. */
export type GateLive =
  | { readonly kind: "looked"; readonly at: Instant; readonly judged: GateVerdict }
  /** `why` is a sentence. */
  | { readonly kind: "not-looked"; readonly why: string };

export interface GateApproval {
  /** Its own run. */
  readonly run: string;
  readonly actor: string;
  readonly reason: string;
  readonly at: Instant;
  /** The digest of the verdict that it is about. */
  readonly of: string;
  /** Whether its own record is whole. */
  readonly whole: boolean;
  readonly trust: TrustTier;
}

/** A stable code; scripts branch on it. */
export type GateReason =
  | "no-evidence"
  | "incomplete"
  | "altered"
  | "unreadable"
  | "too-old"
  | "from-the-future"
  | "trust-too-low"
  | "not-looked"
  | "claim-not-proven"
  | "not-proven"
  | "changed"
  | "approval-missing";

export interface GateRefusal {
  /** What speaks against it: evidence on record, what is there now, or approvals. */
  readonly side: "evidence" | "live" | "approval";
  readonly reason: GateReason;
  /** Which claim is not proven; null: it is not about one. */
  readonly claim: ClaimName | null;
  /** What that was found to be; null: it is not about a judgement. */
  readonly finding: Judgement | null;
  readonly sentence: string;
}

export interface GateDecision {
  readonly decision: "promote" | "refuse";
  /** Empty if and only if it promotes. */
  readonly refusals: readonly GateRefusal[];
  readonly exit: ExitCode;
}

const exitOf = ({ finding }: GateRefusal): ExitCode =>
  finding === null || finding === "proven" ? EXIT.refused : EXIT_OF_VERDICT[finding];

export const decisionOf = (refusals: readonly GateRefusal[]): GateDecision => ({
  decision: refusals.length === 0 ? "promote" : "refuse",
  refusals,
  exit: worstExit(refusals.map(exitOf)),
});
