/**
 * W4, N3: what a provider answers after it was given up (its deadline and 20 s) is appended, whatever became of the step
 * meanwhile; what the ledger cannot take goes to the slot that its call still holds (W6).
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openMemoryStore } from "../../src/adapters/store-memory/memory.ts";
import type { Runtime } from "../../src/runtime/runtime.ts";
import { lateAnswers } from "./late-answers.ts";
import { Machine, SHOP, type Tampering } from "./machine.ts";
import { plainCommand, plainNode } from "./plain.ts";

const MACHINE = plainNode("machine");
const APPLY = plainCommand("apply", {
  fates: [{ ends: "failed", effect: "now", tellsId: true, tellsEarly: false, callMs: 175_000 }],
});

describe("a provider that answers after it was given up", () => {
  it("W4: is not waited for; what is outstanding is said, and its id and outputs are recorded when they come", async () => {
    const notes: string[] = [];
    const report: Runtime["reporter"]["report"] = (event) => {
      if (event.kind === "note") notes.push(event.text);
    };
    const machine = new Machine([MACHINE], {
      runtime: (runtime) => ({ ...runtime, reporter: { report } }),
    });
    const state = () => openMemoryStore(machine.disk).step(SHOP, MACHINE.name);
    const came = await machine.run(APPLY);
    expect(came).toMatchObject({ kind: "done", exit: 21 });
    expect(notes).toEqual([
      expect.stringMatching(
        /^machine: its create was given up after its deadline and is not answered yet; .* only while this process lives$/,
      ),
    ]);
    expect(await state()).toMatchObject({ status: "unresolved", identity: null, outputs: {} });
    do await machine.time.quiet();
    while (machine.time.skip());
    // The first outcome stands: the answer tells what there is, and only a look settles what became of it.
    expect(await state()).toMatchObject({ status: "unresolved", identity: { id: "id-1" } });
    expect(Object.keys((await state())?.outputs ?? {})).toHaveLength(1);
  });

  it("W4 W6 N3: nothing that it told is lost, and at most one object, none lost, and a way out", () =>
    fc.assert(lateAnswers(), { numRuns: Number(process.env["ASFOUND_RUNS"] ?? 200) }));
});

/** The first outcome of a call is the only one that is written. */
const lateIsDropped = (): Tampering => {
  const concluded = new Set<string>();
  return {
    store: (store) => ({
      ...store,
      commit: (request) =>
        store.commit({
          ...request,
          decide: (current) => {
            const decided = request.decide(current);
            const outcome = decided.write?.records.find((record) => record.kind === "outcome");
            if (outcome === undefined || !concluded.has(outcome.intent)) {
              if (outcome !== undefined) concluded.add(outcome.intent);
              return decided;
            }
            return { ...decided, write: null };
          },
        }),
    }),
  };
};

const slotIsGivenBack: Tampering = {
  spool: (spool) => ({
    ...spool,
    take: async () => {
      const slot = await spool.take();
      let isKept = false;
      return {
        release: () => slot.release(),
        keep: async (spooled) => {
          if (isKept) throw new Error("it was given back after its first result");
          isKept = true;
          await slot.keep(spooled);
        },
      };
    },
  }),
};

describe("mutant", () => {
  const mutants: readonly (readonly [string, () => Tampering])[] = [
    ["a late answer is dropped", lateIsDropped],
    ["a slot takes one result only", () => slotIsGivenBack],
  ];
  it.each(mutants)("%s: caught by W4", async (_name, tampering) => {
    const found = await fc.check(lateAnswers(tampering()), { numRuns: 2_000, endOnFailure: true, seed: 7 });
    expect(String(found.errorInstance)).toMatch(/W4/);
  });
});
