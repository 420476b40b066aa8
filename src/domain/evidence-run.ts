/**
 * Runs of evidence (DESIGN §10; docs/reference/evidence.md tells their files): what was seen, what was said of it, and by whom,
 * kept so that somebody else can check it.
 *
 * E1 A run is never written over or made shorter. One that was not finished is incomplete for ever, and proves nothing.
 * E2 Judging again makes a run of its own, which names the old one in `replays`.
 * E3 A digest is never shown without its trust tier and what that tier leaves open.
 */
import type { Judgement } from "./finding.ts";
import type { Digest, Instant } from "./ids.ts";
import type { JsonObject } from "./json.ts";

/** `run_` + UUIDv7. */
export type RunId = `run_${string}`;

const RUN_ID = /^run_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

export const isRunId = (text: string): text is RunId => RUN_ID.test(text);

/**
 * What a run is the record of.
 * - `verdict`    something was observed and judged (or judged again: `replays`)
 * - `approval`   a person let a verdict pass; the verdict's run is in `details`
 * - `key`        from here on another key signs; signed by the one before
 * - `retention`  what was deleted by age, by path and digest
 */
export type RunKind = "verdict" | "approval" | "key" | "retention";

/** A run by the digest of its statement: with it nobody can put another in its place. */
export interface RunLink {
  readonly run: RunId;
  /** Of the exact bytes of `statement.json`. */
  readonly sha256: Digest;
}

/** - T0 a local hash · T1 signed by a key this host lacks · T2 a checkpoint held outside · T3 witnessed (E3) */
export type TrustTier = "T0" | "T1" | "T2" | "T3";

/** What each tier leaves open, for a person, as a sentence without its full stop. */
const LIMIT_OF_TIER: Readonly<Record<TrustTier, string>> = {
  T0: "local digests only: whoever can write where this is kept can make all of it anew",
  T1: "signed by a key that was not found on this host: whoever holds that key can make it anew, and the newest runs could have been cut off",
  T2: "fixed by a checkpoint that was kept elsewhere: what was recorded after that checkpoint is not",
  T3: "a witness has seen it: that it was complete when it was witnessed is the witness's word",
};

/** How far something may be trusted, and what that leaves open. Never one without the other. */
export interface Trust {
  readonly tier: TrustTier;
  /** One sentence without its full stop. */
  readonly limit: string;
}

export const trustOf = (tier: TrustTier, limit: string = LIMIT_OF_TIER[tier]): Trust => ({ tier, limit });

/** Whose word a signature is. */
export interface PublicKey {
  /** SHA-256 over its SubjectPublicKeyInfo in DER, as `openssl pkey -pubin -outform DER | sha256sum` tells it. */
  readonly keyId: Digest;
  /** SubjectPublicKeyInfo as PEM, Ed25519. */
  readonly pem: string;
}

/** What a verdict was about. null: the name tells no more, or it was not found. */
export interface RunTarget {
  readonly kind: string;
  readonly namespace: string | null;
  readonly name: string;
  readonly uid: string | null;
}

export interface RunFinding {
  readonly claim: string;
  readonly finding: Judgement;
  readonly reason: string;
  readonly required: boolean;
}

/** What whoever records says of a run; place in the chain, digests and signature are the store's. */
export interface RunFacts {
  readonly run: RunId;
  readonly kind: RunKind;
  /** The verb that made it: `verify`, `gate check`, `approve`, `evidence replay`, … */
  readonly verb: string;
  /** Attributed, not authenticated. */
  readonly actor: string;
  /** By the recording host's wall clock, which may be set back; the sequence is the order. */
  readonly recordedAt: Instant;
  /** null: many, or none. Then the report tells. */
  readonly target: RunTarget | null;
  readonly verdict: Judgement | null;
  readonly findings: readonly RunFinding[];
  /** The run that was judged again here (E2). */
  readonly replays: RunLink | null;
  /** asfound's version, and that of the rules that judged. */
  readonly tool: string;
  readonly rules: string;
  /** What else a kind has to say; no secrets. The keys are the kind's own. */
  readonly details: JsonObject | null;
}

/** A slot of the chain whose recording was never finished. */
export interface IncompleteRun {
  /** From 1. */
  readonly sequence: number;
  /** null: its slot cannot be read. */
  readonly run: RunId | null;
}

/** What `statement.json` says. */
export interface EvidenceRun extends RunFacts {
  /** From 1, without gaps: a number is claimed before anything is written, and never given again. */
  readonly sequence: number;
  /** The newest whole run before it; null: there was none. */
  readonly previous: RunLink | null;
  /** Those between that one and this, which were seen to be unfinished. */
  readonly incomplete: readonly IncompleteRun[];
  /** Who signed it: SHA-256 over the public key's DER. null: nobody. */
  readonly signer: Digest | null;
  /** As far as it could be trusted when it was recorded. What it is worth to somebody else, `verify` tells. */
  readonly trust: Trust;
  /** Every file of it, by its path in the run, with `SHA256SUMS` itself. */
  readonly subjects: ReadonlyMap<string, Digest>;
}

/** One thing that is wrong, or cannot be told. */
export interface EvidenceProblem {
  /** From the evidence folder: `runs/run_…/report.json`, `chain/0000000004`. */
  readonly file: string;
  /** A stable code; scripts branch on it. */
  readonly reason: string;
  /** One sentence that names the file. Holds text from files, cut but not yet made printable. */
  readonly sentence: string;
  /** `refuted`: it is not as it was recorded. `undetermined`: nobody can tell from here. */
  readonly finding: "refuted" | "undetermined";
}

/** What checking one run came to. */
export interface RunCheck {
  /** null: a slot that cannot be read. */
  readonly run: RunId | null;
  /** null: a run that no slot of the chain names. */
  readonly sequence: number | null;
  readonly finding: "proven" | "refuted" | "undetermined";
  readonly problems: readonly EvidenceProblem[];
  /** What moves nothing and has to be known: deleted by retention, a clock that went backwards, never finished. */
  readonly notes: readonly string[];
  /** Of its statement; null: there is none, or it cannot be read. */
  readonly sha256: Digest | null;
  readonly trust: Trust;
}

/** An observation that retention deletes, by the digest that stays. */
export interface DeletedFile {
  readonly path: string;
  readonly sha256: Digest;
  readonly bytes: number;
}

export interface DeletedRun {
  readonly run: RunId;
  readonly sequence: number;
  readonly files: readonly DeletedFile[];
}
