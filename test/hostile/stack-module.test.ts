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

describe("a stack file that does not end, or ends too much", () => {
  /** No test waits for it: how long it may take is the caller's. */
  const within = async (code: string, timeoutMs: number): Promise<string> => {
    const file = written(code);
    const imported = await importStack(file, timeoutMs);
    return "faults" in imported
      ? imported.faults.map((fault) => formatFault(fault).replace(file, "")).join("\n")
      : "none";
  };

  it.each([
    ["it loops for ever", "for (;;);"],
    ["what it exports loops for ever", "export default { get steps() { for (;;); } };"],
    ["it catches all that is thrown at it", "for (;;) try { for (;;); } catch {}"],
    [
      "it waits for ever, and keeps itself alive",
      "setInterval(() => {}, 60_000); await new Promise(() => {});",
    ],
  ])("%s: it is stopped, in one sentence", async (_, code) => {
    expect(await within(code, 1_000)).toBe(
      ": the file did not finish loading within 1 s, so it was stopped; it loops, or waits for something",
    );
  });

  it.each([
    ["it calls process.exit", "process.exit(0)"],
    ["it waits for what never comes", "await new Promise(() => {})"],
  ])("%s: one sentence, and asfound goes on", async (_, code) => {
    expect(await within(code, 60_000)).toMatch(/^: the file did not load: it calls process\.exit, or waits/);
  });

  it("what it throws later, before it has loaded, is the same as what it throws at once", async () => {
    const later =
      "setTimeout(() => { throw new Error('late'); }); await new Promise((r) => setTimeout(r, 60_000));";
    expect(await within(later, 60_000)).toMatch(/^:1:\d+: loading the file failed: late$/);
  });

  it("what it leaves behind ends with it", async () => {
    const left = "setInterval(() => {}, 60_000); export default { a: 1 };";
    expect(await importStack(written(left), 60_000)).toEqual({ object: { a: 1 } });
  });

  it("it has the environment of this process, and what it logs goes to stderr", () => {
    const file = written(
      "process.env.ASFOUND_SET = 'x'; console.log('hello'); console.error('hello'); console.log('again'); export default { a: 1 };",
    );
    const program = `
      import { importStack } from ${JSON.stringify(MODULE)};
      const imported = await importStack(${JSON.stringify(file)});
      console.log(JSON.stringify([imported, process.env.ASFOUND_SET]));`;
    const ended = spawnSync(process.execPath, ["--input-type=module", "--eval", program], {
      encoding: "utf8",
    });
    expect(JSON.parse(ended.stdout)).toEqual([{ object: { a: 1 } }, "x"]);
    expect(ended.stderr).toMatch(/hello\nagain\n/);
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
