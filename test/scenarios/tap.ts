/** Looks into the commits of a store, so that a test can strike at an exact line between intent and outcome. */

import { instant } from "../../src/domain/ids.ts";
import type { JournalRecord } from "../../src/domain/journal.ts";
import type { Clock } from "../../src/ports/clock.ts";
import type { Store, Write } from "../../src/ports/store.ts";

export type Kind = JournalRecord["kind"];

export interface Tap {
  /** Before the batch is written; called once it is known what is in it. */
  before?(kinds: readonly Kind[], nth: number): void;
  /** After it is durable. `nth` counts the commits that wrote something, from 1. */
  after?(kinds: readonly Kind[], nth: number): Promise<void> | void;
}

export const tapped = (store: Store, tap: Tap): Store => {
  let commits = 0;
  return {
    ledgerId: store.ledgerId,
    location: store.location,
    readOnly: store.readOnly,
    commit: async (request) => {
      let written: Write | null = null;
      const nth = commits + 1;
      const value = await store.commit({
        ...request,
        decide: (current) => {
          const decided = request.decide(current);
          written = decided.write;
          if (written !== null) tap.before?.(kindsOf(written), nth);
          return decided;
        },
      });
      if (written !== null) {
        commits = nth;
        await tap.after?.(kindsOf(written), nth);
      }
      return value;
    },
    head: (stack) => store.head(stack),
    stacks: () => store.stacks(),
    steps: (stack) => store.steps(stack),
    step: (stack, step) => store.step(stack, step),
    operation: (id) => store.operation(id),
    operations: (stack, limit) => store.operations(stack, limit),
    records: (filter) => store.records(filter),
    close: () => store.close(),
  };
};

const kindsOf = (write: Write): readonly Kind[] => write.records.map((record) => record.kind);

/** How far a machine is ahead of the real one. */
export interface Ahead {
  /** Time that has passed: all its clocks show it. */
  readonly passedMs: number;
  /** Set by somebody: only its wall clock shows it. */
  readonly setMs: number;
}

export const ahead = (clock: Clock, by: () => Ahead): Clock => ({
  now: () => instant(clock.now() + by().passedMs + by().setMs),
  monotonicMs: () => clock.monotonicMs() + by().passedMs,
  id: clock.id,
  sleep: (forMs, signal) => clock.sleep(forMs, signal),
});
