/**
 * Connections. One that writes has `journal_mode=WAL` and `synchronous=FULL`, and both are read back: a database that
 * would not keep what it acknowledged is refused (DESIGN §8).
 */
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { StoreFault } from "../../ports/store.ts";
import { corrupt } from "./faults.ts";
import { APPLICATION_ID, pragma } from "./migrations.ts";

/** How long one wait for a lock may hold up the event loop; `commit.ts` waits several times. */
export const LOCK_SLICE_MS = 250;

const FULL = 2;

/** `parameters` are SQLite's own: https://www.sqlite.org/uri.html */
export const openDatabase = (
  path: string,
  parameters: Record<string, string>,
  readOnly: boolean,
): DatabaseSync => {
  const url = pathToFileURL(path);
  for (const [key, value] of Object.entries(parameters)) url.searchParams.set(key, value);
  return new DatabaseSync(url, { readOnly, timeout: LOCK_SLICE_MS, enableForeignKeyConstraints: false });
};

/** An existing file, for writing. Never makes one. */
export const openForWriting = (path: string): DatabaseSync => {
  const db = openDatabase(path, { mode: "rw" }, false);
  try {
    makeDurable(db, path);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
};

export const makeDurable = (db: DatabaseSync, path: string): void => {
  // fullfsync: on macOS an ordinary fsync leaves the data in the drive's cache. Elsewhere it says nothing.
  db.exec(
    "PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON",
  );
  // To its end: the row that says "wal" comes before the file's header is written, and that may fail.
  db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
  const mode = db.prepare("PRAGMA journal_mode").get()?.["journal_mode"];
  refuseUnsafe(mode, pragma(db, "synchronous"), path);
};

/** Reads back what was asked for. */
export const refuseUnsafe = (journalMode: unknown, synchronous: number, path: string): void => {
  if (journalMode === "wal" && synchronous === FULL) return;
  throw new StoreFault(
    "not-durable",
    `the ledger ${path} would not keep what it acknowledges: journal_mode is ${String(journalMode)} (wal is needed), ` +
      `synchronous is ${synchronous} (${FULL} is needed); name a ledger on another disk with --ledger`,
  );
};

export const refuseForeign = (db: DatabaseSync, path: string): void => {
  if (pragma(db, "application_id") !== APPLICATION_ID)
    throw corrupt(path, "it is an SQLite database, but not one that asfound made");
};
