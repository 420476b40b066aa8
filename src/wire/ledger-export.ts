/**
 * The export of a ledger as JSON lines, and its check. The first line names the ledger, then each stack with its
 * operations and its chained records, the last line counts them and carries a digest over all lines before it.
 *
 * Reading believes nothing: every line must be the canonical text of what it says, every chain must hold and end in
 * its stack's head, and the last line must agree. So a line that was changed, dropped, added, doubled or moved is
 * refused, and so is an export that was cut off. It is a local digest (trust tier T0, E3): who rewrites the whole
 * export can make it agree with itself.
 */
import { createHash } from "node:crypto";
import type { LedgerId, StackId, StackName } from "../domain/ids.ts";
import type { JournalRecord } from "../domain/journal.ts";
import type { JsonObject } from "../domain/json.ts";
import { isJsonObject } from "../domain/json.ts";
import type { Operation } from "../domain/operation.ts";
import { canonicalJson } from "./canonical.ts";
import { GENESIS, link } from "./chain.ts";
import { checkRecord, isFault } from "./journal.ts";
import { checkOperation } from "./ledger-rows.ts";
import type { Shape } from "./shape.ts";
import { count, name, objectOf, oneOf, sha256, text } from "./shape.ts";

const EXPORT_API_VERSION = "asfound.dev/v1alpha1";

export interface ExportHeader {
  readonly kind: "LedgerExport";
  readonly ledgerId: LedgerId;
  /** The number of the ledger's last migration. */
  readonly schema: number;
}

/** A stack's row without its lease: a lease binds processes, and none of them knows the copy. */
export interface ExportedStack {
  readonly kind: "stack";
  readonly name: StackName;
  readonly id: StackId;
  readonly seq: number;
  readonly hash: string;
  readonly epoch: number;
}

export interface ExportedOperation {
  readonly kind: "operation";
  readonly operation: Operation;
}

export interface ExportedRecord {
  readonly kind: "record";
  readonly stack: StackName;
  readonly seq: number;
  readonly prevHash: string;
  readonly hash: string;
  readonly record: JournalRecord;
}

/** A stack comes before its operations, those before its records; stacks follow each other. */
export type ExportItem = ExportHeader | ExportedStack | ExportedOperation | ExportedRecord;

export interface ExportCounts {
  readonly stacks: number;
  readonly operations: number;
  readonly records: number;
}

/** An export that cannot be believed. The message names the line. */
export class ExportRefused extends Error {
  readonly code = "ASFOUND_EXPORT_REFUSED";
}

/** The lines, without line breaks, of `items` (the header first). */
export async function* exportLines(
  items: AsyncIterable<ExportItem> | Iterable<ExportItem>,
): AsyncIterable<string> {
  const digest = createHash("sha256");
  const counts = { stacks: 0, operations: 0, records: 0 };
  for await (const item of items) {
    if (item.kind !== "LedgerExport") counts[`${item.kind}s`] += 1;
    const value = item.kind === "LedgerExport" ? { apiVersion: EXPORT_API_VERSION, ...item } : item;
    const line = canonicalJson(value as unknown as JsonObject);
    digest.update(`${line}\n`);
    yield line;
  }
  yield canonicalJson({ kind: "trailer", ...counts, sha256: digest.digest("hex") });
}

/**
 * Checks `lines` and hands out what they say, one by one; only when it ends without `ExportRefused` may any of it be
 * believed. Lines come without their line breaks; one empty line after the last is tolerated.
 */
export async function* readExport(
  lines: AsyncIterable<string> | Iterable<string>,
): AsyncIterable<ExportItem> {
  const reading = new Reading();
  for await (const line of lines) {
    const item = reading.next(line);
    if (item !== null) yield item;
  }
  reading.end();
}

const ledger: Shape = (value, at) =>
  typeof value === "string" && /^lg_[A-Za-z0-9-]{1,64}$/.test(value) ? null : `${at} is not a ledger's id`;
const header = objectOf<ExportHeader & { apiVersion: string }>({
  apiVersion: oneOf(EXPORT_API_VERSION),
  // It becomes part of a file's name.
  ledgerId: ledger,
  schema: count,
});
const stack = objectOf<ExportedStack>({ name, id: name, seq: count, hash: sha256, epoch: count });
const chained = objectOf<Omit<ExportedRecord, "record">>({
  stack: text,
  seq: count,
  prevHash: sha256,
  hash: sha256,
});

/** Where a reading stands: which line, which stack, where its chain ends. */
class Reading {
  #line = 0;
  #begun = false;
  #ended = false;
  readonly #digest = createHash("sha256");
  readonly #counts = { stacks: 0, operations: 0, records: 0 };
  readonly #names = new Set<string>();
  readonly #ids = new Set<string>();
  readonly #operations = new Set<string>();
  #stack: ExportedStack | null = null;
  #seq = 0;
  #hash = GENESIS;

