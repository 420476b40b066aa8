/**
 * A table in GitHub's Markdown. All text that is not our own stands in code spans, where no link, mention, HTML or emphasis
 * is made of it; a pipe is written out, since a table's cells end at it even there.
 */
import type { KeptAs } from "../../../../wire/api/kept-as.ts";
import { printable } from "../../../../wire/redact/printable.ts";
import { VERDICT } from "../../texts/verdict.ts";
import { writersText } from "../verdict-changes.ts";
import { placeOf, toldOf, toldOfSelection, type Verdicts } from "./verdicts.ts";

export const markdown = (verdicts: Verdicts): string => {
  const { items, list, verdict, statement } = verdicts;
  const whole = toldOfSelection(verdicts).filter(({ sentence }) => sentence !== statement);
  const [only] = items;
  const rows =
    list === null && only !== undefined
      ? toldOf(only).map(({ rule, finding, sentence }) => [code(rule), finding, code(sentence)])
      : items.map((report) => [code(placeOf(report.target)), report.verdict, code(report.statement)]);
  const title = list === null && only !== undefined ? ` ${code(placeOf(only.target))}` : "";
  const zero = list === null ? [] : list.scaledToZero;
  return `${[
    `### asfound verify:${title} ${verdict}`,
    "",
    code(statement),
    ...whole.flatMap(({ sentence }) => ["", `- ${code(sentence)}`]),
    ...keptIn(list === null ? only?.kept : list.kept),
    ...(rows.length === 0
      ? []
      : ["", ...tableOf(list === null ? VERDICT.claimHeaders : VERDICT.targetHeaders, rows)]),
    ...(list === null && only !== undefined && only.changes !== null ? changesIn(only.changes) : []),
    ...(zero.length === 0
      ? []
      : ["", `${VERDICT.zero}:`, "", ...zero.map((target) => `- ${code(placeOf(target))}`)]),
  ].join("\n")}\n`;
};

const keptIn = (kept: KeptAs | undefined): readonly string[] => {
  if (kept === undefined) return [];
  if (kept.kind === "fault") return ["", code(VERDICT.notKept(kept.fault))];
  const { run, sequence, sha256, place, trust } = kept;
  return [
    "",
    code(VERDICT.recorded(run, sequence, place)),
    "",
    `- ${code(VERDICT.digest(sha256))}`,
    `- ${code(VERDICT.tier(trust.tier, trust.limit))}`,
  ];
};

/** A few are evidence, many are no summary. */
const MOST_CHANGES = 10;

const changesIn = ({ statement, items, total }: NonNullable<Verdicts["items"][number]["changes"]>) => {
  const shown = items.slice(0, MOST_CHANGES);
  const rows = shown.map(({ path, was, is, writers }) => [
    code(path),
    `${code(was ?? VERDICT.notThere)} to ${code(is ?? VERDICT.notThere)}`,
    code(writersText(writers)),
  ]);
  const more = total > shown.length ? ["", VERDICT.moreChanges(total - shown.length)] : [];
  return [
    "",
    code(statement),
    ...(rows.length === 0 ? [] : ["", ...tableOf(VERDICT.changeHeaders, rows)]),
    ...more,
  ];
};

export const tableOf = (
  headers: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] => [
  `| ${headers.join(" | ")} |`,
  `|${headers.map(() => "---").join("|")}|`,
  ...rows.map((row) => `| ${row.join(" | ")} |`),
];

/** A code span (GFM 6.3): its fence is longer than any run of backticks inside. */
export const code = (text: string): string => {
  const safe = printable(text).replaceAll("|", "\\x7c").replaceAll("\t", " ");
  const longest = Math.max(0, ...(safe.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  const pad = longest > 0 || safe.trim() === "" ? " " : "";
  return `${fence}${pad}${safe === "" ? " " : safe}${pad}${fence}`;
};
