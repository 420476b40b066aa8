/** From rows to the domain's words. A row that does not hold what it should is damage, and is named. */
import type { StackId, StackName, StepName } from "../../domain/ids.ts";
import type { JournalRecord } from "../../domain/journal.ts";
import type { Lease } from "../../domain/lease.ts";
import type { Operation } from "../../domain/operation.ts";
import type { StepState } from "../../domain/state.ts";
import type { StackHead } from "../../ports/store.ts";
import { StoreFault } from "../../ports/store.ts";
import { decodeRecord, isFault } from "../../wire/journal.ts";
import { decodeLease, decodeOperation, decodeStepState } from "../../wire/ledger-rows.ts";
import { WAY_OUT } from "./faults.ts";

/** A stack's row with what only the driver knows. */
export interface NumberedHead extends StackHead {
  readonly number: number;
  /** The number of the last record that is in the rows of the steps. */
  readonly folded: number;
  readonly leaseText: string | null;
}

/** A row as `node:sqlite` gives it; STRICT tables fix the types. */
type Row = Record<string, unknown>;

export interface RecordRow {
  readonly place: number;
  readonly step: string;
  readonly operation: string;
  readonly hash: string;
  readonly body: string;
}

export const damaged = (what: string, why: string): StoreFault =>
  new StoreFault(
    "corrupt",
    `the ledger is damaged: ${what}: ${why}; nothing was changed. To go on, ${WAY_OUT}`,
  );

/** What a lease's text says. Throws `StoreFault` when it is damaged. */
export type ReadLease = (text: string, stack: unknown) => Lease;

export const leaseOf: ReadLease = (text, stack) => {
  const answer = decodeLease(text);
  if ("fault" in answer) throw damaged(`the lease of stack ${shown(stack)}`, answer.fault);
  return answer.value;
};

export const headOf = (row: Row, readLease: ReadLease = leaseOf): NumberedHead => {
  const lease = row["lease"] as string | null;
  return {
    number: row["number"] as number,
    name: row["name"] as StackName,
    id: row["id"] as StackId,
    seq: row["seq"] as number,
    hash: row["hash"] as string,
    folded: row["folded"] as number,
    epoch: row["epoch"] as number,
    lease: lease === null ? null : readLease(lease, row["name"]),
    leaseText: lease,
  };
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

export const stepOf = (row: Row, stack: StackName): readonly [StepName, StepState] => {
  const answer = decodeStepState(row["state"] as string);
  const what = `step ${shown(row["name"])} of stack ${shown(stack)}`;
  if ("fault" in answer) throw damaged(what, answer.fault);
  if (answer.value.step !== row["name"]) throw damaged(what, "its row holds the state of another step");
  return [answer.value.step, answer.value];
};

export const operationOf = (row: Row): Operation => {
  const answer = decodeOperation(row["body"] as string);
  if ("fault" in answer) throw damaged(`operation ${shown(row["id"])}`, answer.fault);
  if (answer.value.id !== row["id"])
    throw damaged(`operation ${shown(row["id"])}`, "its row holds another operation");
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

/** A name in a message: control characters escaped, and not a page long. */
export const shown = (name: unknown): string => {
  const text = JSON.stringify(String(name));
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
};
