/**
 * What a tool under test can be told to do wrong. A switch acts on the tool, behind the provider: only so does it show
 * what the provider makes of it. Each is optional; what it would have shown is then not shown, and the report says so.
 */
import type { Action } from "../../domain/step.ts";

type Switched = Promise<void> | void;

export interface Switches {
  /** The next call of that action takes effect, and its answer never arrives: a cut connection, a killed process. */
  readonly loseReply?: (action: Action) => Switched;
  /** The next call of that action takes effect, and is answered with an error. */
  readonly failAfter?: (action: Action) => Switched;
  /** The next call of that action is turned down by the tool, which does nothing. */
  readonly refuse?: (action: Action) => Switched;
  /** The next call of that action takes effect so many milliseconds later, and its answer never arrives. */
  readonly late?: (action: Action, ms: number) => Switched;
  /** The next call of that action takes effect, and is never answered; nothing is closed either. */
  readonly hang?: (action: Action) => Switched;
  /** All reads are denied, or fail otherwise; null: they work again. */
  readonly reads?: (how: "denied" | "broken" | null) => Switched;
  /** Makes a second thing that carries the same mark as the one there is (the key, the owner, the name). */
  readonly twin?: () => Switched;
}
