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
import type { StackId, StackName } from "../../domain/ids.ts";
import type { JsonObject } from "../../domain/json.ts";
import type { CommitRequest, Current, Write } from "../../ports/store.ts";
import { refuseMisfit, StoreFault } from "../../ports/store.ts";
import { canonicalJson } from "../../wire/canonical.ts";
import { encodeRecord, GENESIS, link } from "../../wire/chain.ts";
import { encodeStepState } from "../../wire/ledger-rows.ts";
import { LOCK_SLICE_MS } from "./connection.ts";
import { isBusy, isFailedSync, isIoError, readFault, sqliteCode, writeFault } from "./faults.ts";
import type { Known } from "./known.ts";
import { openKnown } from "./known.ts";
import { readHead, readSteps } from "./read-rows.ts";
import type { NumberedHead } from "./rows.ts";
import { publicHead } from "./rows.ts";
import type { Statements } from "./statements.ts";
import { placeOf } from "./statements.ts";

/** Between two waits for the lock (`LOCK_SLICE_MS` each) the event loop runs: signals, heartbeats. */
const LOCK_PAUSE_MS = 5;

interface Waiting {
  readonly request: CommitRequest<unknown>;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/**
 * The rows of the stacks within one transaction: read once, and written once at its end for all the records that were
 * appended. null: there is no such stack.
 */
type Heads = Map<StackName, { readonly head: NumberedHead | null; readonly advanced: boolean }>;

/** All that one request writes, as texts: made before the first row is touched, so a value that cannot be written fails alone. */
interface Prepared {
  readonly stack: StackName;
  readonly head: NumberedHead | null;
  readonly write: Write;
  readonly bodies: readonly string[];
  readonly states: readonly string[];
  readonly lease: string | null;
  readonly operation: string | null;
}

export interface Committer {
  commit<T>(request: CommitRequest<T>): Promise<T>;
  /** Settles when nothing is waiting any more. */
  idle(): Promise<void>;
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
        for (const { head, advanced } of heads.values())
          if (head !== null && advanced) statements.advanceStack.run(head.seq, head.hash, head.number);
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

type Decided = { readonly value: unknown; readonly prepared: Prepared | null } | { readonly error: unknown };

/** Reads, decides and encodes. What goes wrong here is this request's own, but for the database's errors. */
const decide = (
  statements: Statements,
  known: Known,
  heads: Heads,
  request: CommitRequest<unknown>,
  path: string,
): Decided => {
  let current: Current;
  let head: NumberedHead | null;
  try {
    head = headIn(heads, statements, known, request.stack);
    current = {
      head: head === null ? null : publicHead(head),
      steps: readSteps(statements, head, request.steps, known.state),
    };
  } catch (error) {
    if (sqliteCode(error) !== undefined) throw error;
    return { error: readFault(error, path) };
  }
  try {
    const { write, value } = request.decide(current);
    return { value, prepared: write === null ? null : encode(statements, request.stack, head, write) };
  } catch (error) {
    if (sqliteCode(error) !== undefined) throw error;
    return { error };
  }
};

const headIn = (
  heads: Heads,
  statements: Statements,
  known: Known,
  stack: StackName,
): NumberedHead | null => {
  const found = heads.get(stack);
  if (found !== undefined) return found.head;
  const head = readHead(statements, stack, known.readLease);
  heads.set(stack, { head, advanced: false });
  return head;
};

const encode = (
  statements: Statements,
  stack: StackName,
  head: NumberedHead | null,
  write: Write,
): Prepared => {
  refuseMisfit(stack, head !== null, write);
  const { operation } = write;
  if (operation !== undefined) {
    if (operation.stack !== stack)
      throw new Error(`operation ${operation.id} belongs to another stack than ${stack}`);
    const row = statements.readOperation.get(operation.id);
    if (row !== undefined && row["stack"] !== head?.number)
      throw new Error(`operation ${operation.id} exists, and belongs to another stack than ${stack}`);
  }
  canonicalJson(stack);
  return {
    stack,
    head,
    write,
    bodies: write.records.map(encodeRecord),
    states: write.steps.map(encodeStepState),
    lease: write.stack === undefined || write.stack.lease === null ? null : textOf(write.stack.lease),
    operation: operation === undefined ? null : textOf(operation),
  };
};

const textOf = (value: object): string => canonicalJson(value as JsonObject);

const apply = (statements: Statements, known: Known, heads: Heads, prepared: Prepared): void => {
  const { stack, write } = prepared;
  const { number, ...before } = prepared.head ?? createStack(statements, prepared);
  let { seq, hash } = before;
  for (const [index, record] of write.records.entries()) {
    const body = prepared.bodies[index] as string;
    seq += 1;
    hash = link(hash, stack, seq, body);
    statements.appendRecord.run(placeOf(number, seq), record.step, record.operation, hash, body);
  }
  if (write.stack !== undefined) statements.leaseStack.run(write.stack.epoch, prepared.lease, number);
  known.move(stack, before.hash, hash);
  for (const name of write.removedSteps ?? []) {
    statements.removeStep.run(number, name);
    known.forget(stack, name);
  }
  for (const [index, state] of write.steps.entries()) {
    const text = prepared.states[index] as string;
    statements.writeStep.run(number, state.step, text);
    known.remember(stack, state, text.length);
  }
  if (write.operation !== undefined)
    statements.writeOperation.run(write.operation.id, number, prepared.operation as string);
  heads.set(stack, {
    head: {
      ...before,
      number,
      seq,
      hash,
      epoch: write.stack?.epoch ?? before.epoch,
      lease: write.stack === undefined ? before.lease : write.stack.lease,
    },
    advanced: heads.get(stack)?.advanced === true || write.records.length > 0,
  });
};

const createStack = (statements: Statements, { stack, write, lease }: Prepared): NumberedHead => {
  const { create, epoch, lease: granted } = write.stack as NonNullable<Write["stack"]> & { create: StackId };
  const row = statements.createStack.run(stack, create, 0, GENESIS, epoch, lease);
  return {
    number: Number(row.lastInsertRowid),
    name: stack,
    id: create,
    seq: 0,
    hash: GENESIS,
    epoch,
    lease: granted,
  };
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
