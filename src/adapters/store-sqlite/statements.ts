/** Every statement of the driver, each under the name of what it does; prepared once a connection. */
import type { DatabaseSync, StatementSync } from "node:sqlite";

/** Stacks number at most 2^21, records of one stack at most 2^32: then a place is exact as a number. */
export const PLACES_PER_STACK = 2 ** 32;
export const MAX_STACKS = 2 ** 21;

/** Where the record `seq` of the stack stands in table `record`. */
export const placeOf = (stackNumber: number, seq: number): number => {
  if (stackNumber >= MAX_STACKS || seq >= PLACES_PER_STACK)
    throw new RangeError("the ledger holds no more than 2,097,152 stacks and 4,294,967,296 records in each");
  return stackNumber * PLACES_PER_STACK + seq;
};

export const seqAt = (stackNumber: number, place: number): number => place - stackNumber * PLACES_PER_STACK;

const STACK =
  "number, name, id, seq, hash, folded, epoch, lease, steps, step_sum, operations, operation_sum, sum";

const SQL = {
  readLedgerId: "SELECT id, sum FROM ledger",
  writeLedgerId: "INSERT INTO ledger (id, sum) VALUES (?, ?)",

  readStack: `SELECT ${STACK} FROM stack WHERE name = ?`,
  /** For a name that the index does not know: the index may be what is damaged. */
  findStack: `SELECT ${STACK} FROM stack NOT INDEXED WHERE name = ?`,
  listStacks: `SELECT ${STACK} FROM stack ORDER BY number`,
  /** The number is what counts here; `writeStack` follows. */
  createStack:
    "INSERT INTO stack (name, id, seq, hash, folded, epoch, lease, steps, step_sum, operations, operation_sum, sum) VALUES (?, ?, 0, '', 0, 0, NULL, 0, 0, 0, 0, 0)",
  writeStack:
    "UPDATE stack SET seq = ?, hash = ?, folded = ?, epoch = ?, lease = ?, steps = ?, step_sum = ?, operations = ?, operation_sum = ?, sum = ? WHERE number = ?",

  appendRecord: "INSERT INTO record (place, step, operation, hash, body) VALUES (?, ?, ?, ?, ?)",
  readHash: "SELECT hash FROM record WHERE place = ?",
  listRecords:
    "SELECT place, step, operation, hash, body FROM record WHERE place BETWEEN ? AND ? ORDER BY place",
  listRecordsOfStep:
    "SELECT place, step, operation, hash, body FROM record WHERE place BETWEEN ? AND ? AND step = ? ORDER BY place",
  listRecordsOfOperation:
    "SELECT place, step, operation, hash, body FROM record WHERE place BETWEEN ? AND ? AND operation = ? ORDER BY place",
  readLastPlace: "SELECT max(place) AS place FROM record WHERE place BETWEEN ? AND ?",
  countHomelessRecords:
    "SELECT count(*) AS count FROM record WHERE place / 4294967296 NOT IN (SELECT number FROM stack)",
  countHomelessSteps: "SELECT count(*) AS count FROM step WHERE stack NOT IN (SELECT number FROM stack)",
  countHomelessOperations:
    "SELECT count(*) AS count FROM operation WHERE stack NOT IN (SELECT number FROM stack)",

  readStep: "SELECT stack, name, sum, state FROM step WHERE stack = ? AND name = ?",
  readStepSum: "SELECT sum FROM step WHERE stack = ? AND name = ?",
  listSteps: "SELECT stack, name, sum, state FROM step WHERE stack = ? ORDER BY number",
  writeStep:
    "INSERT INTO step (stack, name, sum, state) VALUES (?, ?, ?, ?) ON CONFLICT (stack, name) DO UPDATE SET sum = excluded.sum, state = excluded.state",
  removeStep: "DELETE FROM step WHERE stack = ? AND name = ?",

  readOperation: "SELECT id, stack, sum, body FROM operation WHERE id = ?",
  listOperations: "SELECT id, stack, sum, body FROM operation WHERE stack = ? ORDER BY number DESC LIMIT ?",
  listOperationsInOrder: "SELECT id, stack, sum, body FROM operation WHERE stack = ? ORDER BY number",
  countOperations: "SELECT count(*) AS count FROM operation WHERE stack = ?",
  writeOperation:
    "INSERT INTO operation (id, stack, sum, body) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET sum = excluded.sum, body = excluded.body",
} as const;

export type Statements = { readonly [Name in keyof typeof SQL]: StatementSync };

/** A statement is prepared when it is first used: a question needs few of them. */
export const prepare = (db: DatabaseSync): Statements => {
  const prepared: Partial<Record<keyof typeof SQL, StatementSync>> = {};
  for (const [name, sql] of Object.entries(SQL))
    Object.defineProperty(prepared, name, {
      configurable: true,
      get: () => {
        const value = db.prepare(sql);
        Object.defineProperty(prepared, name, { value });
        return value;
      },
    });
  return prepared as Statements;
};
