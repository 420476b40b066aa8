/** `drill` for people: which Pod and why, what was looked at before, and what came of it. */
import type { DrillReportInput } from "../../../wire/api/drill-report.ts";
import { printable } from "../../../wire/redact/printable.ts";
import { DRILL } from "../texts/drill.ts";
import { block } from "./block.ts";
import { type Advice, adviceLines } from "./next.ts";
import type { Page } from "./print.ts";
import { verdictPage } from "./verdict-page.ts";

const NO_ADVICE: Advice = { next: [], notOffered: [] };

export const workloadOf = ({ kind, namespace, name }: DrillReportInput["target"]): string =>
  `${kind} ${namespace === null ? "" : `${namespace}/`}${name}`;

/** What was decided, before anything is called. */
export const decisionLines = (drill: DrillReportInput, page: Page): readonly string[] => {
  const { chosen, by, stack } = drill;
  const workload = workloadOf(drill.target);
  if (chosen === null) return [printable(`${workload}: ${drill.refused?.sentence ?? ""}`)];
  const { pod, why, notes } = chosen;
  const said = stack === null ? DRILL.chosen : DRILL.drilled;
  return [
    page.style("bold", printable(`${said(workload, pod.name, pod.uid)}, ${DRILL.by[by]}`)),
    ...block(DRILL.why, [why], page),
    ...block(DRILL.lookedAt, notes, page),
  ];
};

export const drillPage = (drill: DrillReportInput, advice: Advice, page: Page): readonly string[] => {
  const { rehearsed, step, disturbed, verdict } = drill;
  return [
    ...decisionLines(drill, page),
    ...block(DRILL.outcome, rehearsed === null ? [] : [rehearsedText(rehearsed)], page),
    ...block(DRILL.outcome, step === null ? [] : [`${step.status}: ${step.reason}`], page),
    ...block(DRILL.disturbed, disturbed === null ? [] : [disturbed], page),
    ...(verdict === null ? [] : ["", ...verdictPage(verdict, NO_ADVICE, page)]),
    ...adviceLines(advice, page),
  ];
};

const rehearsedText = ({ what, why }: NonNullable<DrillReportInput["rehearsed"]>): string =>
  what === "remove" ? DRILL.rehearsed.remove : DRILL.rehearsed[what](why ?? "");
