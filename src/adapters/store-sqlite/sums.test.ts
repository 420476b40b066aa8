import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { imported, lease, operation } from "../../../test/contract/journal-samples.ts";
import { countOf, countUp } from "../../../test/contract/store-increment.ts";
import type { LedgerFolder } from "../../../test/support/ledger-folder.ts";
import { ledgerFolder, SHOP } from "../../../test/support/ledger-folder.ts";
import { tamper } from "../../../test/support/tamper.ts";
import { advance } from "../../domain/fold.ts";
import { operationId, stepName } from "../../domain/ids.ts";
import type { StepState } from "../../domain/state.ts";
import type { Write } from "../../ports/store.ts";
import type { SqliteStore } from "./store.ts";
import { importSqliteLedger } from "./transfer.ts";

let at: LedgerFolder;
/** Rows as they once were, by table: with sums that fitted then. */
const OLD = "old";

beforeEach(async () => {
  at = ledgerFolder();
  const store = await at.open();
  const write = (written: Partial<Write>) =>
    store.commit({
      stack: SHOP,
      steps: "all",
      decide: () => ({ value: null, write: { records: [], steps: [], ...written } }),
    });
  await store.commit(countUp(SHOP, "vm"));
  await write({ stack: { lease: lease("op_1", 1), epoch: 1 }, operation: operation("op_1", "shop") });
  for (const step of ["vm", "web", "db", "vm"]) await store.commit(countUp(SHOP, step));
  await write({ stack: { lease: null, epoch: 1 }, operation: operation("op_2", "shop") });
  tamper(
    at.path,
    ["step", "operation"].map((table) => `CREATE TABLE ${OLD}_${table} AS SELECT * FROM ${table}`).join(";"),
  );
  const changed = { ...imported("vm", "9"), reason: "again" };
  const vm = advance((await store.step(SHOP, stepName("vm"))) as StepState, changed);
  await write({
    records: [changed],
    steps: [vm],
    stack: { lease: lease("op_3", 3), epoch: 3 },
    operation: operation("op_2", "shop", "ended"),
  });
  await write({ operation: operation("op_3", "shop") });
  await store.close();
});
afterEach(() => at.dispose());

const states = (store: SqliteStore) => store.steps(SHOP);
const oneState = (store: SqliteStore) => store.step(SHOP, stepName("vm"));
const decided = (store: SqliteStore) => store.commit(countUp(SHOP, "vm"));
const all = (store: SqliteStore) => store.operations(SHOP, 99);
const newest = (store: SqliteStore) => store.operations(SHOP, 1);
const oneOperation = (store: SqliteStore) => store.operation(operationId("op_2"));
const exported = async (store: SqliteStore): Promise<string[]> => {
  const lines: string[] = [];
  for await (const line of store.exportJsonl()) lines.push(line);
  return lines;
};

interface Damage {
  readonly sql: string;
  readonly says: RegExp;
  /** Who finds it; "opening" for everybody. */
  readonly by: "opening" | readonly ((store: SqliteStore) => Promise<unknown>)[];
}

const NOT_AS_WRITTEN = "its row does not hold what was written";
const STATES_ANEW = "made again from its records: `asfound ledger export";

