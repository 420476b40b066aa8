/**
 * The chain: each record of a stack is hashed together with its place and the hash before it, so that a record that
 * was changed, dropped, added or moved shows. It is a local hash only (trust tier T0, E3): who can write the whole
 * ledger can also write a new chain.
 */
import type { StackName } from "../domain/ids.ts";
import type { JournalRecord } from "../domain/journal.ts";
import type { JsonObject } from "../domain/json.ts";
import { canonicalJson } from "./canonical.ts";
import { sha256Hex } from "./digest.ts";

/** The hash before the first record. */
export const GENESIS = "0".repeat(64);

/**
 * The hash of the record number `seq` (from 1) of `stack`, whose canonical text is `body`. 64 hex digits.
 * What is hashed is five lines, of which only the last may hold anything: a heading, the hash before, the number, the
 * stack's name as JSON (so without a line break), the body.
 */
export const link = (prevHash: string, stack: StackName, seq: number, body: string): string =>
  sha256Hex(`asfound-record-v1\n${prevHash}\n${seq}\n${canonicalJson(stack)}\n${body}`);

/** The one text of a record. Throws `NotCanonical`. */
export const encodeRecord = (record: JournalRecord): string => canonicalJson(record as unknown as JsonObject);

/** A record with its place, as a driver gives it. Same shape as `ChainedRecord` of the store's port. */
interface Chained {
  readonly stack: StackName;
  readonly seq: number;
  readonly prevHash: string;
  readonly hash: string;
  readonly record: JournalRecord;
}

/** Where a chain ends or begins. */
export interface ChainEnd {
  /** 0 before the first record. */
  readonly seq: number;
  readonly hash: string;
}

export interface ChainBreak {
  readonly stack: StackName;
  /** The record at which the chain no longer holds. */
  readonly seq: number;
  /** One sentence. */
  readonly why: string;
}

/**
 * The first place at which the records of ONE stack do not follow each other from `after` (default: the beginning)
 * to `head` (default: wherever they end); null when the chain holds.
 */
export const verifyChain = async (
  records: AsyncIterable<Chained>,
  expected: { readonly after?: ChainEnd; readonly head?: ChainEnd & { readonly stack: StackName } } = {},
): Promise<ChainBreak | null> => {
  let end: ChainEnd = expected.after ?? { seq: 0, hash: GENESIS };
  for await (const next of records) {
    const why = linkFault(end, next);
    if (why !== null) return { stack: next.stack, seq: next.seq, why };
    end = next;
  }
  const { head } = expected;
  if (head === undefined || (head.seq === end.seq && head.hash === end.hash)) return null;
  const why =
    head.seq === end.seq
      ? `the stack's head and record ${end.seq} have different hashes`
      : `the stack's head says ${head.seq} records, the last one there is ${end.seq}`;
  return { stack: head.stack, seq: Math.min(end.seq, head.seq) + 1, why };
};

/** Why `next` does not follow `end`, as one sentence; null when it does. */
const linkFault = (end: ChainEnd, next: Chained): string | null => {
  if (next.seq !== end.seq + 1) return `record ${end.seq} is followed by record ${next.seq}`;
  if (next.prevHash !== end.hash) return `record ${next.seq} does not name the hash of record ${end.seq}`;
  if (link(next.prevHash, next.stack, next.seq, encodeRecord(next.record)) !== next.hash)
    return `record ${next.seq} was changed after it was written: its hash does not match`;
  return null;
};
