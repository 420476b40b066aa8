/** `rollback plan` for people: each check with what it found, then what would change. */
import type { FieldChange } from "../../../domain/difference.ts";
import type { Judgement } from "../../../domain/finding.ts";
import type { Check } from "../../../domain/rollback.ts";
import type { RollbackPlanInput } from "../../../wire/api/rollback-plan.ts";
import { printable } from "../../../wire/redact/printable.ts";
import { ROLLBACK } from "../texts/rollback.ts";
import { VERDICT } from "../texts/verdict.ts";
import { WORDS } from "../texts/words.ts";
import { block } from "./block.ts";
import { type Advice, adviceLines } from "./next.ts";
import type { Page } from "./print.ts";
import { findingTone } from "./style.ts";
import { table } from "./table.ts";
import { writersText } from "./verdict-changes.ts";

export const rollbackPlanPage = (plan: RollbackPlanInput, advice: Advice, page: Page): readonly string[] => {
  const { style } = page;
  const { report, checks } = plan;
  const { target } = report;
  const named = `${target.kind} ${target.namespace === null ? "" : `${target.namespace}/`}${target.name}`;
  const to = plan.to === null ? "" : ` ${ROLLBACK.to} ${plan.to.text}`;
  const decision = plan.decision as Judgement;
  const open = checks.filter(({ finding, accepted }) => finding !== "proven" && !accepted);
  return [
    `${style("bold", printable(`${named}${to}`))}: ${style(findingTone(decision), ROLLBACK.decision[decision] ?? decision)}`,
    printable(plan.statement),
    "",
    ...checkTable(checks, page),
    ...block(
      ROLLBACK.todo,
      open.flatMap(({ check, todo }) => (todo === null ? [] : [`${check}: ${todo}`])),
      page,
    ),
    ...block(ROLLBACK.changes, changeLines(plan), page),
    ...block(
      ROLLBACK.config,
      plan.config.map((one) =>
        ROLLBACK.configLine(`${one.kind} ${one.name}`, ROLLBACK.do[one.do], one.sharers),
      ),
      page,
    ),
    ...block(ROLLBACK.bystanders, plan.bystanders, page),
    ...block(ROLLBACK.now, [`${report.verdict}: ${report.statement}`], page),
    ...block(VERDICT.missing, [...new Set(checks.flatMap(({ missing }) => missing))], page),
    ...block(ROLLBACK.limits, [...new Set(checks.flatMap(({ limits }) => limits))], page),
    ...block(VERDICT.trust(report.trust.tier), report.trust.limits, page),
    ...adviceLines(advice, page),
  ];
};

const checkTable = (checks: readonly Check[], page: Page): readonly string[] => {
  const { headers } = WORDS;
  return table(
    checks.map(({ check, finding, accepted, reason, sentence }) => [
      { text: check },
      {
        text: accepted ? `${finding} (${ROLLBACK.accepted})` : finding,
        tone: findingTone(accepted ? "undetermined" : finding),
      },
      ...(page.wide ? [{ text: reason }] : []),
      { text: sentence },
    ]),
    {
      headers: page.headers
        ? [headers.check, headers.finding, ...(page.wide ? [headers.reason] : []), headers.why]
        : null,
      style: page.style,
      columns: null,
    },
  );
};

const changeLines = ({ changes, templateIsThere }: RollbackPlanInput): readonly string[] => {
  if (changes === null) return [];
  if (templateIsThere) return [ROLLBACK.there];
  return [
    ...changes.items.map(changeLine),
    ...(changes.total > changes.items.length
      ? [VERDICT.moreChanges(changes.total - changes.items.length)]
      : []),
    ...changes.notCompared.map(VERDICT.notCompared),
  ];
};

/** Of the target it says what was, which is what it would become. */
const changeLine = ({ path, was, is, writers }: FieldChange): string =>
  `${ROLLBACK.change(path, is ?? VERDICT.notThere, was ?? VERDICT.notThere)}; ${writersText(writers)}`;
