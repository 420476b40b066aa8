/** Export and import of a ledger as JSON lines (`wire/ledger-export.ts`). */
import { resolve } from "node:path";
import type { LedgerId, StackName, StepName } from "../../domain/ids.ts";
import type { JournalRecord } from "../../domain/journal.ts";
import type { JsonObject } from "../../domain/json.ts";
import type { Operation } from "../../domain/operation.ts";
import type { StepState } from "../../domain/state.ts";
import { StoreFault } from "../../ports/store.ts";
import { canonicalJson } from "../../wire/canonical.ts";
import { encodeRecord } from "../../wire/chain.ts";
import type { ExportCounts, ExportedRecord, ExportHeader, ExportItem } from "../../wire/ledger-export.ts";
import { ExportRefused, exportLines, readExport } from "../../wire/ledger-export.ts";
import { encodeStepState } from "../../wire/ledger-rows.ts";
import { buildLedger } from "./build.ts";
import { headsOf } from "./integrity.ts";
import { MIGRATIONS } from "./migrations.ts";
import { examine } from "./place.ts";
import { operationsInOrder } from "./read-rows.ts";
import type { Reader } from "./reader.ts";
import { recordsBetween } from "./records.ts";
import type { NumberedHead } from "./rows.ts";
import { rowSum, writeHead } from "./rows.ts";
import type { Statements } from "./statements.ts";
import { placeOf } from "./statements.ts";
import { NO_ROWS, replacedIn } from "./sums.ts";

/** All lines of one state of the ledger. Throws `StoreFault`; without its last line an export is worth nothing. */
export async function* exportFrom(
  reader: Reader,
  path: string,
  header: Omit<ExportHeader, "kind">,
): AsyncIterable<string> {
  const snapshot = reader.snapshot();
  try {
    yield* exportLines(
      itemsOf(snapshot.statements, header, () => {
        if (!snapshot.unchanged())
          throw new StoreFault(
            "busy",
            `the ledger ${path} changed while it was exported; run the export again`,
          );
      }),
    );
  } finally {
    snapshot.close();
  }
}

function* itemsOf(
  statements: Statements,
  header: Omit<ExportHeader, "kind">,
  finish: () => void,
): Iterable<ExportItem> {
  yield { kind: "LedgerExport", ...header };
  for (const head of headsOf(statements)) {
    yield { kind: "stack", name: head.name, id: head.id, seq: head.seq, hash: head.hash, epoch: head.epoch };
    for (const operation of operationsInOrder(statements, head)) yield { kind: "operation", operation };
    for (const { characters: _, ...found } of recordsBetween(statements, head, 1, head.seq))
      yield { kind: "record", ...found };
  }
  finish();
}

export interface ImportOptions {
  readonly path: string;
  /** The state after a record: states are derived, so an import folds them anew and believes none that it was given. */
  readonly fold: (state: StepState | undefined, record: JournalRecord) => StepState;
}

/**
 * Makes a new ledger out of an export: the same id, the same chains. Everything is checked before anything of it can
 * be seen. `fault`: one sentence, and there is no new ledger. Throws `StoreFault`.
 */
export const importSqliteLedger = async (
  lines: AsyncIterable<string> | Iterable<string>,
  { path: given, fold }: ImportOptions,
): Promise<({ readonly ledgerId: LedgerId } & ExportCounts) | { readonly fault: string }> => {
  const path = resolve(given);
  const taken = {
    fault: `${path} exists, and an import only makes new ledgers; name another path with --ledger`,
  };
  if (examine(path) === "there") return taken;
  const items = readExport(lines)[Symbol.asyncIterator]();
  try {
    const header = (await items.next()).value as ExportHeader | undefined;
    if (header === undefined) return { fault: "the export is empty; nothing was imported" };
    if (header.schema > MIGRATIONS.length)
      return {
        fault: `the export has schema ${header.schema}, and this asfound knows schemas up to ${MIGRATIONS.length}; use the newer asfound that wrote it`,
      };
    const counts = { stacks: 0, operations: 0, records: 0 };
    const { ledgerId } = header;
    const built = await buildLedger({ path, ledgerId, migrations: MIGRATIONS }, async (statements) => {
      const filling = new Filling(statements, fold);
      for (let next = await items.next(); !next.done; next = await items.next()) {
        filling.take(next.value);
        if (next.value.kind !== "LedgerExport") counts[`${next.value.kind}s`] += 1;
      }
      filling.finish();
    });
    return built === "taken" ? taken : { ledgerId, ...counts };
  } catch (error) {
    if (error instanceof ExportRefused) return { fault: error.message };
    throw error;
  }
};

/** Writes checked items into the new ledger; holds the states of one stack at a time. */
class Filling {
  readonly #statements: Statements;
  readonly #fold: ImportOptions["fold"];
  #head: NumberedHead | null = null;
  #states = new Map<StepName, StepState>();

  constructor(statements: Statements, fold: ImportOptions["fold"]) {
    this.#statements = statements;
    this.#fold = fold;
  }

  take(item: ExportItem): void {
    switch (item.kind) {
      case "LedgerExport":
        return;
      case "stack":
        this.finish();
        this.#head = this.#stack(item);
        return;
      case "operation":
        this.#operation(this.#under(), item.operation);
        return;
      case "record":
        this.#record(this.#under(), item);
    }
  }

  /** `readExport` gives no row before its stack. */
  #under(): NumberedHead {
    if (this.#head === null) throw new Error("a row came before its stack");
    return this.#head;
  }

  #stack({ name, id, seq, hash, epoch }: Extract<ExportItem, { kind: "stack" }>): NumberedHead {
    const number = Number(this.#statements.createStack.run(name, id).lastInsertRowid);
    const lease = { lease: null, leaseText: null };
    return { number, name, id, seq, hash, folded: seq, epoch, ...lease, steps: NO_ROWS, operations: NO_ROWS };
  }

  #operation(head: NumberedHead, operation: Operation): void {
    const text = textOf(operation);
    const sum = rowSum(head.number, operation.id, text);
    this.#statements.writeOperation.run(operation.id, head.number, sum, text);
    this.#head = { ...head, operations: replacedIn(head.operations, undefined, sum) };
  }

  #record({ number }: NumberedHead, { record, seq, hash, stack }: ExportedRecord): void {
    const place = placeOf(number, seq);
    this.#statements.appendRecord.run(place, record.step, record.operation, hash, encodeRecord(record));
    try {
      this.#advance(record);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new ExportRefused(
        `record ${seq} of stack ${JSON.stringify(stack satisfies StackName)} does not follow from those before it (${why}); nothing was imported`,
      );
    }
  }

  #advance(record: JournalRecord): void {
    // A renamed step goes on under its new name.
    const from =
      record.kind === "decision" && record.decision.what === "renamed" ? record.decision.from : record.step;
    const next = this.#fold(this.#states.get(from), record);
    if (from !== record.step) this.#states.delete(from);
    this.#states.set(next.step, next);
  }

  /** The states of a stack whose records have ended. */
  finish(): void {
    if (this.#head === null) return;
    const { number } = this.#head;
    let { steps } = this.#head;
    for (const state of this.#states.values()) {
      const text = encodeStepState(state);
      const sum = rowSum(number, state.step, text);
      this.#statements.writeStep.run(number, state.step, sum, text);
      steps = replacedIn(steps, undefined, sum);
    }
    writeHead(this.#statements, { ...this.#head, steps });
    this.#states = new Map();
  }
}

const textOf = (value: object): string => canonicalJson(value as JsonObject);
