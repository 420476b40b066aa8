import { openSqliteStore } from "../../src/adapters/store-sqlite/store.ts";
import { ledgerId } from "../../src/domain/ids.ts";
import type { Store } from "../../src/ports/store.ts";

/** For `store-child.ts`. */
export const openStore = (path: string): Promise<Store> =>
  openSqliteStore({ path, mode: "create", newLedgerId: () => ledgerId(`lg_child-${process.pid}`) });
