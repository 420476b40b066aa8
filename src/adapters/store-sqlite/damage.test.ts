import { copyFileSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { increment } from "../../../test/contract/store-increment.ts";
import type { LedgerFolder } from "../../../test/support/ledger-folder.ts";
import { ledgerFolder, SHOP } from "../../../test/support/ledger-folder.ts";
import { tamper as tamperAt } from "../../../test/support/tamper.ts";
import { stepName } from "../../domain/ids.ts";
import { refuseUnsafe } from "./connection.ts";

let at: LedgerFolder;
beforeEach(() => {
  at = ledgerFolder();
});
afterEach(() => at.dispose());

const tamper = (sql: string): void => tamperAt(at.path, sql);
/** The sums of the rows agree again, so that the chain has to tell. */
const tamperAndReseal = (sql: string): void => tamperAt(at.path, sql, "resealed");

/** Takes the stacks out of the index of their names, as when the index's page were an old one. */
const tamperWithIndex = (): number => {
  const db = new DatabaseSync(at.path);
  const page = db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_autoindex_stack_1'").get();
  const count = db.prepare("SELECT count(*) AS count FROM stack").get()?.["count"];
  db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  db.close();
  const bytes = readFileSync(at.path);
  // The number of cells in its leaf: https://www.sqlite.org/fileformat2.html#b_tree_pages
  bytes.writeUInt16BE(0, (Number(page?.["rootpage"]) - 1) * 4096 + 3);
  writeFileSync(at.path, bytes);
  return Number(count);
};

describe("op-06, op-22: a ledger that exists but cannot be read is an error with a way out, never an empty one", () => {
  const WAY_OUT = /ledger import.*ledger backup/s;
  const states: Record<string, () => void> = {
    "is empty": () => truncateSync(at.path, 0),
    "was cut in half": () => truncateSync(at.path, Math.floor(statSync(at.path).size / 8192) * 4096),
    "was cut within its first page": () => truncateSync(at.path, 50),
    "holds something else": () => writeFileSync(at.path, "apiVersion: v1\nkind: Secret\n".repeat(400)),
    "has an overwritten header": () =>
      writeFileSync(at.path, Buffer.concat([Buffer.alloc(100), readFileSync(at.path).subarray(100)])),
    "is another program's database": () => {
      rmSync(at.path);
      tamper("CREATE TABLE t (a)");
    },
    "lost its ledger row": () => tamper("DELETE FROM ledger"),
    "is gone while its log is there": () => {
      rmSync(at.path);
      writeFileSync(`${at.path}-wal`, "x");
    },
  };
  for (const [what, damage] of Object.entries(states))
    it(`${what}`, async () => {
      await at.fill(40);
      damage();
      const before = statSync(at.path, { throwIfNoEntry: false })?.size;
      for (const mode of ["create", "write", "read"] as const) {
        const fault = await at.fault(mode);
        expect(fault.code, `${mode}: ${fault.message}`).toBe("corrupt");
        expect(fault.message).toMatch(WAY_OUT);
      }
      expect(statSync(at.path, { throwIfNoEntry: false })?.size).toBe(before);
    });

  it("control: the same ledger, not damaged, opens in every mode", async () => {
    await at.fill(40);
    for (const mode of ["create", "write", "read"] as const)
      expect((await (await at.open(mode)).head(SHOP))?.seq).toBe(40);
  });
});

describe("the tail of each chain is checked at every opening", () => {
  const broken: Record<string, [sql: string, seq: number]> = {
    "a changed body": [
      `UPDATE record SET body = replace(body, '"vm-1"', '"vm-2"') WHERE place % 4294967296 = 35`,
      35,
    ],
    "a changed hash": ["UPDATE record SET hash = replace(hash, 'a', 'b') WHERE place % 4294967296 = 39", 39],
    "a record that is gone": ["DELETE FROM record WHERE place % 4294967296 = 30", 30],
    "a last record that is gone": ["DELETE FROM record WHERE place % 4294967296 = 40", 40],
    "a record more": [
      "INSERT INTO record SELECT place + 1, step, operation, hash, body FROM record ORDER BY place DESC LIMIT 1",
      41,
    ],
    "a head that was set back": [
      "UPDATE stack SET seq = 39, hash = (SELECT hash FROM record WHERE place % 4294967296 = 39)",
      40,
    ],
    "a head with another hash": ["UPDATE stack SET hash = replace(hash, substr(hash, 1, 1), 'x')", 40],
    "another stack's name": ["UPDATE stack SET name = 'other'", 9],
  };
  for (const [what, [sql, seq]] of Object.entries(broken))
    it(`${what} is corrupt, naming the stack and the record`, async () => {
      await at.fill(40);
      tamperAndReseal(sql);
      for (const mode of ["write", "read"] as const) {
        const fault = await at.fault(mode);
        expect(fault.code).toBe("corrupt");
        expect(fault.message).toMatch(new RegExp(`chain of stack "(shop|other)" breaks at record ${seq}\\b`));
      }
    });

  it("op-22: records whose stack has no row any more are corrupt, not a ledger without that stack", async () => {
    await at.fill(40);
    tamper("DELETE FROM stack");
    for (const mode of ["create", "write", "read"] as const) {
      const fault = await at.fault(mode);
      expect(fault.code).toBe("corrupt");
      expect(fault.message).toMatch(/records of a stack whose own row is gone.*ledger import/s);
    }
  });

  it("op-22: a stack that its index does not know any more is corrupt, not a stack that never was", async () => {
    await at.fill(40);
    const stack = tamperWithIndex();
    for (const mode of ["write", "read"] as const) {
      const store = await at.open(mode);
      for (const look of [() => store.head(SHOP), () => store.steps(SHOP), () => store.operations(SHOP, 9)])
        await expect(look()).rejects.toThrow(
          /stack "shop": the index of the stacks does not know it.*ledger import/s,
        );
      if (mode === "write")
        await expect(store.commit(increment(SHOP, "n"))).rejects.toThrow(/does not know it/);
      // Control: the row itself is there.
      expect((await store.stacks()).map(({ name }) => name)).toEqual(["shop"]);
      expect((await store.checkIntegrity()).join()).toMatch(/missing from index/);
      await store.close();
    }
    expect(stack).toBe(1);
  });

  it("a stack's number that no ledger has is corrupt, not a crash", async () => {
    await at.fill(40);
    tamper("UPDATE stack SET number = 9007199254740993");
    expect((await at.fault("read")).code).toBe("corrupt");
    tamperAndReseal("UPDATE stack SET number = 4294967296");
    expect((await at.fault("read")).code).toBe("corrupt");
  });

  it("what lies further back is found by the full check, with everything else that is wrong", async () => {
    await at.fill(40);
    expect(await (await at.open("read")).checkIntegrity()).toEqual([]);
    tamperAndReseal(`UPDATE record SET body = replace(body, '"vm-1"', '"vm-2"') WHERE place % 4294967296 = 3;
      UPDATE step SET state = replace(state, '"pending"', '"perhaps"');`);
    const store = await at.open("read");
    tamper("INSERT INTO record VALUES (9 * 4294967296 + 1, 's', 'o', 'h', '{}')");
    const faults = await store.checkIntegrity();
    expect(faults).toHaveLength(3);
    expect(faults.join("\n")).toMatch(/1 records belong to no stack/);
    expect(faults.join("\n")).toMatch(/breaks at record 3: it was changed/);
    expect(faults.join("\n")).toMatch(/step "n" of stack "shop": step\.status is not one of/);
  });

  it("a record that was changed is said where records are read, however far back, and by an export", async () => {
    await at.fill(40);
    tamper(`UPDATE record SET body = replace(body, '"vm-1"', '"vm-2"') WHERE place % 4294967296 = 3`);
    const store = await at.open("read");
    const read = async (lines: AsyncIterable<unknown>): Promise<void> => {
      for await (const _ of lines);
    };
    const said = /record 3 of stack "shop": it was changed after it was written.*ledger import/s;
    await expect(read(store.records({ stack: SHOP }))).rejects.toThrow(said);
    await expect(read(store.records({ stack: SHOP, step: stepName("n"), fromSeq: 2 }))).rejects.toThrow(said);
    await expect(read(store.exportJsonl())).rejects.toThrow(said);
    await read(store.records({ stack: SHOP, fromSeq: 4 }));
  });

  it("a record that is missing where records are read is said with the way out", async () => {
    await at.fill(40);
    tamper("DELETE FROM record WHERE place % 4294967296 = 3");
    const store = await at.open("read");
    const read = async (): Promise<void> => {
      for await (const _ of store.records({ stack: SHOP }));
    };
    await expect(read()).rejects.toThrow(/record 3 of stack "shop": it is missing.*ledger import/s);
  });

  it("a damaged row is named when it is read, and spoils no other", async () => {
    await at.fill(40);
    tamperAndReseal("UPDATE step SET state = '{}'; INSERT INTO step SELECT 99, stack, 'm', 0, '[' FROM step");
    const store = await at.open("write");
    await expect(store.steps(SHOP)).rejects.toMatchObject({ code: "corrupt" });
    await expect(store.commit(increment(SHOP, "n"))).rejects.toThrow(
      /step "n" of stack "shop": step\.step is missing/,
    );
    expect(await store.commit(increment(SHOP, "fresh"))).toBe(1);
  });

  it("a damaged page is corrupt, not a crash", async () => {
    await at.fill(200);
    const bytes = readFileSync(at.path);
    bytes.fill(0xff, 3 * 4096, bytes.length);
    writeFileSync(at.path, bytes);
    expect((await at.fault("write")).code).toBe("corrupt");
  });
});

describe("W2: what a connection would not keep is refused", () => {
  it("journal_mode and synchronous are read back, and anything but WAL and FULL is refused", async () => {
    expect(() => refuseUnsafe("wal", 2, "l.db")).not.toThrow();
    expect(() => refuseUnsafe("wal", 1, "l.db")).toThrow(/synchronous is 1/);
    expect(() => refuseUnsafe("delete", 2, "l.db")).toThrow(/journal_mode is delete/);
    expect(() => refuseUnsafe(undefined, Number.NaN, "l.db")).toThrow(/not keep what it acknowledges/);
  });

  it("a ledger that a tool has taken out of WAL is put back when it is opened to write", async () => {
    await at.fill(1);
    tamper("PRAGMA journal_mode = DELETE");
    await at.fill(1);
    expect(readFileSync(at.path)[18]).toBe(2);
  });

  it("a ledger that was moved or replaced while open takes no more records", async () => {
    await at.fill(1);
    const store = await at.open("write");
    copyFileSync(at.path, `${at.path}.copy`);
    expect(await store.commit(increment(SHOP, "n"))).toBe(2);
    rmSync(at.path);
    await expect(store.commit(increment(SHOP, "n"))).rejects.toMatchObject({
      code: "not-durable",
      maybe: false,
    });
    copyFileSync(`${at.path}.copy`, at.path);
    await expect(store.commit(increment(SHOP, "n"))).rejects.toThrow(/removed or replaced/);
  });
});
