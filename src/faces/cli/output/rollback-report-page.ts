/** `rollback run` for people: what it came to, each layer by itself, and what was written. */
import type { RollbackReportInput } from "../../../wire/api/rollback-report.ts";
import { printable } from "../../../wire/redact/printable.ts";
import { ROLLBACK } from "../texts/rollback.ts";
import { block } from "./block.ts";
import { drillPage } from "./drill-page.ts";
import { type Advice, adviceLines } from "./next.ts";
import type { Page } from "./print.ts";

export const rollbackReportPage = (
  done: RollbackReportInput,
  advice: Advice,
  page: Page,
): readonly string[] => {
  const { plan, operation, report, layers } = done;
  const { target } = plan.report;
  const named = `${target.kind} ${target.namespace === null ? "" : `${target.namespace}/`}${target.name}`;
  const to = plan.to === null ? "" : ` ${ROLLBACK.to} ${plan.to.text}`;
  const stops = [...(operation?.done.endings ?? [])].flatMap(([step, ending]) =>
    ending.kind === "stopped" ? [`${step}: ${ending.why}`] : [],
  );
  return [
    `${page.style("bold", printable(`${named}${to}`))}: ${printable(done.statement)}`,
    ...block(ROLLBACK.layers, layers === null ? [] : ROLLBACK.layerLines(layers, confirmedText(done)), page),
    ...block(
      ROLLBACK.done,
      [
        ...(operation === null
          ? []
          : [ROLLBACK.operation(operation.done.operation.id, operation.done.summary)]),
        ...stops,
        ...plan.config.map((one) =>
          ROLLBACK.configLine(`${one.kind} ${one.name}`, ROLLBACK.did[one.do], one.sharers),
        ),
      ],
      page,
    ),
    ...block(ROLLBACK.bystanders, plan.bystanders, page),
    ...block(
      ROLLBACK.judged,
      (report?.findings ?? []).map(({ claim, finding, sentence }) => `${claim}: ${finding}: ${sentence}`),
      page,
    ),
    ...(done.drill === null ? [] : ["", ...drillPage(done.drill, { next: [], notOffered: [] }, page)]),
    ...adviceLines(advice, page),
  ];
};

const confirmedText = ({ drill }: RollbackReportInput): string =>
  drill === null || drill.verdict === null ? ROLLBACK.notDrilled : drill.verdict.verdict;
