/** The example providers of docs/guide/exec-provider.md pass the checks that every provider passes. */
import { spawnSync } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/provider.ts";
import { execSubject, providerChecks } from "../../src/testing.ts";
import { notRunWithout } from "../support/not-run.ts";

const EXAMPLES = fileURLToPath(new URL("../../docs/guide/examples", import.meta.url));

const checksOf = (command: readonly string[], inputsOf: (notes: string, text: string) => JsonObject) =>
  providerChecks(
    execSubject({
      command,
      with: (place) => inputsOf(place, "one"),
      changed: (place) => inputsOf(place, "two"),
      count: async (place) => (await readdir(place)).length,
      environment: process.env,
    }),
  );

const byVariables = (NOTES: string, TEXT: string) => ({ environment: { NOTES, TEXT } });
const byInputs = (notes: string, text: string) => ({ inputs: { notes, text } });

describe("notes.sh", () => {
  for (const check of checksOf([join(EXAMPLES, "notes.sh")], byVariables)) it(check.name, check.run);
});

describe("notes.mjs", () => {
  const command = [process.execPath, join(EXAMPLES, "notes.mjs")];
  for (const check of checksOf(command, byInputs)) it(check.name, check.run);
});

const lacking = spawnSync("python3", ["--version"]).status === 0 ? null : "there is no python3 here";
describe("notes.py", () => {
  for (const check of checksOf(["python3", join(EXAMPLES, "notes.py")], byInputs))
    it(check.name, (context) => {
      notRunWithout(context, lacking);
      return check.run();
    });
});

it("every example is tested here", async () => {
  const scripts = (await readdir(EXAMPLES)).filter((name) => name.startsWith("notes."));
  expect(scripts.toSorted()).toEqual(["notes.mjs", "notes.py", "notes.sh"]);
});
