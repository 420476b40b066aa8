/**
 * The part of the store's contract (`store.ts`) that speaks of rows which a driver may write late (`Write.folded`):
 * nobody who reads can tell. A driver's test file calls `lateRowsContract`.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { advance } from "../../src/domain/fold.ts";
import { stackId, stackName, stepName } from "../../src/domain/ids.ts";
import type { JsonValue } from "../../src/domain/json.ts";
import type { StepState } from "../../src/domain/state.ts";
import type { Store, Write } from "../../src/ports/store.ts";
import { identity, imported, lease, planned, state } from "./journal-samples.ts";
import type { StoreHarness } from "./store.ts";
import { countOf, countUp } from "./store-increment.ts";

const SHOP = stackName("shop");
const VM = stepName("vm");
const STEPS = ["vm", "web", "db"];

/** What the records say, from the first on. */
const foldOfAll = async (store: Store): Promise<ReadonlyMap<string, StepState>> => {
  const states = new Map<string, StepState>();
  for await (const { record } of store.records({ stack: SHOP })) {
    const from =
      record.kind === "decision" && record.decision.what === "renamed" ? record.decision.from : record.step;
    const next = advance(states.get(from), record);
    states.delete(from);
    states.set(record.step, next);
  }
  return states;
};

/** All ways to ask for the states say what the records say. */
const tellsAll = async (store: Store): Promise<void> => {
  const due = await foldOfAll(store);
  const sorted = (map: ReadonlyMap<string, StepState>) =>
    [...map].sort(([a], [b]) => Number(a > b) - Number(a < b));
  expect(sorted(await store.steps(SHOP))).toEqual(sorted(due));
  for (const name of [...STEPS, "nobody"])
    expect(await store.step(SHOP, stepName(name)), name).toEqual(due.get(name) ?? null);
  if (store.readOnly) return;
  const decidedOn = (steps: "all" | readonly string[]) =>
    store.commit({
      stack: SHOP,
      steps: steps === "all" ? "all" : steps.map(stepName),
      decide: (current) => ({ write: null, value: [...current.steps] }),
    });
  expect(sorted(new Map(await decidedOn("all")))).toEqual(sorted(due));
  expect(await decidedOn(["vm"])).toEqual(due.has("vm") ? [["vm", due.get("vm")]] : []);
};

