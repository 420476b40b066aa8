/** The example providers of docs/guide/exec-provider.md pass the checks that every provider passes. */
import { spawnSync } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { execProvider } from "../../src/adapters/provider-exec/provider.ts";
import { providerChecks, type Subject } from "../../src/testing.ts";

const EXAMPLES = fileURLToPath(new URL("../../docs/guide/examples", import.meta.url));

const subjectOf =
  (command: readonly string[], inputsOf: (notes: string, text: string) => object) => async () => {
    const notes = await mkdtemp(join(tmpdir(), "asfound-notes-"));
    onTestFinished(() => rm(notes, { recursive: true, force: true }));
    const commands = { observe: command, create: command, update: command, destroy: command };
    const subject: Subject = {
      provider: execProvider({ environment: process.env }),
      with: { ...commands, ...inputsOf(notes, "one") },
      changed: { ...commands, ...inputsOf(notes, "two") },
      count: async () => (await readdir(notes)).length,
    };
    return subject;
  };

const byVariables = (NOTES: string, TEXT: string) => ({ environment: { NOTES, TEXT } });
const byInputs = (notes: string, text: string) => ({ inputs: { notes, text } });

describe("notes.sh", () => {
  for (const check of providerChecks(subjectOf([join(EXAMPLES, "notes.sh")], byVariables)))
    it(check.name, check.run);
});

describe("notes.mjs", () => {
  const command = [process.execPath, join(EXAMPLES, "notes.mjs")];
  for (const check of providerChecks(subjectOf(command, byInputs))) it(check.name, check.run);
});

const python = spawnSync("python3", ["--version"]).status === 0;
describe.skipIf(!python)("notes.py", () => {
  for (const check of providerChecks(subjectOf(["python3", join(EXAMPLES, "notes.py")], byInputs)))
    it(check.name, check.run);
});

it("every example is tested here", async () => {
  const scripts = (await readdir(EXAMPLES)).filter((name) => name.startsWith("notes."));
  expect(scripts.toSorted()).toEqual(["notes.mjs", "notes.py", "notes.sh"]);
});
