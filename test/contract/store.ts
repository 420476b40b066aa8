/**
 * The contract of every store driver (`src/ports/store.ts`). A driver's test file calls `storeContract` with a way to
 * make a fresh ledger and to open it as often as wanted.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { operationId, stackId, stackName, stepName } from "../../src/domain/ids.ts";
import type { JournalRecord } from "../../src/domain/journal.ts";
import type { JsonObject, JsonValue } from "../../src/domain/json.ts";
import type { ChainedRecord, CommitRequest, Current, Store, Write } from "../../src/ports/store.ts";
import { StoreFault } from "../../src/ports/store.ts";
import { GENESIS, verifyChain } from "../../src/wire/chain.ts";
import { everyKind, identity, lease, operation, planned, state } from "./journal-samples.ts";
import { increment } from "./store-increment.ts";

export interface StoreHarness {
  /** Another connection to the same ledger, as another process would have it. The harness closes what is left open. */
  open(mode: "write" | "read"): Promise<Store>;
  /** How `store-child.ts` opens this ledger in a real process; absent where there is no such thing. */
  readonly child?: { readonly opener: string; readonly target: string };
  dispose(): Promise<void>;
}

const SHOP = stackName("shop");

export const storeContract = (name: string, makeHarness: () => Promise<StoreHarness>): void => {
  describe(`the store's contract, kept by ${name}`, () => {
    let harness: StoreHarness;
    let store: Store;
    beforeEach(async () => {
      harness = await makeHarness();
      store = await harness.open("write");
    });
    afterEach(async () => {
      await harness.dispose();
    });

    const write = (written: Partial<Write>, stack = SHOP): Promise<null> =>
      store.commit({
        stack,
        steps: [],
        decide: () => ({ write: { records: [], steps: [], ...written }, value: null }),
      });
    const begin = (stack = SHOP): Promise<null> =>
      write({ stack: { create: stackId(`st_${stack}`), lease: null, epoch: 0 } }, stack);
    const all = async (
      from: Store,
      filter: Partial<Parameters<Store["records"]>[0]> = {},
    ): Promise<ChainedRecord[]> => {
      const found: ChainedRecord[] = [];
      for await (const record of from.records({ stack: SHOP, ...filter })) found.push(record);
      return found;
    };
    const reopened = async (): Promise<Store> => {
      await store.close();
      store = await harness.open("write");
      return store;
    };

    it("what was acknowledged is there after it was opened again: head, records of every kind, states, operation", async () => {
      const records = everyKind("vm");
      const vm = state("vm", {
        status: "running",
        outputs: { ip: "10.0.0.1", nested: { a: [1, null, "ü"] } },
      });
      await write({
        records,
        steps: [vm, state("web")],
        stack: { create: stackId("st_1"), lease: lease("op_1", 3), epoch: 3 },
        operation: operation("op_1", "shop"),
      });
      const head = await store.head(SHOP);
      const again = await reopened();
      expect(await again.head(SHOP)).toEqual(head);
      expect(head).toMatchObject({
        name: "shop",
        id: "st_1",
        seq: records.length,
        epoch: 3,
        lease: lease("op_1", 3),
      });
      expect((await all(again)).map((chained) => chained.record)).toEqual(records);
      expect(await again.steps(SHOP)).toEqual(
        new Map([
          ["vm", vm],
          ["web", state("web")],
        ]),
      );
      expect(await again.step(SHOP, stepName("vm"))).toEqual(vm);
      expect(await again.operation(operationId("op_1"))).toEqual(operation("op_1", "shop"));
      expect(again.ledgerId).toMatch(/^lg_/);
    });

    it("what is not there is null or empty, never made up", async () => {
      expect(await store.head(SHOP)).toBeNull();
      expect(await store.stacks()).toEqual([]);
      expect(await store.steps(SHOP)).toEqual(new Map());
      expect(await store.step(SHOP, stepName("vm"))).toBeNull();
      expect(await store.operation(operationId("op_1"))).toBeNull();
      expect(await store.operations(SHOP, 10)).toEqual([]);
      expect(await all(store)).toEqual([]);
      await begin();
      expect(await store.head(SHOP)).toMatchObject({ seq: 0, hash: GENESIS, lease: null });
    });

    it("all or nothing: one value that cannot be written keeps the whole request out, and only that one", async () => {
      await begin();
      const bad = write({
        records: [planned("vm")],
        steps: [state("vm"), state("web", { outputs: { bad: Number.NaN } })],
        operation: operation("op_9", "shop"),
      });
      const good = store.commit(increment(SHOP, "ok"));
      await expect(bad).rejects.toMatchObject({ code: "ASFOUND_NOT_CANONICAL" });
      expect(await good).toBe(1);
      const badRecord = write({ records: [planned("vm"), identity("vm", { bad: "\ud800" })] });
      await expect(badRecord).rejects.toMatchObject({ code: "ASFOUND_NOT_CANONICAL" });
      expect((await all(await reopened())).map((chained) => chained.record.step)).toEqual(["ok"]);
      expect([...(await store.steps(SHOP)).keys()]).toEqual(["ok"]);
      expect(await store.operation(operationId("op_9"))).toBeNull();
    });

    it("a decision sees the rows of that moment, and only the steps it names", async () => {
      await begin();
      await write({ steps: [state("a", { attempts: 1 }), state("b"), state("c")], records: [planned("a")] });
      const seen: Current[] = [];
      const look = (steps: CommitRequest<null>["steps"]) =>
        store.commit({
          stack: SHOP,
          steps,
          decide: (current) => {
            seen.push(current);
            return { write: null, value: null };
          },
        });
      await look([stepName("a"), stepName("nobody")]);
      await look("all");
      await look([]);
      expect(seen.map((current) => [...current.steps.keys()])).toEqual([["a"], ["a", "b", "c"], []]);
      expect(seen[0]?.steps.get(stepName("a"))).toEqual(state("a", { attempts: 1 }));
      expect(seen[0]?.head).toEqual(await store.head(SHOP));
    });

    it("a refusal is a value, and writes nothing", async () => {
      await begin();
      const before = await store.head(SHOP);
      const refusal = { refused: "the lease is held" };
      expect(
        await store.commit({ stack: SHOP, steps: "all", decide: () => ({ write: null, value: refusal }) }),
      ).toBe(refusal);
      expect(await (await reopened()).head(SHOP)).toEqual(before);
    });

    it("records are numbered and chained in the order of the commits; each break of the chain shows", async () => {
      await begin();
      const records = everyKind("vm");
      for (const record of records) await write({ records: [record] });
      await write({ records });
      const chained = await all(store);
      const head = await store.head(SHOP);
      if (head === null) throw new Error("no head");
      expect(chained.map((one) => one.seq)).toEqual(
        Array.from({ length: records.length * 2 }, (_, index) => index + 1),
      );
      expect(chained.map((one) => one.record)).toEqual([...records, ...records]);
      expect(chained[0]?.prevHash).toBe(GENESIS);
      const verify = (list: readonly ChainedRecord[]) =>
        verifyChain(
          (async function* () {
            yield* list;
          })(),
          { head: { ...head, stack: head.name } },
        );
      expect(await verify(chained)).toBeNull();

      const [first, second, ...rest] = chained as [ChainedRecord, ChainedRecord, ...ChainedRecord[]];
      expect(await verify([first, ...rest])).toMatchObject({ seq: 3 });
      expect(await verify([second, first, ...rest])).toMatchObject({ seq: 2 });
      expect(await verify(chained.slice(0, -1))).toMatchObject({ seq: chained.length });
      const changed = { ...first, record: { ...first.record, at: 1 } as JournalRecord };
      expect(await verify([changed, second, ...rest])).toMatchObject({ seq: 1 });
    });

    it("members that this version does not know are kept, and the chain still holds", async () => {
      await begin();
      const record = { ...planned("vm"), later: { added: [1, 2] } } as JournalRecord;
      await write({ records: [record] });
      expect((await all(await reopened()))[0]?.record).toEqual(record);
      expect(await verifyChain(store.records({ stack: SHOP }))).toBeNull();
    });

    it("group commit: requests made together are decided in order, each over what those before it wrote", async () => {
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => store.commit(increment(SHOP, "counter"))),
      );
      expect(answers).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
      expect(await (await reopened()).head(SHOP)).toMatchObject({ seq: 20 });
    });

    it("group commit: a decide that throws fails its own request only", async () => {
      const boom = new Error("boom");
      const requests = Array.from({ length: 9 }, (_, index) =>
        index === 4
          ? store.commit({
              stack: SHOP,
              steps: [],
              decide: () => {
                throw boom;
              },
            })
          : store.commit(increment(SHOP, "counter")),
      );
      const settled = await Promise.allSettled(requests);
      expect(settled.filter((one) => one.status === "rejected").map((one) => one.reason as unknown)).toEqual([
        boom,
      ]);
      expect((await (await reopened()).step(SHOP, stepName("counter")))?.attempts).toBe(8);
    });

    it("N2: a stale epoch is seen inside the transaction of the second connection", async () => {
      await begin();
      const other = await harness.open("write");
      const take = (through: Store, count: number) =>
        through.commit({
          stack: SHOP,
          steps: [],
          decide: ({ head }) =>
            (head?.epoch ?? 0) + 1 === count
              ? {
                  write: {
                    records: [],
                    steps: [],
                    stack: { lease: lease(`op_${count}`, count), epoch: count },
                  },
                  value: "taken",
                }
              : { write: null, value: `stale: ${head?.epoch}` },
        });
      expect(await take(store, 1)).toBe("taken");
      expect(await take(other, 2)).toBe("taken");
      expect(await take(store, 2)).toBe("stale: 2");
      expect((await store.head(SHOP))?.lease).toEqual(lease("op_2", 2));
    });

    it("two connections that write at the same time lose nothing", async () => {
      await begin();
      const other = await harness.open("write");
      const both = Array.from({ length: 40 }, (_, index) =>
        (index % 2 === 0 ? store : other).commit(increment(SHOP, "n")),
      );
      expect(new Set(await Promise.all(both)).size).toBe(40);
      expect((await store.step(SHOP, stepName("n")))?.attempts).toBe(40);
      expect(await verifyChain(store.records({ stack: SHOP }))).toBeNull();
    });

    it("processes that write at the same time lose nothing", async ({ skip }) => {
      if (harness.child === undefined) return skip("a ledger in memory has one process");
      const { opener, target } = harness.child;
      const script = fileURLToPath(new URL("store-child.ts", import.meta.url));
      const children = ["n", "n", "other"].map((step) =>
        spawn(process.execPath, [script, opener, target, "shop", step, "30"], {
          stdio: ["ignore", "pipe", "inherit"],
        }),
      );
      const exits = await Promise.all(
        children.map(async (child) => {
          child.stdout.resume();
          return ((await once(child, "exit")) as [number])[0];
        }),
      );
      expect(exits).toEqual([0, 0, 0]);
      expect((await store.step(SHOP, stepName("n")))?.attempts).toBe(60);
      expect((await store.step(SHOP, stepName("other")))?.attempts).toBe(30);
      expect(await store.head(SHOP)).toMatchObject({ seq: 90 });
      expect(await verifyChain(store.records({ stack: SHOP }))).toBeNull();
    });

    it("the lease's row stays until it is written, and null clears it; the epoch stays", async () => {
      await begin();
      await write({ stack: { lease: lease("op_1", 1), epoch: 1 } });
      await write({ records: [planned("vm")] });
      expect((await store.head(SHOP))?.lease).toEqual(lease("op_1", 1));
      await write({ stack: { lease: null, epoch: 1 } });
      expect(await (await reopened()).head(SHOP)).toMatchObject({ lease: null, epoch: 1, seq: 1 });
    });

    it("a stack is created once, and is not written to before", async () => {
      await expect(write({ records: [planned("vm")] })).rejects.toThrow(/before it was created/);
      await begin();
      await expect(begin()).rejects.toThrow(/exists/);
      expect(await store.stacks()).toHaveLength(1);
    });

    it("stacks are apart: records, steps and operations of one are none of the other", async () => {
      const staging = stackName("staging");
      await begin();
      await begin(staging);
      await write({ records: [planned("vm")], steps: [state("vm")], operation: operation("op_1", "shop") });
      await write(
        {
          records: [planned("vm"), planned("db")],
          steps: [state("db")],
          operation: operation("op_2", "staging"),
        },
        staging,
      );
      expect((await store.stacks()).map((head) => [head.name, head.seq])).toEqual([
        ["shop", 1],
        ["staging", 2],
      ]);
      expect([...(await store.steps(SHOP)).keys()]).toEqual(["vm"]);
      expect([...(await store.steps(staging)).keys()]).toEqual(["db"]);
      expect((await all(store, { stack: staging, step: stepName("vm") })).map((one) => one.seq)).toEqual([1]);
      expect((await store.operations(staging, 9)).map((one) => one.id)).toEqual(["op_2"]);
      await expect(write({ operation: operation("op_2", "shop") })).rejects.toThrow(/another stack/);
    });

    it("operations come newest first, by first writing and not by clock or id, and are replaced in place", async () => {
      await begin();
      for (const id of ["op_b", "op_a", "op_c"]) await write({ operation: operation(id, "shop") });
      await write({ operation: operation("op_b", "shop", "done") });
      const listed = await (await reopened()).operations(SHOP, 10);
      expect(listed.map((one) => one.id)).toEqual(["op_c", "op_a", "op_b"]);
      expect(listed[2]?.summary).toBe("done");
      expect((await store.operations(SHOP, 2)).map((one) => one.id)).toEqual(["op_c", "op_a"]);
    });

    it("a step is written only with the record that its state follows from", async () => {
      await begin();
      await write({ records: [planned("vm")], steps: [state("vm")] });
      for (const misfit of [{ steps: [state("vm", { attempts: 9 })] }, { removedSteps: [stepName("vm")] }])
        await expect(write(misfit)).rejects.toThrow(/without a record/);
      expect(await store.step(SHOP, stepName("vm"))).toEqual(state("vm"));
    });

    it("a renamed step is a row under its new name", async () => {
      await begin();
      await write({ records: [planned("old")], steps: [state("old", { attempts: 7 })] });
      await write({
        records: [planned("new")],
        steps: [state("new", { attempts: 7 })],
        removedSteps: [stepName("old")],
      });
      expect(await (await reopened()).steps(SHOP)).toEqual(new Map([["new", state("new", { attempts: 7 })]]));
    });

    it("records are filtered by step, operation and number, and streamed in order while others are appended", async () => {
      await begin();
      const steps = ["a", "b", "c"];
      const records = Array.from({ length: 900 }, (_, index) =>
        identity(steps[index % 3] as string, { index }, `op_${index % 2}`),
      );
      await write({ records });
      const seqs = async (filter: Partial<Parameters<Store["records"]>[0]>) =>
        (await all(store, filter)).map((one) => one.seq);
      const expected = (keep: (seq: number) => boolean) => records.map((_, index) => index + 1).filter(keep);
      expect(await seqs({ step: stepName("b") })).toEqual(expected((seq) => (seq - 1) % 3 === 1));
      expect(await seqs({ operation: operationId("op_1") })).toEqual(expected((seq) => (seq - 1) % 2 === 1));
      expect(await seqs({ operation: operationId("op_1"), step: stepName("c"), fromSeq: 500 })).toEqual(
        expected((seq) => (seq - 1) % 2 === 1 && (seq - 1) % 3 === 2 && seq >= 500),
      );
      expect(await seqs({ fromSeq: 900 })).toEqual([900]);
      expect(await seqs({ fromSeq: 901 })).toEqual([]);
      expect(await seqs({ step: stepName("nobody") })).toEqual([]);

      let seen = 0;
      for await (const one of store.records({ stack: SHOP })) {
        seen += 1;
        expect(one.seq).toBe(seen);
        if (seen === 10) await write({ records: [planned("late")] });
        if (seen === 700) break;
      }
      expect(await store.head(SHOP)).toMatchObject({ seq: 901 });
      await write({ records: [planned("later")] });
    });

    it("names are only names: quotes, SQL, scripts of any kind, 10,000 characters", async () => {
      const names = [
        "'; DROP TABLE record; --",
        '"quoted"',
        "naïve",
        "名前",
        "🚀~compensate",
        "%_?*",
        "\\n\n\t",
        "x".repeat(10_000),
        "__proto__",
        " ",
      ];
      for (const [index, odd] of names.entries()) {
        const stack = stackName(odd);
        await write({ stack: { create: stackId(`st_${index}`), lease: null, epoch: 0 } }, stack);
        await write(
          {
            records: [identity(odd, { [odd]: odd }, `op_${odd}`)],
            steps: [state(odd, { outputs: { [odd]: odd } })],
            operation: operation(`op_${odd}`, odd),
          },
          stack,
        );
      }
      await reopened();
      expect((await store.stacks()).map((head) => head.name)).toEqual(names);
      for (const odd of names) {
        const stack = stackName(odd);
        expect((await store.step(stack, stepName(odd)))?.outputs).toEqual({ [odd]: odd });
        expect(
          await all(store, { stack, step: stepName(odd), operation: operationId(`op_${odd}`) }),
        ).toHaveLength(1);
        expect((await store.operations(stack, 1))[0]?.id).toBe(`op_${odd}`);
      }
      await expect(
        write({ stack: { create: stackId("st_x"), lease: null, epoch: 0 } }, stackName("\ud800")),
      ).rejects.toThrow(/surrogate/);
    });

    it("large and deep states are kept whole; deeper than can be written is refused, and the store goes on", async () => {
      await begin();
      let deep: JsonValue = 1;
      for (let level = 0; level < 900; level += 1) deep = { deep };
      const outputs = { big: "é".repeat(2_000_000), deep } as JsonObject;
      await write({ records: [identity("vm", outputs)], steps: [state("vm", { outputs })] });
      expect((await (await reopened()).step(SHOP, stepName("vm")))?.outputs).toEqual(outputs);
      for (let level = 0; level < 200; level += 1) deep = { deep };
      await expect(
        write({ records: [planned("vm")], steps: [state("vm", { outputs: { deep } })] }),
      ).rejects.toThrow(/1000 levels/);
      expect(await store.commit(increment(SHOP, "n"))).toBe(1);
    });

    it("a store opened to read answers everything and takes no commit", async () => {
      await store.commit(increment(SHOP, "n"));
      await store.close();
      const reader = await harness.open("read");
      expect(reader.readOnly).toBe(true);
      const refused: unknown = await reader.commit(increment(SHOP, "n")).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(StoreFault);
      expect(refused).toMatchObject({ code: "read-only", maybe: false });
      expect((await reader.steps(SHOP)).size).toBe(1);
      expect(await all(reader)).toHaveLength(1);
      expect(await verifyChain(reader.records({ stack: SHOP }))).toBeNull();
    });

    it("closing waits for the commits that were asked for before", async () => {
      const asked = store.commit(increment(SHOP, "n"));
      await store.close();
      expect(await asked).toBe(1);
      await expect(store.commit(increment(SHOP, "n"))).rejects.toMatchObject({
        code: "not-durable",
        message: expect.stringMatching(/closed/),
      });
      store = await harness.open("write");
      expect((await store.step(SHOP, stepName("n")))?.attempts).toBe(1);
    });

    it("property: after any commits, in any groups, the rows are those of a plain map, also after opening again", async () => {
      const step = fc.constantFrom("a", "b", "c");
      const command = fc.oneof(
        fc.record({
          do: fc.constant("set" as const),
          step,
          outputs: fc.dictionary(fc.string({ unit: "grapheme" }), fc.jsonValue(), { maxKeys: 3 }),
        }),
        fc.record({ do: fc.constant("remove" as const), step }),
        fc.record({ do: fc.constant("refuse" as const), step }),
        fc.record({ do: fc.constant("throw" as const), step }),
        fc.record({ do: fc.constant("lease" as const), step, held: fc.boolean() }),
      );
      await begin();
      let model = { seq: 0, epoch: 0, held: false, steps: new Map<string, JsonObject>() };
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.array(command, { minLength: 1, maxLength: 5 }), { maxLength: 6 }),
          async (groups) => {
            for (const group of groups) {
              await Promise.allSettled(
                group.map((one) =>
                  store.commit<null>({
                    stack: SHOP,
                    steps: [],
                    decide: ({ head }) => {
                      const name = stepName(one.step);
                      const epoch = (head?.epoch ?? 0) + 1;
                      if (one.do === "refuse") return { write: null, value: null };
                      if (one.do === "throw") throw new Error("thrown");
                      if (one.do === "remove")
                        return {
                          write: { records: [planned(one.step)], steps: [], removedSteps: [name] },
                          value: null,
                        };
                      if (one.do === "lease")
                        return {
                          write: {
                            records: [],
                            steps: [],
                            stack: { lease: one.held ? lease("op_1", epoch) : null, epoch },
                          },
                          value: null,
                        };
                      return {
                        write: {
                          records: [planned(one.step)],
                          steps: [state(one.step, { outputs: one.outputs as JsonObject })],
                        },
                        value: null,
                      };
                    },
                  }),
                ),
              );
              for (const one of group) {
                if (one.do === "lease") model = { ...model, epoch: model.epoch + 1, held: one.held };
                if (one.do !== "set" && one.do !== "remove") continue;
                model.seq += 1;
                if (one.do === "remove") model.steps.delete(one.step);
                else model.steps.set(one.step, JSON.parse(JSON.stringify(one.outputs)) as JsonObject);
              }
            }
            const again = await reopened();
            const head = await again.head(SHOP);
            expect(head).toMatchObject({ seq: model.seq, epoch: model.epoch });
            expect(head?.lease !== null).toBe(model.held);
            const outputs = new Map(
              [...(await again.steps(SHOP))].map(([key, value]) => [key as string, value.outputs]),
            );
            // Generated outputs may hold a key like toString, so no pair is compared as text.
            expect(Object.fromEntries(outputs)).toEqual(Object.fromEntries(model.steps));
            expect(await verifyChain(again.records({ stack: SHOP }))).toBeNull();
          },
        ),
        { numRuns: 20 },
      );
    });
  });
};
