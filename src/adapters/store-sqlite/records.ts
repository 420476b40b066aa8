/** Records as they are read: each checked against the one before it, and none left out. */
import type { StackName } from "../../domain/ids.ts";
import type { ChainedRecord, RecordFilter } from "../../ports/store.ts";
import { GENESIS } from "../../wire/chain.ts";
import type { NumberedHead, RecordRow } from "./rows.ts";
import { chainedRecordOf, damaged, shown } from "./rows.ts";
import type { Statements } from "./statements.ts";
import { placeOf, seqAt } from "./statements.ts";

export interface FoundRecord extends ChainedRecord {
  /** Of its text. */
  readonly characters: number;
}

type Stack = Pick<NumberedHead, "number" | "name">;

/** All records from `first` to `last`, in order. Throws `StoreFault` where one is missing or damaged. */
export function* recordsBetween(
  statements: Statements,
  stack: Stack,
  first: number,
  last: number,
): Iterable<FoundRecord> {
  const { number, name } = stack;
  if (last < first) return;
  let seq = first - 1;
  let prevHash = hashAt(statements, stack, seq);
  for (const found of statements.listRecords.iterate(placeOf(number, first), placeOf(number, last))) {
    const row = found as unknown as RecordRow;
    seq += 1;
    if (seqAt(number, row.place) !== seq) throw missing(name, seq);
    yield foundRecord(row, name, seq, prevHash);
    prevHash = row.hash;
  }
  if (seq !== last) throw missing(name, seq + 1);
}

const foundRecord = (row: RecordRow, stack: StackName, seq: number, prevHash: string): FoundRecord => ({
  stack,
  seq,
  prevHash,
  hash: row.hash,
  record: chainedRecordOf(row, stack, seq, prevHash),
  characters: row.body.length,
});

const hashAt = (statements: Statements, { number, name }: Stack, seq: number): string => {
  if (seq === 0) return GENESIS;
  const hash = statements.readHash.get(placeOf(number, seq))?.["hash"];
  if (typeof hash === "string") return hash;
  throw missing(name, seq);
};

const missing = (stack: StackName, seq: number) =>
  damaged(`record ${seq} of stack ${shown(stack)}`, "it is missing");

/** Those that fit the filter, from number `from` on. */
export const recordsFrom = (
  statements: Statements,
  head: NumberedHead,
  from: number,
  { operation, step }: RecordFilter,
): Iterable<FoundRecord> => {
  if (operation === undefined && step === undefined) return recordsBetween(statements, head, from, head.seq);
  return some(statements, head, from, operation, step);
};

function* some(
  statements: Statements,
  head: NumberedHead,
  from: number,
  operation: RecordFilter["operation"],
  step: RecordFilter["step"],
): Iterable<FoundRecord> {
  const between = [placeOf(head.number, from), placeOf(head.number, head.seq)] as const;
  const rows =
    operation === undefined
      ? statements.listRecordsOfStep.iterate(...between, step as string)
      : statements.listRecordsOfOperation.iterate(...between, operation);
  for (const found of rows) {
    const row = found as unknown as RecordRow;
    if (step !== undefined && row.step !== step) continue;
    const seq = seqAt(head.number, row.place);
    yield foundRecord(row, head.name, seq, hashAt(statements, head, seq - 1));
  }
}
