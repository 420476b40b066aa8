/** Each form in which a report is printed, whole; and what none of them may let through. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Cli } from "../../src/faces/cli/context.ts";
import { located } from "../../src/faces/cli/output/next.ts";
import { type Page, type PrintFlags, print } from "../../src/faces/cli/output/print.ts";
import { statusPage } from "../../src/faces/cli/output/status-page.ts";
import { plainStyle, styleFor } from "../../src/faces/cli/output/style.ts";
import { displayWidth } from "../../src/faces/cli/output/width.ts";
import type { StatusReport } from "../../src/runtime/status.ts";
import { API_SCHEMAS } from "../../src/wire/api/schemas.ts";
import { stackStatus, stepStatus } from "../../src/wire/api/stack-status.ts";
import { anyReport, troubled } from "./report.ts";

const page: Page = { style: plainStyle, columns: null, headers: true, wide: false };

const printed = async (report: StatusReport, output: PrintFlags["output"]): Promise<string> => {
  let out = "";
  const sink = {
    write: (text: string) => {
      out += text;
    },
    ready: async () => {},
    isTTY: false,
    columns: 80,
    rows: 24,
  };
  const cli = { terminal: { out: sink, err: sink, environment: {} } } as unknown as Cli;
  await print(
    cli,
    { output, noHeaders: false, yes: false, color: "auto" },
    {
      page: (at) => statusPage(report, at),
      json: () => stackStatus(report),
      stream: () => report.steps.map(stepStatus),
      names: () => report.steps.map(({ step }) => step),
    },
  );
  return out;
};

describe("status", () => {
  it("as a page: a count, a table aligned by what is shown, a block for each trouble, and what to do", async () => {
    expect(
      await printed(troubled, "table"),
    ).toBe(`shop-staging: 1 complete, 1 retained, 1 unresolved, 1 pending

STEP     STATUS      PROVIDER  ID         WHY
network  complete    exec      network-1  observed present and as declared
機械     unresolved  http      -          create of 2026-11-29T12:00:00.000Z has no outcome
web      pending     exec      -          it waits
backups  retained    exec      backups-1  kept on purpose

機械: unresolved
  why              create of 2026-11-29T12:00:00.000Z has no outcome
  failed command   create
  last error       the connection was cut
  effect of it     possible: something may be alive
  second object    m-2: answered late
  run again with   /srv/shop/.asfound/runs/rerun.yaml
  resolved inputs  /srv/shop/.asfound/runs/machine.resolved.json
  operation        op_01900000-0000-7000-8000-000000000001

web: pending
  why        it waits
  waits for  機械 is unresolved

Next:
  asfound reconcile
      asks what is there of 機械

Not offered:
  asfound apply: it would refuse to repeat the call in doubt (機械)
`);
  });

  it("wide adds columns", async () => {
    const [, , header, first] = (await printed(troubled, "wide")).split("\n");
    expect(header).toMatch(/^STEP +STATUS +PROVIDER +ID +CONFIRMED +UPDATED +OPERATION +WHY$/);
    expect(first).toContain("2026-11-29T12:00:00.000Z");
  });

  it("as JSON: exactly the fields of the published schema, in its order", async () => {
    const json = JSON.parse(await printed(troubled, "json"));
    expect(API_SCHEMAS["stack-status"]?.safeParse(json).error).toBe(undefined);
    expect(Object.keys(json).slice(0, 5)).toEqual(["apiVersion", "kind", "stack", "steps", "next"]);
    expect(Object.keys(json.steps[0]).slice(0, 20)).toEqual(
      "step provider status reason confirmed identity surplus outputs outputsFrom previous waitingOn failedCommand lastError effect owes rerunInputsFile resolvedInputsFile runId intent retained".split(
        " ",
      ),
    );
    expect(json.steps[1]).toMatchObject({
      identity: null,
      surplus: [{ id: "m-2", since: "2026-11-29T12:00:00.000Z", why: "answered late" }],
      previous: [
        {
          identity: "m-0",
          outputs: { ip: "10.0.0.1" },
          until: "2026-11-29T12:00:00.000Z",
          endedBy: "replace",
        },
      ],
      effect: "possible",
    });
  });

  it("control: a missing field, and one too many, are against the schema", () => {
    const json = stackStatus(troubled);
    const { ledger: _, ...less } = json;
    expect(API_SCHEMAS["stack-status"]?.safeParse(less).success).toBe(false);
    expect(API_SCHEMAS["stack-status"]?.safeParse({ ...json, more: 1 }).success).toBe(false);
  });

  it("as YAML: the same as the JSON", async () => {
    const { parse } = await import("yaml");
    expect(parse(await printed(troubled, "yaml"))).toEqual(JSON.parse(await printed(troubled, "json")));
  });

  it("as JSON lines: a first line that names them, then one step a line", async () => {
    const lines = (await printed(troubled, "jsonl"))
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines[0]).toEqual({ apiVersion: "asfound.dev/v1alpha1", kind: "StackStatusStream", version: 1 });
    expect(lines.slice(1)).toEqual(JSON.parse(await printed(troubled, "json")).steps);
  });

  it("as names: one step a line", async () => {
    expect(await printed(troubled, "name")).toBe("network\n機械\nweb\nbackups\n");
  });
});

describe("what came from outside", () => {
  /** Control characters other than a tab and our own line breaks, and what reorders text. */
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
  const unsafe = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

  it("property: no control character of a report reaches a page, and no line is forged", () => {
    fc.assert(
      fc.property(anyReport, (report) => {
        const lines = statusPage(report, page);
        for (const line of lines) {
          expect(line).not.toMatch(unsafe);
          expect(line).not.toContain("\n");
        }
      }),
    );
  });

  it("control: the property sees what a page without that care would print", () => {
    const raw = { ...troubled, stack: "\x1b[2J" as typeof troubled.stack };
    expect(raw.stack).toMatch(unsafe);
    expect(statusPage(raw, page).join("\n")).toContain("\\x1b[2J");
  });

  it("property: whatever a report holds, its JSON and JSON lines are read back as they were", async () => {
    await fc.assert(
      fc.asyncProperty(anyReport, async (report) => {
        const json = JSON.parse(await printed(report, "json"));
        expect(json.steps).toEqual(JSON.parse(JSON.stringify(report.steps.map(stepStatus))));
        expect((await printed(report, "jsonl")).trimEnd().split("\n")).toHaveLength(report.steps.length + 1);
      }),
      { numRuns: 50 },
    );
  });

  it("property: on a terminal no line of the table is wider than it, but for a column that cannot be cut", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 100, max: 200 }),
        fc.string({ unit: "grapheme", maxLength: 300 }),
        (columns, reason) => {
          const report = { ...troubled, steps: troubled.steps.map((step) => ({ ...step, reason })) };
          const table = statusPage(report, { ...page, columns }).slice(2, 7);
          for (const line of table) expect(displayWidth(line)).toBeLessThanOrEqual(columns);
        },
      ),
    );
  });
});

