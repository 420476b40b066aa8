import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { everyKind, lease, operation, planned, state } from "../../../test/contract/journal-samples.ts";
import { increment } from "../../../test/contract/store-increment.ts";
import type { LedgerFolder } from "../../../test/support/ledger-folder.ts";
import { ledgerFolder, SHOP } from "../../../test/support/ledger-folder.ts";
import { advance } from "../../domain/fold.ts";
import type { StackName } from "../../domain/ids.ts";
import { instant, operationId, stackId, stackName, stepName } from "../../domain/ids.ts";
import type { JournalRecord } from "../../domain/journal.ts";
import type { StepState } from "../../domain/state.ts";
import { canonicalJson } from "../../wire/canonical.ts";
import { sha256Hex } from "../../wire/digest.ts";
import type { SqliteStore } from "./store.ts";
import { importSqliteLedger } from "./transfer.ts";

let at: LedgerFolder;
beforeEach(() => {
  at = ledgerFolder();
});
afterEach(() => at.dispose());

/** As in `increment`: how often, with the last record's time. */
const count = (before: StepState | undefined, record: JournalRecord): StepState =>
  state(record.step, { attempts: (before?.attempts ?? 0) + 1, updatedAt: record.at });

const linesOf = async (store: SqliteStore): Promise<string[]> => {
  const lines: string[] = [];
  for await (const line of store.exportJsonl()) lines.push(line);
  return lines;
};

const recordsOf = async (store: SqliteStore, stack: StackName) => {
  const found = [];
  for await (const record of store.records({ stack })) found.push(record);
  return found;
};

const RECORDS = [
  ...everyKind("vm"),
  ...everyKind("web").filter((record) => record.kind !== "decision"),
  planned("vm"),
];

/** Two stacks, records of every kind, several operations, a lease. */
const furnished = async (): Promise<SqliteStore> => {
  const store = await at.open();
  for (const [index, name] of ["shop", "naïve 'stack'"].entries())
    await store.commit({
      stack: stackName(name),
      steps: [],
      decide: () => ({
        value: null,
        write: {
          records: RECORDS,
          steps: [],
          stack: { create: stackId(`st_${index}`), lease: lease("op_1", 4), epoch: 4 },
          operation: operation(`op_${index}`, name),
        },
      }),
    });
  return store;
};

const target = (): string => join(at.folder, "imported", "ledger.db");
const imported = (lines: Iterable<string>, path = target()) =>
  importSqliteLedger(lines, { path, fold: count });

describe("ledger export and import", () => {
  it("brings over ids, chains, operations, epochs; not the lease, and states are folded anew", async () => {
    const store = await furnished();
    const lines = await linesOf(store);
    const answer = await imported(lines);
    expect(answer).toEqual({
      ledgerId: store.ledgerId,
      stacks: 2,
      operations: 2,
      records: 2 * RECORDS.length,
    });
    const copy = await at.open("write", { path: target() });
    expect(copy.ledgerId).toBe(store.ledgerId);
    for (const head of await store.stacks()) {
      expect(await copy.head(head.name)).toEqual({ ...head, lease: null });
      expect(await recordsOf(copy, head.name)).toEqual(await recordsOf(store, head.name));
      expect(await copy.operations(head.name, 9)).toEqual(await store.operations(head.name, 9));
      // `old` was renamed to `vm` by one of the records.
      expect([...(await copy.steps(head.name)).keys()].sort()).toEqual(["vm", "web"]);
    }
    expect(await copy.checkIntegrity()).toEqual([]);
    expect(await linesOf(copy)).toEqual(lines);
    expect((await copy.operation(operationId("op_1")))?.startedAt).toBe(instant(1000));
  });

  it("with the domain's own fold, a renamed step has one row, under its new name", async () => {
    const store = await at.open();
    const rename = { ...planned("new"), decision: { what: "renamed" as const, from: stepName("old") } };
    await store.commit({
      stack: SHOP,
      steps: [],
      decide: () => ({
        value: null,
        write: {
          records: [planned("old"), rename],
          steps: [],
          stack: { create: stackId("st_1"), lease: null, epoch: 0 },
        },
      }),
    });
    const answer = await importSqliteLedger(await linesOf(store), { path: target(), fold: advance });
    expect(answer).toMatchObject({ records: 2 });
    const copy = await at.open("read", { path: target() });
    const before = advance(undefined, planned("old"));
    expect(await copy.steps(SHOP)).toEqual(new Map([["new", advance(before, rename)]]));
  });

  it("an empty ledger too, and the export of a reader is the writer's", async () => {
    const store = await at.open();
    const lines = await linesOf(store);
    expect(lines).toHaveLength(2);
    expect(await imported(lines)).toMatchObject({ records: 0 });
    expect(await linesOf(await at.open("read", { path: target() }))).toEqual(lines);
  });

  it("is one state, while a writer goes on", async () => {
    const store = await at.open();
    for (let done = 0; done < 50; done += 1) await store.commit(increment(SHOP, "n"));
    const lines: string[] = [];
    for await (const line of store.exportJsonl()) {
      lines.push(line);
      if (lines.length % 5 === 0) await store.commit(increment(SHOP, "n"));
    }
    expect(await imported(lines)).toMatchObject({ records: 50 });
    expect((await store.head(SHOP))?.seq).toBeGreaterThan(50);
  });

  it("goes into a new ledger only", async () => {
    const store = await furnished();
    const lines = await linesOf(store);
    expect(await imported(lines, at.path)).toMatchObject({
      fault: expect.stringMatching(/exists/) as string,
    });
    writeFileSync(join(at.folder, "empty.db"), "");
    await expect(imported(lines, join(at.folder, "empty.db"))).rejects.toMatchObject({ code: "corrupt" });
  });

  it("a journal that the fold refuses is not imported", async () => {
    const store = await furnished();
    const fold = () => {
      throw new Error("pending cannot become destroyed");
    };
    const answer = await importSqliteLedger(await linesOf(store), { path: target(), fold });
    expect(answer).toMatchObject({
      fault: expect.stringMatching(/record 1 of stack "shop" .*pending cannot become destroyed/) as string,
    });
    expect(existsSync(target())).toBe(false);
  });
});

