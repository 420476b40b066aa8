/**
 * Every fence between a process and a call that must not be sent any more, and the runtime without it. One whose fence
 * is gone has to be caught, although all the others still stand.
 */
import { advance } from "../../../src/domain/fold.ts";
import { instant, type StepName } from "../../../src/domain/ids.ts";
import { known } from "../../../src/domain/known.ts";
import type { Lease } from "../../../src/domain/lease.ts";
import type { StepState } from "../../../src/domain/state.ts";
import type { Current, Write } from "../../../src/ports/store.ts";
import type { Tampering } from "../../property/machine.ts";

type Head = Current["head"];

/** What its first lease was, whoever has the stack by now. */
const asMine = (mine: Lease | null, head: Head): Head =>
  head === null || mine === null ? head : { ...head, lease: mine, epoch: mine.epoch };

/** Remembers the lease it was granted; an intent is then committed as if it still bound. */
const epochNotCompared: Tampering = {
  store: (store) => {
    let mine: Lease | null = null;
    return {
      ...store,
      commit: (request) =>
        store.commit({
          ...request,
          decide: (current) => {
            const blind = request.decide({ ...current, head: asMine(mine, current.head) });
            const decided = isIntent(blind.write) ? blind : request.decide(current);
            mine ??= decided.write?.stack?.lease ?? null;
            return decided;
          },
        }),
    };
  },
};

/** ... or is what the last look before a call finds. */
const epochNotLookedAt: Tampering = {
  store: (store) => {
    let mine: Lease | null = null;
    return {
      ...store,
      head: async (stack) => asMine(mine, await store.head(stack)),
      commit: (request) =>
        store.commit({
          ...request,
          decide: (current) => {
            const decided = request.decide(current);
            mine ??= decided.write?.stack?.lease ?? null;
            return decided;
          },
        }),
    };
  },
};

const isIntent = (write: Write | null): boolean => write?.records[0]?.kind === "intent";

/** Nobody's lease is seen when the stack is taken. */
const leaseNotSeen: Tampering = {
  store: (store) => ({
    ...store,
    commit: (request) =>
      store.commit({
        ...request,
        decide: (current) => {
          const { head } = current;
          const blind = request.decide({ ...current, head: head === null ? null : { ...head, lease: null } });
          const takes = blind.write?.operation !== undefined && blind.write.operation.endedAt === null;
          return takes ? blind : request.decide(current);
        },
      }),
  }),
};

/** Time stands still from the intent's commit to the send. */
const callByNotLookedAt: Tampering = {
  runtime: (runtime) => {
    let isAtTheFence = false;
    return {
      ...runtime,
      store: {
        ...runtime.store,
        head: async (stack) => {
          const head = await runtime.store.head(stack);
          isAtTheFence = true;
          setImmediate(() => {
            isAtTheFence = false;
          });
          return head;
        },
      },
      clock: {
        ...runtime.clock,
        now: () => (isAtTheFence ? instant(0) : runtime.clock.now()),
        monotonicMs: () => (isAtTheFence ? 0 : runtime.clock.monotonicMs()),
      },
    };
  },
};

/** The step as this process last saw it is what an intent is decided on, whatever was recorded since. */
const movedNotSeen: Tampering = {
  store: (store) => {
    const seen = new Map<StepName, StepState>();
    return {
      ...store,
      commit: (request) =>
        store.commit({
          ...request,
          decide: (current) => {
            const older = new Map([...current.steps].map(([name, state]) => [name, seen.get(name) ?? state]));
            const blind = request.decide({ ...current, steps: older });
            const decided = isIntent(blind.write) ? blind : request.decide(current);
            const { write, value } = decided;
            if (write === null) return decided;
            // The rows stay what the journal says.
            const [record] = write.records;
            const steps =
              record?.kind === "intent" ? [advance(current.steps.get(record.step), record)] : write.steps;
            for (const state of steps) seen.set(state.step, state);
            return { write: { ...write, steps }, value };
          },
        }),
    };
  },
};

export interface Unfenced {
  readonly law: RegExp;
  readonly tampering: Tampering;
  /** Where the fence is all that stands between a process and the harm. */
  readonly where: "overtaken" | "long calls";
  /** Of fast-check: one that meets the harm early, in a property that is given far more runs than that. */
  readonly seed: number;
}

export const WITHOUT: Readonly<Record<string, Unfenced>> = {
  "N2: the epoch is not compared when an intent is committed": {
    law: /^Error: N2: an intent/,
    tampering: epochNotCompared,
    where: "overtaken",
    seed: 7,
  },
  "N2: the epoch is not looked at right before the call": {
    law: /^Error: N2: .* was sent/,
    tampering: epochNotLookedAt,
    where: "overtaken",
    seed: 7,
  },
  "N5: the call-by is not looked at right before the call": {
    law: /^Error: N5/,
    tampering: callByNotLookedAt,
    where: "overtaken",
    seed: 2,
  },
  "N1: another's lease is not seen": {
    law: /^Error: N1/,
    tampering: leaseNotSeen,
    where: "overtaken",
    seed: 7,
  },
  "N1: who cannot be seen from here is taken for dead": {
    law: /^Error: N1/,
    tampering: { runtime: (r) => ({ ...r, host: { ...r.host, isAlive: () => known(false) } }) },
    where: "overtaken",
    seed: 7,
  },
  "N6: a provider's process that lives on is not looked for": {
    law: /^Error: (at most one|no lost object)/,
    tampering: { runtime: (r) => ({ ...r, host: { ...r.host, survivors: async () => [] } }) },
    where: "long calls",
    seed: 6,
  },
  "R5: what another recorded since the look is not seen": {
    law: /^Error: R5/,
    tampering: movedNotSeen,
    where: "overtaken",
    seed: 2,
  },
};