describe("colours", () => {
  const tty = { isTTY: true, environment: {}, color: "auto" } as const;
  const red = (where: Parameters<typeof styleFor>[0]) => styleFor(where)("red", "x") !== "x";

  it("only on a terminal, never with NO_COLOR or TERM=dumb, and as --color says", () => {
    expect(red(tty)).toBe(true);
    expect(red({ ...tty, isTTY: false })).toBe(false);
    expect(red({ ...tty, environment: { NO_COLOR: "1" } })).toBe(false);
    expect(red({ ...tty, environment: { NO_COLOR: "" } })).toBe(true);
    expect(red({ ...tty, environment: { TERM: "dumb" } })).toBe(false);
    expect(red({ ...tty, color: "never" })).toBe(false);
    expect(red({ isTTY: false, environment: {}, color: "always" })).toBe(true);
  });

  it("are an addition only: without them every word is still there", () => {
    const coloured = statusPage(troubled, { ...page, style: styleFor(tty) }).join("\n");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what a colour begins with
    expect(coloured.replace(/\x1b\[\d+m/g, "")).toBe(statusPage(troubled, page).join("\n"));
    expect(coloured).toContain("\x1b[");
  });
});

it("the next commands are as they have to be typed here", () => {
  const advice = { next: [{ command: "asfound apply", why: "" }], notOffered: [] };
  const typed = (place: Parameters<typeof located>[1]) => located(advice, place).next[0]?.command;
  expect(typed({})).toBe("asfound apply");
  expect(typed({ file: "my stack.yaml" })).toBe("asfound apply -f 'my stack.yaml'");
  expect(typed({ file: "it's.yaml", ledger: "/l.db" })).toBe(
    "asfound apply -f 'it'\\''s.yaml' --ledger /l.db",
  );
  expect(
    typed({
      var: [
        ["zone", "a b"],
        ["db_password", "hunter2"],
      ],
    }),
  ).toBe("asfound apply --var 'zone=a b' --var db_password=VALUE");
});
