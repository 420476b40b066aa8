/** `verify` for people: the verdict and what it means, each finding, what is missing, and what nobody looked at. */
import type { VerdictReportInput } from "../../../wire/api/verdict-report.ts";
import { printable } from "../../../wire/redact/printable.ts";
import { VERDICT } from "../texts/verdict.ts";
import { WORDS } from "../texts/words.ts";
import { block } from "./block.ts";
import { keptLines } from "./kept-lines.ts";
import { type Advice, adviceLines } from "./next.ts";
import type { Page } from "./print.ts";
import { findingTone } from "./style.ts";
import { table } from "./table.ts";
import { changeLines } from "./verdict-changes.ts";

export const verdictPage = (report: VerdictReportInput, advice: Advice, page: Page): readonly string[] => {
  const { style } = page;
  const { target, verdict } = report;
  const named = `${target.kind} ${target.namespace === null ? "" : `${target.namespace}/`}${target.name}`;
  return [
    `${style("bold", printable(named))}: ${style(findingTone(verdict), verdict)}`,
    printable(report.statement),
    "",
    ...findingTable(report, page),
    ...block(VERDICT.missing, missingOf(report), page),
    ...(report.changes === null ? [] : block(VERDICT.changed, changeLines(report.changes, page.wide), page)),
    ...(page.wide ? block(VERDICT.evidence, evidenceOf(report), page) : []),
    ...(page.wide ? block(VERDICT.limits, limitsOf(report), page) : []),
    ...block(VERDICT.notLookedAt, report.notLookedAt, page),
    ...block(VERDICT.trust(report.trust.tier), report.trust.limits, page),
    ...keptLines(report.kept, page),
    ...adviceLines(advice, page),
  ];
};

const findingTable = (report: VerdictReportInput, page: Page): readonly string[] => {
  const { headers } = WORDS;
  const rows = report.findings.map((one) => [
    { text: one.layer },
    { text: one.claim },
    { text: one.finding, tone: findingTone(one.finding) },
    ...(page.wide ? [{ text: one.reason }, { text: one.required ? "required" : "-" }] : []),
    { text: one.sentence },
  ]);
  const wide = page.wide ? [headers.reason, headers.required] : [];
  return table(rows, {
    headers: page.headers ? [headers.layer, headers.claim, headers.finding, ...wide, headers.why] : null,
    style: page.style,
    columns: null,
  });
};

const missingOf = ({ findings }: VerdictReportInput): readonly string[] => [
  ...new Set(findings.flatMap(({ missing }) => missing)),
];

const evidenceOf = ({ findings }: VerdictReportInput): readonly string[] =>
  findings.flatMap(({ claim, evidence }) =>
    evidence.map(({ evidence: file, pointer }) => `${claim}: ${file}#${pointer}`),
  );

const limitsOf = ({ findings }: VerdictReportInput): readonly string[] =>
  findings.flatMap(({ claim, limits }) => limits.map((limit) => `${claim}: ${limit}`));
