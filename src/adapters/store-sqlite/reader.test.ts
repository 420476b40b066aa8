import { createHash } from "node:crypto";
import { copyFileSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { increment } from "../../../test/contract/store-increment.ts";
import type { LedgerFolder } from "../../../test/support/ledger-folder.ts";
import { ledgerFolder, SHOP } from "../../../test/support/ledger-folder.ts";
import { stepName } from "../../domain/ids.ts";
import { openReader } from "./reader.ts";
import type { SqliteStore } from "./store.ts";

let at: LedgerFolder;
beforeEach(() => {
  at = ledgerFolder();
});
afterEach(() => at.dispose());

/** Every file of the folder with its content. */
const picture = (): Record<string, string> => {
  const folder = dirname(at.path);
  const digest = (name: string) =>
    createHash("sha256")
      .update(readFileSync(join(folder, name)))
      .digest("hex");
  return Object.fromEntries(readdirSync(folder).map((name) => [name, digest(name)]));
};

const readAll = async (store: SqliteStore): Promise<number | undefined> => {
  let records = 0;
  for await (const _ of store.records({ stack: SHOP })) records += 1;
  const step = await store.step(SHOP, stepName("n"));
  expect(records).toBe(step?.attempts);
  return step?.attempts;
};

/** A ledger whose writer died: its log holds rows that the file does not. */
const crashed = async (rows: number): Promise<void> => {
  const source = ledgerFolder();
  const store = await source.open();
  for (let done = 0; done < rows; done += 1) await store.commit(increment(SHOP, "n"));
  mkdirSync(dirname(at.path));
  for (const end of ["", "-wal", "-shm"]) copyFileSync(`${source.path}${end}`, `${at.path}${end}`);
  await source.dispose();
};

describe("reading leaves no file behind and changes none", () => {
  it("when nobody writes", async () => {
    await at.fill(3);
    const before = picture();
    const store = await at.open("read");
    expect(await readAll(store)).toBe(3);
    expect(await store.checkIntegrity()).toEqual([]);
    expect(picture()).toEqual(before);
    await store.close();
    expect(picture()).toEqual(before);
    expect(Object.keys(before).sort()).toEqual([".gitignore", "ledger.db"]);
  });

  it("control: an ordinary read-only connection would have left two files", async () => {
    await at.fill(3);
    const db = new DatabaseSync(at.path, { readOnly: true });
    db.prepare("SELECT * FROM stack").all();
    db.close();
    expect(Object.keys(picture()).sort()).toEqual([
      ".gitignore",
      "ledger.db",
      "ledger.db-shm",
      "ledger.db-wal",
    ]);
  });

  it("while a writer lives: it sees each acknowledged row, and makes nothing new", async () => {
    const writer = await at.open();
    await writer.commit(increment(SHOP, "n"));
    const reader = await at.open("read");
    expect(await readAll(reader)).toBe(1);
    await writer.commit(increment(SHOP, "n"));
    expect(await readAll(reader)).toBe(2);
    await reader.close();
    expect(readdirSync(dirname(at.path)).sort()).toEqual([
      ".gitignore",
      "ledger.db",
      "ledger.db-shm",
      "ledger.db-wal",
    ]);
    await writer.close();
    expect(readdirSync(dirname(at.path)).sort()).toEqual([".gitignore", "ledger.db"]);
  });

  it("after a writer died: the rows in its log are seen, and the log stays for the next writer", async () => {
    await crashed(5);
    const names = Object.keys(picture()).sort();
    const reader = await at.open("read");
    expect(await readAll(reader)).toBe(5);
    await reader.close();
    expect(Object.keys(picture()).sort()).toEqual(names);
    expect(lstatSync(`${at.path}-wal`).size).toBeGreaterThan(0);
    expect(await readAll(await at.open("write"))).toBe(5);
  });

  it("after a power cut that lost the log's index: read from a private copy, and nothing here is touched", async () => {
    await crashed(5);
    rmSync(`${at.path}-shm`);
    const before = picture();
    const reader = await at.open("read");
    expect(await readAll(reader)).toBe(5);
    await reader.close();
    expect(picture()).toEqual(before);
  });
});

describe("a reader that holds no lock notices what changes below it", () => {
  it("a writer that comes, commits and goes: the next answer is the new one, never a mixture", async () => {
    await at.fill(1);
    const reader = await at.open("read");
    for (let round = 2; round <= 6; round += 1) {
      await at.fill(1);
      expect(await readAll(reader)).toBe(round);
    }
    const writer = await at.open("write");
    await writer.commit(increment(SHOP, "n"));
    expect(await readAll(reader)).toBe(7);
    await writer.commit(increment(SHOP, "n"));
    expect(await readAll(reader)).toBe(8);
  });

  it("one that changes during the reading makes it run again; always changing ends in a clear fault", async () => {
    await at.fill(1);
    const count = (db: DatabaseSync) =>
      Object.values(db.prepare("SELECT count(*) FROM record").get() ?? {})[0];
    const write = () => {
      const db = new DatabaseSync(at.path);
      db.exec("INSERT INTO record VALUES ((SELECT max(place) + 1 FROM record), 's', 'o', 'h', 'b')");
      db.close();
    };
    const reader = openReader(at.path, () => {});
    expect(reader.how).toBe("still");
    let runs = 0;
    const seen = reader.read((_, db) => {
      runs += 1;
      const found = count(db);
      if (runs === 1) write();
      return found;
    });
    expect([runs, seen]).toEqual([2, 2]);
    expect(() => reader.read(() => write())).toThrow(/changed at every try/);
    reader.close();
  });
});
