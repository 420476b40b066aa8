/** What is known of one step: the fold of its records (`fold.ts`). Stored as a row, so that no history is read to answer. */
import type { Digest, Epoch, EvidenceId, Instant, IntentId, Key, OperationId, StepName } from "./ids.ts";
import type { Declared, Policy, SettledBy } from "./journal.ts";
import type { JsonObject } from "./json.ts";
import type { Outcome, Reading } from "./outcome.ts";
import type { StepStatus } from "./status.ts";
import type { Anchor, Moment, SteadyTime } from "./steady.ts";
import type { Action, Approve, Retain } from "./step.ts";

export type Effect = "none" | "known" | "possible";

/** An intent whose effect is in doubt. It stays here until evidence or a decision settles it (R1). */
export interface OpenIntent {
  readonly intent: IntentId;
  readonly action: Action;
  readonly operation: OperationId;
  readonly attempt: number;
  readonly key: Key;
  readonly epoch: Epoch;
  readonly at: Instant;
  readonly callBy: Instant;
  /** `at`, to count from. */
  readonly begun: SteadyTime;
  /** The id the call was aimed at. */
  readonly target: string | null;
  /** null: no outcome was recorded, so the call may still happen until `callBy` plus slack (N5). */
  readonly outcome: Outcome["kind"] | null;
  /** When its outcome says that it ended, or a look did not find its sender any more. */
  readonly ended: SteadyTime | null;
  readonly absenceSeen: boolean;
  readonly inputsDigest: string;
}

/** Where an output came from. */
export interface OutputSource {
  readonly from: "identity" | "outcome" | "observation" | "import";
  readonly operation: OperationId;
  readonly at: Instant;
}

/** An earlier incarnation: shown, never used as identity (W4). */
export interface Previous {
  readonly identity: string | null;
  readonly outputs: JsonObject;
  readonly until: Moment;
  readonly endedBy: string;
}

/** A second real object found for this step: alive until proven absent or forgotten by decision (N3). */
export interface Surplus {
  readonly id: string;
  readonly since: Moment;
  readonly operation: OperationId;
  readonly why: string;
}

export interface StepState {
  readonly step: StepName;
  readonly uses: string;
  readonly needs: readonly StepName[];
  readonly partOf: StepName | null;
  readonly policy: Policy;
  readonly status: StepStatus;
  /** One sentence: why this status. */
  readonly reason: string;
  /** What proves `complete` or `destroyed`: an observation, or the provider's own word. */
  readonly provenBy: SettledBy | null;

  /** The create's key of this incarnation; null before the first attempt. */
  readonly key: Key | null;
  /** When that key was first sent (for `keyLifetime`). */
  readonly keySince: Moment | null;
  readonly keys: readonly Key[];
  readonly identity: { readonly id: string } | null;
  readonly surplus: readonly Surplus[];
  /** Something said that it exists (an id, a `done`, a reading, an import), and its absence was not proven since. */
  readonly present: boolean;
  readonly open: readonly OpenIntent[];
  /** The latest intents that were settled without an outcome of their own: a late one may still come (N3). At most 16. */
  readonly closed: readonly OpenIntent[];

  readonly outputs: JsonObject;
  readonly outputsFrom: { readonly [key: string]: OutputSource };
  readonly previous: readonly Previous[];

  /** The declaration that the last call carried; settled and destroyed by it without the file (op-08). */
  readonly declared: Declared | null;
  /** The declaration last seen to be in effect; its digest decides whether today's inputs are a change. */
  readonly applied: Declared | null;

  readonly effect: Effect;
  /** The action of the last call that did not end well; kept with its error until the step is complete or destroyed. */
  readonly failedCommand: Action | null;
  /** The operation in which that call was made: its rerun files carry its id. */
  readonly failedIn: OperationId | null;
  readonly lastError: string | null;
  readonly owes: readonly string[];
  readonly confirmed: { readonly finding: string; readonly sentence: string } | null;

  /** It is not in the file any more, as the last apply saw it. */
  readonly left: boolean;
  readonly retained: Retain | null;
  readonly approvals: readonly {
    readonly actor: string;
    readonly before: Approve["before"];
    /** The saved plan it was given for; null: for the next such call. */
    readonly plan: Digest | null;
    readonly at: Instant;
  }[];

  /** R3: the first reading that did not find a thing which should be there; null once it was found again. */
  readonly missingSince: Moment | null;
  /** When a surviving process of a provider was last seen (N6): `settle` counts from then. */
  readonly senderSeen: SteadyTime | null;
  /** The thing was found gone without a destroy of ours (reason `disappeared`). */
  readonly disappeared: boolean;
  readonly lastEvidence: EvidenceId | null;
  /** What the latest look at the step itself was answered with. */
  readonly lastReading: Reading["kind"] | null;
  readonly lastIntent: IntentId | null;
  readonly lastOperation: OperationId | null;
  readonly attempts: number;
  readonly updatedAt: Instant;
  /** From where the steady time of its next record is counted. */
  readonly anchor: Anchor;
}

/**
 * D1: alive if a call that may have created it was ever sent and its absence was not proven since.
 * An answer `refused` proves that such a call did nothing; anything else leaves it possible.
 */
export const isAlive = (state: StepState): boolean =>
  state.present || state.surplus.length > 0 || state.open.some((intent) => intent.action === "create");

/** Nothing of it exists and nothing is in doubt, and the file has it no more: it is history. */
export const isHistory = (state: StepState): boolean =>
  state.left && !isAlive(state) && state.open.length === 0;

/** What binds now: a recorded decision before the file's word. */
export const retainOf = (state: StepState): Retain | null => state.retained ?? state.policy.retain;
