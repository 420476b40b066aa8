/**
 * The one writer: commits, grouped. Requests that are waiting when a transaction begins share it, and with it the
 * fsync. Each is decided in order, over what those before it wrote; one whose `decide` throws fails alone, and when
 * the COMMIT fails, all fail.
 *
 * W2: a COMMIT that met an I/O error leaves the store unfit. SQLite has rolled back, but the frames may be on the disk
 * and come back at the next recovery, and after a failed fsync the kernel may have dropped what it could not write;
 * so nobody may go on as if nothing had happened.
 */
import { statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import type { CommitRequest } from "../../ports/store.ts";
import { StoreFault } from "../../ports/store.ts";
import { LOCK_SLICE_MS } from "./connection.ts";
import { isBusy, isFailedSync, isIoError, writeFault } from "./faults.ts";
import { openKnown } from "./known.ts";
import type { ReadHeadRow } from "./rows.ts";
import type { Statements } from "./statements.ts";
import type { Heads } from "./write.ts";
import { apply, decide, writeHeads } from "./write.ts";

/** Between two waits for the lock (`LOCK_SLICE_MS` each) the event loop runs: signals, heartbeats. */
const LOCK_PAUSE_MS = 5;

interface Waiting {
  readonly request: CommitRequest<unknown>;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

export interface Committer {
  commit<T>(request: CommitRequest<T>): Promise<T>;
  /** Settles when nothing is waiting any more. */
  idle(): Promise<void>;
  /** Spares what this writer has just written. */
  readonly readHeadRow: ReadHeadRow;
  /** Transactions that wrote something, for tests and `doctor`. */
  readonly transactions: number;
}

/** `lockWaitMs`: how long, about, a transaction of another process is waited for. */
export const openCommitter = (
  db: DatabaseSync,
  statements: Statements,
  path: string,
  lockWaitMs: number,
): Committer => {
  const lockTries = Math.ceil(lockWaitMs / LOCK_SLICE_MS);
  const begin = db.prepare("BEGIN IMMEDIATE");
  const end = db.prepare("COMMIT");
  const identity = identityOf(path);
  const known = openKnown();
  const waiting: Waiting[] = [];
  let running: Promise<void> | null = null;
  let unfit: StoreFault | null = null;
  let transactions = 0;

  const run = async (): Promise<void> => {
    // One turn of the event loop: who else is about to ask joins this transaction.
    await new Promise(setImmediate);
    while (waiting.length > 0) {
      try {
        if (unfit !== null) throw again(unfit);
        if (identityOf(path) !== identity) throw replaced(path);
        await beginImmediate(begin, lockTries);
      } catch (error) {
        failAll(waiting.splice(0), writeFault(error, path, false));
        continue;
      }
      transact(waiting.splice(0));
    }
    running = null;
  };

  /** Synchronous from BEGIN to COMMIT, so nothing on this connection reads what is not yet there. */
  const transact = (batch: readonly Waiting[]): void => {
    const settled: (() => void)[] = [];
    const heads: Heads = new Map();
    let wrote = false;
    let committing = false;
    try {
      for (const one of batch) {
        const decided = decide(statements, known, heads, one.request, path);
        if ("error" in decided) {
          settled.push(() => one.reject(decided.error));
          continue;
        }
        if (decided.prepared !== null) {
          apply(statements, known, heads, decided.prepared);
          wrote = true;
        }
        settled.push(() => one.resolve(decided.value));
      }
      if (wrote) {
        writeHeads(statements, known, heads);
        committing = true;
        end.run();
        transactions += 1;
      } else db.exec("ROLLBACK");
    } catch (error) {
      const isUnfit = (committing && isIoError(error)) || isFailedSync(error);
      const fault = writeFault(error, path, isUnfit);
      if (isUnfit) unfit = fault as StoreFault;
      known.clear();
      rollBack(db, (why) => {
        unfit ??= writeFault(why, path, true) as StoreFault;
      });
      failAll(batch, fault);
      return;
    }
    for (const settle of settled) settle();
  };

  return {
    commit: <T>(request: CommitRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        waiting.push({ request, resolve: resolve as (value: unknown) => void, reject });
        running ??= run();
      }),
    idle: async () => {
      while (running !== null) await running;
    },
    readHeadRow: known.readHeadRow,
    get transactions() {
      return transactions;
    },
  };
};

const failAll = (batch: readonly Waiting[], fault: unknown): void => {
  for (const one of batch) one.reject(fault);
};

const beginImmediate = async (begin: { run(): unknown }, tries: number): Promise<void> => {
  for (let tried = 1; ; tried += 1) {
    try {
      begin.run();
      return;
    } catch (error) {
      if (!isBusy(error) || tried >= tries) throw error;
    }
    await sleep(LOCK_PAUSE_MS);
  }
};

const rollBack = (db: DatabaseSync, failed: (error: unknown) => void): void => {
  try {
    // After some errors SQLite has rolled back by itself.
    if (db.isTransaction) db.exec("ROLLBACK");
  } catch (error) {
    failed(error);
  }
};

/** Which file the path names; a ledger that was moved or deleted while open would take records nobody ever finds. */
const identityOf = (path: string): string => {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? "gone" : `${found.dev}:${found.ino}`;
};

const replaced = (path: string): StoreFault =>
  new StoreFault(
    "not-durable",
    `nothing was recorded: the ledger ${path} was removed or replaced while asfound had it open; ` +
      "put it back, then run `asfound status`",
  );

/** What later commits hear. Of them it is known that they are not there. */
const again = (first: StoreFault): StoreFault =>
  new StoreFault(
    "not-durable",
    "nothing was recorded: the ledger's disk failed before in this process, so it takes no more records; " +
      "look at the disk, then run `asfound status` in a new process",
    { cause: first },
  );
