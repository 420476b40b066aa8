import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { REASONS } from "../../src/adapters/cluster-https/reasons.ts";

const guide = readFileSync(new URL("../../docs/guide/cluster.md", import.meta.url), "utf8");

it("the guide's table of reasons is the adapter's own", () => {
  const rows = Object.entries(REASONS).map(([name, { kind, when }]) => `| \`${name}\` | ${kind} | ${when} |`);
  expect(guide.slice(guide.indexOf("| reason |")).trim().split("\n").slice(2)).toEqual(rows);
});
