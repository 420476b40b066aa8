/**
 * The journal: what was attempted, what came back, what was seen, what was decided.
 * Six kinds of record, chained by hash per stack, never changed. A step's state is the fold of its records
 * (`state.ts`), so nothing else has to be believed.
 */
import type { Digest, Epoch, EvidenceId, Instant, IntentId, Key, OperationId, StepName } from "./ids.ts";
import type { JsonObject } from "./json.ts";
import type { Brought, Outcome, Reading } from "./outcome.ts";
import type { ClockReading } from "./steady.ts";
import type { Action, Approve, Confirm, Retain, RetryClass } from "./step.ts";

/** A digest of resolved inputs. Secrets enter it through a digest keyed by `keyId`, so that it can be shown. */
export interface InputsDigest {
  readonly digest: Digest;
  /** Which ledger key the secrets were digested with; null when there were none. */
  readonly keyId: string | null;
}

/** How a step wants to be treated. It is state (op-19): recorded at each apply, and obeyed without the file. */
export interface Policy {
  readonly retry: RetryClass;
  readonly keyLifetimeMs: number;
  readonly settleMs: number;
  readonly deadlineMs: number;
  readonly retain: Retain | null;
  readonly approve: Approve | null;
  readonly public: readonly string[];
  readonly keepSecrets: boolean;
  /** What has to be proven for it to be complete; left out: nothing is asked. */
  readonly confirm?: Confirm;
}

/** The step as written at an intent: enough to settle, destroy and run again without the stack file. */
export interface Declared {
  readonly uses: string;
  /** Resolved, except for what is secret: that stays a reference, or a keyed digest where it was a literal. */
  readonly inputs: JsonObject;
  readonly inputsDigest: InputsDigest;
  readonly policy: Policy;
  /** What the provider can do for this step; what it lacks is done by its own word, or not at all. */
  readonly can: Capabilities;
}

export interface Capabilities {
  readonly observe: boolean;
  readonly create: boolean;
  readonly update: boolean;
  readonly destroy: boolean;
  readonly compensate: boolean;
  readonly owed: boolean;
}

interface Common {
  readonly step: StepName;
  readonly operation: OperationId;
  readonly at: Instant;
  /** When it was written, by a clock that is never set (`steady.ts`); `at` is what the wall clock said. */
  readonly clock: ClockReading;
}

export interface IntentRecord extends Common {
  readonly kind: "intent";
  readonly intent: IntentId;
  readonly action: Action;
  readonly attempt: number;
  readonly key: Key;
  readonly epoch: Epoch;
  readonly callBy: Instant;
  readonly declared: Declared;
  /** The identity the call is aimed at; null when it is to be created. */
  readonly target: string | null;
  /** The outputs known before the call (seed 000: a record before the change holds the outputs of earlier runs). */
  readonly priorOutputs: JsonObject;
  /** `named` only: absence was observed right before this intent, so a thing found by name is ours (R5). */
  readonly absenceSeen: boolean;
}

/** W7: an id known before the result. */
export interface IdentityRecord extends Common {
  readonly kind: "identity";
  readonly intent: IntentId;
  readonly id: string;
  readonly outputs: JsonObject;
}

export interface OutcomeRecord extends Common {
  readonly kind: "outcome";
  readonly intent: IntentId;
  readonly outcome: Outcome;
  /** `call` as it came; `spool` replayed after the ledger could not take it (W6). */
  readonly source: "call" | "spool";
  /** When the call ended, which for a spooled outcome is before `at`. */
  readonly endedAt: Instant;
  /** That moment by the clock of who made the call: for a spooled outcome maybe not the one that `clock` is of. */
  readonly ended: ClockReading;
}

