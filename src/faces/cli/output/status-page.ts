/** `status` for people: a count, a table, a block for each step in trouble, and what to do next. */

import type { StackStatusInput, StepStatusInput } from "../../../wire/api/stack-status.ts";
import { printable } from "../../../wire/redact/printable.ts";
import { WORDS } from "../texts/words.ts";
import { adviceLines } from "./next.ts";
import type { Page } from "./print.ts";
import { statusTone } from "./style.ts";
import { type Cell, table } from "./table.ts";

/** In this order a count is said; it is also how urgent each is. */
const ORDER = [
  "complete",
  "retained",
  "running",
  "destroying",
  "unresolved",
  "error",
  "unconfirmed",
  "pending",
  "destroyed",
] as const;

export const statusPage = (report: StackStatusInput, page: Page): readonly string[] => [
  ...statusHead(report, page),
  ...(report.steps.length === 0 ? [] : ["", ...statusTable(report.steps, page)]),
  ...report.steps.filter(isTroubled).flatMap((step) => ["", ...trouble(step, page)]),
  ...adviceLines(report, page),
];

const statusHead = (report: StackStatusInput, { style }: Page): readonly string[] => {
  const counts = new Map<string, number>();
  for (const { status } of report.steps) counts.set(status, (counts.get(status) ?? 0) + 1);
  const said = ORDER.flatMap((status) => {
    const count = counts.get(status);
    return count === undefined ? [] : [style(statusTone(status), WORDS.counted(count, status))];
  });
  const what = said.length === 0 ? WORDS.nothingRecorded : said.join(", ");
  const working = report.working === null ? [] : [printable(WORDS.working(report.working))];
  return [`${style("bold", printable(report.stack))}: ${what}`, ...working];
};

const statusTable = (steps: readonly StepStatusInput[], page: Page): readonly string[] => {
  const { headers } = WORDS;
  const names = page.wide
    ? [
        headers.step,
        headers.status,
        headers.provider,
        headers.id,
        headers.confirmed,
        headers.updated,
        headers.operation,
        headers.why,
      ]
    : [headers.step, headers.status, headers.provider, headers.id, headers.why];
  return table(
    steps.map((step) => row(step, page.wide)),
    {
      headers: page.headers ? names : null,
      style: page.style,
      columns: page.columns,
    },
  );
};

const row = (step: StepStatusInput, wide: boolean): readonly Cell[] => [
  { text: step.step },
  { text: step.status, tone: statusTone(step.status) },
  { text: step.provider },
  { text: step.identity?.id ?? "-" },
  ...(wide
    ? [
        { text: step.confirmed ?? "-" },
        { text: new Date(step.updatedAt).toISOString() },
        { text: step.runId ?? "-" },
      ]
    : []),
  { text: step.reason },
];

const isTroubled = (step: StepStatusInput): boolean =>
  step.status === "error" ||
  step.status === "unresolved" ||
  step.status === "unconfirmed" ||
  step.waitingOn.length > 0 ||
  step.surplus.length > 0 ||
  step.owes.length > 0 ||
  step.lastError !== null;

const trouble = (step: StepStatusInput, { style }: Page): readonly string[] => {
  const words = WORDS.trouble;
  const failing = step.failedCommand !== null;
  const facts: readonly (readonly [string, string | null])[] = [
    [words.why, step.reason],
    [words.failedCommand, step.failedCommand],
    [words.lastError, step.lastError],
    [words.effect, failing ? (WORDS.effect[step.effect] ?? step.effect) : null],
    [words.confirmed, step.confirmed],
    ...step.waitingOn.map(({ step: name, why }) => [words.waitsFor, WORDS.waits(name, why)] as const),
    ...step.surplus.map(({ id, why }) => [words.surplus, WORDS.surplus(id, why)] as const),
    ...step.owes.map((owed) => [words.owes, owed] as const),
    ...step.survivors.map(({ pid, command }) => [words.survivor, `pid ${pid}: ${command}`] as const),
    [words.rerun, failing ? step.rerunInputsFile : null],
    [words.resolved, failing ? step.resolvedInputsFile : null],
    [words.operation, failing ? step.runId : null],
  ];
  const said = facts.filter((fact): fact is readonly [string, string] => fact[1] !== null);
  const width = Math.max(0, ...said.map(([name]) => name.length));
  return [
    `${style("bold", printable(step.step))}: ${style(statusTone(step.status), step.status)}`,
    ...said.map(([name, value]) => `  ${style("dim", name.padEnd(width))}  ${printable(value)}`),
  ];
};
