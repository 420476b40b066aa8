/** Evidence for people: a table of runs, one run whole, and what a replay came to. */
import type { RunLink, RunTarget } from "../../../domain/evidence-run.ts";
import { iso } from "../../../domain/ids.ts";
import type { JsonObject } from "../../../domain/json.ts";
import { isJsonObject } from "../../../domain/json.ts";
import type { EvidenceListInput, EvidenceListItem } from "../../../wire/api/evidence-list.ts";
import type { EvidenceReplayInput } from "../../../wire/api/evidence-replay.ts";
import type { ShownRunInput } from "../../../wire/api/evidence-run.ts";
import { hexOf } from "../../../wire/evidence/sums.ts";
import { printable } from "../../../wire/redact/printable.ts";
import { EVIDENCE_READ } from "../texts/evidence-read.ts";
import { block } from "./block.ts";
import { keptLines } from "./kept-lines.ts";
import { type Advice, adviceLines } from "./next.ts";
import type { Page } from "./print.ts";
import { findingTone } from "./style.ts";
import { table } from "./table.ts";

export const evidenceListPage = (list: EvidenceListInput, advice: Advice, page: Page): readonly string[] => [
  ...(list.items.length === 0
    ? [printable(EVIDENCE_READ.none(list.place))]
    : table(
        list.items.map((one) => rowOf(one, list.deleted).map((text) => ({ text }))),
        {
          headers: page.headers ? EVIDENCE_READ.headers : null,
          style: page.style,
          columns: page.columns,
        },
      )),
  ...(list.more ? [EVIDENCE_READ.older] : []),
  ...adviceLines(advice, page),
];

const rowOf = (one: EvidenceListItem, deleted: ReadonlySet<string>): readonly string[] => {
  const number = String(numberOf(one));
  if (one.kind === "incomplete")
    return [number, one.run ?? "-", "-", "-", "-", EVIDENCE_READ.incomplete, "-"];
  if (one.kind === "altered")
    return [number, "-", "-", "-", "-", `${EVIDENCE_READ.altered}: ${one.fault}`, "-"];
  const { run, recordedAt, verb, target, verdict, trust } = one.run;
  const gone = deleted.has(run) ? ` (${EVIDENCE_READ.deleted})` : "";
  return [number, run, iso(recordedAt), verb, targetText(target), `${verdict ?? "-"}${gone}`, trust.tier];
};

const numberOf = (one: EvidenceListItem): number => (one.kind === "run" ? one.run.sequence : one.sequence);

const targetText = (target: RunTarget | null): string =>
  target === null
    ? "-"
    : `${target.kind.toLowerCase()}/${target.name}${target.namespace === null ? "" : ` in ${target.namespace}`}`;

const MOST_FILES = 40;

export const shownRunPage = (shown: ShownRunInput, advice: Advice, page: Page): readonly string[] => {
  const { run } = shown;
  const digest = (link: RunLink | null): string | null => (link === null ? null : EVIDENCE_READ.digest(link));
  const files = [...run.subjects].map(([path, sha256]) => `${hexOf(sha256)}  ${path}`);
  return [
    page.style("bold", printable(EVIDENCE_READ.recorded(run))),
    EVIDENCE_READ.digest({ run: run.run, sha256: shown.sha256 }),
    printable(EVIDENCE_READ.trust(run.trust)),
    ...(shown.deleted === null
      ? []
      : [printable(EVIDENCE_READ.gone(EVIDENCE_READ.digest(shown.deleted.by), shown.deleted.at))]),
    ...block(EVIDENCE_READ.said, saidIn(shown.report), page),
    ...block(
      EVIDENCE_READ.chain,
      [
        EVIDENCE_READ.previous(digest(run.previous)),
        EVIDENCE_READ.next(digest(shown.next)),
        ...(run.replays === null ? [] : [EVIDENCE_READ.replays(EVIDENCE_READ.digest(run.replays))]),
      ],
      page,
    ),
    ...block(EVIDENCE_READ.files, cut(files, page), page),
    ...block(
      EVIDENCE_READ.removed,
      cut(
        shown.removed.map(({ file, pointer }) => `${file}#${pointer}`),
        page,
      ),
      page,
    ),
    ...adviceLines(advice, page),
  ];
};

const cut = (all: readonly string[], { wide }: Page): readonly string[] =>
  wide || all.length <= MOST_FILES
    ? all
    : [...all.slice(0, MOST_FILES), `${all.length - MOST_FILES} more (-o wide)`];

/** The verdict, its statement, and each finding in its own words; of a list each target's. */
const saidIn = (report: JsonObject): readonly string[] => {
  const items = Array.isArray(report["items"]) ? report["items"].filter(isJsonObject) : [];
  const findings = Array.isArray(report["findings"]) ? report["findings"].filter(isJsonObject) : [];
  return [
    `${String(report["verdict"] ?? report["kind"])}: ${String(report["statement"] ?? "")}`,
    ...findings.map(
      ({ claim, finding, sentence }) => `${String(claim)} ${String(finding)}: ${String(sentence)}`,
    ),
    ...items.map(({ verdict, statement }) => `${String(verdict)}: ${String(statement)}`),
  ];
};

export const replayPage = (replay: EvidenceReplayInput, advice: Advice, page: Page): readonly string[] => {
  const { of, differs, verdict } = replay;
  const judged = verdict.kind === "one" ? verdict.report : verdict.list;
  return [
    `${page.style("bold", EVIDENCE_READ.again(of.sequence, of.run))}: ${page.style(findingTone(judged.verdict), judged.verdict)}`,
    printable(judged.statement),
    EVIDENCE_READ.past,
    ...(differs.length === 0
      ? [EVIDENCE_READ.same]
      : block(
          EVIDENCE_READ.differs,
          differs.map(({ target, claim, was, is }) => EVIDENCE_READ.difference(target, claim, was, is)),
          page,
        )),
    ...keptLines(judged.kept, page),
    ...adviceLines(advice, page),
  ];
};
