/**
 * The ledger in one SQLite file (DESIGN §8), by the driver that Node has built in.
 *
 * Laws held here: W2 (what is acknowledged is durable, and a store that cannot say so refuses), and of DESIGN §8:
 * a ledger that exists but cannot be read is an error with a way out, never an empty one; reading verbs leave no file
 * behind and never migrate.
 */
import { resolve } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import type { LedgerId } from "../../domain/ids.ts";
import type { ChainedRecord, RecordFilter, Store } from "../../ports/store.ts";
import { StoreFault } from "../../ports/store.ts";
import type { Committer } from "./commit.ts";
import { openForWriting, refuseForeign } from "./connection.ts";
import { corrupt, openFault, readFault } from "./faults.ts";
import { headsOf, integrityFaults, tailFault } from "./integrity.ts";
import { logFault } from "./log-damage.ts";
import type { Migration } from "./migrations.ts";
import { MIGRATIONS, migrate, refuseOtherSchema, schemaOf } from "./migrations.ts";
import { examine, refuseUnwritable, syncLedgerFolder } from "./place.ts";
import { readHead, readOperations, readStep, readSteps } from "./read-rows.ts";
import type { Reader } from "./reader.ts";
import { openReader } from "./reader.ts";
import { recordsFrom } from "./records.ts";
import type { NumberedHead } from "./rows.ts";
import { operationOf, publicHead } from "./rows.ts";
import type { Statements } from "./statements.ts";
import { prepare } from "./statements.ts";
import { sumOf } from "./sums.ts";
import type { FoldTail } from "./tail.ts";

export interface SqliteOptions {
  readonly path: string;
  /**
   * `read` changes nothing and leaves no file behind; `write` needs a ledger that is there; `create` makes one where
   * there is surely none.
   */
  readonly mode: "read" | "write" | "create";
  /** The id of a ledger that is made. */
  readonly newLedgerId: () => LedgerId;
  /** How long, about, a commit waits for another process's transaction, which lasts milliseconds; 10 s if not said. */
  readonly lockWaitMs?: number;
  /** For tests: the migrations of an asfound of another age. */
  readonly migrations?: readonly Migration[];
}

export interface SqliteStore extends Store {
  readonly schema: number;
  /** Everything is looked at: one sentence for each thing that is wrong. The states' fold is `doctor`'s own matter. */
  checkIntegrity(): Promise<readonly string[]>;
  /** A sound copy in a new file, while writers go on. `fault`: one sentence, nothing was written. */
  backup(toPath: string): Promise<{ readonly path: string } | { readonly fault: string }>;
  /** One state of the ledger as JSON lines, without line breaks; without its last line it is worth nothing. */
  exportJsonl(): AsyncIterable<string>;
  /** Durable transactions so far; several commits may share one. */
  readonly transactions: number;
}

const LOCK_WAIT_MS = 10_000;

/** Records are fetched in steps, so that no read transaction stays open between them. */
const STEP_ROWS = 256;
const STEP_CHARACTERS = 1 << 20;

/** What only writing, moving or making a ledger needs is loaded then. Throws `StoreFault`. */
export const openSqliteStore = async (options: SqliteOptions): Promise<SqliteStore> => {
  const path = resolve(options.path);
  const migrations = options.migrations ?? MIGRATIONS;
  if (examine(path) === "absent") {
    if (options.mode !== "create") throw missing(path);
    const { buildLedger } = await import("./build.ts");
    await buildLedger({ path, ledgerId: options.newLedgerId(), migrations }, () => {});
    examine(path);
  }
  return options.mode === "read"
    ? openToRead(path, migrations)
    : openToWrite(path, migrations, options.lockWaitMs ?? LOCK_WAIT_MS);
};

const openToRead = (path: string, migrations: readonly Migration[]): SqliteStore => {
  const reader = readerOf(path, migrations);
  return assembled(path, migrations.length, reader, null);
};

const readerOf = (path: string, migrations: readonly Migration[]): Reader =>
  openReader(path, (db) => {
    refuseForeign(db, path);
    const other = refuseOtherSchema(schemaOf(db), migrations.length, path, false);
    if (other !== undefined) throw other;
  });

/** What a store that writes has beside its reading side. */
interface Writer {
  readonly committer: Committer;
  close(): void;
}

const openToWrite = async (
  path: string,
  migrations: readonly Migration[],
  lockWaitMs: number,
): Promise<SqliteStore> => {
  const { openCommitter } = await import("./commit.ts");
  let db: ReturnType<typeof openForWriting>;
  refuseUnwritable(path);
  const broken = logFault(path);
  if (broken !== null) throw corrupt(path, broken);
  try {
    db = openForWriting(path);
  } catch (error) {
    throw openFault(error, path);
  }
  try {
    refuseForeign(db, path);
    const other = refuseOtherSchema(schemaOf(db), migrations.length, path, true);
    if (other !== undefined) throw other;
    migrate(db, migrations);
    // The log is there since the first look at the database.
    syncLedgerFolder(path);
    const statements = prepare(db);
    const reader: Reader = {
      how: "shared",
      read: (look) => {
        try {
          return look(statements, db);
        } catch (error) {
          throw readFault(error, path);
        }
      },
      // This connection's own transactions must not be part of a long reading.
      snapshot: () => {
        const own = readerOf(path, migrations);
        const snapshot = own.snapshot();
        own.close();
        return snapshot;
      },
      close: () => {},
    };
    const committer = openCommitter(db, statements, path, lockWaitMs);
    return assembled(path, migrations.length, reader, { committer, close: () => db.close() });
  } catch (error) {
    db.close();
    throw openFault(error, path);
  }
};

