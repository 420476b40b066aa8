/** Verdicts about many targets for people: one line each, the worst first, then what was not judged and why. */
import type { VerdictListInput } from "../../../wire/api/verdict-list.ts";
import type { VerdictReportInput } from "../../../wire/api/verdict-report.ts";
import { printable } from "../../../wire/redact/printable.ts";
import { VERDICT } from "../texts/verdict.ts";
import { WORDS } from "../texts/words.ts";
import { block, titled } from "./block.ts";
import { keptLines } from "./kept-lines.ts";
import { type Advice, adviceLines } from "./next.ts";
import type { Page } from "./print.ts";
import { findingTone } from "./style.ts";
import { table } from "./table.ts";
import { changedTargets } from "./verdict-changes.ts";

export const verdictListPage = (list: VerdictListInput, advice: Advice, page: Page): readonly string[] => [
  `${page.style("bold", VERDICT.targets(list.items.length))}: ${page.style(findingTone(list.verdict), list.verdict)}`,
  printable(list.statement),
  ...(list.items.length === 0 ? [] : ["", ...targetTable(list, page)]),
  ...block(VERDICT.notRead, list.unread, page),
  ...block(VERDICT.changed, changedTargets(list.items), page),
  ...block(`${VERDICT.zero}:`, list.scaledToZero.map(nameOf), page),
  ...(list.left === 0 ? [] : titled(VERDICT.left(list.left), [], page)),
  ...block(VERDICT.notLookedAt, list.notLookedAt, page),
  ...block(VERDICT.trust(list.trust.tier), list.trust.limits, page),
  ...keptLines(list.kept, page),
  ...adviceLines(advice, page),
];

const targetTable = ({ items }: VerdictListInput, page: Page): readonly string[] => {
  const { headers } = WORDS;
  const rows = items.map((report) => [
    { text: report.verdict, tone: findingTone(report.verdict) },
    { text: nameOf(report.target) },
    ...(page.wide ? [{ text: reasonsOf(report) }, { text: report.target.uid ?? "-" }] : []),
    { text: report.statement },
  ]);
  const wide = page.wide ? [headers.reason, headers.uid] : [];
  return table(rows, {
    headers: page.headers ? [headers.verdict, headers.target, ...wide, headers.statement] : null,
    style: page.style,
    columns: null,
  });
};

/** What keeps it from being proven: `capacity/becoming-available`. */
const reasonsOf = ({ findings }: VerdictReportInput): string => {
  const open = findings.filter(
    ({ finding, required }) => finding === "refuted" || (required && finding !== "proven"),
  );
  return open.length === 0 ? "-" : open.map(({ claim, reason }) => `${claim}/${reason}`).join(",");
};

const nameOf = ({ kind, namespace, name }: VerdictReportInput["target"]): string =>
  `${kind} ${namespace === null ? "" : `${namespace}/`}${name}`;
