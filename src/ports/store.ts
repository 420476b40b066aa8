/**
 * Where the journal lives. Drivers are dumb: they hold rows, make a batch durable as one, and order writers.
 * What may be written is decided by the pure function that the ledger hands in with each commit, evaluated inside
 * the transaction over the rows that are there at that moment.
 *
 * Every driver passes `test/contract/store.ts`.
 */
import type { LedgerId, OperationId, StackId, StackName, StepName } from "../domain/ids.ts";
import type { JournalRecord } from "../domain/journal.ts";
import type { Lease } from "../domain/lease.ts";
import type { Operation } from "../domain/operation.ts";
import type { StepState } from "../domain/state.ts";

/** A stack's own row. */
export interface StackHead {
  readonly name: StackName;
  readonly id: StackId;
  /** The number of the last record; 0 before the first. */
  readonly seq: number;
  /** The chain's last link, 64 hex digits; 64 zeros before the first. */
  readonly hash: string;
  readonly lease: Lease | null;
  /** The highest epoch ever granted. */
  readonly epoch: number;
}

/** What `decide` sees: the rows as they are inside the transaction. */
export interface Current {
  /** null: the ledger does not know this stack. */
  readonly head: StackHead | null;
  /** Only the steps that the request names. */
  readonly steps: ReadonlyMap<StepName, StepState>;
}

/** What is to be written, all of it or nothing. */
export interface Write {
  /** Appended in this order; the driver numbers and chains them (`wire/chain.ts`). */
  readonly records: readonly JournalRecord[];
  /**
   * Rows to replace: only together with the records that they follow from. A renamed step is a row under its new name and
   * `removedSteps` for the old one.
   */
  readonly steps: readonly StepState[];
  readonly removedSteps?: readonly StepName[];
  /**
   * Each state in `steps` is what `advance` makes of its row and `records`, no step that they name is missing, and none is
   * renamed. A driver may then write the rows later: until it has, whoever reads folds the records over the older rows.
   */
  readonly folded?: true;
  /** Absent: unchanged. `create` makes the stack's row. */
  readonly stack?: { readonly create?: StackId; readonly lease: Lease | null; readonly epoch: number };
  /** Inserted or replaced by id. */
  readonly operation?: Operation;
}

/** What no driver writes: a write that does not fit the stack. Throws a plain error, since it is a programmer's. */
export const refuseMisfit = (stack: StackName, isThere: boolean, write: Write): void => {
  const creates = write.stack?.create !== undefined;
  if (!isThere && !creates) throw new Error(`the stack ${stack} is written to before it was created`);
  if (isThere && creates) throw new Error(`the stack ${stack} is created, and it exists`);
  if (write.records.length === 0 && write.steps.length + (write.removedSteps?.length ?? 0) > 0)
    throw new Error(`steps of the stack ${stack} are written without a record that they follow from`);
  if (write.folded === undefined) return;
  const told = new Set(write.steps.map((state) => state.step));
  const missing = write.records.find(({ step }) => !told.has(step));
  if (missing !== undefined || (write.removedSteps?.length ?? 0) > 0)
    throw new Error(`steps of the stack ${stack} are said to be folded, and are not all there`);
};

export interface CommitRequest<T> {
  readonly stack: StackName;
  /** The rows that `decide` needs; `"all"` for every step of the stack. */
  readonly steps: readonly StepName[] | "all";
  /**
   * Pure and synchronous; may be evaluated again. `write: null` leaves everything as it is, and `value` still reaches
   * the caller: a refusal is a value, not an error.
   */
  decide(current: Current): { readonly write: Write | null; readonly value: T };
}

/** A record with its place in the chain. */
export interface ChainedRecord {
  readonly stack: StackName;
  readonly seq: number;
  readonly prevHash: string;
  readonly hash: string;
  readonly record: JournalRecord;
}

export interface RecordFilter {
  readonly stack: StackName;
  readonly operation?: OperationId;
  readonly step?: StepName;
  readonly fromSeq?: number;
}

export interface Store {
  readonly ledgerId: LedgerId;
  /** Where it is, for people and for `asfound.lock`; never holds a password. */
  readonly location: string;
  readonly readOnly: boolean;

  /**
   * Durable when it returns: after a power cut the rows are there. Requests that are under way at the same time may share
   * one transaction (group commit); each is decided on its own, over what those before it wrote.
   * Throws `StoreFault` when it could not be made durable; then nothing of the request is there, or (`maybe: true`)
   * that cannot be known and the store refuses every further write.
   */
  commit<T>(request: CommitRequest<T>): Promise<T>;

  head(stack: StackName): Promise<StackHead | null>;
  stacks(): Promise<readonly StackHead[]>;
  steps(stack: StackName): Promise<ReadonlyMap<StepName, StepState>>;
  step(stack: StackName, step: StepName): Promise<StepState | null>;
  operation(id: OperationId): Promise<Operation | null>;
  /** Newest first. */
  operations(stack: StackName, limit: number): Promise<readonly Operation[]>;
  /** In order of `seq`, streamed: a ledger may be larger than memory. */
  records(filter: RecordFilter): AsyncIterable<ChainedRecord>;
  close(): Promise<void>;
}

/** A store that failed to read or write. `code` is stable; the message is one sentence with the way out. */
export class StoreFault extends Error {
  readonly code:
    | "not-durable"
    | "corrupt"
    | "newer"
    | "needs-migration"
    | "read-only"
    | "busy"
    | "unreadable"
    | "missing"
    | "network-file-system";
  /** True when it cannot be known whether the write is there. */
  readonly maybe: boolean;
  constructor(code: StoreFault["code"], message: string, options?: { cause?: unknown; maybe?: boolean }) {
    super(message, options?.cause === undefined ? undefined : { cause: options.cause });
    this.name = "StoreFault";
    this.code = code;
    this.maybe = options?.maybe ?? false;
  }
}
