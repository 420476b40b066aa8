/** The guide's table of cases and switches names every case, and the switches that the cloud has: no other, and all of them. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { USUAL } from "../../src/testing/cloud/kinds.ts";
import { ROOT, readPage } from "./literate.ts";

/** Fields of a fault, of a request, and what the cloud itself does. */
const BESIDE = [
  "after",
  "tellsId",
  "body",
  "parent",
  "get",
  "list",
  "create",
  "delete",
  "update",
  "refuse()",
  "keys: replay",
  "ignore",
  "async: operation",
  ...Object.keys(USUAL),
];

const rowsOf = (page: string): string[] => {
  const table = page.slice(page.indexOf("| case | what happened |"));
  return table
    .split("\n")
    .slice(2)
    .filter((line) => line.startsWith("|"));
};
const switchesIn = (row: string): string[] =>
  [...String(row.split("|")[3]).matchAll(/`([^`]+)`/g)].map(([, word]) => String(word));

it("every case has a row, and the rows name what there is", async () => {
  const rows = rowsOf(await readPage("docs/guide/write-a-provider.md"));
  const cases = rows.flatMap((row) => /\bop-\d\d\b/.exec(row)?.[0] ?? []);
  expect(cases).toEqual(Array.from({ length: 25 }, (_, at) => `op-${String(at + 1).padStart(2, "0")}`));
  const source = await readFile(join(ROOT, "src/testing/cloud/fault.ts"), "utf8");
  const faults = [...source.matchAll(/readonly do: "([\w-]+)"/g)].map(([, name]) => String(name));
  expect(faults.length).toBeGreaterThan(15);
  const named = new Set(rows.flatMap(switchesIn));
  expect(faults.filter((fault) => !named.has(fault))).toEqual([]);
  expect([...named].filter((word) => !faults.includes(word) && !BESIDE.includes(word))).toEqual([]);
});
