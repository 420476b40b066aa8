/**
 * A promotion gate: what has to be shown before a release goes on. What it asks is written in a file; what it comes to is
 * decided by one pure rule (`judge/gate/decide.ts`). E4: stored evidence alone never promotes; what is there now is looked at too.
 */
import type { ClaimName } from "./claim.ts";
import type { TrustTier } from "./evidence-run.ts";
import type { RefusalName } from "./gate-refusal.ts";
import type { Verification } from "./verification.ts";

/** What a gate can ask for, the least first. T3 is none of these: nothing reaches it yet. */
export const GATE_TIERS = ["T0", "T1", "T2"] as const satisfies readonly TrustTier[];
export type GateTier = (typeof GATE_TIERS)[number];

/** How far evidence may be trusted (E3): tiers are named in their order. */
export const isTierAtLeast = (tier: TrustTier, least: GateTier): boolean => tier >= least;

export interface GateApprovals {
  /** Who may approve, as they name themselves (`--actor`); nobody else's approval counts. */
  readonly by: readonly string[];
  /** How many of them have to, each once. */
  readonly count: number;
  /** Since one was given. */
  readonly maxAgeMs: number;
}

/** What decides, whatever it is about. */
export interface GatePolicy {
  /** Each has to be proven, by the evidence and by what is there now; empty: what the verifications name, else their kinds. */
  readonly claims: readonly ClaimName[];
  /** Of evidence, since it was read. */
  readonly maxAgeMs: number;
  /** Of evidence, and of approvals. */
  readonly trust: GateTier;
  /** null: none is asked for. */
  readonly approvals: GateApprovals | null;
}

/** A saved state of the person's own, and what the gate has to make of it. */
export interface GateCase {
  readonly name: string;
  /** A folder or file, as it is written: from where the gate's file stands. */
  readonly from: string;
  /** Which verification it is of, from 0. */
  readonly of: number;
  readonly expect: "refuse" | "promote";
  /** Claims that have to be among what it is refused for. */
  readonly claims: readonly ClaimName[];
}

export interface Gate extends GatePolicy {
  /** At least one. */
  readonly verifications: readonly Verification[];
  /** Files of public keys (PEM) whose signatures count, from where the gate's file stands. */
  readonly keys: readonly string[];
  /** Refusals that it knowingly does without, each with the reason. */
  readonly accepts: ReadonlyMap<RefusalName, string>;
  readonly cases: readonly GateCase[];
}

export const USUAL_MAX_AGE_MS = 3_600_000;
/** More verifications than this are several gates. */
export const MOST_VERIFICATIONS = 20;
export const MOST_CASES = 100;
