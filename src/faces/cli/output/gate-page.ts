/** `gate check` and `gate test` for people. */
import type { GateEvidence } from "../../../domain/gate-decision.ts";
import { type Instant, iso } from "../../../domain/ids.ts";
import { age } from "../../../domain/time.ts";
import type { GateReport } from "../../../runtime/gate/check.ts";
import type { GateTestReport, Outcome } from "../../../runtime/gate/self-test-report.ts";
import { printable } from "../../../wire/redact/printable.ts";
import { GATE } from "../texts/gate.ts";
import { block } from "./block.ts";
import { type Advice, adviceLines } from "./next.ts";
import type { Page } from "./print.ts";
import { findingTone } from "./style.ts";
import { table } from "./table.ts";

const placeOf = ({ kind, namespace, name }: GateReport["items"][number]["target"]): string =>
  `${kind} ${namespace === null ? "" : `${namespace}/`}${name}`;

export const gatePage = (report: GateReport, advice: Advice, page: Page): readonly string[] => {
  const { style } = page;
  const tone = report.decision === "promote" ? findingTone("proven") : findingTone("refuted");
  return [
    `${style("bold", printable(report.file))}: ${style(tone, GATE.decision[report.decision])}`,
    printable(`${report.statement}.`),
    ...report.items.flatMap((item) => [
      "",
      style("bold", printable(placeOf(item.target))),
      ...refusalTable(item, page),
      ...block(GATE.evidence, item.evidence === null ? [] : [evidenceText(item.evidence, report.at)], page),
      ...block(
        GATE.approvals,
        item.approvals.map(({ actor, at, reason }) => GATE.approval(actor, iso(at), reason)),
        page,
      ),
      ...block(GATE.notes, item.notes, page),
    ]),
    ...block(GATE.limits, report.limits, page),
    ...adviceLines(advice, page),
  ];
};

const evidenceText = ({ run, recorded, trust, readAt }: GateEvidence, at: Instant): string =>
  GATE.run(run, String(recorded), trust, readAt === null ? "" : `${age(at - readAt)} old`);

const refusalTable = ({ refusals }: GateReport["items"][number], page: Page): readonly string[] =>
  refusals.length === 0
    ? []
    : table(
        refusals.map(({ side, reason, finding, sentence }) => [
          { text: GATE.side[side] },
          { text: reason, tone: findingTone(finding === null ? "refuted" : finding) },
          { text: sentence },
        ]),
        {
          headers: page.headers ? [GATE.headers.side, GATE.headers.reason, GATE.headers.why] : null,
          style: page.style,
          columns: null,
        },
      );

const TONE: Readonly<Record<Outcome, "green" | "red" | "yellow" | "dim">> = {
  refused: "green",
  "slips-through": "red",
  accepted: "yellow",
  "not-asked": "dim",
};

export const gateTestPage = (report: GateTestReport, advice: Advice, page: Page): readonly string[] => {
  const { style, wide, headers } = page;
  const shown = (details: readonly string[]): string => (wide ? details.join("; ") : (details[0] ?? ""));
  const rows = report.refusals.map(({ name, outcome, details, needs, says }) => [
    { text: name },
    { text: GATE.outcome[outcome], tone: TONE[outcome] },
    {
      text:
        outcome === "slips-through"
          ? [says, ...details, ...(needs === null ? [] : [GATE.needs(needs)])].join("; ")
          : shown(details),
    },
  ]);
  const healthy = [
    { text: GATE.healthy },
    {
      text: GATE.promoted(report.healthy.promoted),
      tone: report.healthy.promoted ? "green" : "red",
    } as const,
    { text: report.healthy.details.join("; ") },
  ];
  const cases = report.cases.map(({ name, held, details }) => [
    { text: name },
    { text: GATE.held(held), tone: held ? "green" : "red" } as const,
    { text: held ? shown(details) : details.join("; ") },
  ]);
  const made = (all: Parameters<typeof table>[0], names: readonly string[]) =>
    table(all, { headers: headers ? names : null, style, columns: null });
  return [
    `${style("bold", printable(report.file ?? GATE.builtIn))}: ${style(
      findingTone(report.exit === 0 ? "proven" : "refuted"),
      printable(report.statement),
    )}`,
    "",
    ...made([...rows, healthy], GATE.testHeaders),
    ...(cases.length === 0 ? [] : ["", ...made(cases, GATE.caseHeaders)]),
    ...block(GATE.notTested, report.notTested, page),
    ...adviceLines(advice, page),
  ];
};
