/** What a claim is judged over: the target, what is expected of it, all the evidence, and what was found so far. */
import type { ClaimName } from "../domain/claim.ts";
import type { Seen } from "../domain/evidence.ts";
import type { Expected } from "../domain/expected.ts";
import type { Instant } from "../domain/ids.ts";
import type { Collection } from "./collection.ts";
import type { Found } from "./inquiry.ts";
import type { Field } from "./read.ts";

export interface Case {
  readonly target: Seen;
  readonly expected: Expected;
  readonly collection: Collection;
  readonly at: Instant;
  /** The claims of this target that were judged before this one. */
  readonly before: ReadonlyMap<ClaimName, Found>;
  /** Where its kind says which generation its status speaks of; left out: status.observedGeneration. */
  readonly observed?: Field<number> | undefined;
}

/** Judges one claim. Pure. */
export type Rule = (given: Case) => Found;
