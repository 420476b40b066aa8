/**
 * A new ledger comes into being whole: made under another name in the same folder, filled, synced, then linked into
 * place. Who looks sees no ledger, or a finished one.
 */

import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import type { LedgerId } from "../../domain/ids.ts";
import { makeDurable, openDatabase } from "./connection.ts";
import { fileFault, sqliteCode, writeFault } from "./faults.ts";
import type { Migration } from "./migrations.ts";
import { APPLICATION_ID, migrate } from "./migrations.ts";
import { discard, makeEmpty, makeFolder, putInPlace, refuseNetwork } from "./place.ts";
import type { Statements } from "./statements.ts";
import { prepare } from "./statements.ts";
import { sumOf } from "./sums.ts";

export interface NewLedger {
  readonly path: string;
  readonly ledgerId: LedgerId;
  readonly migrations: readonly Migration[];
}

/**
 * Makes the ledger, with what `fill` puts into it in one transaction. "taken" when there is one of that name by then:
 * it stays as it is. Throws `StoreFault`, and what `fill` throws; then there is no ledger.
 */
export const buildLedger = async (
  { path, ledgerId, migrations }: NewLedger,
  fill: (statements: Statements) => void | Promise<void>,
): Promise<"placed" | "taken"> => {
  makeFolder(path);
  refuseNetwork(dirname(path));
  const unfinished = `${path}.${ledgerId}.new`;
  makeEmpty(unfinished);
  try {
    const db = openDatabase(unfinished, { mode: "rw" }, false);
    try {
      await furnish(db, unfinished, ledgerId, migrations, fill);
      // Closing moves the log into the file as well, but does not say when that failed: the log is discarded, and with
      // it what only the log held.
      db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    } finally {
      db.close();
    }
    return putInPlace(unfinished, path);
  } catch (error) {
    throw sqliteCode(error) === undefined
      ? fileFault(error, path, "writing")
      : writeFault(error, path, false);
  } finally {
    discard(unfinished);
  }
};

const furnish = async (
  db: DatabaseSync,
  unfinished: string,
  ledgerId: LedgerId,
  migrations: readonly Migration[],
  fill: (statements: Statements) => void | Promise<void>,
): Promise<void> => {
  makeDurable(db, unfinished);
  db.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
  migrate(db, migrations);
  const statements = prepare(db);
  db.exec("BEGIN IMMEDIATE");
  statements.writeLedgerId.run(ledgerId, sumOf(ledgerId));
  await fill(statements);
  db.exec("COMMIT");
};
