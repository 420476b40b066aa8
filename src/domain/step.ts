/** A stack and its steps as they stand after the file was read, checked and given its defaults. */
import type { StackName, StepName } from "./ids.ts";
import type { JsonObject, JsonValue } from "./json.ts";

/**
 * What may be sent again while an earlier attempt is in doubt (R5), always after an observation that found nothing:
 * `idempotent` again; `keyed` again with the same key and body within `keyLifetimeMs`; `named` the name is unique
 * there, so again, but found objects are ours only if absence was observed before the intent; `once` never.
 */
export type RetryClass = "once" | "named" | "keyed" | "idempotent";

export const RETRY_CLASSES: readonly RetryClass[] = ["once", "named", "keyed", "idempotent"];

/** The mutating actions. Each call of one is preceded by a committed intent (W1). */
export type Action = "create" | "update" | "destroy" | "compensate" | "owed";
export const ACTIONS: readonly Action[] = ["create", "update", "destroy", "compensate", "owed"];

export interface Retain {
  readonly owner: string;
  readonly reason: string;
  /** A calendar day, `YYYY-MM-DD`. */
  readonly reviewBy: string;
}

export interface Approve {
  readonly before: "create" | "update" | "destroy" | "any";
  /** Actors by name; anyone of them is enough. Who is attributed, not authenticated. */
  readonly by: readonly string[];
}

/** What has to be proven; recorded with the policy, so that it is obeyed without the file (ADR 0028). */
export interface Confirm {
  /** As written. */
  readonly claims: readonly JsonValue[];
  readonly windowMs: number;
}

export interface Step {
  readonly name: StepName;
  /** The provider's name: `exec`, `http`, … */
  readonly uses: string;
  /** As written, with `${var.*}` already replaced; `${steps.*}` and `${secret.*}` still stand. */
  readonly with: JsonObject;
  /** Declared needs and those implied by `${steps.X.outputs.…}`, without doubles, in order of first mention. */
  readonly needs: readonly StepName[];
  /** Contained in that step: gone only when it is proven gone (D2). Implies `needs`. */
  readonly partOf: StepName | null;
  /** Claims that must be proven for the step to be complete, as written. */
  readonly confirm: readonly JsonValue[];
  /** null: the provider knows better, else `once`. */
  readonly retry: RetryClass | null;
  readonly keyLifetimeMs: number;
  /** How long after a call ended the provider may still show the old picture. */
  readonly settleMs: number;
  /** Of one call. */
  readonly deadlineMs: number;
  /** For `confirm`. */
  readonly windowMs: number;
  /** Globs of input files, relative to the stack file's folder. */
  readonly files: readonly string[];
  /** null: update where the provider can, else the plan asks for a decision. */
  readonly onChange: "update" | "replace" | null;
  readonly retain: Retain | null;
  readonly approve: Approve | null;
  /** The compensation (K1), a step of its own: never run unless asked for. */
  readonly compensate: { readonly uses: string; readonly with: JsonObject } | null;
  /** Input and output keys that look secret but are not. */
  readonly public: readonly string[];
  /** Keep secret outputs encrypted with the ledger's key instead of a digest only. */
  readonly keepSecrets: boolean;
  readonly renamedFrom: StepName | null;
}

export interface Stack {
  readonly name: StackName;
  /** In the order of the file. */
  readonly steps: ReadonlyMap<StepName, Step>;
  /** `ledger:` of the file: a path relative to the file, or a `postgres://` URL. */
  readonly ledger: string | null;
  /** Where relative paths start, relative to the file; null: the file's own folder. */
  readonly directory: string | null;
}

export const DEFAULTS = {
  keyLifetimeMs: 24 * 3_600_000,
  settleMs: 30_000,
  deadlineMs: 600_000,
  windowMs: 300_000,
} as const;

/** N5: an intent must be sent within this time after its commit, and absence is not believed before it plus the slack. */
export const CALL_BY_MS = 30_000;
export const CALL_BY_SLACK_MS = 10_000;

/** The row that a step's compensation has of its own (K1). */
export const compensationOf = (step: StepName): StepName => `${step}~compensate` as StepName;
