/** A lab's report for people: on a terminal step by step, and as Markdown with one table. */

import { citation } from "../../../domain/evidence.ts";
import { iso } from "../../../domain/ids.ts";
import type { LabReport, LabStep } from "../../../domain/lab.ts";
import { printable } from "../../../wire/redact/printable.ts";
import { LAB } from "../texts/lab.ts";
import { block } from "./block.ts";
import { code, tableOf } from "./ci/markdown.ts";
import { type Advice, adviceLines } from "./next.ts";
import type { Page } from "./print.ts";
import { findingTone } from "./style.ts";
import { table } from "./table.ts";

const summary = ({ steps }: LabReport): string => {
  const other = steps.filter(({ missed }) => missed.length > 0).length;
  return other === 0 ? LAB.asTold(steps.length) : LAB.notAsTold(other, steps.length);
};

/** Those that tell something: what is not proven, and what a lab is about. */
const claimsOf = ({ asfound }: LabStep) => (asfound === null ? [] : asfound.findings);

const deliveryOf = ({ delivery }: LabReport): readonly string[] =>
  delivery === null ? [] : [LAB.delivery(delivery.repository, delivery.branch, delivery.application)];

export const labPage = (report: LabReport, advice: Advice, page: Page): readonly string[] => {
  const { style } = page;
  return [
    `${style("bold", `asfound lab ${report.lab}`)}: ${printable(report.about)}`,
    printable(`${report.cluster.server}, namespace ${report.namespace}, image ${report.image}`),
    ...deliveryOf(report).map((line) => printable(line)),
    ...report.steps.flatMap((step, at) => stepLines(step, at, page)),
    "",
    style("bold", summary(report)),
    ...(report.ended === null ? [] : [printable(LAB.ended(report.ended))]),
    printable(report.removal.says),
    ...adviceLines(advice, page),
  ];
};

const stepLines = (step: LabStep, at: number, page: Page): readonly string[] => {
  const { style } = page;
  const { kubectl, asfound } = step;
  return [
    "",
    style("bold", `${at + 1}. ${printable(step.title)}`),
    ...step.did.map((line) => `  ${printable(line)}`),
    ...table(
      [
        ...step.saw.map(({ what, value }) => [{ text: `  ${what}` }, { text: value }]),
        ...(kubectl === null ? [] : [[{ text: `  ${LAB.kubectl}` }, { text: kubectl.says }]]),
        ...claimsOf(step).map(({ claim, finding, sentence }) => [
          { text: `  ${claim}` },
          { text: `${finding}: ${sentence}`, tone: findingTone(finding) },
        ]),
      ],
      { headers: null, style, columns: page.columns },
    ),
    ...(asfound === null
      ? []
      : [
          `  asfound: ${style(findingTone(asfound.verdict), asfound.verdict)}: ${printable(asfound.statement)}`,
        ]),
    `  ${style("dim", printable(step.shows))}`,
    ...block(LAB.missed, step.missed, page),
  ];
};

export const labMarkdown = (report: LabReport): string => {
  const rows = report.steps.map((step, at) => [
    String(at + 1),
    [step.title, ...step.did].map(code).join("<br>"),
    step.kubectl === null ? LAB.nothing : code(step.kubectl.says),
    step.asfound === null ? LAB.nothing : [step.asfound.verdict, ...openOf(step)].join("<br>"),
    step.asfound === null ? seenIn(step) : code(evidenceOf(step)),
  ]);
  return `${[
    `# asfound lab ${report.lab}`,
    "",
    code(report.about),
    "",
    `- ${code(`${report.cluster.server}, namespace ${report.namespace}, image ${report.image}`)}`,
    ...deliveryOf(report).map((line) => `- ${code(line)}`),
    `- ${code(`${iso(report.from)} to ${iso(report.to)}`)}`,
    `- ${code(summary(report))}`,
    `- ${code(report.removal.says)}`,
    ...(report.ended === null ? [] : [`- ${code(LAB.ended(report.ended))}`]),
    "",
    ...tableOf(LAB.headers, rows),
    ...report.steps.flatMap((step, at) => [
      "",
      `## ${at + 1}. ${code(step.title)}`,
      "",
      code(step.shows),
      ...listOf(step.saw.map(({ what, value }) => `${what}: ${value}`)),
      ...listOf(
        claimsOf(step).map(
          ({ claim, finding, reason, sentence }) => `${claim}: ${finding} (${reason}): ${sentence}`,
        ),
      ),
      ...(step.missed.length === 0 ? [] : ["", LAB.missed, ...listOf(step.missed)]),
    ]),
  ].join("\n")}\n`;
};

const listOf = (lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : ["", ...lines.map((line) => `- ${code(line)}`)];

/** In a cell there is room for what is not proven, and for what config is bound to. */
const openOf = (step: LabStep): readonly string[] =>
  claimsOf(step)
    .filter(
      ({ claim, finding }) =>
        finding !== "proven" || claim.startsWith("config-") || claim === "bystanders-unchanged",
    )
    .map(({ claim, finding, reason }) => code(`${claim}: ${finding} (${reason})`));

const seenIn = (step: LabStep): string =>
  step.saw.map(({ what, value }) => code(`${what}: ${value}`)).join("<br>") || LAB.nothing;

const evidenceOf = (step: LabStep): string =>
  LAB.evidenceOf(new Set(claimsOf(step).flatMap(({ evidence }) => evidence.map(citation))).size);
