/**
 * The bytes of a spool slot (W6): frames one after another, each `magic 8 · use 8 · length 4 · SHA-256 32 · JSON`.
 * `use` is drawn anew whenever a slot is taken, so a frame of an earlier use is never read as one of this.
 * An empty slot begins with zeros. What is torn fails its digest and is named, never guessed at.
 */
import { createHash } from "node:crypto";
import type { IdentityRecord, OutcomeRecord } from "../../domain/journal.ts";
import type { JsonObject } from "../../domain/json.ts";
import { isJsonObject } from "../../domain/json.ts";
import type { Spooled } from "../../ports/spool.ts";

export const SLOT_BYTES = 128 * 1024;
/** Kept free for the outcome, whatever identities came before it. */
const OUTCOME_BYTES = 64 * 1024;
const IDENTITY_BYTES = 16 * 1024;
export const HEADER_BYTES = 52;
const MAGIC = Buffer.from("ASFSPOL1", "latin1");
const REASON_CHARACTERS = 2_000;

/** How large a frame of this record may be at `offset`. */
export const roomFor = (record: OutcomeRecord | IdentityRecord, offset: number): number => {
  const left = SLOT_BYTES - offset;
  return record.kind === "identity" ? Math.min(IDENTITY_BYTES, left - OUTCOME_BYTES) : left;
};

export interface Frame {
  readonly bytes: Buffer;
  /** How many outputs did not fit and were dropped. */
  readonly dropped: number;
}

/** The frame, shrunk to `room`; null if not even the id and the kind of outcome fit. */
export const frameOf = (spooled: Spooled, use: Buffer, room: number): Frame | null => {
  const space = room - HEADER_BYTES;
  let json = Buffer.from(JSON.stringify(spooled));
  let dropped = 0;
  if (json.length > space) {
    const bare = shorten(spooled);
    const { kept, left } = prefixThatFits(outputsOf(spooled.record), space - sizeOf(withOutputs(bare, {})));
    json = Buffer.from(JSON.stringify(withOutputs(bare, kept)));
    dropped = left;
  }
  if (json.length > space) return null;
  const header = Buffer.alloc(HEADER_BYTES);
  MAGIC.copy(header, 0);
  use.copy(header, 8);
  header.writeUInt32LE(json.length, 16);
  sha256(use, json).copy(header, 20);
  return { bytes: Buffer.concat([header, json]), dropped };
};

export interface SlotContent {
  readonly spooled: readonly Spooled[];
  /** Something was being written and is not whole. */
  readonly torn: boolean;
}

export const readFrames = (slot: Buffer): SlotContent => {
  const spooled: Spooled[] = [];
  const use = slot.subarray(8, 16);
  if (isEmpty(slot)) return { spooled, torn: false };
  for (let at = 0; at + HEADER_BYTES <= slot.length; ) {
    const header = slot.subarray(at, at + HEADER_BYTES);
    const isOurs = header.subarray(0, 8).equals(MAGIC) && header.subarray(8, 16).equals(use);
    if (!isOurs) return { spooled, torn: at === 0 };
    const end = at + HEADER_BYTES + header.readUInt32LE(16);
    const json = slot.subarray(at + HEADER_BYTES, end);
    if (end > slot.length || !sha256(use, json).equals(header.subarray(20, 52)))
      return { spooled, torn: true };
    const read = parse(json);
    if (read === null) return { spooled, torn: true };
    spooled.push(read);
    at = end;
  }
  return { spooled, torn: spooled.length === 0 };
};

/** Never written to: zeros where a frame begins, or a slot whose allocation was cut off (it was never lent). */
const isEmpty = (slot: Buffer): boolean =>
  slot.subarray(0, 20).every((byte) => byte === 0) ||
  (slot.length < SLOT_BYTES && !slot.subarray(0, 8).equals(MAGIC));

const sha256 = (use: Buffer, json: Buffer): Buffer => createHash("sha256").update(use).update(json).digest();

/** The digest has vouched for the bytes; the shape is looked at because another version may have written them. */
const parse = (json: Buffer): Spooled | null => {
  const value: unknown = JSON.parse(json.toString("utf8"));
  if (!isJsonObject(value) || typeof value["stack"] !== "string" || typeof value["ledger"] !== "string")
    return null;
  const record = value["record"];
  if (!isJsonObject(record) || (record["kind"] !== "outcome" && record["kind"] !== "identity")) return null;
  return value as unknown as Spooled;
};

const outputsOf = (record: OutcomeRecord | IdentityRecord): JsonObject => {
  if (record.kind === "identity") return record.outputs;
  return record.outcome.kind === "refused" ? {} : record.outcome.outputs;
};

const withOutputs = (spooled: Spooled, outputs: JsonObject): Spooled => {
  const { record } = spooled;
  if (record.kind === "identity") return { ...spooled, record: { ...record, outputs } };
  if (record.outcome.kind === "refused") return spooled;
  return { ...spooled, record: { ...record, outcome: { ...record.outcome, outputs } } };
};

/** A reason is for a person; two thousand characters of it are enough where room is scarce. */
const shorten = (spooled: Spooled): Spooled => {
  const { record } = spooled;
  if (record.kind === "identity" || record.outcome.kind === "done") return spooled;
  const { reason } = record.outcome;
  const short =
    reason.length > REASON_CHARACTERS ? `${reason.slice(0, REASON_CHARACTERS).toWellFormed()}…` : reason;
  return { ...spooled, record: { ...record, outcome: { ...record.outcome, reason: short } } };
};

/** Outputs from the start for as long as they fit; the rest is counted. */
const prefixThatFits = (outputs: JsonObject, space: number): { kept: JsonObject; left: number } => {
  const entries = Object.entries(outputs);
  let used = 0;
  let count = 0;
  for (const entry of entries) {
    // As `"name":value,`: never less than what JSON needs for it.
    used += sizeOf(entry[0]) + 1 + sizeOf(entry[1]) + 1;
    if (used > space) break;
    count++;
  }
  return { kept: Object.fromEntries(entries.slice(0, count)), left: entries.length - count };
};

const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
