/** Explained claims for people; with a target, what came of each there. */
import { CLAIMS, type ClaimName } from "../../../domain/claim.ts";
import { citation } from "../../../domain/evidence.ts";
import { EXPLANATIONS, type Explanation } from "../../../domain/explanation.ts";
import type { Finding, Judgement } from "../../../domain/finding.ts";
import { JUDGING_LAWS, type JudgingLaw, LAWS_OF_EVERY_CLAIM } from "../../../domain/law.ts";
import type { VerdictReportInput } from "../../../wire/api/verdict-report.ts";
import { printable } from "../../../wire/redact/printable.ts";
import { EXPLAIN } from "../texts/explain.ts";
import { VERDICT } from "../texts/verdict.ts";
import type { Page } from "./print.ts";
import { findingTone } from "./style.ts";

/** `report`: of the target that was named; null: none was. */
export const explanationPage = (
  claims: readonly ClaimName[],
  report: VerdictReportInput | null,
  page: Page,
): readonly string[] => [
  ...claims.flatMap((claim, at) => [
    ...(at === 0 ? [] : [""]),
    ...ofClaim(claim, page),
    ...(report === null ? [] : ["", ...here(claim, report, page)]),
  ]),
  "",
  page.style("bold", EXPLAIN.lawsOfAll),
  ...LAWS_OF_EVERY_CLAIM.map(lawLine),
  ...(report === null ? [] : ["", ...verdictOf(report, page)]),
];

const JUDGEMENTS = [
  "proven",
  "refuted",
  "progressing",
  "undetermined",
] as const satisfies readonly Judgement[];

const ofClaim = (claim: ClaimName, { style }: Page): readonly string[] => {
  const { layer, says, doesNotTell } = CLAIMS[claim];
  const { rule, restsOn, lists, laws, sources, limits } = EXPLANATIONS[claim];
  return [
    `${style("bold", claim)} (${layer}): ${says}`,
    ...JUDGEMENTS.flatMap((judgement) => ruleLines(judgement, rule[judgement], { style })),
    "",
    style("bold", EXPLAIN.restsOn),
    ...restsOnRows({ restsOn, lists }).map(([of, what]) => `  ${of}: ${what}`),
    "",
    style("bold", EXPLAIN.laws),
    ...laws.map(lawLine),
    "",
    style("bold", EXPLAIN.sources),
    ...sources.flatMap(({ title, url }) => [`  ${title}`, `      ${style("dim", url)}`]),
    "",
    style("bold", EXPLAIN.leavesOpen),
    ...[EXPLAIN.doesNotTell(doesNotTell), ...limits].map((limit) => `  ${limit}`),
  ];
};

/** The finding once, what makes it below each other. */
const ruleLines = (
  judgement: Judgement,
  clauses: readonly string[],
  { style }: Pick<Page, "style">,
): readonly string[] =>
  (clauses.length === 0 ? [EXPLAIN.never(judgement)] : clauses).map((clause, at) => {
    const name = (at === 0 ? judgement : "").padEnd(WIDTH);
    return `  ${style(findingTone(judgement), name)}  ${clause}`;
  });

const WIDTH = Math.max(...JUDGEMENTS.map((judgement) => judgement.length));

const restsOnRows = ({
  restsOn,
  lists,
}: Pick<Explanation, "restsOn" | "lists">): readonly (readonly [string, string])[] => [
  ...Object.entries(restsOn).map(([of, fields]) => [of, fields.join(", ")] as const),
  ...(lists.length === 0 ? [] : [[EXPLAIN.lists, lists.join(", ")] as const]),
];

const lawLine = (law: JudgingLaw): string => `  ${law}  ${JUDGING_LAWS[law]}`;

const here = (claim: ClaimName, report: VerdictReportInput, page: Page): readonly string[] => {
  const { style } = page;
  const found = report.findings.find((one) => one.claim === claim);
  const title = style("bold", EXPLAIN.here(printable(named(report))));
  return found === undefined ? [title, `  ${EXPLAIN.notJudged}`] : [title, ...findingLines(found, page)];
};

const findingLines = (found: Finding, { style }: Page): readonly string[] => {
  const listed = (name: string, all: readonly string[]) =>
    all.length === 0 ? [] : [`  ${name}`, ...all.map((one) => `    ${style("dim", printable(one))}`)];
  return [
    `  ${style(findingTone(found.finding), found.finding)} (${found.reason}): ${printable(found.sentence)}`,
    `  ${found.required ? EXPLAIN.required : EXPLAIN.notRequired}`,
    ...listed(VERDICT.evidence, found.evidence.map(citation)),
    ...listed(VERDICT.missing, found.missing),
    ...listed(VERDICT.limits, found.limits),
  ];
};

const verdictOf = (report: VerdictReportInput, { style }: Page): readonly string[] => [
  style("bold", EXPLAIN.verdict),
  `  ${printable(named(report))}: ${style(findingTone(report.verdict), report.verdict)}: ${printable(report.statement)}`,
];

const named = ({ target }: VerdictReportInput): string =>
  `${target.kind} ${target.namespace === null ? "" : `${target.namespace}/`}${target.name}`;