export interface ObservationRecord extends Common {
  readonly kind: "observation";
  readonly evidence: EvidenceId;
  readonly reading: Reading;
  /** The digest of the inputs that `asDeclared` speaks of; null when the question carried none. */
  readonly inputsDigest: string | null;
  /** A second object of this step that was asked for by its id (N3); null: the step's own. */
  readonly surplusId: string | null;
  /** A process that carries one of the step's keys still lives, so absence is not believed (N6). */
  readonly senderAlive: boolean;
  /** The asking ended with this reading, although the doubt did not. */
  readonly last: boolean;
  /** When it was asked, on the record's own clock; `at` is the same by the wall. */
  readonly askedMs: number;
}

/** What later evidence, or a recorded decision, says about an intent whose effect was in doubt. */
export interface SettlementRecord extends Common {
  readonly kind: "settlement";
  readonly intent: IntentId;
  readonly says: Settlement;
  readonly by: SettledBy;
  readonly reason: string;
}

/**
 * - `complete`    it had its effect, and that is there as declared (or as far as can be known)
 * - `drift`       something is there, but not as declared
 * - `no-effect`   it left nothing behind
 * - `still-there` a destroy ended, and the thing exists
 * - `gone`        absence was observed
 * - `superseded`  a later fact about the same thing made it moot
 */
export type Settlement = "complete" | "drift" | "no-effect" | "still-there" | "gone" | "superseded";

export type SettledBy =
  | { readonly kind: "observation"; readonly evidence: EvidenceId }
  | { readonly kind: "parent"; readonly step: StepName; readonly evidence: EvidenceId | null }
  | { readonly kind: "decision"; readonly actor: string }
  | { readonly kind: "own-word" };

/** A step of a plan that has begun: what makes it `pending` until it runs. */
export interface PlannedStep {
  readonly step: StepName;
  readonly uses: string;
  readonly needs: readonly StepName[];
  readonly partOf: StepName | null;
  readonly policy: Policy;
}

/** What a person decided, with the reason; and what an operation laid down as its plan. */
export type Decision =
  | { readonly what: "planned"; readonly steps: readonly PlannedStep[] }
  | { readonly what: "renamed"; readonly from: StepName }
  /** A step that it needs, or is part of, has another name now. */
  | { readonly what: "relinked"; readonly from: StepName; readonly to: StepName }
  | {
      readonly what: "resolve";
      readonly as: "present" | "absent";
      readonly id: string | null;
      /** What is owed (P3) was done too, or is still to be done; null where nothing is. */
      readonly owed: "done" | "again" | null;
    }
  | { readonly what: "retain"; readonly retain: Retain }
  | { readonly what: "release-retain" }
  /** A destroy left it, as the file or an earlier decision asks. */
  | { readonly what: "kept" }
  /** An apply goes on with what a destroy left (op-10); who retains it, and why, stays as it is. */
  | { readonly what: "taken-up" }
  /** It is not in the file any more. */
  | { readonly what: "left" }
  | { readonly what: "forget"; readonly id: string | null }
  | { readonly what: "import"; readonly id: string; readonly declared: Declared }
  | { readonly what: "approve"; readonly before: Approve["before"]; readonly plan: Digest | null }
  /** The parent this contained step belonged to was observed absent (D2). */
  | { readonly what: "contained-gone"; readonly parent: StepName; readonly by: SettledBy }
  /** It has no destroy: nothing is called, and `destroyed` is by its own word. */
  | { readonly what: "nothing-to-remove" }
  /** P1: an operation came to it and could not begin it; the reason stands beside. */
  | { readonly what: "not-run" }
  /** `confirm` was judged. */
  | {
      readonly what: "confirmed";
      readonly finding: "proven" | "refuted" | "progressing" | "undetermined";
      readonly sentence: string;
    };

export interface DecisionRecord extends Common {
  readonly kind: "decision";
  readonly decision: Decision;
  readonly actor: string;
  readonly reason: string;
}

export type JournalRecord =
  | IntentRecord
  | IdentityRecord
  | OutcomeRecord
  | ObservationRecord
  | SettlementRecord
  | DecisionRecord;

export const RECORD_KINDS: readonly JournalRecord["kind"][] = [
  "intent",
  "identity",
  "outcome",
  "observation",
  "settlement",
  "decision",
];

export type { Brought, Outcome, Reading };
