import { statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { increment } from "../../../test/contract/store-increment.ts";
import type { LedgerFolder } from "../../../test/support/ledger-folder.ts";
import { ledgerFolder, SHOP } from "../../../test/support/ledger-folder.ts";
import type { Migration } from "./migrations.ts";
import { MIGRATIONS } from "./migrations.ts";

let at: LedgerFolder;
beforeEach(() => {
  at = ledgerFolder();
});
afterEach(() => at.dispose());

const later: Migration = { name: "0002-later", sql: () => "ALTER TABLE ledger ADD COLUMN note TEXT" };
const broken: Migration = { name: "0003-broken", sql: () => "CREATE TABLE half (a) STRICT" };
const newer = { migrations: [...MIGRATIONS, later] };

describe("the ledger's schema", () => {
  it("a ledger newer than the program is refused in every mode, with both numbers", async () => {
    await (await at.open("create", newer)).close();
    for (const mode of ["read", "write", "create"] as const) {
      const fault = await at.fault(mode);
      expect(fault.code).toBe("newer");
      expect(fault.message).toMatch(/has schema 2, and this asfound knows schemas up to 1/);
    }
  });

  it("reading an older one never migrates it, and says what does", async () => {
    await at.fill(2);
    const before = statSync(at.path).mtimeMs;
    const fault = await at.fault("read", newer);
    expect(fault.code).toBe("needs-migration");
    expect(fault.message).toMatch(/schema 1 and this asfound needs 2.*a verb that writes/);
    expect(statSync(at.path).mtimeMs).toBe(before);
    expect((await at.open("read")).schema).toBe(1);
  });

  it("opening an older one to write migrates it once, and keeps all that is in it", async () => {
    await at.fill(2);
    const stores = await Promise.all([at.open("write", newer), at.open("write", newer)]);
    for (const store of stores) expect((await store.head(SHOP))?.seq).toBe(2);
    expect(await stores[0]?.commit(increment(SHOP, "n"))).toBe(3);
    for (const store of stores) await store.close();
    expect((await (await at.open("read", newer)).head(SHOP))?.seq).toBe(3);
  });

  it("a migration that fails leaves the ledger as it was", async () => {
    await at.fill(2);
    await at.fault("write", { migrations: [...MIGRATIONS, later, broken] }).catch(() => {});
    const db = new DatabaseSync(at.path, { readOnly: true });
    expect(db.prepare("PRAGMA user_version").get()).toEqual({ user_version: 2 });
    expect(db.prepare("SELECT name FROM sqlite_schema WHERE name = 'half'").all()).toEqual([]);
    db.close();
    expect((await (await at.open("read", newer)).head(SHOP))?.seq).toBe(2);
  });
});
