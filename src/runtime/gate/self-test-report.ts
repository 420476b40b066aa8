/** What `gate test` came to: each refusal by its name, the healthy twin, the person's own cases. */
import type { ExitCode } from "../../domain/exit.ts";
import type { RefusalName } from "../../domain/gate-refusal.ts";

/**
 * - `refused`         it is refused, and for that
 * - `slips-through`   the gate lets it pass, or refuses it for something else: the gate fails
 * - `accepted`        it slips through, and the gate's file says why that may be
 * - `not-asked`       the gate asks for nothing of the kind, so there is nothing to refuse
 */
export type Outcome = "refused" | "slips-through" | "accepted" | "not-asked";

export interface RefusalTested {
  readonly name: RefusalName;
  readonly says: string;
  readonly outcome: Outcome;
  /** Why it was refused, or how it slipped through; each a sentence. */
  readonly details: readonly string[];
  /** What to write, where it slips through; null: nothing. */
  readonly needs: string | null;
  /** How many states were shown to the gate. */
  readonly states: number;
}

export interface CaseTested {
  readonly name: string;
  readonly expected: "refuse" | "promote";
  /** Whether the gate did so, and for what was named. */
  readonly held: boolean;
  readonly details: readonly string[];
}

export interface GateTestReport {
  readonly kind: "tested";
  /** As the person named it; null: the built-in gate. */
  readonly file: string | null;
  readonly refusals: readonly RefusalTested[];
  /** The state that is as it should be: a gate has to let it pass. */
  readonly healthy: { readonly promoted: boolean; readonly details: readonly string[] };
  readonly cases: readonly CaseTested[];
  readonly statement: string;
  /** What of the gate these worlds do not show, each a sentence. */
  readonly notTested: readonly string[];
  readonly exit: ExitCode;
}
