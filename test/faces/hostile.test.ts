/** No page, and no JSON or YAML, lets a control character through, whatever stands in the file, the ledger or a provider's answers. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { parse, stringify } from "yaml";
import {
  digest,
  epoch,
  evidenceId,
  instant,
  intentId,
  operationId,
  stackName,
  stepName,
} from "../../src/domain/ids.ts";
import type { JournalRecord } from "../../src/domain/journal.ts";
import type { JsonObject } from "../../src/domain/json.ts";
import type { Operation } from "../../src/domain/operation.ts";
import type { Cli } from "../../src/faces/cli/context.ts";
import { graphDot, graphMermaid, graphPage } from "../../src/faces/cli/output/graph-page.ts";
import { historyPage, operationDetailPage } from "../../src/faces/cli/output/history-page.ts";
import { operationPage } from "../../src/faces/cli/output/operation-page.ts";
import { planPage } from "../../src/faces/cli/output/plan-page.ts";
import { type Page, print } from "../../src/faces/cli/output/print.ts";
import { plainStyle } from "../../src/faces/cli/output/style.ts";
import { reading } from "../support/clock.ts";
import { hostile } from "./report.ts";

const page: Page = { style: plainStyle, columns: null, headers: true, wide: true };
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
const UNSAFE = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
const operationOf = (text: string): Operation => ({
  id: operationId(text),
  stack: stackName(text),
  verb: "apply",
  actor: text,
  reason: text,
  options: { only: [], allowDestroy: false, failFast: false, parallelism: 8 },
  epoch: epoch(1),
  holder: { host: text, bootId: "", pidNamespace: "", pid: 1, startTicks: "1", actor: text, ciRun: text },
  startedAt: instant(0),
  endedAt: instant(5),
  exit: 21,
  summary: text,
  fileDigest: null,
});

const recordsOf = (text: string): readonly JournalRecord[] => {
  const common = { step: stepName(text), operation: operationId(text), at: instant(0), clock: reading(0) };
  const intent = intentId(text);
  const brought = { id: text, outputs: {}, owes: [] };
  const observed = {
    evidence: evidenceId(text),
    inputsDigest: null,
    surplusId: text,
    senderAlive: false,
    last: false,
    askedMs: 0,
  };
  return [
    { ...common, kind: "identity", intent, id: text, outputs: {} },
    {
      ...common,
      kind: "outcome",
      intent,
      outcome: { kind: "unknown", reason: text, ...brought },
      source: "spool",
      endedAt: instant(0),
      ended: reading(0),
    },
    {
      ...common,
      kind: "outcome",
      intent,
      outcome: { kind: "refused", reason: text },
      source: "call",
      endedAt: instant(0),
      ended: reading(0),
    },
    { ...common, ...observed, kind: "observation", reading: { kind: "ambiguous", ids: [text] } },
    { ...common, ...observed, kind: "observation", reading: { kind: "denied", reason: text } },
    { ...common, kind: "settlement", intent, says: "drift", by: { kind: "own-word" }, reason: text },
    {
      ...common,
      kind: "decision",
      decision: { what: "import", id: text, declared: {} as never },
      actor: text,
      reason: text,
    },
    {
      ...common,
      kind: "decision",
      decision: { what: "retain", retain: { owner: text, reason: text, reviewBy: text } },
      actor: text,
      reason: text,
    },
  ];
};

const pagesOf = (text: string): readonly string[] => {
  const operation = operationOf(text);
  const ending = { kind: "stopped", exit: 21, why: text } as const;
  const advice = { next: [{ command: text, why: text }], notOffered: [{ command: text, why: text }] };
  const planned = {
    step: text,
    uses: text,
    do: "create",
    why: text,
    changed: [text],
    cannotKnow: [text],
    retained: text,
    gate: { before: text, by: [text] },
    needsApproval: text,
    destroys: false,
    inputsDigest: null,
  };
  const graph = {
    stack: text,
    steps: [
      { step: text, provider: text, needs: [text], partOf: text, depth: 1 },
      { step: `${text}2`, provider: text, needs: [text], partOf: null, depth: 0 },
    ],
  };
  const hash = "0".repeat(64);
  const records = recordsOf(text).map((record, seq) => ({
    stack: stackName(text),
    seq,
    prevHash: hash,
    hash,
    record,
  }));
  return [
    ...historyPage(text, [{ operation, state: "ended" }], 20, page),
    ...historyPage(text, [], 20, page),
    ...operationDetailPage({ operation, state: "ended", records }, page),
    ...operationPage(
      { operation, exit: 21, summary: text, endings: new Map([[text, ending]]), notes: [text] },
      null,
      page,
    ),
    ...planPage(
      {
        stack: text,
        verb: "apply",
        steps: [planned],
        changes: 1,
        digest: digest(text),
        position: text,
        fileDigest: null,
        notes: [text],
      },
      advice,
      page,
    ),
    ...graphPage(graph, page),
    ...graphMermaid(graph),
    ...graphDot(graph),
  ];
};

it("property: history, show, operation, plan and graph pages", () => {
  fc.assert(
    fc.property(hostile, (text) => {
      for (const line of pagesOf(text)) expect(line).not.toMatch(UNSAFE);
    }),
  );
});

it("control: every page does show the text, in a form that can be printed", () => {
  const shown = pagesOf("\x1b[2Jmark").filter((line) => line.includes("\\x1b[2Jmark"));
  expect(shown.length).toBeGreaterThan(20);
});

const printedAs = async (output: "json" | "jsonl" | "yaml", json: JsonObject): Promise<string> => {
  const written: string[] = [];
  const out = { write: (text: string) => void written.push(text), ready: async () => {} };
  await print(
    { terminal: { out } } as Cli,
    { output, noHeaders: false, yes: false, color: "never" },
    {
      page: () => [],
      json: () => json,
      stream: () => [json],
    },
  );
  return written.join("");
};

it("property: JSON, JSON lines and YAML hold no control character, and read back as what was there", async () => {
  await fc.assert(
    fc.asyncProperty(
      hostile.map((text) => text.toWellFormed()),
      async (text) => {
        const value = { kind: "Test", [`k${text}`]: text, nested: [{ text }, `${text}\n${text}`] };
        const [json, jsonl, yaml] = [
          await printedAs("json", value),
          await printedAs("jsonl", value),
          await printedAs("yaml", value),
        ];
        for (const shown of [json, jsonl, yaml]) expect(shown.replaceAll("\n", "")).not.toMatch(UNSAFE);
        expect(JSON.parse(json)).toEqual(value);
        expect(JSON.parse(jsonl.split("\n")[1] as string)).toEqual(value);
        expect(parse(yaml)).toEqual(value);
      },
    ),
  );
});

it("control: JSON and YAML as their libraries write them do not hold it", () => {
  expect(JSON.stringify({ text: "\u009b31m" })).toMatch(UNSAFE);
  expect(stringify({ text: "\u202egnp" })).toMatch(UNSAFE);
});

it("dot and Mermaid: a name with quotes stays inside its quotes", () => {
  const graph = {
    stack: 'a"b',
    steps: [{ step: 'x"] --> evil["', provider: "exec", needs: [], partOf: null, depth: 0 }],
  };
  expect(graphMermaid(graph)[1]).toBe('  s0["x#quot;] --> evil[#quot; (exec)"]');
  expect(graphDot(graph).slice(0, 3)).toEqual([
    'digraph "a\\"b" {',
    "  rankdir=LR;",
    '  "x\\"] --> evil[\\"";',
  ]);
});
