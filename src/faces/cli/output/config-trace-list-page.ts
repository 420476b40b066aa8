/** `config trace` of many, for people: who would break on a restart, who would be given other config, who is open and why. */
import type { ConfigTraceListInput, Outlook } from "../../../wire/api/config-trace-list.ts";
import type { VerdictListInput } from "../../../wire/api/verdict-list.ts";
import { printable } from "../../../wire/redact/printable.ts";
import { CONFIG } from "../texts/config.ts";
import { VERDICT } from "../texts/verdict.ts";
import { WORDS } from "../texts/words.ts";
import { block, titled } from "./block.ts";
import { type Advice, adviceLines } from "./next.ts";
import type { Page } from "./print.ts";
import { findingTone } from "./style.ts";
import { table } from "./table.ts";

type Item = ConfigTraceListInput["items"][number];

export const configTraceListPage = (
  given: ConfigTraceListInput,
  advice: Advice,
  page: Page,
): readonly string[] => {
  const { list, items, idle } = given;
  return [
    `${page.style("bold", CONFIG.workloads(items.length))}: ${page.style(findingTone(list.verdict), list.verdict)}`,
    printable(list.statement),
    ...SHOWN.flatMap((outlook) =>
      outlookBlock(
        outlook,
        items.filter(({ next }) => next.outlook === outlook),
        page,
      ),
    ),
    ...block(VERDICT.notRead, list.unread, page),
    ...block(`${VERDICT.zero}:`, list.scaledToZero.map(nameOf), page),
    ...block(CONFIG.idle, page.wide ? idle.map(nameOf) : summed(idle.length), page),
    ...(list.left === 0 ? [] : titled(VERDICT.left(list.left), [], page)),
    ...block(VERDICT.trust(list.trust.tier), list.trust.limits, page),
    ...adviceLines(advice, page),
  ];
};

const SHOWN: readonly Outlook[] = ["breaks", "changes", "not-knowable", "follows", "same"];

const outlookBlock = (outlook: Outlook, items: readonly Item[], page: Page): readonly string[] => {
  if (items.length === 0) return [];
  const title = ["", page.style("bold", CONFIG.outlook[outlook])];
  return outlook === "same" && !page.wide
    ? [...title, `  ${CONFIG.moreSame(items.length)}`]
    : [...title, ...workloadTable(items, page)];
};

const workloadTable = (items: readonly Item[], page: Page): readonly string[] => {
  const { headers } = WORDS;
  const rows = items.map(({ trace: { report }, next }) => [
    { text: nameOf(report.target), tone: findingTone(report.verdict) },
    { text: CONFIG.references(next.references, next.pods) },
    ...(page.wide ? [{ text: report.verdict }, { text: report.target.uid ?? "-" }] : []),
    { text: next.isTimeBomb ? CONFIG.timeBomb(next.why) : next.why },
  ]);
  const wide = page.wide ? [headers.verdict, headers.uid] : [];
  return table(rows, {
    headers: page.headers ? [headers.target, headers.references, ...wide, headers.why] : null,
    style: page.style,
    columns: null,
  });
};

const summed = (count: number): readonly string[] => (count === 0 ? [] : [CONFIG.moreIdle(count)]);

const nameOf = ({ kind, namespace, name }: VerdictListInput["scaledToZero"][number]): string =>
  `${kind} ${namespace === null ? "" : `${namespace}/`}${name}`;
