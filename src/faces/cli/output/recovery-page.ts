/** `recover` for people: the three sides in one table, then what was done, what was not, and what is left to do. */
import type { RecoveryReportInput, RecoverySide } from "../../../wire/api/recovery-report.ts";
import { printable } from "../../../wire/redact/printable.ts";
import { RECOVER } from "../texts/recover.ts";
import { block } from "./block.ts";
import { code, tableOf } from "./ci/markdown.ts";
import { type Advice, adviceLines } from "./next.ts";
import type { Page } from "./print.ts";
import { findingTone } from "./style.ts";
import { table } from "./table.ts";

const named = ({ target, to }: RecoveryReportInput): string =>
  `${target.kind} ${target.namespace === null ? "" : `${target.namespace}/`}${target.name}${to === null ? "" : `, to ${to}`}`;

const configText = ({ config }: RecoverySide): string =>
  config
    .map(({ kind, name, sha256 }) => `${kind} ${name} ${sha256 === null ? "?" : sha256.slice(0, 12)}`)
    .join(", ") || "-";

const podsText = ({ side, pods }: RecoverySide): string =>
  side === "normal"
    ? RECOVER.noPods
    : pods
        .map(
          ({ name, uid, template, ready }) =>
            `${name} (${template}, ${ready ? "ready" : "not ready"}, UID ${uid})`,
        )
        .join(", ") || "-";

const cellsOf = (side: RecoverySide): readonly string[] => [
  RECOVER.sides[side.side],
  side.says,
  side.verdict ?? RECOVER.notJudged,
  RECOVER.template(side.templateIsThere),
  configText(side),
  podsText(side),
];

const partsOf = (
  report: RecoveryReportInput,
): readonly (readonly [title: string, lines: readonly string[]])[] => {
  const { parts } = RECOVER;
  return [
    [parts.rollback, [report.rollback.statement]],
    [parts.drill, [report.drill.says]],
    [
      parts.bystanders,
      report.bystanders === null ? [] : [`${report.bystanders.finding}: ${report.bystanders.sentence}`],
    ],
    [
      parts.findings,
      report.findings.map(({ claim, finding, sentence }) => `${claim}: ${finding}: ${sentence}`),
    ],
    [parts.notRestored, report.notRestored],
    [parts.firstAid, report.firstAid],
    [parts.permanent, report.permanent],
    [parts.remaining, report.remaining],
  ];
};

export const recoveryPage = (report: RecoveryReportInput, advice: Advice, page: Page): readonly string[] => {
  const { style } = page;
  const tone = findingTone(report.verdict as Parameters<typeof findingTone>[0]);
  return [
    `${style("bold", printable(named(report)))}: ${style(tone, report.verdict)}`,
    printable(report.statement),
    "",
    ...table(
      report.sides.map((side) => cellsOf(side).map((text) => ({ text }))),
      { headers: page.headers ? [...RECOVER.headers] : null, style, columns: page.columns },
    ),
    ...partsOf(report).flatMap(([title, lines]) => block(title, lines, page)),
    ...adviceLines(advice, page),
  ];
};

export const recoveryMarkdown = (report: RecoveryReportInput): string =>
  `${[
    `# asfound recover: ${report.verdict}`,
    "",
    code(named(report)),
    "",
    code(report.statement),
    "",
    ...tableOf(
      RECOVER.headers,
      report.sides.map((side) => cellsOf(side).map((text, at) => (at === 0 ? text : code(text)))),
    ),
    ...partsOf(report).flatMap(([title, lines]) =>
      lines.length === 0
        ? []
        : ["", `## ${title.replace(/:$/, "")}`, "", ...lines.map((line) => `- ${code(line)}`)],
    ),
  ].join("\n")}\n`;
