/** Numbered plain-SQL migrations, forward only. The number of the last one is the ledger's schema. */
import { readFileSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { StoreFault } from "../../ports/store.ts";

export interface Migration {
  readonly name: string;
  sql(): string;
}

const file = (name: string): Migration => ({
  name,
  sql: () => readFileSync(new URL(`./migrations/${name}.sql`, import.meta.url), "utf8"),
});

/** In order; one is never changed once a ledger may have it. */
export const MIGRATIONS: readonly Migration[] = [file("0001-ledger")];

/** "asfd", in the header of every ledger: tells it from other SQLite files. */
export const APPLICATION_ID = 0x61736664;

/** The number of the last migration that this database has had. */
export const schemaOf = (db: DatabaseSync): number => pragma(db, "user_version");

export const pragma = (db: DatabaseSync, name: string): number => {
  const value = Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0];
  return typeof value === "number" ? value : Number.NaN;
};

/** Brings the database up to the last migration, each one in a transaction of its own. */
export const migrate = (db: DatabaseSync, migrations: readonly Migration[]): void => {
  for (let next = schemaOf(db); next < migrations.length; next = schemaOf(db)) {
    db.exec("BEGIN IMMEDIATE");
    try {
      // Another process may have done it while this one waited for the lock.
      if (schemaOf(db) === next) db.exec(`${migrations[next]?.sql()};PRAGMA user_version = ${next + 1}`);
      db.exec("COMMIT");
    } catch (error) {
      if (db.isTransaction) db.exec("ROLLBACK");
      throw error;
    }
  }
};

/** A ledger from a newer program is refused, and an older one where it may not be changed. */
export const refuseOtherSchema = (
  schema: number,
  known: number,
  path: string,
  mayMigrate: boolean,
): StoreFault | undefined => {
  if (schema > known)
    return new StoreFault(
      "newer",
      `the ledger ${path} has schema ${schema}, and this asfound knows schemas up to ${known}; use the newer asfound that wrote it`,
    );
  if (schema < known && !mayMigrate)
    return new StoreFault(
      "needs-migration",
      `the ledger ${path} has schema ${schema} and this asfound needs ${known}; reading never changes a ledger, ` +
        "so run a verb that writes once (`asfound reconcile`), which migrates it, or use the older asfound",
    );
  return undefined;
};
