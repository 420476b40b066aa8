/** Broken runtimes, made by what is put between them and their ports. */
import { advance } from "../../src/domain/fold.ts";
import type { JournalRecord } from "../../src/domain/journal.ts";
import type { Lease } from "../../src/domain/lease.ts";
import type { StepState } from "../../src/domain/state.ts";
import type { Current, Store, Write } from "../../src/ports/store.ts";
import type { Verifier } from "../../src/ports/verifier.ts";
import type { Tampering } from "./machine.ts";

/** What a process sees of the ledger, and what it writes there, changed on the way. */
const through = (
  seen: (current: Current) => Current,
  written: (write: Write, current: Current) => Write = (write) => write,
): Tampering => ({
  store: (store: Store): Store => ({
    ...store,
    commit: (request) =>
      store.commit({
        ...request,
        decide: (current) => {
          const shown = seen(current);
          const { write, value } = request.decide(shown);
          return { write: write === null ? null : written(write, shown), value };
        },
      }),
  }),
});

/** A store of one process, which takes its first lease for the one that still binds. */
const epochNotCompared: Tampering = {
  store: (store) => {
    let mine: { readonly lease: Lease; readonly epoch: number } | null = null;
    const asMine = <H extends Current["head"]>(head: H): H =>
      head === null || mine === null ? head : { ...head, lease: mine.lease, epoch: mine.epoch };
    return {
      ...store,
      head: async (stack) => asMine(await store.head(stack)),
      commit: (request) =>
        store.commit({
          ...request,
          decide: (current) => {
            const { write, value } = request.decide({ ...current, head: asMine(current.head) });
            const granted = write?.stack;
            if (mine === null && granted !== undefined && granted.lease !== null)
              mine = { lease: granted.lease, epoch: granted.epoch };
            return { write, value };
          },
        }),
    };
  },
};

/** Every refold of rows that a changed record makes necessary. */
const refolded = (current: Current, write: Write, records: readonly JournalRecord[]): Write => {
  const states = new Map<string, StepState>();
  for (const record of records)
    states.set(record.step, advance(states.get(record.step) ?? current.steps.get(record.step), record));
  return { ...write, records, steps: [...states.values()] };
};

const containedGoesWithAFailedParent: Tampering = {
  store: (store) => ({
    ...store,
    commit: (request) =>
      store.commit({
        ...request,
        steps: "all",
        decide: (current) => {
          const { write, value } = request.decide(current);
          const failed = write?.records.find(
            (r) =>
              r.kind === "outcome" &&
              r.outcome.kind === "failed" &&
              current.steps.get(r.step)?.open.some((o) => o.intent === r.intent && o.action === "destroy"),
          );
          if (write === null || failed === undefined) return { write, value };
          const gone = [...current.steps.values()]
            .filter((child) => child.partOf === failed.step && child.present)
            .map(
              (child): JournalRecord => ({
                kind: "decision",
                step: child.step,
                operation: failed.operation,
                at: failed.at,
                clock: failed.clock,
                actor: "alice",
                reason: "its container was destroyed",
                decision: {
                  what: "contained-gone",
                  parent: failed.step,
                  by: { kind: "parent", step: failed.step, evidence: null },
                },
              }),
            );
          return { write: refolded(current, write, [...write.records, ...gone]), value };
        },
      }),
  }),
};

export const RUN_MUTANTS: Readonly<Record<string, readonly [law: RegExp, tampering: Tampering]>> = {
  "what the ledger could not take is not kept in the spool": [
    /W4/,
    {
      spool: (spool) => ({
        ...spool,
        take: async () => ({ ...(await spool.take()), keep: async () => undefined }),
      }),
    },
  ],
  "outputs that come with a failure are dropped": [
    /W4/,
    through(
      (current) => current,
      (write, current) =>
        refolded(
          current,
          write,
          write.records.map((record) =>
            record.kind === "outcome" && record.outcome.kind === "failed"
              ? { ...record, outcome: { ...record.outcome, outputs: {} } }
              : record,
          ),
        ),
    ),
  ],
  "what is contained is gone when its container's destroy failed": [
    /lost|promise 4/,
    containedGoesWithAFailedParent,
  ],
  "what cannot be judged is taken for proven": [
    /confirm/,
    {
      runtime: (runtime) => ({
        ...runtime,
        verifier: async (named) => {
          const verifier = await runtime.verifier(named);
          if ("fault" in verifier) return verifier;
          const verify: Verifier["verify"] = async (...asked) => {
            const found = await verifier.verify(...asked);
            return found.finding === "undetermined" ? { ...found, finding: "proven" } : found;
          };
          return { ...verifier, verify };
        },
      }),
    },
  ],
  "what was judged is not written down": [
    /confirm/,
    through(
      (current) => current,
      (write, current) =>
        refolded(
          current,
          write,
          write.records.map((record) =>
            record.kind === "decision" && record.decision.what === "confirmed"
              ? { ...record, decision: { ...record.decision, finding: "progressing" } }
              : record,
          ),
        ),
    ),
  ],
  "a dependant does not wait for what its need has to be confirmed by": [
    /P2/,
    {
      stack: (stack) => ({
        ...stack,
        steps: new Map([...stack.steps].map(([name, step]) => [name, { ...step, needs: [] }])),
      }),
    },
  ],
  "a row forgets the calls in doubt": [
    /journal/,
    through(
      (current) => current,
      (write) => ({ ...write, steps: write.steps.map((state) => ({ ...state, open: [] })) }),
    ),
  ],
};

export const SLEEPER_MUTANTS: Readonly<Record<string, readonly [law: RegExp, tampering: Tampering]>> = {
  "the epoch is not compared": [
    /most|lost|promise|N5|surplus|identity|cannot take the event/,
    epochNotCompared,
  ],
};
