/** `plan` for people: what will be done with each step and why, what changed, and what cannot be known. */

import type { PlanInput, PlannedInput } from "../../../wire/api/plan.ts";
import { printable } from "../../../wire/redact/printable.ts";
import { WORDS } from "../texts/words.ts";
import { type Advice, adviceLines } from "./next.ts";
import type { Page } from "./print.ts";
import { changeTone } from "./style.ts";
import { table } from "./table.ts";

export const planPage = (report: PlanInput, advice: Advice, page: Page): readonly string[] => [
  ...planLines(report, page),
  ...adviceLines(advice, page),
];

/** Without the advice: shown before a person is asked. */
export const planLines = (report: PlanInput, page: Page): readonly string[] => {
  const { headers } = WORDS;
  const rows = report.steps.map((planned) => [
    { text: planned.step },
    { text: WORDS.change[planned.do] ?? planned.do, tone: changeTone(planned.do) },
    { text: planned.uses },
    { text: planned.why },
  ]);
  const shown = table(rows, {
    headers: page.headers ? [headers.step, headers.action, headers.provider, headers.why] : null,
    style: page.style,
    columns: page.columns,
  });
  const heading = page.headers && shown.length > 0 ? shown.slice(0, 1) : [];
  const drawn = shown.slice(heading.length);
  const detailed = report.steps.flatMap((planned, at) => [drawn[at] ?? "", ...details(planned, page)]);
  return [
    ...heading,
    ...detailed,
    ...(report.steps.length === 0 ? [] : [""]),
    `${page.style("bold", printable(report.stack))}: ${summaryOf(report)}`,
    ...report.notes.map((note) => printable(note)),
  ];
};

const details = (planned: PlannedInput, { style }: Page): readonly string[] => {
  const acts = planned.do !== "leave";
  const facts = [
    ...(planned.changed.length > 0 ? [WORDS.changed(planned.changed)] : []),
    ...(planned.needsApproval === null ? [] : [WORDS.needsApproval(planned.needsApproval)]),
    ...(planned.do === "replace" ? [WORDS.needsPermission] : []),
    ...(planned.retained === null ? [] : [WORDS.planRetained(planned.retained)]),
    ...(acts ? planned.cannotKnow.map(WORDS.cannotKnow) : []),
    ...(planned.preview ?? []).flatMap(({ what, of, lines }) => [
      `${of}: ${WORDS.preview[what] ?? what}`,
      ...lines.map((line) => `  ${line}`),
    ]),
  ];
  return facts.map((fact) => `    ${style("dim", printable(fact))}`);
};

const summaryOf = (report: PlanInput): string => {
  const counts = new Map<string, number>();
  for (const planned of report.steps) counts.set(planned.do, (counts.get(planned.do) ?? 0) + 1);
  const idle = counts.size === 0 || (counts.size === 1 && counts.has("leave"));
  if (!idle) return WORDS.planSummary(counts);
  return report.verb === "destroy" ? WORDS.destroyNothing : WORDS.planNothing;
};
