/** Whether evidence is as it was recorded, for people: the sentence, its trust, and each file that is not. */
import type { EvidenceCheckInput } from "../../../wire/api/evidence-check.ts";
import { printable } from "../../../wire/redact/printable.ts";
import { EVIDENCE } from "../texts/evidence.ts";
import { block } from "./block.ts";
import { type Advice, adviceLines } from "./next.ts";
import type { Page } from "./print.ts";

const MOST_LINES = 40;

export const evidenceCheckPage = (
  check: EvidenceCheckInput,
  advice: Advice,
  page: Page,
): readonly string[] => {
  const problems = check.items.flatMap((item) => item.problems);
  const of = (finding: string): readonly string[] =>
    cut(
      problems.filter((one) => one.finding === finding).map(({ sentence }) => sentence),
      page,
    );
  const notes = check.items.flatMap((item) => item.notes.map((note) => EVIDENCE.note(item.sequence, note)));
  return [
    page.style("bold", printable(check.statement)),
    printable(EVIDENCE.trust(check.trust)),
    ...(check.newest === null ? [] : [EVIDENCE.newest(check.newest.run, check.newest.sha256)]),
    ...block(EVIDENCE.refuted, of("refuted"), page),
    ...block(EVIDENCE.undetermined, of("undetermined"), page),
    ...block(EVIDENCE.notes, [...check.notes, ...cut(notes, page)], page),
    ...adviceLines(advice, page),
  ];
};

const cut = (lines: readonly string[], { wide }: Page): readonly string[] =>
  wide || lines.length <= MOST_LINES
    ? lines
    : [...lines.slice(0, MOST_LINES), EVIDENCE.more(lines.length - MOST_LINES)];
