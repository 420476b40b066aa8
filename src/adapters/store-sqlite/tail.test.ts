import { readdirSync, readFileSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { identity, imported, planned, state } from "../../../test/contract/journal-samples.ts";
import { countOf, countUp } from "../../../test/contract/store-increment.ts";
import type { LedgerFolder } from "../../../test/support/ledger-folder.ts";
import { ledgerFolder, SHOP } from "../../../test/support/ledger-folder.ts";
import { advance } from "../../domain/fold.ts";
import { stackId, stepName } from "../../domain/ids.ts";
import type { Store } from "../../ports/store.ts";

let at: LedgerFolder;
let store: Store;
beforeEach(async () => {
  at = ledgerFolder();
  store = await at.open();
});
afterEach(() => at.dispose());

const N = stepName("n");

const sql = <T>(look: (db: DatabaseSync) => T): T => {
  const db = new DatabaseSync(at.path);
  try {
    return look(db);
  } finally {
    db.close();
  }
};
/** How many records are not in the rows, and how long they are. */
const tail = () =>
  sql((db) => {
    const { seq, folded } = db.prepare("SELECT seq, folded FROM stack").get() as Record<string, number>;
    const bodies = db.prepare("SELECT sum(length(body)) AS sum FROM record WHERE place % 4294967296 > ?");
    return { records: Number(seq) - Number(folded), characters: Number(bodies.get(Number(folded))?.["sum"]) };
  });
/** A reader that does not fold: the row alone. */
const countInRow = (): number =>
  sql((db) => {
    const row = db.prepare("SELECT state FROM step WHERE name = 'n'").get();
    return row === undefined ? 0 : countOf(JSON.parse(String(row["state"])));
  });
const count = async (times: number): Promise<void> => {
  for (let done = 0; done < times; done += 1) await store.commit(countUp(SHOP, "n"));
};

describe("the tail: records that are not in the rows of the steps yet", () => {
  it("control: rows are late, so who reads them alone is told what was before", async () => {
    await count(10);
    // The first one makes the stack, without a lease.
    expect(tail().records).toBe(9);
    expect(countInRow()).toBe(1);
    expect(countOf(await store.step(SHOP, N))).toBe(10);
    expect(countOf(await (await at.open("read")).step(SHOP, N))).toBe(10);
  });

  it("is never longer than 256 records, whatever the number of commits, steps and openings", async () => {
    let longest = 0;
    for (let round = 0; round < 60; round += 1) {
      await Promise.all(Array.from({ length: 17 }, (_, nth) => store.commit(countUp(SHOP, `n${nth}`))));
      longest = Math.max(longest, tail().records);
      if (round % 20 === 7) {
        await store.close();
        store = await at.open("write");
      }
    }
    expect(longest).toBeGreaterThan(128);
    expect(longest).toBeLessThanOrEqual(256);
    expect((await store.steps(SHOP)).size).toBe(17);
  });

  it("is never longer than 262,144 characters", async () => {
    const big = (nth: number) => ({ ...imported("n", `${nth}`), reason: "x".repeat(60_000) });
    await count(1);
    for (let nth = 2; nth <= 12; nth += 1) {
      await store.commit({
        stack: SHOP,
        steps: [N],
        decide: ({ steps }) => ({
          value: null,
          write: { records: [big(nth)], steps: [advance(steps.get(N), big(nth))], folded: true },
        }),
      });
      expect(tail().characters).toBeLessThanOrEqual(262_144);
    }
    expect(tail().records).toBeGreaterThan(0);
    expect(countInRow()).toBeGreaterThan(4);
    expect(countOf(await (await at.open("read")).step(SHOP, N))).toBe(12);
  });

  it("ends with the operation, when the lease is given back", async () => {
    await count(10);
    await store.commit({
      stack: SHOP,
      steps: [],
      decide: () => ({ value: null, write: { records: [], steps: [], stack: { lease: null, epoch: 1 } } }),
    });
    expect(tail().records).toBe(0);
    expect(countInRow()).toBe(10);
  });

  it("one commit with more records than that is in the rows at once", async () => {
    const names = Array.from({ length: 400 }, (_, nth) => `n${nth}`);
    const records = names.map((name) => planned(name));
    const steps = records.map((record) => advance(undefined, record));
    const stack = { create: stackId("st_1"), lease: null, epoch: 0 };
    await store.commit({
      stack: SHOP,
      steps: [],
      decide: () => ({ value: null, write: { records, steps, folded: true, stack } }),
    });
    expect(tail().records).toBe(0);
    expect((await store.steps(SHOP)).size).toBe(400);
  });

  it("a killed writer's is read without a byte being written, and kept by the next writer", async () => {
    await count(10);
    const reader = await at.open("read");
    const look = () => readdirSync(`${at.folder}/.asfound`).map((name) => [name, bytesOf(name)]);
    const bytesOf = (name: string) =>
      name.endsWith("-shm") ? statSync(`${at.folder}/.asfound/${name}`).size : contentOf(name);
    const contentOf = (name: string) => readFileSync(`${at.folder}/.asfound/${name}`, "hex");
    const before = look();
    expect(countOf(await reader.step(SHOP, N))).toBe(10);
    expect(look()).toEqual(before);
    // Two writers: the other one as after the first one's death, which had its states in memory alone.
    const next = await at.open("write");
    expect(await next.commit(countUp(SHOP, "n"))).toBe(11);
    expect(tail().records).toBe(10);
    expect(await next.checkIntegrity()).toEqual([]);
  });

  it.each([
    [
      "changed",
      'UPDATE record SET body = replace(body, \'"id":"4"\', \'"id":"7"\') WHERE place % 4294967296 = 4',
      4,
    ],
    ["missing", "DELETE FROM record WHERE place % 4294967296 = 4", 4],
    ["the last one missing", "DELETE FROM record WHERE place % 4294967296 = 10", 10],
    ["filed under another step", "UPDATE record SET step = 'm' WHERE place % 4294967296 = 4", 4],
  ])("a record in it that is damaged is named, and no state is told: %s", async (_, change, seq) => {
    await count(10);
    const reader = await at.open("read");
    sql((db) => db.exec(change));
    const said = new RegExp(`record ${seq} of stack "shop".*ledger import`, "s");
    await expect(reader.steps(SHOP)).rejects.toThrow(said);
    await expect(reader.step(SHOP, N)).rejects.toThrow(said);
    const writer = await at.open("write").catch(() => null);
    if (writer !== null) await expect(writer.commit(countUp(SHOP, "n"))).rejects.toThrow(said);
  });

  it("a record in it that does not follow is said to be damage", async () => {
    await count(1);
    await store.commit({
      stack: SHOP,
      steps: [],
      // A driver cannot tell, and must not believe it when it reads.
      decide: () => ({
        value: null,
        write: { records: [identity("m", {})], steps: [state("m")], folded: true },
      }),
    });
    await expect((await at.open("read")).steps(SHOP)).rejects.toThrow(
      /record 2 of stack "shop": the state of its step cannot be told: .*before the step was planned/,
    );
  });
});
