import { describe, expect, it } from "vitest";
import { memoryDisk, openMemoryStore } from "../../src/adapters/store-memory/memory.ts";
import { ledgerId, stackName, stepName } from "../../src/domain/ids.ts";
import { type StoreHarness, storeContract } from "./store.ts";
import { increment } from "./store-increment.ts";
import { lateRowsContract } from "./store-late-rows.ts";

const harness = async (): Promise<StoreHarness> => {
  const disk = memoryDisk(ledgerId("lg_memory"));
  return {
    open: async (mode) => openMemoryStore(disk, { readOnly: mode === "read" }),
    dispose: async () => {},
  };
};
storeContract("store-memory", harness);
lateRowsContract("store-memory", harness);

describe("the memory store's faults", () => {
  const SHOP = stackName("shop");
  const fresh = () => openMemoryStore(memoryDisk(ledgerId("lg_memory")));

  it("W2: a lost commit is not there, and the next one is taken", async () => {
    const store = fresh();
    store.faults.failNextCommit("lost");
    await expect(store.commit(increment(SHOP, "n"))).rejects.toMatchObject({
      code: "not-durable",
      maybe: false,
    });
    expect(await store.commit(increment(SHOP, "n"))).toBe(1);
  });

  it("W2: a commit of which nothing is known makes the store unfit, whether it is there or not", async () => {
    for (const [how, attempts] of [
      ["maybe-lost", undefined],
      ["maybe-kept", 1],
    ] as const) {
      const disk = memoryDisk(ledgerId("lg_memory"));
      const store = openMemoryStore(disk);
      store.faults.failNextCommit(how);
      await expect(store.commit(increment(SHOP, "n"))).rejects.toMatchObject({ maybe: true });
      await expect(store.commit(increment(SHOP, "n"))).rejects.toMatchObject({
        code: "not-durable",
        maybe: false,
      });
      expect((await openMemoryStore(disk).step(SHOP, stepName("n")))?.attempts).toBe(attempts);
    }
  });

  it("a full disk refuses until there is room, and a group shares one transaction", async () => {
    const store = fresh();
    store.faults.diskFull(true);
    await expect(store.commit(increment(SHOP, "n"))).rejects.toMatchObject({ code: "not-durable" });
    store.faults.diskFull(false);
    await Promise.all(Array.from({ length: 10 }, () => store.commit(increment(SHOP, "n"))));
    expect(store.faults.transactions).toBe(1);
  });
});
