/**
 * Every output of verify with text from a cluster that means no good, at every place where such text can stand. What holds
 * is checked by a reader of the format, and each reader has a control: a text that was not made safe is caught by it.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { Finding } from "../../src/domain/finding.ts";
import { instant } from "../../src/domain/ids.ts";
import { github } from "../../src/faces/cli/output/ci/github.ts";
import { junit } from "../../src/faces/cli/output/ci/junit.ts";
import { markdown } from "../../src/faces/cli/output/ci/markdown.ts";
import { sarif } from "../../src/faces/cli/output/ci/sarif.ts";
import { verdictsOf } from "../../src/faces/cli/output/ci/verdicts.ts";
import type { VerdictReportInput } from "../../src/wire/api/verdict-report.ts";
import { isUnsafe, printable } from "../../src/wire/redact/printable.ts";
import { crowdFiles } from "../support/kubernetes/crowd.ts";
import type { Files, World } from "../support/kubernetes/deployment.ts";
import { asfound, folder } from "./terminal.ts";

const HOSTILE: readonly string[] = [
  "\u001b[2J\u001b]0;owned\u0007",
  "::add-mask::x",
  "\n::error::made up",
  "\r\n  ::stop-commands::t",
  "##[add-mask]x",
  "##vso[task.setvariable variable=a]b",
  "]]><failure/>",
  "<script>alert(1)</script>",
  "a | b \\| c",
  "`code` ``two``",
  "@everyone https://example.com [x](javascript:1)",
  "\u202egnp.exe",
  "\ud800 half",
  "nul \u0000 here",
  "\ufffe\uffff",
  "__proto__",
  "%0A::error::encoded",
  "&amp;&#x1b;",
  "x".repeat(1_000_000),
];

// ---- readers -----------------------------------------------------------------------------------------------------

/** XML 1.0 §2.2. */
const isXmlCharacter = (code: number): boolean =>
  code === 9 ||
  code === 10 ||
  code === 13 ||
  (code >= 0x20 && code <= 0xd7ff) ||
  (code >= 0xe000 && code <= 0xfffd) ||
  code >= 0x10000;

