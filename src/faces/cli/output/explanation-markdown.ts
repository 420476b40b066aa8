/** Explained claims as the page that stands in docs/reference. All of it is our own text. */
import { CLAIMS, type ClaimName } from "../../../domain/claim.ts";
import { EXPLANATIONS } from "../../../domain/explanation.ts";
import type { Judgement } from "../../../domain/finding.ts";
import { JUDGING_LAWS, type JudgingLaw, LAWS_OF_EVERY_CLAIM } from "../../../domain/law.ts";
import { EXPLAIN } from "../texts/explain.ts";

const { page } = EXPLAIN;

export const explanationMarkdown = (claims: readonly ClaimName[]): string =>
  `${[
    page.title,
    "",
    page.made,
    "",
    page.lead,
    ...claims.flatMap(ofClaim),
    "",
    page.lawsOfAll,
    "",
    ...LAWS_OF_EVERY_CLAIM.map(lawItem),
  ].join("\n")}\n`;

const ofClaim = (claim: ClaimName): readonly string[] => {
  const { layer, says, doesNotTell } = CLAIMS[claim];
  const { rule, restsOn, lists, laws, sources, limits } = EXPLANATIONS[claim];
  const findings = Object.entries(page.findings) as readonly [Judgement, string][];
  return [
    "",
    `## \`${claim}\``,
    "",
    `${says[0]?.toUpperCase()}${says.slice(1)}. Layer: ${layer}.`,
    ...findings.flatMap(([judgement, title]) => block(title, rule[judgement])),
    ...block(EXPLAIN.restsOn.replace(/:$/, ""), [
      ...Object.entries(restsOn).map(([of, fields]) => `${of}: ${fields.map(code).join(", ")}`),
      ...(lists.length === 0 ? [] : [page.lists(lists.map(code).join(", "))]),
    ]),
    ...block(EXPLAIN.laws.replace(/:$/, ""), laws.map(lawText)),
    ...block(
      EXPLAIN.sources.replace(/:$/, ""),
      sources.map(({ title, url }) => `[${title}](${url})`),
    ),
    ...block(EXPLAIN.leavesOpen.replace(/:$/, ""), [EXPLAIN.doesNotTell(doesNotTell), ...limits]),
  ];
};

const block = (title: string, items: readonly string[]): readonly string[] =>
  items.length === 0 ? [] : ["", `**${title}**`, "", ...items.map((item) => `- ${item}`)];

const code = (field: string): string => `\`${field}\``;

const lawText = (law: JudgingLaw): string => `${law}: ${JUDGING_LAWS[law]}`;
const lawItem = (law: JudgingLaw): string => `- ${lawText(law)}`;