  /** null for the trailer and the empty line after it. */
  next(line: string): ExportItem | null {
    this.#line += 1;
    if (this.#ended) {
      if (line === "") return null;
      throw this.#refuse("something follows the last line");
    }
    const value = this.#parse(line);
    if (!this.#begun) {
      this.#begun = true;
      this.#digest.update(`${line}\n`);
      return this.#header(value);
    }
    if (value["kind"] === "trailer") {
      this.#trailer(value);
      return null;
    }
    this.#digest.update(`${line}\n`);
    switch (value["kind"]) {
      case "stack":
        return this.#nextStack(value);
      case "operation":
        return this.#operation(value);
      case "record":
        return this.#record(value);
      default:
        throw this.#refuse("its kind is none that an export has");
    }
  }

  end(): void {
    if (!this.#ended)
      throw new ExportRefused(`the export was cut off: its last line is missing after line ${this.#line}`);
  }

  #parse(line: string): JsonObject {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      throw this.#refuse("it is not JSON");
    }
    if (!isJsonObject(value)) throw this.#refuse("it is not a JSON object");
    // Only one text may say this: a change that JSON does not show (white space, order, a key twice) shows here.
    if (line !== this.#canonical(value)) throw this.#refuse("it is not in canonical form, so it was changed");
    return value;
  }

  #canonical(value: JsonObject): string | null {
    try {
      return canonicalJson(value);
    } catch {
      return null;
    }
  }

  #header(value: JsonObject): ExportHeader {
    if (value["kind"] !== "LedgerExport")
      throw this.#refuse("an export begins with a line of kind LedgerExport");
    this.#check(header(value, "export"));
    return {
      kind: "LedgerExport",
      ledgerId: value["ledgerId"] as LedgerId,
      schema: value["schema"] as number,
    };
  }

  #nextStack(value: JsonObject): ExportedStack {
    this.#check(stack(value, "stack"));
    this.#closeStack();
    const next = value as unknown as ExportedStack;
    if (this.#names.has(next.name) || this.#ids.has(next.id))
      throw this.#refuse("this stack was there before");
    this.#names.add(next.name);
    this.#ids.add(next.id);
    this.#counts.stacks += 1;
    this.#stack = next;
    this.#seq = 0;
    this.#hash = GENESIS;
    return next;
  }

  #operation(value: JsonObject): ExportedOperation {
    const answer = checkOperation(value["operation"] as JsonObject);
    if ("fault" in answer) throw this.#refuse(answer.fault);
    const operation = answer.value;
    if (operation.stack !== this.#stack?.name) throw this.#refuse("its operation belongs to another stack");
    if (this.#seq !== 0) throw this.#refuse("an operation comes after the records");
    if (this.#operations.has(operation.id)) throw this.#refuse("this operation was there before");
    this.#operations.add(operation.id);
    this.#counts.operations += 1;
    return { kind: "operation", operation };
  }

  #record(value: JsonObject): ExportedRecord {
    this.#check(chained(value, "line"));
    const record = checkRecord(value["record"]);
    if (isFault(record)) throw this.#refuse(record.fault);
    const next = value as unknown as ExportedRecord;
    if (next.stack !== this.#stack?.name) throw this.#refuse("its record belongs to another stack");
    if (next.seq !== this.#seq + 1)
      throw this.#refuse(`record ${this.#seq} is followed by record ${next.seq}`);
    const body = canonicalJson(value["record"] as JsonObject);
    if (next.prevHash !== this.#hash || next.hash !== link(next.prevHash, next.stack, next.seq, body))
      throw this.#refuse(`the chain of hashes breaks at record ${next.seq}`);
    this.#seq = next.seq;
    this.#hash = next.hash;
    this.#counts.records += 1;
    return next;
  }

  #closeStack(): void {
    const before = this.#stack;
    if (before !== null && (before.seq !== this.#seq || before.hash !== this.#hash))
      throw this.#refuse(
        `the stack before it should have ${before.seq} records and has ${this.#seq}, or ends in another hash`,
      );
  }

  #trailer(value: JsonObject): void {
    this.#closeStack();
    const expected = { kind: "trailer", ...this.#counts, sha256: this.#digest.digest("hex") };
    if (canonicalJson(value) !== canonicalJson(expected))
      throw this.#refuse("its counts or its digest do not agree with the lines before it");
    this.#ended = true;
  }

  #check(fault: string | null): void {
    if (fault !== null) throw this.#refuse(fault);
  }

  #refuse(why: string): ExportRefused {
    return new ExportRefused(`line ${this.#line} of the export is refused: ${why}; nothing was imported`);
  }
}
