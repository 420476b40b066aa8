/** One operation at work: what every use case hands from step to step. */

import { EXIT, type ExitCode } from "../domain/exit.ts";
import type { Key, OperationId, StepName } from "../domain/ids.ts";
import type { JsonObject } from "../domain/json.ts";
import type { Stack } from "../domain/step.ts";
import type { Survivor } from "../ports/host.ts";
import { StoreFault } from "../ports/store.ts";
import type { Described } from "./describe.ts";
import type { Session } from "./ledger.ts";
import type { Runtime } from "./runtime.ts";

export interface Work {
  readonly runtime: Runtime;
  readonly session: Session;
  /** Today's file; null where none is needed. */
  readonly stack: Stack | null;
  /** Of today's file; empty where none is needed. */
  readonly described: ReadonlyMap<StepName, Described>;
  /** Whole outputs seen by this process, secrets included: never stored (E5). */
  readonly wholeOutputs: Map<StepName, JsonObject>;
  readonly senders: Senders;
  /** Operations whose rerun file is written. */
  readonly wroteRerun: Set<OperationId>;
}

/** How a step's part of an operation ended. Its state says the rest. */
export type Ending =
  /** Its dependants may go on. */
  | { readonly kind: "through" }
  /** Its dependants wait. `exit` is what this alone would make of the operation. */
  | { readonly kind: "stopped"; readonly exit: ExitCode; readonly why: string };

export const through: Ending = { kind: "through" };
export const stopped = (exit: ExitCode, why: string): Ending => ({ kind: "stopped", exit, why });

/** Surviving provider processes (N6), found in one pass over the process table for all steps that ask at about the same time. */
export class Senders {
  readonly #runtime: Runtime;
  readonly #keys: () => ReadonlySet<Key>;
  #found: Promise<readonly Survivor[]> | null = null;
  #foundAtMs = Number.NEGATIVE_INFINITY;
  /** A key that came into doubt since was not looked for. */
  #scanned: ReadonlySet<Key> = new Set();

  constructor(runtime: Runtime, keys: () => ReadonlySet<Key>) {
    this.#runtime = runtime;
    this.#keys = keys;
  }

  /** Those that carry one of `keys`. A finding is used for at most `SCAN_FRESH_MS`. */
  async of(keys: readonly Key[]): Promise<readonly Survivor[]> {
    if (keys.length === 0) return [];
    const now = this.#runtime.clock.monotonicMs();
    const known = keys.every((key) => this.#scanned.has(key));
    if (this.#found === null || !known || now - this.#foundAtMs > SCAN_FRESH_MS) {
      this.#foundAtMs = now;
      this.#scanned = new Set([...this.#keys(), ...keys]);
      this.#found = this.#runtime.host.survivors(this.#scanned);
    }
    return (await this.#found).filter((survivor) => keys.includes(survivor.key));
  }
}

const SCAN_FRESH_MS = 250;

export const newWork = (
  runtime: Runtime,
  session: Session,
  stack: Stack | null,
  described: ReadonlyMap<StepName, Described>,
): Work => ({
  described,
  runtime,
  session,
  stack,
  wholeOutputs: new Map(),
  senders: new Senders(runtime, () => keysInDoubt(session)),
  wroteRerun: new Set(),
});

const keysInDoubt = (session: Session): ReadonlySet<Key> => {
  const keys = new Set<Key>();
  for (const state of session.states.values())
    if (state.open.length > 0) for (const key of state.keys) keys.add(key);
  return keys;
};

/**
 * A step's part of an operation; what the ledger cannot take in the middle of it ends the step, not the program (W2): the
 * record before it stands, and nothing more is started.
 */
export const guarded = async (run: () => Promise<Ending>): Promise<Ending> => {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof StoreFault)) throw error;
    return stopped(EXIT.notDurable, `the ledger could not take a record: ${error.message}`);
  }
};
