/** `history` and `show` for people. */
import { formatDuration } from "../../../domain/duration.ts";
import type { ChainedRecord } from "../../../ports/store.ts";
import type { PastInput } from "../../../wire/api/operation.ts";
import { textOf } from "../../../wire/api/timeline.ts";
import { printable } from "../../../wire/redact/printable.ts";
import { WORDS } from "../texts/words.ts";
import type { Page } from "./print.ts";
import { type Cell, table } from "./table.ts";

export const historyPage = (
  stack: string,
  operations: readonly PastInput[],
  limit: number,
  page: Page,
): readonly string[] => {
  if (operations.length === 0) return [`${printable(stack)}: ${WORDS.noHistory}`];
  const { headers } = WORDS;
  const names = [
    headers.operation,
    headers.verb,
    headers.started,
    headers.took,
    headers.actor,
    headers.exit,
    headers.outcome,
  ];
  const rows = operations.map((past) => row(past, page.wide));
  const shown = table(rows, {
    headers: page.headers ? [...names, ...(page.wide ? [headers.host, headers.reason] : [])] : null,
    style: page.style,
    columns: page.columns,
  });
  return operations.length < limit ? shown : [...shown, page.style("dim", WORDS.moreHistory(limit))];
};

const row = ({ operation, state }: PastInput, wide: boolean): readonly Cell[] => [
  { text: operation.id },
  { text: operation.verb },
  { text: seconds(operation.startedAt) },
  { text: operation.endedAt === null ? "-" : took(operation.startedAt, operation.endedAt) },
  { text: operation.actor },
  {
    text: operation.exit === null ? "-" : String(operation.exit),
    tone: operation.exit === 0 ? "green" : "yellow",
  },
  { text: outcome({ operation, state }) },
  ...(wide ? [{ text: operation.holder.host }, { text: operation.reason ?? "-" }] : []),
];

const outcome = ({ operation, state }: PastInput): string => {
  if (state === "running") return WORDS.running;
  if (state === "cut-off") return WORDS.cutOff;
  return operation.summary ?? "-";
};

const seconds = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`;
const took = (from: number, to: number): string =>
  formatDuration(Math.max(0, Math.round((to - from) / 100) * 100));

export const operationDetailPage = (
  past: PastInput & { readonly records: readonly ChainedRecord[] },
  page: Page,
): readonly string[] => {
  const { operation } = past;
  const { headers } = WORDS;
  const fact = (name: string, value: string | null) =>
    value === null ? [] : [`  ${page.style("dim", name.toLowerCase().padEnd(9))} ${printable(value)}`];
  const rows = past.records.map(({ record }): readonly Cell[] => [
    { text: new Date(record.at).toISOString() },
    { text: record.step },
    { text: record.kind },
    { text: textOf(record) },
  ]);
  return [
    page.style("bold", printable(WORDS.operation(operation.verb, operation.id))),
    ...fact(headers.outcome, outcome(past)),
    ...fact(headers.exit, operation.exit === null ? null : String(operation.exit)),
    ...fact(headers.actor, operation.actor),
    ...fact(headers.reason, operation.reason),
    ...fact(headers.started, seconds(operation.startedAt)),
    ...fact(headers.took, operation.endedAt === null ? null : took(operation.startedAt, operation.endedAt)),
    ...fact(
      headers.host,
      `${operation.holder.host}, pid ${operation.holder.pid}${operation.holder.ciRun === null ? "" : `, CI run ${operation.holder.ciRun}`}`,
    ),
    "",
    ...table(rows, {
      headers: page.headers ? [headers.time, headers.step, headers.what, ""] : null,
      style: page.style,
      columns: page.columns,
    }),
  ];
};
