/**
 * A gate's decision, and its test, for CI systems. Law: what is not promoted, and what slips through, never looks passed in any
 * of them; and what is promoted is told by name, so that an empty report is no pass.
 */
import type { GateRefusal } from "../../../../domain/gate-decision.ts";
import type { JsonObject } from "../../../../domain/json.ts";
import type { GateReport } from "../../../../runtime/gate/check.ts";
import type { GateTestReport } from "../../../../runtime/gate/self-test-report.ts";
import { printable } from "../../../../wire/redact/printable.ts";
import { GATE } from "../../texts/gate.ts";
import { printedLine } from "../line.ts";
import { data, property } from "./github.ts";
import { xml } from "./junit.ts";
import { code, tableOf } from "./markdown.ts";
import { plain } from "./sarif.ts";
import { placeOf } from "./verdicts.ts";

/** One thing that was looked at, and what came of it. */
interface Line {
  readonly suite: string;
  readonly name: string;
  readonly standing: "passed" | "failed" | "open" | "skipped";
  readonly sentence: string;
}

export interface GateLines {
  readonly title: string;
  readonly statement: string;
  readonly lines: readonly Line[];
}

const targetOf = (target: GateReport["items"][number]["target"]): string =>
  placeOf(target as Parameters<typeof placeOf>[0]);

/** Evidence, what is there now and approvals are a line each, so that what holds is told too. */
export const linesOfGate = ({ file, statement, decision, items }: GateReport): GateLines => ({
  title: `asfound gate check: ${file}: ${decision}`,
  statement,
  lines: items.flatMap(({ target, refusals }) => {
    const suite = targetOf(target);
    return (["evidence", "live", "approval"] as const).flatMap((side): readonly Line[] => {
      const own = refusals.filter((one) => one.side === side);
      return own.length === 0
        ? [{ suite, name: GATE.side[side], standing: "passed", sentence: "nothing stands against it" }]
        : own.map((one) => lineOf(suite, one));
    });
  }),
});

const lineOf = (suite: string, { side, reason, claim, finding, sentence }: GateRefusal): Line => ({
  suite,
  name: `${GATE.side[side]}: ${claim === null ? reason : claim}`,
  standing: finding === "undetermined" ? "open" : "failed",
  sentence,
});

export const linesOfTest = ({ file, statement, refusals, healthy, cases }: GateTestReport): GateLines => {
  const suite = file ?? GATE.builtIn;
  return {
    title: `asfound gate test: ${suite}`,
    statement,
    lines: [
      ...refusals.map(
        ({ name, outcome, details, needs, says }): Line => ({
          suite,
          name,
          standing: outcome === "slips-through" ? "failed" : outcome === "refused" ? "passed" : "skipped",
          sentence: [says, ...details, ...(needs === null ? [] : [GATE.needs(needs)])].join("; "),
        }),
      ),
      {
        suite,
        name: GATE.healthy,
        standing: healthy.promoted ? "passed" : "failed",
        sentence: [GATE.promoted(healthy.promoted), ...healthy.details].join("; "),
      },
      ...cases.map(
        ({ name, held, details }): Line => ({
          suite: "cases",
          name,
          standing: held ? "passed" : "failed",
          sentence: [GATE.held(held), ...details].join("; "),
        }),
      ),
    ],
  };
};

export const gateJunit = ({ title, statement, lines }: GateLines): string => {
  const suites = [...Map.groupBy(lines, ({ suite }) => suite)];
  return `${[
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${xml(title)}" ${counts(lines)}>`,
    ...suites.flatMap(([suite, own]) => [
      `  <testsuite name="${xml(suite)}" ${counts(own)}>`,
      ...own.flatMap(caseOf),
      `    <system-out>${xml(statement)}</system-out>`,
      "  </testsuite>",
    ]),
    "</testsuites>",
  ].join("\n")}\n`;
};

const counts = (lines: readonly Line[]): string => {
  const of = (wanted: Line["standing"]) => lines.filter(({ standing }) => standing === wanted).length;
  return `tests="${lines.length}" failures="${of("failed")}" errors="${of("open")}" skipped="${of("skipped")}" time="0"`;
};

const caseOf = ({ suite, name, standing, sentence }: Line): readonly string[] => {
  const head = `    <testcase classname="${xml(suite)}" name="${xml(name)}" time="0"`;
  if (standing === "passed") return [`${head}/>`];
  const tag = { failed: "failure", open: "error", skipped: "skipped" }[standing];
  return [`${head}>`, `      <${tag} message="${xml(sentence)}"/>`, "    </testcase>"];
};

export const gateSarif = ({ statement, lines }: GateLines, version: string): JsonObject => {
  const found = lines.filter(({ standing }) => standing === "failed" || standing === "open");
  const rules = [...new Set(found.map(({ name }) => name))].sort();
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "asfound",
            version,
            rules: rules.map((id) => ({ id: printable(id), shortDescription: { text: printable(id) } })),
          },
        },
        invocations: [{ executionSuccessful: true }],
        columnKind: "utf16CodeUnits",
        results: found.map(({ suite, name, standing, sentence }) => ({
          ruleId: printable(name),
          ruleIndex: rules.indexOf(name),
          kind: "fail",
          level: standing === "failed" ? "error" : "warning",
          message: { text: plain(`${suite}: ${sentence}`) },
          locations: [{ logicalLocations: [{ fullyQualifiedName: printable(suite), kind: "resource" }] }],
        })),
        properties: { statement: printable(statement) },
      },
    ],
  };
};

export const gateCommands = ({ title, statement, lines }: GateLines): string => {
  const commands = lines
    .filter(({ standing }) => standing === "failed" || standing === "open")
    .map(
      ({ suite, name, standing, sentence }) =>
        `::${standing === "failed" ? "error" : "warning"} title=${property(`${suite}: ${name}`)}::${data(sentence)}`,
    );
  const closing = `${title}: ${statement}`;
  const notice = commands.length === 0 ? [`::notice title=asfound gate::${data(closing)}`] : [];
  return [...commands, ...notice, printedLine(printable(closing))].map((line) => `${line}\n`).join("");
};

const MARK: Readonly<Record<Line["standing"], string>> = {
  passed: "holds",
  failed: "**fails**",
  open: "**cannot be told**",
  skipped: "not asked, or accepted",
};

export const gateMarkdown = ({ title, statement, lines }: GateLines): string =>
  `${[
    `### ${code(title)}`,
    "",
    code(statement),
    "",
    ...tableOf(
      ["Of", "What", "", "Why"],
      lines.map(({ suite, name, standing, sentence }) => [
        code(suite),
        code(name),
        MARK[standing],
        code(sentence),
      ]),
    ),
  ].join("\n")}\n`;
