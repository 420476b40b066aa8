/**
 * A provider under test, in front of which things go wrong on request. It counts what reached the provider and what it
 * answered. Of a fault's two sides, the effect and the answer, only the answer is ours to take away.
 */
import type { CommittedIntent } from "../../domain/committed-intent.ts";
import { nothingBrought, type Outcome, type Reading } from "../../domain/outcome.ts";
import type { Action } from "../../domain/step.ts";
import type { CallIo, Provider } from "../../ports/provider.ts";

/**
 * - `lose-reply`   the call is carried out; neither its outcome nor an id it told early comes back
 * - `lose-request` the call never reaches the provider, and nobody can tell
 */
export type CallFault = "lose-reply" | "lose-request";
/** - `stale` shows nothing · `deny` may not look */
export type ReadingFault = "stale" | "deny";

/** One call that reached the provider. */
export interface SeenCall {
  readonly action: Action;
  /** Whether it asked for the call's data, as it must before it sends anything. */
  readonly opened: boolean;
  /** What it answered, whatever was made of it; null when it threw. */
  readonly outcome: Outcome | null;
  /** What it threw, if it did. */
  readonly threw: string | null;
  /** It came back only after it was told to stop: it does not keep its deadline. */
  readonly stopped: boolean;
}

export interface Faulty {
  readonly provider: Provider;
  readonly calls: readonly SeenCall[];
  readonly readings: readonly Reading[];
  /** Throws of `observe`, which it must never do. */
  readonly thrownReadings: readonly string[];
  /** The next call of that action meets this fault. */
  breakNext(action: Action, fault: CallFault): void;
  /** The next so many readings meet this fault, or all until a call reaches the provider. */
  breakReadings(fault: ReadingFault, count: number | "until-call"): void;
}

const LOST: Outcome = { kind: "unknown", reason: "the harness lost the answer", ...nothingBrought };

const seen = (intent: CommittedIntent<Action>, io: CallIo) => ({
  action: intent.action,
  opened: intent.opened,
  stopped: io.stop.aborted,
});

export const faulty = (inner: Provider): Faulty => {
  const calls: SeenCall[] = [];
  const readings: Reading[] = [];
  const thrownReadings: string[] = [];
  const next = new Map<Action, CallFault>();
  const spoiled: ReadingFault[] = [];
  let untilCall: ReadingFault | undefined;

  const call = async <A extends Action>(
    intent: CommittedIntent<A>,
    io: CallIo,
    method: (intent: CommittedIntent<A>, io: CallIo) => Promise<Outcome>,
  ): Promise<Outcome> => {
    const fault = next.get(intent.action);
    next.delete(intent.action);
    untilCall = undefined;
    if (fault === "lose-request") {
      await intent.open();
      return LOST;
    }
    const deaf: CallIo = { ...io, identity: async () => undefined };
    try {
      const outcome = await method(intent, fault === undefined ? io : deaf);
      calls.push({ ...seen(intent, io), outcome, threw: null });
      return fault === undefined ? outcome : LOST;
    } catch (error) {
      const threw = error instanceof Error ? error.message : String(error);
      calls.push({ ...seen(intent, io), outcome: null, threw });
      throw error;
    }
  };

  return {
    calls,
    readings,
    thrownReadings,
    breakNext: (action, fault) => void next.set(action, fault),
    breakReadings: (fault, count) => {
      if (count === "until-call") untilCall = fault;
      else spoiled.push(...Array<ReadingFault>(count).fill(fault));
    },
    provider: {
      name: inner.name,
      describe: (inputs) => inner.describe(inputs),
      observe: async (question, io) => {
        const fault = untilCall ?? spoiled.shift();
        if (fault === "stale") return { kind: "absent" };
        if (fault === "deny") return { kind: "denied", reason: "the harness denied it" };
        try {
          const reading = await inner.observe(question, io);
          readings.push(reading);
          return reading;
        } catch (error) {
          thrownReadings.push(error instanceof Error ? error.message : String(error));
          throw error;
        }
      },
      create: (intent, io) => call(intent, io, (i, o) => inner.create(i, o)),
      update: (intent, io) => call(intent, io, (i, o) => inner.update(i, o)),
      destroy: (intent, io) => call(intent, io, (i, o) => inner.destroy(i, o)),
      compensate: (intent, io) => call(intent, io, (i, o) => inner.compensate(i, o)),
      owed: (intent, io) => call(intent, io, (i, o) => inner.owed(i, o)),
    },
  };
};
