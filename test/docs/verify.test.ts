/** The guide to verify has every claim in its own words, and every kind with the claims that count. */
import { expect, it } from "vitest";
import { CLAIMS } from "../../src/domain/claim.ts";
import { KINDS } from "../../src/judge/kinds.ts";
import { readPage } from "./literate.ts";

const rowsAfter = (page: string, head: string): readonly (readonly string[])[] => {
  const [, table = ""] = page.split(head);
  const [rows = ""] = table.split("\n\n");
  return rows
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("|---"))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
};

it("claims", async () => {
  const rows = rowsAfter(await readPage("docs/guide/verify.md"), "| claim | says | it does not tell |");
  expect(rows).toEqual(
    Object.entries(CLAIMS).map(([name, { says, doesNotTell }]) => [`\`${name}\``, says, doesNotTell]),
  );
});

it("kinds", async () => {
  const rows = rowsAfter(await readPage("docs/guide/verify.md"), "| kind | claims that count |");
  const told = rows.flatMap(([kinds = "", claims = ""]) =>
    kinds
      .replace(/\([^)]*\)/g, "")
      .split(",")
      .map((kind) => [kind.trim(), [...claims.matchAll(/`([\w-]+)`/g)].map(([, claim]) => claim)] as const),
  );
  expect(new Map(told)).toEqual(new Map(KINDS.map(({ resource, required }) => [resource.kind, required])));
});
