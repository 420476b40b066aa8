/**
 * A ledger in memory, for tests: the same contract as the real drivers, and switches that make it fail as a disk does.
 *
 * `MemoryDisk` is what would survive the process: open it again and the acknowledged rows are there, as texts, so that
 * what cannot be written as JSON fails here too.
 */
import type { LedgerId, OperationId, StackId, StackName, StepName } from "../../domain/ids.ts";
import type { JsonObject } from "../../domain/json.ts";
import type { Lease } from "../../domain/lease.ts";
import type { Operation } from "../../domain/operation.ts";
import type { StepState } from "../../domain/state.ts";
import type {
  ChainedRecord,
  CommitRequest,
  RecordFilter,
  StackHead,
  Store,
  Write,
} from "../../ports/store.ts";
import { refuseMisfit, StoreFault } from "../../ports/store.ts";
import { canonicalJson } from "../../wire/canonical.ts";
import { encodeRecord, GENESIS, link } from "../../wire/chain.ts";
import { decodeRecord, isFault } from "../../wire/journal.ts";

interface Row {
  readonly hash: string;
  readonly body: string;
}

interface StackRows {
  readonly id: StackId;
  readonly epoch: number;
  /** JSON. */
  readonly lease: string | null;
  readonly records: readonly Row[];
  /** JSON by name. */
  readonly steps: ReadonlyMap<StepName, string>;
}

/** Replaced as a whole by each transaction, so that a failed one leaves no trace. */
interface Rows {
  readonly stacks: ReadonlyMap<StackName, StackRows>;
  /** JSON by id, in the order of their first write. */
  readonly operations: ReadonlyMap<OperationId, { readonly stack: StackName; readonly body: string }>;
}

export interface MemoryDisk {
  readonly ledgerId: LedgerId;
  rows: Rows;
}

export const memoryDisk = (ledgerId: LedgerId): MemoryDisk => ({
  ledgerId,
  rows: { stacks: new Map(), operations: new Map() },
});

/** What the next commits meet. */
export interface MemoryFaults {
  /** `lost` nothing was written · `maybe-lost`, `maybe-kept` it cannot be known, and the store is unfit from then on. */
  failNextCommit(how: "lost" | "busy" | "maybe-lost" | "maybe-kept"): void;
  /** Every commit fails, as on a full disk, until this is called again with false. */
  diskFull(full: boolean): void;
  /** Called inside each transaction before it becomes durable; a throw is the driver's crash. */
  beforeCommit(hook: (() => void) | null): void;
  /** Transactions that wrote something. */
  readonly transactions: number;
}

export interface MemoryStore extends Store {
  readonly faults: MemoryFaults;
}

export const openMemoryStore = (
  disk: MemoryDisk,
  options: { readonly readOnly?: boolean } = {},
): MemoryStore => {
  const writer = openWriter(disk);
  const readOnly = options.readOnly === true;
  let closed = false;
  return {
    ledgerId: disk.ledgerId,
    location: "memory",
    readOnly,
    faults: writer.faults,
    commit: async (request) => {
      if (readOnly)
        throw new StoreFault(
          "read-only",
          "nothing was recorded: the ledger in memory was opened for reading only",
        );
      if (closed) throw new StoreFault("not-durable", "the ledger in memory was closed before this commit");
      return writer.commit(request);
    },
    head: async (stack) => headOf(disk.rows, stack),
    stacks: async () => [...disk.rows.stacks.keys()].map((stack) => headOf(disk.rows, stack) as StackHead),
    steps: async (stack) => stepsOf(disk.rows, stack, "all"),
    step: async (stack, step) => stepsOf(disk.rows, stack, [step]).get(step) ?? null,
    operation: async (id) => {
      const row = disk.rows.operations.get(id);
      return row === undefined ? null : parse<Operation>(row.body);
    },
    operations: async (stack, limit) =>
      [...disk.rows.operations.values()]
        .filter((row) => row.stack === stack)
        .reverse()
        .slice(0, limit)
        .map((row) => parse<Operation>(row.body)),
    records: (filter) => recordsOf(disk, filter),
    close: async () => {
      closed = true;
      await writer.idle();
    },
  };
};

// ---- reading ---------------------------------------------------------------------------------------------------

const parse = <T>(text: string): T => JSON.parse(text) as T;

const headOf = (rows: Rows, stack: StackName): StackHead | null => {
  const found = rows.stacks.get(stack);
  if (found === undefined) return null;
  return {
    name: stack,
    id: found.id,
    seq: found.records.length,
    hash: found.records.at(-1)?.hash ?? GENESIS,
    epoch: found.epoch,
    lease: found.lease === null ? null : parse<Lease>(found.lease),
  };
};

const stepsOf = (
  rows: Rows,
  stack: StackName,
  wanted: readonly StepName[] | "all",
): ReadonlyMap<StepName, StepState> => {
  const steps = rows.stacks.get(stack)?.steps ?? new Map<StepName, string>();
  const found = new Map<StepName, StepState>();
  for (const name of wanted === "all" ? steps.keys() : wanted) {
    const text = steps.get(name);
    if (text !== undefined) found.set(name, parse<StepState>(text));
  }
  return found;
};

