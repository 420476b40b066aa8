import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { increment } from "../../../test/contract/store-increment.ts";
import type { LedgerFolder } from "../../../test/support/ledger-folder.ts";
import { ledgerFolder, SHOP } from "../../../test/support/ledger-folder.ts";
import { stepName } from "../../domain/ids.ts";
import { verifyChain } from "../../wire/chain.ts";

let at: LedgerFolder;
beforeEach(() => {
  at = ledgerFolder();
});
afterEach(() => at.dispose());

describe("ledger backup", () => {
  it("is one consistent state while two writers go on, and a ledger that can be used", async () => {
    await at.fill(20);
    const child = spawn(
      process.execPath,
      [
        fileURLToPath(new URL("../../../test/contract/store-child.ts", import.meta.url)),
        new URL("../../../test/contract/store-sqlite-opener.ts", import.meta.url).href,
        at.path,
        "shop",
        "n",
        "0",
      ],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    await once(child.stdout, "data");
    child.stdout.resume();
    const store = await at.open("write");
    for (const copy of ["one.db", "two.db"]) {
      const before = await store.commit(increment(SHOP, "n"));
      const during = store.commit(increment(SHOP, "n"));
      const path = join(at.folder, copy);
      expect(await store.backup(path)).toEqual({ path });
      const after = await store.commit(increment(SHOP, "n"));
      await during;
      const backup = await at.open("write", { path });
      const seq = (await backup.head(SHOP))?.seq ?? 0;
      expect(seq).toBeGreaterThanOrEqual(before);
      expect(seq).toBeLessThan(after);
      expect((await backup.step(SHOP, stepName("n")))?.attempts).toBe(seq);
      expect(await verifyChain(backup.records({ stack: SHOP }))).toBeNull();
      expect(await backup.checkIntegrity()).toEqual([]);
      expect(backup.ledgerId).toBe(store.ledgerId);
      expect(await backup.commit(increment(SHOP, "n"))).toBe(seq + 1);
      await backup.close();
      expect(statSync(path).mode & 0o777).toBe(0o600);
    }
    child.kill("SIGKILL");
    await once(child, "close");
    expect(readdirSync(at.folder).sort()).toEqual([".asfound", "one.db", "two.db"]);
  });

  it("from a store that only reads, with nobody writing", async () => {
    await at.fill(3);
    const path = join(at.folder, "copy.db");
    const store = await at.open("read");
    expect(await store.backup(path)).toEqual({ path });
    expect((await (await at.open("read", { path })).head(SHOP))?.seq).toBe(3);
  });

  it("overwrites nothing: neither the ledger, nor another file, nor an unfinished backup", async () => {
    await at.fill(3);
    const store = await at.open("write");
    const before = readFileSync(at.path);
    expect(await store.backup(at.path)).toMatchObject({
      fault: expect.stringMatching(/exists, and a backup overwrites nothing/) as string,
    });
    const other = join(at.folder, "other");
    writeFileSync(other, "mine");
    expect(await store.backup(other)).toHaveProperty("fault");
    expect(readFileSync(other, "utf8")).toBe("mine");
    expect(readFileSync(at.path)).toEqual(before);
    writeFileSync(join(at.folder, "b.db.new"), "unfinished");
    await expect(store.backup(join(at.folder, "b.db"))).rejects.toThrow(/b\.db\.new is there, unfinished/);
  });

  it("a copy that is not sound is not kept, and a folder that is not there is said", async () => {
    await at.fill(40);
    const store = await at.open("write");
    const { DatabaseSync } = await import("node:sqlite");
    const db = new DatabaseSync(at.path);
    db.exec("UPDATE record SET body = 'x' WHERE place % 4294967296 = 2");
    db.close();
    const path = join(at.folder, "copy.db");
    expect(await store.backup(path)).toMatchObject({
      fault: expect.stringMatching(/not sound: .*record 2/) as string,
    });
    expect(readdirSync(at.folder)).toEqual([".asfound"]);
    await expect(store.backup(join(at.folder, "no", "copy.db"))).rejects.toThrow(/ENOENT|no such/);
  });
});
