/** What changed since an earlier state, for people: one line a field, with its old and new value and who wrote it. */
import type { Changes, FieldChange, Writer } from "../../../domain/difference.ts";
import { iso } from "../../../domain/ids.ts";
import type { VerdictReportInput } from "../../../wire/api/verdict-report.ts";
import { VERDICT } from "../texts/verdict.ts";

/** On a page; `-o wide` and the documents have all that is told. */
const MOST_LINES = 12;

export const changeLines = (changes: Changes, isWide: boolean): readonly string[] => {
  const shown = isWide ? changes.items : changes.items.slice(0, MOST_LINES);
  const more = changes.total - shown.length;
  return [
    changes.statement,
    ...(changes.recreated === null ? [] : [VERDICT.recreated(changes.recreated.was, changes.recreated.is)]),
    ...shown.map(changeLine),
    ...(more > 0 ? [VERDICT.moreChanges(more)] : []),
    ...changes.notCompared.map(VERDICT.notCompared),
    ...(isWide ? changes.limits : []),
  ];
};

const changeLine = ({ part, path, was, is, writers }: FieldChange): string =>
  `${part}: ${path}: ${was ?? VERDICT.notThere} -> ${is ?? VERDICT.notThere}; ${writersText(writers)}`;

export const writersText = (writers: readonly Writer[]): string =>
  writers.length === 0
    ? VERDICT.writerUnknown
    : writers
        .map(({ manager, operation, subresource, at }) =>
          VERDICT.writer(
            manager,
            subresource === null ? operation : `${operation}, ${subresource}`,
            at === null ? null : iso(at),
          ),
        )
        .join("; ");

/** More than these are found in the documents. */
const MOST_TARGETS = 10;

/** Of many: what was named to compare with, where something differs from it. */
export const changedTargets = (items: readonly VerdictReportInput[]): readonly string[] => {
  const told = items.flatMap(({ target, changes }) =>
    changes === null || changes.since === null || (changes.total === 0 && changes.recreated === null)
      ? []
      : [
          `${target.kind} ${target.namespace === null ? "" : `${target.namespace}/`}${target.name}: ${changes.statement}`,
        ],
  );
  const more = told.length - MOST_TARGETS;
  return more > 0 ? [...told.slice(0, MOST_TARGETS), VERDICT.moreChanges(more)] : told;
};
