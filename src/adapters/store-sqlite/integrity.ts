/** Whether the ledger holds what it should: the tail of each chain at every opening, everything when `doctor` asks. */
import type { DatabaseSync } from "node:sqlite";
import { GENESIS, link } from "../../wire/chain.ts";
import { readOperations, readStepRows } from "./read-rows.ts";
import type { NumberedHead, RecordRow } from "./rows.ts";
import { headOf, operationOf, recordOf, stepOf } from "./rows.ts";
import type { Statements } from "./statements.ts";
import { MAX_STACKS, PLACES_PER_STACK, placeOf, seqAt } from "./statements.ts";

/** How many of the last records of each stack are checked at every opening. */
const TAIL = 32;

export const headsOf = (statements: Statements): NumberedHead[] =>
  statements.listStacks.all().map((row) => headOf(row));

/** The first thing wrong in the last records of any stack, as one clause; null when all is well. */
export const tailFault = (statements: Statements): string | null => {
  let next = 0;
  for (const head of headsOf(statements)) {
    const fault =
      homelessFault(statements, next, head.number) ??
      chainFault(statements, head, Math.max(1, head.seq - TAIL + 1), () => {});
    if (fault !== null) return fault;
    next = head.number + 1;
  }
  return homelessFault(statements, next, MAX_STACKS);
};

/** op-22: records whose stack's row is gone. Without them being looked for, that stack would be read as one that never was. */
const homelessFault = (statements: Statements, from: number, before: number): string | null => {
  if (before <= from) return null;
  const place = statements.readLastPlace.get(placeOf(from, 0), placeOf(before - 1, PLACES_PER_STACK - 1))?.[
    "place"
  ];
  return typeof place === "number" ? "it holds records of a stack whose own row is gone" : null;
};

/** One sentence for each thing that is wrong; empty when the whole ledger is as it should be. */
export const integrityFaults = (statements: Statements, db: DatabaseSync): string[] => {
  const faults = db
    .prepare("PRAGMA integrity_check")
    .all()
    .map((row) => String(row["integrity_check"]))
    .filter((answer) => answer !== "ok")
    .map((answer) => `SQLite finds the file damaged: ${answer}.`);
  const note = (look: () => void): void => {
    try {
      look();
    } catch (error) {
      faults.push(error instanceof Error ? error.message : String(error));
    }
  };
  const homeless = {
    records: statements.countHomelessRecords,
    steps: statements.countHomelessSteps,
    operations: statements.countHomelessOperations,
  };
  for (const [what, statement] of Object.entries(homeless)) {
    const count = statement.get()?.["count"];
    if (count !== 0) faults.push(`${String(count)} ${what} belong to no stack.`);
  }
  for (const head of headsOf(statements)) {
    const decode = (row: RecordRow, seq: number) => note(() => recordOf(row, head.name, seq));
    const fault = chainFault(statements, head, 1, decode);
    if (fault !== null) faults.push(`${fault}.`);
    const before = faults.length;
    for (const row of statements.listSteps.iterate(head.number)) note(() => stepOf(row, head.name));
    // Where each row is as it was written, one of them may still be old, or not there.
    if (faults.length === before) note(() => readStepRows(statements, head));
    const between = faults.length;
    for (const row of statements.listOperationsInOrder.iterate(head.number)) note(() => operationOf(row));
    if (faults.length === between) note(() => readOperations(statements, head, Number.POSITIVE_INFINITY));
  }
  return faults;
};

/** From record `from` on: every record there, none beyond the head, each linked to the one before it. */
const chainFault = (
  statements: Statements,
  head: NumberedHead,
  from: number,
  look: (row: RecordRow, seq: number) => void,
): string | null => {
  const where = `the chain of stack ${JSON.stringify(head.name)} breaks at record`;
  const first = placeOf(head.number, 1);
  const beyond = placeOf(head.number, 2 ** 32 - 1);
  const last = statements.readLastPlace.get(first, beyond)?.["place"];
  const lastSeq = typeof last === "number" ? seqAt(head.number, last) : 0;
  if (lastSeq !== head.seq)
    return `${where} ${Math.min(lastSeq, head.seq) + 1}: the stack's row counts ${head.seq} records, the last one there is ${lastSeq}`;
  let seq = from - 1;
  let hash = GENESIS;
  if (seq > 0) {
    const before = statements.readHash.get(placeOf(head.number, seq))?.["hash"];
    if (typeof before !== "string") return `${where} ${seq}: it is missing`;
    hash = before;
  }
  for (const found of statements.listRecords.iterate(placeOf(head.number, from), beyond)) {
    const row = found as unknown as RecordRow;
    seq += 1;
    if (seqAt(head.number, row.place) !== seq) return `${where} ${seq}: it is missing`;
    hash = link(hash, head.name, seq, row.body);
    if (row.hash !== hash) return `${where} ${seq}: it was changed after it was written`;
    look(row, seq);
  }
  return hash === head.hash ? null : `${where} ${seq}: the stack's row has another hash`;
};