describe("an export that was tampered with is refused whole", () => {
  const refusal = async (lines: Iterable<string>): Promise<string> => {
    const answer = await imported(lines);
    expect(existsSync(target())).toBe(false);
    if (existsSync(join(at.folder, "imported")))
      expect(readdirSync(join(at.folder, "imported")).filter((name) => name !== ".gitignore")).toEqual([]);
    return "fault" in answer ? answer.fault : "";
  };

  /** The last line made to agree again, as somebody would who knows the format. */
  const resealed = (lines: readonly string[]): string[] => {
    const body = lines.slice(0, -1);
    const of = (kind: string) =>
      body.filter(
        (line) => line.includes(`"kind":"${kind}"`) && line.startsWith(kind === "record" ? '{"hash"' : "{"),
      ).length;
    const records = body.filter((line) => line.startsWith('{"hash"') && line.includes('"record":{')).length;
    const digest = sha256Hex(body.map((line) => `${line}\n`).join(""));
    return [
      ...body,
      canonicalJson({
        kind: "trailer",
        stacks: of("stack"),
        operations: of("operation"),
        records,
        sha256: digest,
      }),
    ];
  };

  it("by any single byte (property; more runs of it in wire/ledger-export.test.ts)", async () => {
    const bytes = Buffer.from((await linesOf(await furnished())).map((line) => `${line}\n`).join(""));
    const position = fc.integer({ min: 0, max: bytes.length - 1 });
    await fc.assert(
      fc.asyncProperty(position, fc.integer({ min: 1, max: 255 }), async (index, change) => {
        const changed = Buffer.from(bytes);
        changed[index] = (changed[index] as number) ^ change;
        expect(await refusal(changed.toString("utf8").split("\n"))).toMatch(
          /line \d+ of the export is refused|cut off|schema/,
        );
      }),
      { numRuns: 25 },
    );
    expect(await imported(bytes.toString("utf8").split("\n"))).toMatchObject({ stacks: 2 });
  });

  it("cut off after any line", async () => {
    const lines = await linesOf(await furnished());
    for (let kept = 0; kept < lines.length; kept += 7)
      expect(await refusal(lines.slice(0, kept)), String(kept)).toMatch(/cut off|empty/);
  });

  it("lines dropped, doubled, swapped, added; also by who makes the last line agree", async () => {
    const lines = await linesOf(await furnished());
    const at20 = [...lines];
    [at20[20], at20[21]] = [lines[21] as string, lines[20] as string];
    const changes: Record<string, string[]> = {
      dropped: lines.toSpliced(20, 1),
      doubled: lines.toSpliced(20, 0, lines[20] as string),
      swapped: at20,
      "a head dropped": lines.toSpliced(1, 1),
      "the last record of a stack dropped": lines.toSpliced(2 + RECORDS.length, 1),
      "an operation doubled": lines.toSpliced(2, 0, lines[2] as string),
      "a record changed": lines.with(20, (lines[20] as string).replace('"step":"vm"', '"step":"db"')),
      "an unknown kind": lines.toSpliced(3, 0, '{"kind":"note"}'),
    };
    for (const [what, changed] of Object.entries(changes)) {
      expect(changed, what).not.toEqual(lines);
      expect(await refusal(changed), what).toMatch(/line \d+ of the export is refused/);
      expect(await refusal(resealed(changed)), `${what}, resealed`).toMatch(
        /line \d+ of the export is refused/,
      );
    }
    expect(await refusal([...lines, "more"])).toMatch(/something follows the last line/);
    expect(await refusal([...lines, lines.at(-1) as string])).toMatch(/something follows the last line/);
    // Control: resealing an untouched export gives the same export, which is taken.
    expect(resealed(lines)).toEqual(lines);
    expect(await imported(resealed(lines))).toMatchObject({ stacks: 2 });
  });

  it("a header that names a path, another format, or a newer schema", async () => {
    const lines = await linesOf(await furnished());
    const header = (change: [string, string]) =>
      resealed(lines.with(0, (lines[0] as string).replace(...change)));
    expect(await refusal(header(["lg_", "lg_../../x"]))).toMatch(/ledgerId is not a ledger's id/);
    expect(await refusal(header(["v1alpha1", "v9"]))).toMatch(/line 1 .*apiVersion/);
    expect(await refusal(header(['"schema":1', '"schema":99']))).toMatch(/schema 99, and this asfound knows/);
    expect(await refusal([])).toMatch(/cut off/);
    expect(readFileSync(at.path).length).toBeGreaterThan(0);
  });
});
