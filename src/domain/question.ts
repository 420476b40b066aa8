import type { ClaimName } from "./claim.ts";
import type { CustomRule } from "./custom-rule.ts";
import type { Expected } from "./expected.ts";
import type { LabelSelector } from "./label-selector.ts";

/** What is asked of one target. */
export interface Question {
  /** As the person wrote it: a kind, a plural or short name, `PLURAL.GROUP`. */
  readonly kind: string;
  readonly namespace: string | null;
  readonly name: string;
  readonly expected: Expected;
  /** Exactly these count; null: what the kind requires, and what is expected. */
  readonly claims: readonly ClaimName[] | null;
  /** Rules for kinds that asfound has none of its own for; left out: none. */
  readonly rules?: readonly CustomRule[];
  /** Nothing but these is read for and judged; left out: all that can be. */
  readonly only?: readonly ClaimName[];
  /** Secrets are asked for where ConfigMaps are; left out: they are not. */
  readonly secrets?: boolean;
}

/** What is asked of all that a selection takes in. */
export interface SweepQuestion extends Pick<Question, "claims" | "rules" | "only" | "secrets"> {
  /** As the person wrote them; null: all workload kinds. */
  readonly kinds: readonly string[] | null;
  /** null: all namespaces. */
  readonly namespace: string | null;
  readonly selector: LabelSelector | null;
}
