import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { everyKind, operation } from "../../test/contract/journal-samples.ts";
import { ledgerId, stackId, stackName } from "../domain/ids.ts";
import { encodeRecord, GENESIS, link } from "./chain.ts";
import type { ExportItem } from "./ledger-export.ts";
import { ExportRefused, exportLines, readExport } from "./ledger-export.ts";

const stackItems = (text: string): ExportItem[] => {
  const stack = stackName(text);
  const items: ExportItem[] = [];
  let hash = GENESIS;
  for (const [index, record] of everyKind("vm").entries()) {
    const prevHash = hash;
    hash = link(prevHash, stack, index + 1, encodeRecord(record));
    items.push({ kind: "record", stack, seq: index + 1, prevHash, hash, record });
  }
  return [
    { kind: "stack", name: stack, id: stackId(`st_${text}`), seq: items.length, hash, epoch: 3 },
    { kind: "operation", operation: operation(`op_${text}`, text) },
    ...items,
  ];
};

const ITEMS: ExportItem[] = [
  { kind: "LedgerExport", ledgerId: ledgerId("lg_1"), schema: 1 },
  ...stackItems("shop"),
  { kind: "stack", name: stackName("empty"), id: stackId("st_empty"), seq: 0, hash: GENESIS, epoch: 0 },
  ...stackItems("naïve"),
];

const gather = async <T>(from: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = [];
  for await (const one of from) all.push(one);
  return all;
};

const refused = async (lines: Iterable<string>): Promise<string> => {
  try {
    await gather(readExport(lines));
  } catch (error) {
    if (error instanceof ExportRefused) return error.message;
    throw error;
  }
  return "";
};

describe("the export of a ledger", () => {
  it("gives back what was put in", async () => {
    const lines = await gather(exportLines(ITEMS));
    expect(await gather(readExport(lines))).toEqual(
      ITEMS.map((item) => (item.kind === "operation" ? item : (expect.objectContaining(item) as ExportItem))),
    );
    expect(await gather(readExport([...lines, ""]))).toHaveLength(ITEMS.length);
  });

  it("property: any byte changed, removed or put in is refused", async () => {
    const bytes = Buffer.from(`${(await gather(exportLines(ITEMS))).join("\n")}\n`);
    const place = fc.integer({ min: 0, max: bytes.length - 1 });
    const edit = fc.oneof(
      fc.record({ how: fc.constant("change" as const), by: fc.integer({ min: 1, max: 255 }) }),
      fc.record({ how: fc.constant("insert" as const), by: fc.integer({ min: 0, max: 255 }) }),
      fc.record({ how: fc.constant("remove" as const), by: fc.constant(0) }),
    );
    await fc.assert(
      fc.asyncProperty(place, edit, async (at, { how, by }) => {
        const middle =
          how === "change" ? [(bytes[at] as number) ^ by] : how === "insert" ? [by, bytes[at] as number] : [];
        const edited = Buffer.concat([bytes.subarray(0, at), Buffer.from(middle), bytes.subarray(at + 1)]);
        // Without its last line break an export says the same.
        fc.pre(edited.toString().trimEnd() !== bytes.toString().trimEnd());
        expect(await refused(edited.toString("utf8").split("\n"))).not.toBe("");
      }),
      { numRuns: 600 },
    );
  });

  it("property: any lines left out or moved are refused", async () => {
    const lines = await gather(exportLines(ITEMS));
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(lines, { minLength: 0 }), async (some) => {
        fc.pre(some.join("\n") !== lines.join("\n"));
        expect(await refused(some)).not.toBe("");
      }),
      { numRuns: 100 },
    );
    for (let at = 0; at < lines.length; at += 1)
      expect(await refused(lines.toSpliced(at, 1)), `line ${at + 1}`).not.toBe("");
  });

  it("names the line, and says that nothing was taken", async () => {
    const lines = await gather(exportLines(ITEMS));
    const message = await refused(lines.with(7, `${lines[7]} `));
    expect(message).toBe(
      "line 8 of the export is refused: it is not in canonical form, so it was changed; nothing was imported",
    );
    expect(await refused(lines.slice(0, -1))).toMatch(/was cut off: its last line is missing/);
  });
});
