import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { parse as parseYaml } from "yaml";
import { describe } from "../../src/adapters/provider-http/describe.ts";
import { PROOF } from "../../src/adapters/provider-http/proof.ts";
import { isFaults } from "../../src/ports/provider.ts";

const guide = readFileSync(new URL("../../docs/guide/http-provider.md", import.meta.url), "utf8");

const WORDS = {
  done: "`done`",
  refused: "`refused`",
  unknown: "`unknown`",
  follow: "followed where `poll` says so, else `done`",
  again: "sent again, or `refused`",
} as const;

it("the guide's table is the provider's own", () => {
  const rows = Object.entries(PROOF).map(
    ([name, proof]) => `| ${name} | ${proof.when} | ${WORDS[proof.proves]} |`,
  );
  const table = guide.slice(
    guide.indexOf("| reply to a changing request"),
    guide.indexOf("- A 429 is the one"),
  );
  expect(table.trim().split("\n").slice(2)).toEqual(rows);
});

it("the guide's example has no fault", () => {
  const yaml = /```yaml\n([\s\S]*?)```/.exec(guide)?.[1] ?? "";
  const answer = describe(parseYaml(yaml).steps.machine.with);
  expect(isFaults(answer) ? answer : []).toEqual([]);
});
