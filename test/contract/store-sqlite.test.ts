import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteStore } from "../../src/adapters/store-sqlite/store.ts";
import { ledgerId } from "../../src/domain/ids.ts";
import type { Store } from "../../src/ports/store.ts";
import { type StoreHarness, storeContract } from "./store.ts";
import { lateRowsContract } from "./store-late-rows.ts";

const harness = async (): Promise<StoreHarness> => {
  const folder = mkdtempSync(join(tmpdir(), "asfound-store-"));
  const path = join(folder, ".asfound", "ledger.db");
  const opened: Store[] = [];
  return {
    open: async (mode) => {
      const newLedgerId = () => ledgerId("lg_contract");
      const store = await openSqliteStore({ path, mode: mode === "read" ? "read" : "create", newLedgerId });
      opened.push(store);
      return store;
    },
    child: { opener: new URL("store-sqlite-opener.ts", import.meta.url).href, target: path },
    dispose: async () => {
      for (const store of opened) await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
storeContract("store-sqlite", harness);
lateRowsContract("store-sqlite", harness);
