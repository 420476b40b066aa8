import { expect, it } from "vitest";
import { normalArguments } from "./argv.ts";

it.each([
  [[], ["--help"]],
  [["help"], ["--help"]],
  [
    ["help", "ledger", "import"],
    ["ledger", "import", "--help"],
  ],
  [
    ["status", "-ojson"],
    ["status", "-o", "json"],
  ],
  [
    ["status", "-o=json"],
    ["status", "-o", "json"],
  ],
  [
    ["history", "-n5"],
    ["history", "-n", "5"],
  ],
  [
    ["apply", "-fa=b.yaml", "-y"],
    ["apply", "-f", "a=b.yaml", "-y"],
  ],
  [
    ["-y", "-f", "x.yaml", "--var", "a=1", "apply", "--dry-run"],
    ["apply", "--dry-run", "-y", "-f", "x.yaml", "--var", "a=1"],
  ],
  [
    ["--file=x.yaml", "status"],
    ["status", "--file=x.yaml"],
  ],
  [
    ["resolve", "--", "-oddly-named"],
    ["resolve", "--", "-oddly-named"],
  ],
  [["--version"], ["--version"]],
  [["-y"], ["-y"]],
])("%j is read as %j", (typed, words) => {
  expect(normalArguments(typed)).toEqual(words);
});
