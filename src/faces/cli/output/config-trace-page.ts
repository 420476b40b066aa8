/** `config trace` for people: object, file and process in a column each, then what was judged of it. */

import type { Instant } from "../../../domain/ids.ts";
import { iso } from "../../../domain/ids.ts";
import type { ConfigTraceInput, ConfigTraceRow } from "../../../wire/api/config-trace.ts";
import { printable } from "../../../wire/redact/printable.ts";
import { CONFIG } from "../texts/config.ts";
import { VERDICT } from "../texts/verdict.ts";
import { WORDS } from "../texts/words.ts";
import { block } from "./block.ts";
import { type Advice, adviceLines } from "./next.ts";
import type { Page } from "./print.ts";
import { findingTone, type Tone } from "./style.ts";
import { table } from "./table.ts";

export const configTracePage = (trace: ConfigTraceInput, advice: Advice, page: Page): readonly string[] => {
  const { style } = page;
  const { report, untraceable, checksums } = trace;
  const rows = page.wide ? trace.rows : trace.rows.filter(({ serviceAccount }) => !serviceAccount);
  const { target, verdict } = report;
  const named = `${target.kind} ${target.namespace === null ? "" : `${target.namespace}/`}${target.name}`;
  return [
    `${style("bold", printable(named))}: ${style(findingTone(verdict), verdict)}`,
    printable(report.statement),
    ...(rows.length === 0 ? [] : ["", ...rowTable(rows, page)]),
    ...block(
      CONFIG.claims,
      report.findings.map(({ claim, finding, sentence }) => `${claim}: ${finding}: ${sentence}`),
      page,
    ),
    ...block(
      CONFIG.checksums,
      checksums.map(({ on, says }) => CONFIG.checksumOn(on, says)),
      page,
    ),
    ...block(CONFIG.untraceable, untraceable, page),
    ...block(VERDICT.missing, [...new Set(report.findings.flatMap(({ missing }) => missing))], page),
    ...block(VERDICT.trust(report.trust.tier), report.trust.limits, page),
    ...adviceLines(advice, page),
  ];
};

export const STATE_TONE: Readonly<Record<ConfigTraceRow["state"], Tone>> = {
  fresh: findingTone("proven"),
  stale: findingTone("refuted"),
  "will-change-on-restart": findingTone("refuted"),
  "reference-missing": findingTone("refuted"),
  propagating: findingTone("progressing"),
  "not-knowable": findingTone("undetermined"),
};

const rowTable = (rows: readonly ConfigTraceRow[], page: Page): readonly string[] => {
  const { headers } = WORDS;
  const cells = rows.map((row) => [
    { text: row.state, tone: STATE_TONE[row.state] },
    { text: row.pod },
    { text: row.role === "app" ? row.container : `${row.container} (${row.role})` },
    { text: `${row.kind} ${row.name}${row.keys === null ? "" : ` ${row.keys.join(",")}`}` },
    { text: `${row.delivery} ${row.as}`.trimEnd() },
    { text: sourceOf(row) },
    { text: row.file === null ? "-" : CONFIG.file[row.file] },
    { text: row.startedAt === null ? CONFIG.notStarted : CONFIG.process[row.state] },
    ...(page.wide ? [{ text: row.reason }, { text: row.source.sha256 ?? "-" }] : []),
    { text: row.why },
  ]);
  const wide = page.wide ? [headers.reason, "SHA256"] : [];
  return table(cells, {
    headers: page.headers
      ? [
          headers.state,
          headers.pod,
          headers.container,
          headers.object,
          headers.delivery,
          headers.source,
          headers.file,
          headers.process,
          ...wide,
          headers.why,
        ]
      : null,
    style: page.style,
    columns: null,
  });
};

const sourceOf = ({ source }: ConfigTraceRow): string =>
  source.found === "there"
    ? CONFIG.written(
        source.writtenByLatest === null ? null : iso(source.writtenByLatest as Instant),
        source.immutable,
      )
    : CONFIG.source[source.found];
