/** A folder of its own for one test's ledger. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SqliteOptions, SqliteStore } from "../../src/adapters/store-sqlite/store.ts";
import { openSqliteStore } from "../../src/adapters/store-sqlite/store.ts";
import { ledgerId, stackName } from "../../src/domain/ids.ts";
import type { Store } from "../../src/ports/store.ts";
import { StoreFault } from "../../src/ports/store.ts";
import { increment } from "../contract/store-increment.ts";

export const SHOP = stackName("shop");

export interface LedgerFolder {
  readonly folder: string;
  readonly path: string;
  open(mode?: SqliteOptions["mode"], options?: Partial<SqliteOptions>): Promise<SqliteStore>;
  /** Makes the ledger with `count` records of the step `n`, and closes it. */
  fill(count: number): Promise<void>;
  /** The fault of opening; fails the test when it opens. */
  fault(mode?: SqliteOptions["mode"], options?: Partial<SqliteOptions>): Promise<StoreFault>;
  dispose(): Promise<void>;
}

export const ledgerFolder = (under: string = tmpdir()): LedgerFolder => {
  const folder = mkdtempSync(join(under, "asfound-ledger-"));
  const path = join(folder, ".asfound", "ledger.db");
  const opened: Store[] = [];
  let made = 0;
  const open: LedgerFolder["open"] = async (mode = "create", options = {}) => {
    made += 1;
    const id = ledgerId(`lg_test-${made}`);
    const store = await openSqliteStore({
      path,
      mode,
      newLedgerId: () => id,
      ...options,
    });
    opened.push(store);
    return store;
  };
  return {
    folder,
    path,
    open,
    fill: async (count) => {
      const store = await open();
      for (let done = 0; done < count; done += 1) await store.commit(increment(SHOP, "n"));
      await store.close();
    },
    fault: async (mode, options) => {
      const answer: unknown = await open(mode, options).catch((error: unknown) => error);
      if (answer instanceof StoreFault) return answer;
      throw answer instanceof Error ? answer : new Error("the ledger opened, and should not have");
    },
    dispose: async () => {
      for (const store of opened) await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