const assembled = (path: string, schema: number, reader: Reader, writer: Writer | null): SqliteStore => {
  try {
    const ledgerId = reader.read(asOne(ledgerIdOf(path)));
    return storeOver(path, schema, ledgerId, reader, writer);
  } catch (error) {
    reader.close();
    throw error;
  }
};

/**
 * Several readings that are compared with each other see one state: between a stack's row and its last record another
 * process may commit, and a sound ledger would look damaged.
 */
const asOne =
  <T>(look: (statements: Statements, db: DatabaseSync) => T) =>
  (statements: Statements, db: DatabaseSync): T => {
    db.exec("BEGIN");
    try {
      return look(statements, db);
    } finally {
      db.exec("COMMIT");
    }
  };

/** Read first, together with the tail of every chain. */
const ledgerIdOf =
  (path: string) =>
  (statements: Statements): LedgerId => {
    const row = statements.readLedgerId.get();
    const id = row?.["id"];
    if (typeof id !== "string" || sumOf(id) !== row?.["sum"])
      throw corrupt(path, "it does not say which ledger it is");
    const fault = tailFault(statements);
    if (fault !== null) throw corrupt(path, fault);
    return id as LedgerId;
  };

const storeOver = (
  path: string,
  schema: number,
  ledgerId: LedgerId,
  reader: Reader,
  writer: Writer | null,
): SqliteStore => {
  const { read } = reader;
  let closed = false;
  let fold: FoldTail | null = null;
  /** The fold is loaded where there is a tail: mostly a question meets none, and has no time for it. */
  const folding = async <T>(
    look: (statements: Statements, fold: FoldTail | null) => T | undefined,
  ): Promise<T> => {
    const answer = read(asOne((statements) => look(statements, fold)));
    if (answer !== undefined) return answer;
    const { foldTail } = await import("./tail.ts");
    fold = foldTail;
    return read(asOne((statements) => look(statements, foldTail))) as T;
  };
  return {
    ledgerId,
    location: path,
    schema,
    readOnly: writer === null,
    get transactions() {
      return writer === null ? 0 : writer.committer.transactions;
    },
    commit: async (request) => {
      if (writer === null) throw openedToRead(path);
      if (closed) throw new StoreFault("not-durable", `the ledger ${path} was closed before this commit`);
      return writer.committer.commit(request);
    },
    head: async (stack) =>
      read((statements) => {
        const head = readHead(statements, stack, writer?.committer.readHeadRow);
        return head === null ? null : publicHead(head);
      }),
    stacks: async () => read((statements) => headsOf(statements).map(publicHead)),
    steps: (stack) => folding((statements, fold) => readSteps(statements, readHead(statements, stack), fold)),
    step: (stack, step) =>
      folding((statements, fold) => readStep(statements, readHead(statements, stack), step, fold)),
    operation: async (id) =>
      read((statements) => {
        const row = statements.readOperation.get(id);
        return row === undefined ? null : operationOf(row);
      }),
    operations: async (stack, limit) =>
      read(asOne((statements) => readOperations(statements, readHead(statements, stack), limit))),
    records: (filter) => streamed(reader, filter),
    checkIntegrity: async () => read(asOne(integrityFaults)),
    backup: async (toPath) => (await import("./backup.ts")).backupTo(reader, resolve(toPath)),
    exportJsonl: async function* () {
      const { exportFrom } = await import("./transfer.ts");
      yield* exportFrom(reader, path, { ledgerId, schema });
    },
    close: async () => {
      if (closed) return;
      closed = true;
      await writer?.committer.idle();
      reader.close();
      writer?.close();
    },
  };
};

async function* streamed(reader: Reader, filter: RecordFilter): AsyncIterable<ChainedRecord> {
  const head = reader.read((statements) => readHead(statements, filter.stack));
  if (head === null) return;
  // What is appended while this runs belongs to the next question.
  for (let from = Math.max(1, filter.fromSeq ?? 1); from <= head.seq; ) {
    const step = reader.read((statements) => fetchStep(statements, head, from, filter));
    yield* step.records;
    from = step.next;
  }
}

const fetchStep = (
  statements: Statements,
  head: NumberedHead,
  from: number,
  filter: RecordFilter,
): { readonly records: readonly ChainedRecord[]; readonly next: number } => {
  const records: ChainedRecord[] = [];
  let sum = 0;
  for (const { characters, ...record } of recordsFrom(statements, head, from, filter)) {
    records.push(record);
    sum += characters;
    if (records.length >= STEP_ROWS || sum >= STEP_CHARACTERS) return { records, next: record.seq + 1 };
  }
  return { records, next: head.seq + 1 };
};

const missing = (path: string): StoreFault =>
  new StoreFault(
    "missing",
    `there is no ledger at ${path}; name the right one with --ledger, or run \`asfound apply\` to begin one`,
  );

const openedToRead = (path: string): StoreFault =>
  new StoreFault("read-only", `nothing was recorded: the ledger ${path} was opened for reading only`);
