/** From rows to the domain's words. A row that does not hold what it should is damage, and is named. */
import type { StackId, StackName, StepName } from "../../domain/ids.ts";
import type { JournalRecord } from "../../domain/journal.ts";
import type { Lease } from "../../domain/lease.ts";
import type { Operation } from "../../domain/operation.ts";
import type { StepState } from "../../domain/state.ts";
import type { StackHead } from "../../ports/store.ts";
import { StoreFault } from "../../ports/store.ts";
import { link } from "../../wire/chain.ts";
import { decodeRecord, isFault } from "../../wire/journal.ts";
import { decodeLease, decodeOperation, decodeStepState } from "../../wire/ledger-rows.ts";
import { WAY_OUT } from "./faults.ts";
import type { Statements } from "./statements.ts";
import type { Total } from "./sums.ts";
import { sumOf } from "./sums.ts";

/** A stack's row with what only the driver knows. */
export interface NumberedHead extends StackHead {
  readonly number: number;
  /** The number of the last record that is in the rows of the steps. */
  readonly folded: number;
  readonly leaseText: string | null;
  /** The rows of its steps, and of its operations. */
  readonly steps: Total;
  readonly operations: Total;
}

/** A row as `node:sqlite` gives it; STRICT tables fix the types. */
export type Row = Record<string, unknown>;

export interface RecordRow {
  readonly place: number;
  readonly step: string;
  readonly operation: string;
  readonly hash: string;
  readonly body: string;
}

export const damaged = (what: string, why: string, wayOut = WAY_OUT): StoreFault =>
  new StoreFault(
    "corrupt",
    `the ledger is damaged: ${what}: ${why}; nothing was changed. To go on, ${wayOut}`,
  );

/** A state that cannot be read is still in the records, and an import folds these. */
const STATES_WAY_OUT =
  "have its states made again from its records: `asfound ledger export > saved.jsonl`, move the damaged ledger aside, " +
  `\`asfound ledger import saved.jsonl\`. If the export fails too, ${WAY_OUT}`;

export const damagedStates = (what: string, why: string): StoreFault => damaged(what, why, STATES_WAY_OUT);

const NOT_AS_WRITTEN = "its row does not hold what was written";

const leaseOf = (text: string, stack: unknown): Lease => {
  const answer = decodeLease(text);
  if ("fault" in answer) throw damaged(`the lease of stack ${shown(stack)}`, answer.fault);
  return answer.value;
};

/** What a stack's row says. Throws `StoreFault` when it is damaged. */
export type ReadHeadRow = (row: Row) => NumberedHead;

export const headOf: ReadHeadRow = (row) => {
  const leaseText = row["lease"] as string | null;
  const head = {
    number: row["number"] as number,
    name: row["name"] as StackName,
    id: row["id"] as StackId,
    seq: row["seq"] as number,
    hash: row["hash"] as string,
    folded: row["folded"] as number,
    epoch: row["epoch"] as number,
    leaseText,
    steps: { rows: row["steps"] as number, sum: row["step_sum"] as number },
    operations: { rows: row["operations"] as number, sum: row["operation_sum"] as number },
  };
  if (headSum(head) !== row["sum"]) throw damaged(`stack ${shown(head.name)}`, NOT_AS_WRITTEN);
  return { ...head, lease: leaseText === null ? null : leaseOf(leaseText, head.name) };
};

type Head = Omit<NumberedHead, "lease">;

const headSum = ({
  number,
  name,
  id,
  seq,
  hash,
  folded,
  epoch,
  leaseText,
  steps,
  operations,
}: Head): number =>
  sumOf(
    number,
    name,
    id,
    seq,
    hash,
    folded,
    epoch,
    leaseText,
    steps.rows,
    steps.sum,
    operations.rows,
    operations.sum,
  );

/** Whether the row is, in every column, the one that `head` was read from or written to. */
export const isRowOf = (row: Row, head: Head, sum: number): boolean =>
  row["seq"] === head.seq &&
  row["hash"] === head.hash &&
  row["folded"] === head.folded &&
  row["epoch"] === head.epoch &&
  row["lease"] === head.leaseText &&
  row["steps"] === head.steps.rows &&
  row["step_sum"] === head.steps.sum &&
  row["operations"] === head.operations.rows &&
  row["operation_sum"] === head.operations.sum &&
  row["sum"] === sum &&
  row["number"] === head.number &&
  row["name"] === head.name &&
  row["id"] === head.id;

/** Gives the row's sum. */
export const writeHead = (statements: Statements, head: Head): number => {
  const sum = headSum(head);
  statements.writeStack.run(
    head.seq,
    head.hash,
    head.folded,
    head.epoch,
    head.leaseText,
    head.steps.rows,
    head.steps.sum,
    head.operations.rows,
    head.operations.sum,
    sum,
    head.number,
  );
  return sum;
};

/** The head without what is the driver's own. */
export const publicHead = ({ name, id, seq, hash, lease, epoch }: NumberedHead): StackHead => ({
  name,
  id,
  seq,
  hash,
  lease,
  epoch,
});

/** Of the row of a step or of an operation; `text`: its state, or its body. */
export const rowSum = (stackNumber: number, name: string, text: string): number =>
  sumOf(stackNumber, name, text);

export const stepOf = (row: Row, stack: StackName): readonly [StepName, StepState] => {
  const { name, state } = row as { name: string; state: string };
  const what = `step ${shown(name)} of stack ${shown(stack)}`;
  if (rowSum(row["stack"] as number, name, state) !== row["sum"]) throw damagedStates(what, NOT_AS_WRITTEN);
  const answer = decodeStepState(state);
  if ("fault" in answer) throw damagedStates(what, answer.fault);
  if (answer.value.step !== name) throw damagedStates(what, "its row holds the state of another step");
  return [answer.value.step, answer.value];
};

export const operationOf = (row: Row): Operation => {
  const { id, body } = row as { id: string; body: string };
  if (rowSum(row["stack"] as number, id, body) !== row["sum"])
    throw damaged(`operation ${shown(id)}`, NOT_AS_WRITTEN);
  const answer = decodeOperation(body);
  if ("fault" in answer) throw damaged(`operation ${shown(id)}`, answer.fault);
  if (answer.value.id !== id) throw damaged(`operation ${shown(id)}`, "its row holds another operation");
  return answer.value;
};

export const recordOf = (row: RecordRow, stack: StackName, seq: number): JournalRecord => {
  const record = decodeRecord(row.body);
  const what = `record ${seq} of stack ${shown(stack)}`;
  if (isFault(record)) throw damaged(what, record.fault);
  if (record.step !== row.step || record.operation !== row.operation)
    throw damaged(what, "it is filed under another step or operation");
  return record;
};

/** The same, checked against the record before it. */
export const chainedRecordOf = (
  row: RecordRow,
  stack: StackName,
  seq: number,
  prevHash: string,
): JournalRecord => {
  if (link(prevHash, stack, seq, row.body) !== row.hash)
    throw damaged(`record ${seq} of stack ${shown(stack)}`, "it was changed after it was written");
  return recordOf(row, stack, seq);
};

/** A name in a message: control characters escaped, and not a page long. */
export const shown = (name: unknown): string => {
  const text = JSON.stringify(String(name));
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
};