/** Elements and attributes of an XML 1.0 document; throws at the first thing that is none. */
const readXml = (text: string): readonly { name: string; attributes: Record<string, string> }[] => {
  const bad = [...text].findIndex((character) => !isXmlCharacter(character.codePointAt(0) ?? 0));
  if (bad >= 0) throw new Error(`no XML character at ${bad}`);
  const elements: { name: string; attributes: Record<string, string> }[] = [];
  const open: string[] = [];
  let rest = text.replace(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n/, "");
  while (rest !== "") {
    const data = /^[^<]+/.exec(rest)?.[0] ?? "";
    if (/&(?!(amp|lt|gt|quot|apos|#9);)|\]\]>/.test(data))
      throw new Error(`not escaped: ${data.slice(0, 40)}`);
    rest = rest.slice(data.length);
    if (rest === "") break;
    const tag = /^<(\/?)([a-z-]+)((?: [a-z]+="[^"<]*")*)(\/?)>/.exec(rest);
    if (tag === null) throw new Error(`not a tag: ${rest.slice(0, 40)}`);
    const [whole, closes, name = "", attributes = "", empty] = tag;
    if (closes === "/") {
      if (open.pop() !== name) throw new Error(`</${name}> closes nothing`);
    } else {
      const pairs = [...attributes.matchAll(/ ([a-z]+)="([^"]*)"/g)].map(
        ([, key = "", value = ""]) => [key, value] as const,
      );
      for (const [, value] of pairs)
        if (/&(?!(amp|lt|gt|quot|apos|#9);)|[\n\t]/.test(value))
          throw new Error(`not escaped: ${value.slice(0, 40)}`);
      elements.push({ name, attributes: Object.fromEntries(pairs) });
      if (empty !== "/") open.push(name);
    }
    rest = rest.slice(whole.length);
  }
  if (open.length > 0) throw new Error(`<${open.at(-1)}> is not closed`);
  return elements;
};

/** Lines that a runner would obey; those that are meant to are `error`, `warning` and `notice`. */
const commandsIn = (text: string): readonly string[] =>
  text
    .split(/\r\n|\r|\n/)
    .filter((line) => line.trimStart().startsWith("::") || /##\w*\[/.test(line))
    .filter((line) => !/^::(error|warning|notice) title=[^:,\n]*::/.test(line));

const messagesIn = (log: unknown): readonly string[] => {
  const { runs } = JSON.parse(JSON.stringify(log)) as {
    runs: { results: { message: { text: string } }[] }[];
  };
  return runs.flatMap(({ results }) => results.map(({ message }) => message.text));
};

/** What is left of Markdown when its code spans are taken out: our own words alone. */
const outsideCode = (text: string): string => text.replace(/(?<!`)(`+)(?!`)([^\n]*?)(?<!`)\1(?!`)/g, "");

// ---- a report with hostile text everywhere -------------------------------------------------------------------------

const reportWith = (text: string): VerdictReportInput => {
  const finding: Finding = {
    layer: "pods",
    claim: "capacity",
    finding: "refuted",
    reason: "other",
    sentence: text,
    evidence: [{ evidence: text, pointer: `/${text}` }],
    missing: [text],
    limits: [text],
    required: true,
  };
  return {
    target: {
      apiVersion: text,
      kind: text,
      namespace: text,
      name: text,
      uid: text,
      generation: 1,
      resourceVersion: text,
      source: { evidence: text, pointer: "" },
    },
    verdict: "refuted",
    window: { from: 0, to: 0, ended: true },
    findings: [finding, { ...finding, finding: "progressing" }, { ...finding, finding: "undetermined" }],
    statement: text,
    notLookedAt: [text],
    changes: {
      since: { kind: "record", verdict: "proven", at: instant(0), name: text },
      statement: text,
      recreated: { was: text, is: text },
      total: 40,
      items: [
        {
          path: text,
          part: "image",
          was: text,
          is: text,
          hidden: false,
          writers: [{ manager: text, operation: text, subresource: text, at: instant(0) }],
        },
      ],
      notCompared: [text],
      limits: [text],
    },
    trust: { tier: "T0", limits: [text] },
    exit: 10,
  };
};
const listWith = (text: string) => ({
  selection: null,
  verdict: "refuted",
  window: { from: 0, to: 0, ended: true },
  counts: { proven: 0, refuted: 1, undetermined: 0, progressing: 0 },
  items: [reportWith(text)],
  scaledToZero: [reportWith(text).target],
  unread: [text],
  left: 0,
  statement: text,
  notLookedAt: [text],
  trust: { tier: "T0", limits: [text] },
  exit: 10,
});

describe.each([
  ["one", (text: string) => verdictsOf(reportWith(text))],
  ["many", (text: string) => verdictsOf(listWith(text))],
])("hostile text, %s", (_, make) => {
  it.each(HOSTILE.map((text) => [JSON.stringify(text.slice(0, 40)), text]))("%s", (_name, text) => {
    const verdicts = make(text);
    const xml = junit(verdicts);
    expect(readXml(xml).filter(({ name }) => name === "failure").length).toBeGreaterThan(0);
    expect(commandsIn(xml)).toEqual([]);
    const commands = github(verdicts);
    expect(commandsIn(commands)).toEqual([]);
    const page = markdown(verdicts);
    expect(commandsIn(page)).toEqual([]);
    expect(outsideCode(page)).not.toMatch(/[@<>[\]`]|https?:|script/);
    for (const row of page.split("\n").filter((line) => line.startsWith("|")))
      expect(row.split("|")).toHaveLength(5);
    const messages = messagesIn(sarif(verdicts, "1"));
    expect(messages.length).toBeGreaterThan(0);
    for (const made of [xml, commands, page]) expect(isUnsafe(made)).toBe(false);
    for (const message of messages) expect(message).not.toMatch(/(^|[^\\])\[x/);
  });
});

describe("controls: what is not made safe is caught", () => {
  it("XML", () => {
    expect(() => readXml("<a>]]></a>")).toThrow();
    expect(() => readXml('<a b="<"/>')).toThrow();
    expect(() => readXml("<a>\u0000</a>")).toThrow();
    expect(() => readXml("<a>\ud800</a>")).toThrow();
    expect(() => readXml("<a><b></a>")).toThrow();
  });
  it("workflow commands", () => {
    expect(commandsIn("fine\n  ::add-mask::x")).toHaveLength(1);
    expect(commandsIn("text ##[add-mask]x")).toHaveLength(1);
    expect(commandsIn("::error title=a:b::c")).toHaveLength(1);
  });
  it("Markdown", () => {
    expect(outsideCode("`a` @everyone `` ` ``")).toContain("@everyone");
  });
});

// ---- as a process prints it ----------------------------------------------------------------------------------------

const good: World = { replicas: 1, fresh: { version: "v2", pods: ["ready"] } };
const crashing: World = { replicas: 1, fresh: { version: "v2", pods: ["crash-loop"] } };
const files = (world: World): Files => crowdFiles([{ name: "web", namespace: "shop", world }]);
const run = (saved: Files, ...words: readonly string[]) => {
  const cwd = folder();
  for (const [name, value] of Object.entries(saved)) writeFileSync(join(cwd, name), JSON.stringify(value));
  return asfound(
    { cwd, environment: { GITHUB_STEP_SUMMARY: join(cwd, "summary.txt") } },
    "verify",
    ...words,
    "--from",
    ".",
  ).then((ran) => ({ ...ran, cwd }));
};

const OUTPUTS = ["table", "wide", "json", "yaml", "jsonl", "name", "junit", "sarif", "github", "markdown"];

describe.each(OUTPUTS)("-o %s", (output) => {
  it.each(HOSTILE.filter((text) => text.length < 1_000).map((text) => [JSON.stringify(text), text]))(
    "a message, a reason and an image of a Pod that say %s",
    async (_, text) => {
      const saved = JSON.parse(
        JSON.stringify(files(crashing))
          .replaceAll('"CrashLoopBackOff"', JSON.stringify(`CrashLoopBackOff${text}`))
          .replaceAll('"Error"', JSON.stringify(text))
          .replaceAll('"web:v2"', JSON.stringify(`web:${text}`)),
      );
      for (const words of [
        ["deployment/web", "-n", "shop"],
        ["deploy", "-A"],
      ]) {
        const ran = await run(saved, ...words, "-o", output);
        expect(ran.code).not.toBe(0);
        expect(commandsIn(ran.out)).toEqual([]);
        expect(isUnsafe(ran.out)).toBe(false);
        if (output === "json" || output === "sarif") JSON.parse(ran.out);
        if (output === "yaml") parse(ran.out);
        if (output === "junit") readXml(ran.out);
      }
    },
  );
});

describe("what is not proven is never green", () => {
  const cases: readonly (readonly [string, number, Files, readonly string[]])[] = [
    ["refuted", 10, files(crashing), ["deployment/web", "-n", "shop"]],
    [
      "undetermined",
      20,
      files(good),
      ["deployment/web", "-n", "shop", "--image", `web=sha256:${"0".repeat(64)}`],
    ],
    ["nothing selected", 20, files(good), ["deployments", "-A", "-l", "app=nobody"]],
    ["a kind that was not read", 20, files(good), ["deployments,daemonsets", "-A"]],
    [
      "progressing",
      30,
      files({ ...good, replicas: 2, fresh: { version: "v2", pods: ["ready", "not-ready"] } }),
      ["deploy", "-A"],
    ],
  ];
  it.each(cases)("%s", async (_, code, saved, words) => {
    const xml = await run(saved, ...words, "-o", "junit");
    expect(xml.code).not.toBe(0);
    if (code !== 20 || words[0] !== "deployment/web") expect(xml.code).toBe(code);
    const red = readXml(xml.out).filter(({ name }) => name === "failure" || name === "error");
    expect(red.length).toBeGreaterThan(0);
    const [top] = readXml(xml.out);
    expect(Number(top?.attributes["failures"]) + Number(top?.attributes["errors"])).toBe(red.length);
    const log = JSON.parse((await run(saved, ...words, "-o", "sarif")).out);
    expect(
      log.runs[0].results.some(({ level }: { level: string }) => level === "error" || level === "warning"),
    ).toBe(true);
    expect((await run(saved, ...words, "-o", "github")).out).toMatch(/^::(error|warning) /);
  });

  it("control: proven is green in each", async () => {
    const xml = await run(files(good), "deployment/web", "-n", "shop", "-o", "junit");
    expect(xml.code).toBe(0);
    expect(readXml(xml.out).filter(({ name }) => name === "failure" || name === "error")).toEqual([]);
    expect(JSON.parse((await run(files(good), "deploy", "-A", "-o", "sarif")).out).runs[0].results).toEqual(
      [],
    );
    expect((await run(files(good), "deploy", "-A", "-o", "github")).out).toMatch(/^::notice /);
  });
});

describe("--step-summary", () => {
  it("adds the Markdown to the file that the runner names, and only when asked", async () => {
    const ran = await run(files(good), "deploy", "-A", "--step-summary");
    expect(readFileSync(join(ran.cwd, "summary.txt"), "utf8")).toContain("### asfound verify: proven");
    const without = await run(files(good), "deploy", "-A");
    expect(() => readFileSync(join(without.cwd, "summary.txt"))).toThrow();
  });
  it("2: no runner", async () => {
    const ran = await asfound({ cwd: folder() }, "verify", "deploy", "-A", "--from", ".", "--step-summary");
    expect(ran.code).toBe(2);
    expect(ran.err).toContain("GITHUB_STEP_SUMMARY");
  });
});

it("marks that are obeyed wherever they stand are written out, once", () => {
  expect(printable("a ##[x] ##vso[y] # [z] ##")).toBe("a \\x23#[x] \\x23#vso[y] # [z] ##");
  expect(printable(printable("##[x]"))).toBe(printable("##[x]"));
});
