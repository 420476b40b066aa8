/** What is printed of operations: `OperationReport` after one, `History` of many, `Operation` with its timeline. */

import type { JournalRecord } from "../../domain/journal.ts";
import type { JsonObject } from "../../domain/json.ts";
import type { Operation } from "../../domain/operation.ts";
import { document, time } from "./document.ts";
import { type StackStatusInput, statusMembers } from "./stack-status.ts";
import { timelineEntry } from "./timeline.ts";

export interface DoneInput {
  readonly operation: Operation;
  readonly exit: number;
  readonly summary: string;
  readonly endings: ReadonlyMap<
    string,
    { readonly kind: "through" } | { readonly kind: "stopped"; readonly exit: number; readonly why: string }
  >;
  readonly notes: readonly string[];
}

/** `status`: the stack right after; null when the ledger could not be read any more. */
export const operationReport = (done: DoneInput, status: StackStatusInput | null): JsonObject => {
  const after = status === null ? null : statusMembers({ ...status, exit: done.exit });
  return document("OperationReport", {
    operation: operationMembers(done.operation, "ended"),
    exit: done.exit,
    summary: done.summary,
    endings: [...done.endings].map(([step, ending]) =>
      ending.kind === "through"
        ? { step, ending: "through", exit: null, why: null }
        : { step, ending: "stopped", exit: ending.exit, why: ending.why },
    ),
    notes: [...done.notes],
    stack: done.operation.stack,
    steps: after?.["steps"] ?? [],
    next: after?.["next"] ?? [],
    notOffered: after?.["notOffered"] ?? [],
  });
};

export interface PastInput {
  readonly operation: Operation;
  readonly state: string;
}

/** Newest first. */
export const history = (stack: string, operations: readonly PastInput[]): JsonObject =>
  document("History", {
    stack,
    operations: operations.map(({ operation, state }) => operationMembers(operation, state)),
  });

export const operationDetail = (
  past: PastInput & { readonly records: readonly { readonly seq: number; readonly record: JournalRecord }[] },
): JsonObject =>
  document("Operation", {
    ...operationMembers(past.operation, past.state),
    timeline: past.records.map(({ seq, record }) => timelineEntry(seq, record)),
  });

export const operationMembers = (operation: Operation, state: string): JsonObject => ({
  id: operation.id,
  stack: operation.stack,
  verb: operation.verb,
  state,
  actor: operation.actor,
  reason: operation.reason,
  startedAt: time(operation.startedAt),
  endedAt: time(operation.endedAt),
  exit: operation.exit,
  summary: operation.summary,
  options: {
    only: [...operation.options.only],
    allowDestroy: operation.options.allowDestroy,
    failFast: operation.options.failFast,
    parallelism: operation.options.parallelism,
  },
  host: operation.holder.host,
  pid: operation.holder.pid,
  ciRun: operation.holder.ciRun,
  epoch: operation.epoch,
  fileDigest: operation.fileDigest,
});
