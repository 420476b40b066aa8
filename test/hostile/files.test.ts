/**
 * Any text where a file is expected: a stack, a lock, a saved plan, an export. It is taken or refused with sentences;
 * nothing is thrown, nothing hangs, and nothing that cannot be printed comes back.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { idText, jsonOf } from "../../src/adapters/provider-http/body.ts";
import { ledgerId, stackId, stackName } from "../../src/domain/ids.ts";
import { planDigest, readSavedPlan } from "../../src/wire/api/plan.ts";
import { digestOf } from "../../src/wire/digest.ts";
import { ExportRefused, exportLines, readExport } from "../../src/wire/ledger-export.ts";
import { formatLock, parseLock } from "../../src/wire/lock.ts";
import { type Fault, formatFault } from "../../src/wire/manifest/fault.ts";
import { parseStackText } from "../../src/wire/manifest/parse.ts";
import { damaged, hostileText, UNSAFE } from "./hostile-text.ts";

const options = { file: "asfound.yaml", vars: new Map<string, string>() };

const STACK = `apiVersion: asfound.dev/v1alpha1
kind: Stack
metadata: { name: shop }
steps:
  network: &n
    uses: exec
    with: { create: [./net.sh, "\${var.size}"], inputs: { deep: { a: [1, 2, { b: null }] } } }
  machine:
    uses: http
    needs: [network]
    partOf: network
    settle: 1m30s
    retain: { owner: a, reason: b, reviewBy: 2027-06-30 }
    with: { url: "\${steps.network.outputs.url}", token: "\${secret.env.TOKEN}" }
  other: *n
`;

const LOCK = formatLock({
  stack: { name: stackName("shop"), id: stackId("st_0197a000-0000-7000-8000-000000000001"), file: null },
  ledger: { id: ledgerId("lg_0197a000-0000-7000-8000-000000000002"), location: ".asfound/ledger.db" },
  others: [],
});

const PLAN = (() => {
  const said = {
    verb: "apply",
    stack: "shop",
    position: digestOf("position"),
    fileDigest: digestOf("file"),
    steps: [
      { step: "network", do: "create", inputsDigest: digestOf("inputs"), gate: null },
      {
        step: "machine",
        do: "replace",
        inputsDigest: null,
        gate: { before: "destroy", by: ["alice", "bob"] },
      },
    ],
  };
  const steps = said.steps.map((step) => ({ ...step, needsApproval: null, why: "it was never created" }));
  return JSON.stringify({
    apiVersion: "asfound.dev/v1alpha1",
    kind: "Plan",
    ...said,
    steps,
    digest: planDigest(said),
  });
})();

const sentences = (faults: readonly Fault[]): void => {
  expect(faults.length).toBeGreaterThan(0);
  expect(faults.length).toBeLessThanOrEqual(21);
  for (const fault of faults) {
    expect(formatFault(fault)).not.toMatch(UNSAFE);
    expect(fault.message.length).toBeGreaterThan(0);
    expect(fault.message.length).toBeLessThan(2_000);
  }
};

const of = (good: string) => fc.oneof({ weight: 4, arbitrary: damaged(good) }, hostileText);

describe("any text", () => {
  it("is a stack, or faults that can be printed", async () => {
    await fc.assert(
      fc.asyncProperty(of(STACK), async (text) => {
        const parsed = await parseStackText(text, options);
        if ("faults" in parsed) sentences(parsed.faults);
      }),
      { numRuns: 2_000 },
    );
  });

  it("is a lock, or faults that can be printed", async () => {
    await fc.assert(
      fc.asyncProperty(of(LOCK), async (text) => {
        const parsed = await parseLock(text, "asfound.lock");
        if ("faults" in parsed) return sentences(parsed.faults);
        // What it says, and not what it is called, decides: a lock that was taken says a whole one again.
        expect(await parseLock(formatLock(parsed.lock), "asfound.lock")).toEqual(parsed);
      }),
      { numRuns: 1_500 },
    );
  });

  it("is the saved plan itself, or a fault", () => {
    const good = readSavedPlan(PLAN);
    expect(good).toMatchObject({ stack: "shop" });
    fc.assert(
      fc.property(of(PLAN), (text) => {
        const read = readSavedPlan(text);
        // All that a plan permits is covered by its digest: whatever was changed, it is refused or says the same.
        if ("fault" in read) expect(read.fault.length).toBeLessThan(300);
        else expect(read).toEqual(good);
      }),
      { numRuns: 1_500 },
    );
  });

  it("is the export itself, or refused by its line", async () => {
    const header = {
      kind: "LedgerExport",
      ledgerId: ledgerId("lg_0197a000-0000-7000-8000-000000000002"),
      schema: 1,
    } as const;
    const lines: string[] = [];
    for await (const line of exportLines([header])) lines.push(line);
    const good = lines.join("\n");
    await fc.assert(
      fc.asyncProperty(of(good), async (text) => {
        try {
          const items = [];
          for await (const item of readExport(text.split("\n"))) items.push(item);
          expect(items).toEqual([header]);
        } catch (error) {
          expect(error).toBeInstanceOf(ExportRefused);
        }
      }),
      { numRuns: 800 },
    );
  });
});

describe("a saved plan that no asfound wrote", () => {
  const changed = (from: string, to: string) => readSavedPlan(PLAN.replace(from, to));

  it.each([
    ["of another version", '"asfound.dev/v1alpha1"', '"asfound.dev/v9"', /another asfound wrote it/],
    ["with half of a surrogate pair", '"shop"', '"\\ud800"', /was changed/],
    ["nested without end", '"shop"', `${"[".repeat(100_000)}${"]".repeat(100_000)}`, /was changed/],
    ["with a number that is none", '"shop"', "1e999", /was changed/],
  ])("%s is refused, not thrown", (_, from, to, why) => {
    expect(changed(from, to)).toEqual({ fault: expect.stringMatching(why) });
  });
});

describe("a stack file with", () => {
  const HEAD = "apiVersion: asfound.dev/v1alpha1\nkind: Stack\n";
  const faultsOf = async (text: string) => {
    const parsed = await parseStackText(text, options);
    return "faults" in parsed ? parsed.faults.map((fault) => formatFault(fault)) : [];
  };

  it.each([
    [
      "a NUL in its ledger's path",
      'metadata: { name: s }\nledger: "a\\0b"\nsteps: {}',
      "4:1: ledger: a path cannot hold a NUL character",
    ],
    [
      "a NUL in its folder's path",
      'metadata: { name: s, directory: "a\\0b" }\nsteps: {}',
      "3:22: metadata.directory: a path cannot hold a NUL character",
    ],
    [
      "a number for its steps",
      "metadata: { name: s }\nsteps: 1",
      "4:1: steps: must be an object, not the number 1",
    ],
    [
      "a number for its name",
      "metadata: { name: 1 }\nsteps: {}",
      "3:13: metadata.name: must be text, not the number 1; put it in quotes",
    ],
  ])("%s: one sentence at its place", async (_, text, sentence) => {
    expect(await faultsOf(HEAD + text)).toEqual([`asfound.yaml:${sentence}`]);
  });
});

describe("an id in a reply over HTTP", () => {
  it.each([
    ["half a surrogate pair", "a\ud800"],
    ["control characters", "\x1b[2J"],
    ["a line break", "a\nb"],
    ["no end", "x".repeat(1025)],
    ["nothing", ""],
    ["a number that JSON does not keep", 2 ** 53],
    ["a list", ["a"]],
  ])("with %s is none", (_, id) => {
    expect(idText(id)).toBeNull();
  });

  it.each([
    ["../../admin", "../../admin"],
    ["größe-😀", "größe-😀"],
    [5, "5"],
  ])("%s stands as it is", (id, text) => {
    expect(idText(id)).toBe(text);
  });
});

describe("a reply over HTTP with a number beyond all numbers", () => {
  it("is kept as its digits, since no ledger can hold an infinity", () => {
    const body = Buffer.from('{"a":1e999,"b":-1e400,"c":1.5,"d":9007199254740993}');
    expect(jsonOf({ status: 200, headers: {}, body })).toEqual({
      value: { a: "1e999", b: "-1e400", c: 1.5, d: "9007199254740993" },
    });
  });
});
