/** What was attempted, by whom, why, and with what outcome: read from the ledger alone. */
import type { OperationId, StackName } from "../domain/ids.ts";
import { leaseState } from "../domain/lease.ts";
import type { Operation } from "../domain/operation.ts";
import type { ChainedRecord } from "../ports/store.ts";
import type { Runtime } from "./runtime.ts";

/** An operation with what its end shows: one without an end whose process is gone was cut off. */
export interface PastOperation {
  readonly operation: Operation;
  readonly state: "running" | "ended" | "cut-off";
}

type Reading = Pick<Runtime, "store" | "clock" | "host">;

export const historyOf = async (
  runtime: Reading,
  stack: StackName,
  limit: number,
): Promise<readonly PastOperation[]> => {
  const live = await liveId(runtime, stack);
  const operations = await runtime.store.operations(stack, limit);
  return operations.map((operation) => past(operation, live));
};

/** One operation with its records in order; undefined when the ledger has none of that id. */
export const operationDetail = async (
  runtime: Reading,
  id: OperationId,
): Promise<(PastOperation & { readonly records: readonly ChainedRecord[] }) | undefined> => {
  const operation = await runtime.store.operation(id);
  if (operation === null) return undefined;
  const records: ChainedRecord[] = [];
  for await (const record of runtime.store.records({ stack: operation.stack, operation: id }))
    records.push(record);
  return { ...past(operation, await liveId(runtime, operation.stack)), records };
};

const past = (operation: Operation, live: OperationId | null): PastOperation => {
  if (operation.endedAt !== null) return { operation, state: "ended" };
  return { operation, state: operation.id === live ? "running" : "cut-off" };
};

const liveId = async (runtime: Reading, stack: StackName): Promise<OperationId | null> => {
  const head = await runtime.store.head(stack);
  if (head?.lease == null) return null;
  const state = leaseState(head.lease, runtime.host.isAlive(head.lease.holder), runtime.clock.now());
  return state.kind === "held" ? state.lease.operation : null;
};