const DAMAGES: Readonly<Record<string, Damage>> = {
  "another id in a step's row": {
    sql: `UPDATE step SET state = replace(state, '"id":"9"', '"id":"8"') WHERE name = 'vm'`,
    says: new RegExp(`step "vm" of stack "shop": ${NOT_AS_WRITTEN}.*${STATES_ANEW}`, "s"),
    by: [states, oneState, decided],
  },
  "a step's row under another name": {
    sql: "UPDATE step SET name = 'vn' WHERE name = 'vm'",
    says: new RegExp(`step "vn" of stack "shop": ${NOT_AS_WRITTEN}`),
    by: [states],
  },
  "a step's row lost": {
    sql: "DELETE FROM step WHERE name = 'web'",
    says: new RegExp(`stack "shop": it has 3 steps, and 2 are there.*${STATES_ANEW}`, "s"),
    by: [states],
  },
  "the rows of all steps lost": {
    sql: "DELETE FROM step",
    says: /stack "shop": it has 3 steps, and 0 are there/,
    by: [states],
  },
  "a step's row doubled under another stack": {
    sql: "INSERT INTO step SELECT number + 10, stack + 1, name, sum, state FROM step WHERE name = 'vm'",
    says: /1 steps belong to no stack/,
    by: [],
  },
  "a step's row as it once was": {
    sql: `DELETE FROM step WHERE name = 'vm'; INSERT INTO step SELECT * FROM ${OLD}_step WHERE name = 'vm'`,
    says: /one or more of its steps are as they were before/,
    by: [states],
  },
  "other words in an operation's row": {
    sql: `UPDATE operation SET body = replace(body, '"ended"', '"endet"')`,
    says: new RegExp(`operation "op_2": ${NOT_AS_WRITTEN}.*ledger backup`, "s"),
    by: [all, oneOperation, exported],
  },
  "an operation's row lost": {
    sql: "DELETE FROM operation WHERE id = 'op_2'",
    says: /stack "shop": it has 3 operations, and 2 are there/,
    by: [all, newest, exported],
  },
  "an operation's row as it once was": {
    sql: `UPDATE operation SET (sum, body) = (SELECT sum, body FROM ${OLD}_operation AS old WHERE old.id = operation.id) WHERE id = 'op_2'`,
    says: /one or more of its operations are as they were before/,
    by: [all, exported],
  },
  "an operation under another stack": {
    sql: "UPDATE operation SET stack = stack + 1 WHERE id = 'op_2'",
    says: /it has 3 operations, and 2 are there/,
    by: [all, newest],
  },
  ...Object.fromEntries(
    [
      "epoch = epoch - 1",
      "lease = NULL",
      "lease = replace(lease, 'build-7', 'build-8')",
      "folded = folded - 1",
      "id = 'st_other'",
      "seq = seq + 1",
      "steps = steps - 1",
      "operation_sum = operation_sum + 1",
      "sum = sum + 1",
    ].map((change): [string, Damage] => [
      `in a stack's row: ${change}`,
      {
        sql: `UPDATE stack SET ${change}`,
        says: new RegExp(`stack "shop": ${NOT_AS_WRITTEN}.*ledger backup`, "s"),
        by: "opening",
      },
    ]),
  ),
  "another ledger's id": {
    sql: "UPDATE ledger SET id = 'lg_test-2'",
    says: /it does not say which ledger it is.*ledger backup/s,
    by: "opening",
  },
};

describe("rows outside of the chain carry sums, checked by whoever reads them", () => {
  for (const [what, { sql, says, by }] of Object.entries(DAMAGES))
    it(`${what}: refused, naming the row and the way out`, async () => {
      tamper(at.path, sql);
      if (by === "opening") {
        for (const mode of ["read", "write", "create"] as const) {
          const fault = await at.fault(mode);
          expect(fault.code).toBe("corrupt");
          expect(fault.message).toMatch(says);
        }
        return;
      }
      const store = await at.open("write");
      for (const look of by) {
        const answer = look(store);
        await expect(answer, look.name).rejects.toMatchObject({ code: "corrupt" });
        await expect(answer, look.name).rejects.toThrow(says);
      }
      const faults = await (await at.open("read")).checkIntegrity();
      expect(faults.join("\n")).toMatch(says);
    });

  it("control: undamaged, all of them answer, in every mode", async () => {
    for (const mode of ["read", "write"] as const) {
      const store = await at.open(mode);
      for (const look of [states, oneState, all, newest, oneOperation, exported])
        expect(await look(store), look.name).toBeTruthy();
      expect(countOf(await oneState(store))).toBe(9);
      expect((await all(store)).map(({ id, summary }) => [id, summary])).toEqual([
        ["op_3", null],
        ["op_2", "ended"],
        ["op_1", null],
      ]);
      expect(await store.checkIntegrity()).toEqual([]);
    }
  });

  it("control: the sums are those that are written down; who makes them agree again is not found by them", async () => {
    const sums = () => {
      const db = new DatabaseSync(at.path);
      const found = ["ledger", "stack", "step", "operation"].map((table) =>
        db.prepare(`SELECT * FROM ${table}`).all(),
      );
      db.close();
      return found;
    };
    const before = sums();
    tamper(at.path, "", "resealed");
    expect(sums()).toEqual(before);
    tamper(
      at.path,
      "UPDATE stack SET epoch = epoch - 1; DELETE FROM operation WHERE id = 'op_2'",
      "resealed",
    );
    const store = await at.open("read");
    expect(await store.checkIntegrity()).toEqual([]);
    expect((await all(store)).map(({ id }) => id)).toEqual(["op_3", "op_1"]);
  });

  it("the way out holds: an export of a ledger whose steps' rows are damaged or lost has all states, made again", async () => {
    const due = await states(await at.open("read"));
    for (const sql of [DAMAGES["another id in a step's row"]?.sql, "DELETE FROM step"]) {
      tamper(at.path, sql as string);
      const damaged = await at.open("read");
      await expect(states(damaged)).rejects.toMatchObject({ code: "corrupt" });
      const path = `${at.folder}/again-${sql?.length}.db`;
      expect(await importSqliteLedger(await exported(damaged), { path, fold: advance })).toMatchObject({
        stacks: 1,
        operations: 3,
      });
      const again = await at.open("write", { path });
      expect(await states(again)).toEqual(due);
      expect(await again.checkIntegrity()).toEqual([]);
      expect(await again.commit(countUp(SHOP, "vm"))).toBe(10);
    }
  });
});