export const lateRowsContract = (name: string, makeHarness: () => Promise<StoreHarness>): void => {
  describe(`rows that may be written late, kept by ${name}`, () => {
    let harness: StoreHarness;
    let store: Store;
    beforeEach(async () => {
      harness = await makeHarness();
      store = await harness.open("write");
    });
    afterEach(() => harness.dispose());

    const write = (written: Partial<Write>, to = store): Promise<null> =>
      to.commit({
        stack: SHOP,
        steps: "all",
        decide: () => ({ write: { records: [], steps: [], ...written }, value: null }),
      });
    const count = async (to: Store, step: string, times: number): Promise<void> => {
      for (let done = 0; done < times; done += 1) await to.commit(countUp(SHOP, step));
    };

    it("other connections read the newest states in the middle of the work, and after it", async () => {
      const other = await harness.open("write");
      for (let round = 0; round < 4; round += 1) {
        await Promise.all([count(store, "vm", 3), count(store, "web", 2)]);
        await tellsAll(other);
        await tellsAll(store);
        await tellsAll(await harness.open("read"));
      }
      await write({ stack: { lease: null, epoch: 0 } });
      await tellsAll(other);
      expect(countOf(await other.step(SHOP, VM))).toBe(12);
    });

    it("two that write in turn go on from each other's states", async () => {
      const other = await harness.open("write");
      for (let round = 1; round <= 20; round += 1)
        expect(await (round % 2 === 0 ? store : other).commit(countUp(SHOP, "vm"))).toBe(round);
      await Promise.all([count(store, "vm", 30), count(other, "vm", 30), count(other, "web", 30)]);
      expect(countOf(await store.step(SHOP, VM))).toBe(80);
      await tellsAll(store);
    });

    it("rows that another connection wrote in between, without a record, are not taken for one's own", async () => {
      const other = await harness.open("write");
      const giveBack = (by: Store) => write({ stack: { lease: null, epoch: 0 } }, by);
      for (let round = 0; round < 3; round += 1)
        for (const by of [store, other, store]) {
          await count(store, "vm", 1);
          await giveBack(by);
        }
      await tellsAll(store);
      await tellsAll(other);
      expect(countOf(await (await harness.open("read")).step(SHOP, VM))).toBe(9);
    });

    it("a step that is renamed, or written with a state that is no fold, takes along what was to be written late", async () => {
      await count(store, "old", 3);
      await count(store, "web", 2);
      const rename = {
        ...planned("vm"),
        decision: { what: "renamed" as const, from: stepName("old") },
      };
      const old = (await store.step(SHOP, stepName("old"))) as StepState;
      await write({ records: [rename], steps: [advance(old, rename)], removedSteps: [stepName("old")] });
      await tellsAll(store);
      await tellsAll(await harness.open("read"));
      await count(store, "vm", 1);
      await tellsAll(store);
      await write({ records: [identity("db", {})], steps: [state("db", { attempts: 7 })] });
      await count(store, "web", 1);
      for (const one of [store, await harness.open("read")]) {
        expect((await one.step(SHOP, stepName("db")))?.attempts).toBe(7);
        expect(countOf(await one.step(SHOP, stepName("web")))).toBe(3);
        expect(countOf(await one.step(SHOP, VM))).toBe(4);
      }
    });

    it("a commit that fails takes nothing of what was to be written late before it", async () => {
      await count(store, "vm", 3);
      const bad = imported("vm", "4");
      const unwritable = advance((await store.step(SHOP, VM)) as StepState, bad);
      const refused = write({
        records: [bad],
        steps: [{ ...unwritable, outputs: { bad: Number.NaN as JsonValue } }],
        folded: true,
      });
      await expect(refused).rejects.toMatchObject({ code: "ASFOUND_NOT_CANONICAL" });
      await tellsAll(store);
      expect(await store.commit(countUp(SHOP, "vm"))).toBe(4);
      await tellsAll(await harness.open("read"));
    });

    it("what is said to be folded has to be all there", async () => {
      await count(store, "vm", 1);
      const vm = (await store.step(SHOP, VM)) as StepState;
      const records = [imported("vm", "2"), imported("web", "1")];
      await expect(write({ records, steps: [vm], folded: true })).rejects.toThrow(/not all there/);
      const removedSteps = [stepName("web")];
      await expect(
        write({ records: records.slice(0, 1), steps: [vm], removedSteps, folded: true }),
      ).rejects.toThrow(/not all there/);
      await tellsAll(store);
    });

    it("any order of writers, ways to write, leases and openings: the states are the fold of all records (property)", async () => {
      const step = fc.constantFrom(...STEPS);
      const work = fc.oneof(
        { weight: 6, arbitrary: fc.record({ do: fc.constant("count" as const), step, times: fc.nat(6) }) },
        fc.record({ do: fc.constant("plan" as const), step }),
        fc.record({ do: fc.constantFrom("grant" as const, "give back" as const, "reopen" as const) }),
      );
      const run = fc.array(fc.tuple(fc.nat(1), work), { maxLength: 14 });
      await fc.assert(
        fc.asyncProperty(run, async (works) => {
          const own = await makeHarness();
          try {
            const writers = [await own.open("write"), await own.open("write")] as [Store, Store];
            await write({ stack: { create: stackId("st_shop"), lease: null, epoch: 0 } }, writers[0]);
            for (const [nth, next] of works) {
              const writer = writers[nth] as Store;
              if (next.do === "count")
                await Promise.all(Array.from({ length: next.times }, () => count(writer, next.step, 2)));
              else if (next.do === "plan") {
                const record = planned(next.step);
                const before = (await writer.step(SHOP, stepName(next.step))) ?? undefined;
                await write({ records: [record], steps: [advance(before, record)] }, writer);
              } else if (next.do === "reopen") {
                await writer.close();
                writers[nth] = await own.open("write");
              } else {
                const held = next.do === "grant" ? lease("op_1", 1) : null;
                await write({ stack: { lease: held, epoch: 1 } }, writer);
              }
              await tellsAll(writers[1 - nth] as Store);
            }
            await tellsAll(await own.open("read"));
          } finally {
            await own.dispose();
          }
        }),
        { numRuns: 25 },
      );
    });

    it("kill -9 in mid-work: the states of every acknowledged commit are there, and at most one more", async ({
      skip,
    }) => {
      if (harness.child === undefined) return skip("a ledger in memory has one process");
      const { opener, target } = harness.child;
      const script = fileURLToPath(new URL("store-child.ts", import.meta.url));
      let before = 0;
      for (const lines of [40, 300, 700]) {
        const child: ChildProcess = spawn(
          process.execPath,
          [script, opener, target, "shop", "vm", "0", "late"],
          { stdio: ["ignore", "pipe", "inherit"] },
        );
        let heard = "";
        child.stdout?.setEncoding("utf8").on("data", (text: string) => {
          heard += text;
          if (heard.split("\n").length > lines) child.kill("SIGKILL");
        });
        await once(child, "close");
        const acknowledged = Number(heard.slice(0, heard.lastIndexOf("\n")).split("\n").at(-1));
        expect(acknowledged).toBeGreaterThan(before);
        before = acknowledged;
        const reader = await harness.open("read");
        expect([acknowledged, acknowledged + 1]).toContain(countOf(await reader.step(SHOP, VM)));
        await tellsAll(reader);
        await reader.close();
      }
      await tellsAll(store);
    });
  });
};
