/** A stack file in TypeScript is a program: whatever it does while it is loaded, asfound says so in a sentence, and ends. */
import { spawnSync } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { findStackFile } from "../../src/adapters/system/find-stack.ts";
import { importStack } from "../../src/adapters/system/stack-module.ts";
import { formatFault, MAX_FAULTS } from "../../src/wire/manifest/fault.ts";
import { parseStackObject } from "../../src/wire/manifest/parse.ts";
import { plainJson } from "../../src/wire/manifest/plain.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { UNSAFE } from "./hostile-text.ts";

const MODULE = fileURLToPath(new URL("../../src/adapters/system/stack-module.ts", import.meta.url));

const written = (code: string): string => {
  const file = join(tempFolder("hostile"), "asfound.ts");
  writeFileSync(file, code);
  return file;
};

const loaded = async (code: string): Promise<string[]> => {
  const file = written(code);
  const imported = await importStack(file, 5_000);
  const parsed =
    "faults" in imported ? imported : await parseStackObject(imported.object, { file, vars: new Map() });
  return "faults" in parsed ? parsed.faults.map((fault) => formatFault(fault).replace(file, "")) : [];
};

describe("a stack file that throws", () => {
  it.each([
    ["nothing", "throw null", /it threw null/],
    [
      "an error without a message that can be read",
      'throw Object.defineProperty(new Error("x"), "message", { get() { throw 1 } })',
      /cannot be shown/,
    ],
    [
      "an error without a stack that can be read",
      'throw Object.defineProperty(new Error("x"), "stack", { get() { throw 1 } })',
      /failed: x/,
    ],
    [
      "an error whose message is no text",
      'throw Object.assign(new Error("x"), { message: { split: 1 } })',
      /cannot be shown/,
    ],
    ["what cannot be shown", "throw Object.create(null)", /cannot be shown/],
    ["control characters", 'throw new Error("\\x1b[2J\\u202e\\nsecond line")', /\\x1b\[2J\\u202e/],
  ])("%s: one sentence", async (_, code, sentence) => {
    const [fault, ...more] = await loaded(code);
    expect(more).toEqual([]);
    expect(fault).toMatch(sentence);
    expect(fault).not.toMatch(UNSAFE);
  });
});

/** No faster than it must be: the bound is what is looked at. */
const bounded = (value: unknown) => plainJson(value, 10_000);

describe("a stack object without end", () => {
  const endless: unknown[] = [];
  endless[Symbol.iterator] = function* () {
    for (;;) yield 1;
  };
  const more = (): object =>
    new Proxy(
      {},
      {
        get: more,
        ownKeys: () => ["a", "b"],
        getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true, value: 1 }),
      },
    );
  let doubled: unknown = [1];
  for (let i = 0; i < 60; i += 1) doubled = [doubled, doubled];

  it.each([
    ["a list of four billion holes", new Array(2 ** 32 - 1)],
    [
      "a list that lies about its length",
      new Proxy([], { get: (_, key) => (key === "length" ? 2 ** 53 : 1) }),
    ],
    ["a list of no known length", new Proxy([], { get: () => Number.NaN })],
    ["one list within itself 2^60 times", doubled],
    ["an object that invents itself", more()],
    [
      "more keys than values are allowed",
      Object.fromEntries(Array.from({ length: 10_001 }, (_, i) => [i, 1])),
    ],
  ])("%s ends in faults at the limit", (_, value) => {
    const copied = bounded({ a: value });
    if (!("faults" in copied)) throw new Error("it was taken");
    expect(copied.faults.found.length).toBeLessThanOrEqual(MAX_FAULTS);
  });

  it("a list that iterates for ever is read by its indexes", () => {
    expect(bounded({ a: endless })).toEqual({ value: { a: [] } });
  });
});

describe("a stack file that ends the process", () => {
  it("ends it with 2 and a sentence, never as a success", () => {
    const file = written("process.exit(0)");
    const program = `import { importStack } from ${JSON.stringify(MODULE)}; await importStack(${JSON.stringify(file)});`;
    const ended = spawnSync(process.execPath, ["--input-type=module", "--eval", program], {
      encoding: "utf8",
    });
    expect(ended.status).toBe(2);
    expect(ended.stderr).toContain("ended the process while it was loaded; nothing was called");
  });
});

describe("a name that leads nowhere", () => {
  it("is this folder's stack, not a reason to take the parent's", async () => {
    const parent = tempFolder("hostile");
    writeFileSync(join(parent, "asfound.yaml"), "");
    const folder = join(parent, "inner");
    await mkdir(folder);
    symlinkSync("nowhere.yaml", join(folder, "asfound.yaml"));
    expect(findStackFile(null, folder)).toEqual({ path: join(folder, "asfound.yaml") });
  });
});
