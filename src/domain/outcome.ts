/** What came back from a call, and what one reading showed. */
import type { JsonObject } from "./json.ts";
import type { Known } from "./known.ts";

/**
 * - `done`     it says it did it. Not yet proof: an observation decides (or, where none is possible, its own word).
 * - `refused`  it did nothing, and the adapter can say why it knows.
 * - `failed`   it answered that it failed; an effect is possible.
 * - `unknown`  nobody knows.
 * Outputs and ids that came with any of them are kept (W4).
 */
export type Outcome =
  | ({ readonly kind: "done" } & Brought)
  | { readonly kind: "refused"; readonly reason: string }
  | ({ readonly kind: "failed"; readonly reason: string } & Brought)
  | ({ readonly kind: "unknown"; readonly reason: string } & Brought);

export interface Brought {
  readonly id: string | null;
  readonly outputs: JsonObject;
  /** Obligations that the finished work still owes (P3), e.g. `restart nginx`. */
  readonly owes: readonly string[];
}

export const nothingBrought: Brought = { id: null, outputs: {}, owes: [] };

/** One reading. A failed reading is a record of its own, never an empty list (R2). */
export type Reading =
  | {
      readonly kind: "observed";
      readonly id: string | null;
      readonly outputs: JsonObject;
      /** Whether what is there matches the declared inputs. */
      readonly asDeclared: Known<boolean>;
      readonly reason: string | null;
    }
  | { readonly kind: "absent" }
  /** Several candidates and no unique match (R4): a person must choose. */
  | { readonly kind: "ambiguous"; readonly ids: readonly string[] }
  | { readonly kind: "denied"; readonly reason: string }
  | { readonly kind: "failed"; readonly reason: string }
  | { readonly kind: "timed-out"; readonly reason: string }
  | { readonly kind: "not-asked"; readonly reason: string };

/** A reading that gave an answer about existence. The rest are questions that stay open. */
export const answered = (
  reading: Reading,
): reading is Extract<Reading, { kind: "observed" | "absent" | "ambiguous" }> =>
  reading.kind === "observed" || reading.kind === "absent" || reading.kind === "ambiguous";
