/**
 * Reading without leaving a trace. A read-only SQLite connection to a WAL database makes `-wal` and `-shm` files if
 * they are not there, and cannot remove them. So how a ledger is opened depends on what lies beside it:
 *
 * - `shared`  both files are there (a writer lives, or died): an ordinary read-only connection, which makes nothing new.
 * - `still`   no log: everything is in the one file, opened as immutable. SQLite then takes no locks, so a writer may
 *             come and change the file below us; each reading is therefore bracketed by a look at the files, and done
 *             again on a fresh connection when they changed.
 * - `copied`  a log without its index (a copy, or after a power cut): both are copied to a private folder and read there.
 */
import { copyFileSync, lstatSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { StoreFault } from "../../ports/store.ts";
import { openDatabase } from "./connection.ts";
import { corrupt, readFault, sqliteCode } from "./faults.ts";
import { logFault } from "./log-damage.ts";
import type { Statements } from "./statements.ts";
import { prepare } from "./statements.ts";

const TRIES = 5;

interface Access {
  readonly how: "shared" | "still" | "copied";
  readonly db: DatabaseSync;
  readonly statements: Statements;
  /** What the files looked like; null where SQLite's own locks guard the reading. */
  readonly seen: string | null;
  close(): void;
}

export interface Reader {
  /** Runs `look` so that it saw one state of the ledger. It may run again, and must be free of effects. */
  read<T>(look: (statements: Statements, db: DatabaseSync) => T): T;
  /** A connection of its own inside one read transaction, for long readings. `unchanged` must hold at its end. */
  snapshot(): {
    readonly statements: Statements;
    readonly db: DatabaseSync;
    unchanged(): boolean;
    close(): void;
  };
  readonly how: Access["how"];
  close(): void;
}

/** `check` looks at each fresh connection (schema, ledger id) and throws `StoreFault`. */
export const openReader = (path: string, check: (db: DatabaseSync) => void): Reader => {
  const fresh = (): Access => {
    const access = openAccess(path, check);
    return access;
  };
  let access = retried(path, fresh);
  const read = <T>(look: (statements: Statements, db: DatabaseSync) => T): T => {
    for (let tried = 1; ; tried += 1) {
      let result: { readonly value: T } | { readonly error: unknown };
      try {
        result = { value: look(access.statements, access.db) };
      } catch (error) {
        result = { error };
      }
      if (access.seen === null || access.seen === lookOf(path)) {
        if ("value" in result) return result.value;
        throw readFault(result.error, path);
      }
      if (tried === TRIES) throw changing(path);
      access.close();
      access = retried(path, fresh);
    }
  };
  return {
    read,
    snapshot: () => {
      const own = retried(path, fresh);
      own.db.exec("BEGIN");
      // The transaction's snapshot is taken by the first reading.
      own.statements.readLedgerId.get();
      return {
        statements: own.statements,
        db: own.db,
        unchanged: () => own.seen === null || own.seen === lookOf(path),
        close: own.close,
      };
    },
    get how() {
      return access.how;
    },
    close: () => access.close(),
  };
};

/** Opening too may meet a writer that comes or goes. */
const retried = (path: string, fresh: () => Access): Access => {
  for (let tried = 1; ; tried += 1) {
    const before = lookOf(path);
    try {
      return fresh();
    } catch (error) {
      if (tried < TRIES && sqliteCode(error) !== undefined && before !== lookOf(path)) continue;
      throw readFault(error, path);
    }
  }
};

const openAccess = (path: string, check: (db: DatabaseSync) => void): Access => {
  const broken = logFault(path);
  if (broken !== null) throw corrupt(path, broken);
  const log = sizeOf(`${path}-wal`);
  const index = sizeOf(`${path}-shm`);
  if (log !== null && index !== null) return connect("shared", path, { mode: "ro" }, null, check, () => {});
  const seen = lookOf(path);
  if (log === null || log === 0)
    return connect("still", path, { mode: "ro", immutable: "1" }, seen, check, () => {});
  const folder = mkdtempSync(join(tmpdir(), "asfound-read-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const copy = join(folder, "ledger.db");
    copyFileSync(path, copy);
    copyFileSync(`${path}-wal`, `${copy}-wal`);
    return connect("copied", copy, { mode: "ro" }, seen, check, remove);
  } catch (error) {
    remove();
    throw error;
  }
};

const connect = (
  how: Access["how"],
  path: string,
  parameters: Record<string, string>,
  seen: string | null,
  check: (db: DatabaseSync) => void,
  after: () => void,
): Access => {
  const db = openDatabase(path, parameters, true);
  try {
    db.exec("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA query_only = ON");
    check(db);
    const statements = prepare(db);
    return {
      how,
      db,
      statements,
      seen,
      close: () => {
        db.close();
        after();
      },
    };
  } catch (error) {
    db.close();
    throw error;
  }
};

/** A fingerprint of the files: any write to the database file, and any log that appears, changes it. */
const lookOf = (path: string): string => {
  const file = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  const log = lstatSync(`${path}-wal`, { bigint: true, throwIfNoEntry: false });
  const main =
    file === undefined ? "gone" : `${file.dev}:${file.ino}:${file.size}:${file.mtimeNs}:${file.ctimeNs}`;
  return log === undefined || log.size === 0n
    ? `${main} no log`
    : `${main} ${log.ino}:${log.size}:${log.mtimeNs}`;
};

const sizeOf = (path: string): number | null => lstatSync(path, { throwIfNoEntry: false })?.size ?? null;

const changing = (path: string): StoreFault =>
  new StoreFault(
    "busy",
    `the ledger ${path} changed at every try to read it; run again when its writer is done`,
  );