async function* recordsOf(disk: MemoryDisk, filter: RecordFilter): AsyncIterable<ChainedRecord> {
  const { stack } = filter;
  let prevHash = GENESIS;
  for (const [index, { hash, body }] of (disk.rows.stacks.get(stack)?.records ?? []).entries()) {
    const record = decodeRecord(body);
    if (isFault(record))
      throw new StoreFault("corrupt", `record ${index + 1} in memory is damaged: ${record.fault}`);
    const wanted =
      index + 1 >= (filter.fromSeq ?? 1) &&
      (filter.step === undefined || filter.step === record.step) &&
      (filter.operation === undefined || filter.operation === record.operation);
    if (wanted) yield { stack, seq: index + 1, prevHash, hash, record };
    prevHash = hash;
  }
}

// ---- writing ---------------------------------------------------------------------------------------------------

interface Waiting {
  readonly request: CommitRequest<unknown>;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

const openWriter = (disk: MemoryDisk) => {
  const waiting: Waiting[] = [];
  let running: Promise<void> | null = null;
  let next: "lost" | "busy" | "maybe-lost" | "maybe-kept" | null = null;
  let full = false;
  let unfit = false;
  let hook: (() => void) | null = null;
  let transactions = 0;

  const run = async (): Promise<void> => {
    // As in the real drivers: who else is about to ask shares the transaction.
    await new Promise(setImmediate);
    while (waiting.length > 0) transact(waiting.splice(0));
    running = null;
  };

  const transact = (batch: readonly Waiting[]): void => {
    if (unfit) {
      const fault = new StoreFault(
        "not-durable",
        "nothing was recorded: the disk failed before in this process",
      );
      for (const { reject } of batch) reject(fault);
      return;
    }
    const settled: (() => void)[] = [];
    const before = disk.rows;
    let rows = before;
    for (const { request, resolve, reject } of batch) {
      try {
        const current = {
          head: headOf(rows, request.stack),
          steps: stepsOf(rows, request.stack, request.steps),
        };
        const { write, value } = request.decide(current);
        if (write !== null) rows = written(rows, request.stack, write);
        settled.push(() => resolve(value));
      } catch (error) {
        settled.push(() => reject(error));
      }
    }
    try {
      if (rows !== before) makeDurable(rows);
    } catch (error) {
      for (const { reject } of batch) reject(error);
      return;
    }
    for (const settle of settled) settle();
  };

  const makeDurable = (rows: Rows): void => {
    if (unfit)
      throw new StoreFault("not-durable", "nothing was recorded: the disk failed before in this process");
    if (full) throw new StoreFault("not-durable", "nothing was recorded: the disk under the ledger is full");
    const how = next;
    next = null;
    if (how === "lost")
      throw new StoreFault("not-durable", "nothing was recorded: the ledger could not be written");
    if (how === "busy")
      throw new StoreFault("busy", "nothing was recorded: other processes kept the ledger locked");
    hook?.();
    if (how !== "maybe-lost") disk.rows = rows;
    if (how !== null) {
      unfit = true;
      throw new StoreFault("not-durable", "it cannot be known whether the record is there", { maybe: true });
    }
    transactions += 1;
  };

  const faults: MemoryFaults = {
    failNextCommit: (how) => {
      next = how;
    },
    diskFull: (isFull) => {
      full = isFull;
    },
    beforeCommit: (called) => {
      hook = called;
    },
    get transactions() {
      return transactions;
    },
  };

  return {
    faults,
    commit: <T>(request: CommitRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        waiting.push({ request, resolve: resolve as (value: unknown) => void, reject });
        running ??= run();
      }),
    idle: async () => {
      while (running !== null) await running;
    },
  };
};

/** The rows with the write in them. Throws on what no ledger may hold. */
const written = (rows: Rows, stack: StackName, write: Write): Rows => {
  const found = rows.stacks.get(stack);
  refuseMisfit(stack, found !== undefined, write);
  canonicalJson(stack);
  const stacks = new Map(rows.stacks);
  stacks.set(stack, {
    id: (found?.id ?? write.stack?.create) as StackId,
    epoch: write.stack?.epoch ?? found?.epoch ?? 0,
    lease: write.stack === undefined ? (found?.lease ?? null) : leaseText(write.stack.lease),
    records: appended(found?.records ?? [], stack, write),
    steps: replaced(found?.steps ?? new Map(), write),
  });
  return { stacks, operations: filed(rows.operations, stack, write.operation) };
};

const textOf = (value: object): string => canonicalJson(value as JsonObject);
const leaseText = (lease: Lease | null): string | null => (lease === null ? null : textOf(lease));

const appended = (records: readonly Row[], stack: StackName, write: Write): readonly Row[] => {
  const all = [...records];
  for (const record of write.records) {
    const body = encodeRecord(record);
    all.push({ body, hash: link(all.at(-1)?.hash ?? GENESIS, stack, all.length + 1, body) });
  }
  return all;
};

const replaced = (steps: ReadonlyMap<StepName, string>, write: Write): ReadonlyMap<StepName, string> => {
  const all = new Map(steps);
  for (const name of write.removedSteps ?? []) all.delete(name);
  for (const state of write.steps) all.set(state.step, textOf(state));
  return all;
};

const filed = (
  operations: Rows["operations"],
  stack: StackName,
  operation: Operation | undefined,
): Rows["operations"] => {
  if (operation === undefined) return operations;
  const before = operations.get(operation.id);
  if (operation.stack !== stack || (before !== undefined && before.stack !== stack))
    throw new Error(`operation ${operation.id} belongs to another stack than ${stack}`);
  return new Map(operations).set(operation.id, { stack, body: textOf(operation) });
};
