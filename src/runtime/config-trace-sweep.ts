/**
 * config trace -l, --all, -A: who needs a restart, and who would break on one, over one collection of evidence. Pure.
 *
 * Laws: as of any sweep (`sweep.ts`): the worst verdict is its own, nothing selected proves nothing, a kind that was not read
 * leaves it open (V5, R2). What is scaled to zero, and what takes nothing from a ConfigMap or Secret, stand apart and are not
 * counted, unless something else is to be said of them.
 */

import type { SweepQuestion } from "../domain/question.ts";
import { isScaledToZero } from "../judge/targets.ts";
import { counted, listed } from "../judge/words.ts";
import type { ConfigTraceListInput, Outlook } from "../wire/api/config-trace-list.ts";
import { OUTLOOKS, outlookOf, takesNone } from "./config-outlook.ts";
import { type ConfigTrace, configTraceIn, TRACE_CLAIMS, TRACED } from "./config-trace.ts";
import { isVacuous, keyOf, type SweepEvidence, sweepBy, type VerdictList } from "./sweep.ts";
import type { VerdictReport } from "./verify.ts";

export interface ConfigTraceList extends ConfigTraceListInput {
  readonly list: VerdictList;
  readonly items: readonly (ConfigTraceListInput["items"][number] & { readonly trace: ConfigTrace })[];
}

/** What is read and judged for it. */
export const traceSweepQuestion = (selection: Omit<SweepQuestion, "claims">): SweepQuestion => ({
  ...selection,
  claims: TRACE_CLAIMS,
  only: TRACED,
});

/** `question`: as `traceSweepQuestion` makes it. */
export const configTraceSweepOf = (evidence: SweepEvidence, question: SweepQuestion): ConfigTraceList => {
  const traces = new Map<string, ConfigTrace>();
  const traced = (report: VerdictReport): ConfigTrace => {
    const { rows = [], untraceable = [], checksums = [] } = traces.get(placeOf(report)) ?? {};
    return { report, rows, untraceable, checksums };
  };
  const { list, aside } = sweepBy(
    {
      report: (collection, collected, its) => {
        const trace = configTraceIn(collection, collected, its);
        traces.set(placeOf(trace.report), trace);
        return trace.report;
      },
      place: (target, report) => {
        const isIdle = isVacuous(withoutTakesNone(report));
        if (isIdle && isScaledToZero(target)) return "zero";
        return takesNone(traced(report)) || (isIdle && RUN_TO_AN_END.has(target.kind)) ? "aside" : "counted";
      },
    },
    evidence,
    question,
  );
  const items = list.items
    .map((report) => ({ report, trace: traced(report) }))
    .map(({ trace }) => ({ trace, next: outlookOf(trace) }))
    .sort((a, b) => OUTLOOKS.indexOf(a.next.outlook) - OUTLOOKS.indexOf(b.next.outlook));
  const outlooks = countsOf(items);
  const ordered = items.map(({ trace }) => trace.report as VerdictReport);
  return {
    list: {
      ...list,
      items: ordered,
      statement: statementOf(outlooks, list, aside.length),
    },
    items,
    outlooks,
    idle: aside.map(({ target }) => target),
  };
};

/** Between two runs nothing of theirs is to run. */
const RUN_TO_AN_END: ReadonlySet<string> = new Set(["Job", "CronJob"]);

/** A workload that is not counted may take nothing, or run nothing: to a sweep both are vacuous. */
const withoutTakesNone = (report: VerdictReport): VerdictReport => ({
  ...report,
  findings: report.findings.map((one) => (one.reason === "takes-none" ? { ...one, reason: "vacuous" } : one)),
});

const placeOf = ({ target: { apiVersion, kind, namespace, name } }: VerdictReport): string =>
  keyOf({ group: String(apiVersion), kind, namespace, name });

const countsOf = (items: ConfigTraceList["items"]): Readonly<Record<Outlook, number>> => {
  const of = (outlook: Outlook) => items.filter(({ next }) => next.outlook === outlook).length;
  return {
    breaks: of("breaks"),
    changes: of("changes"),
    "not-knowable": of("not-knowable"),
    follows: of("follows"),
    same: of("same"),
  };
};

const SAYS: Readonly<Record<Outlook, string>> = {
  breaks: "would break on a restart",
  changes: "would be given other config by a restart",
  "not-knowable": "not knowable",
  follows: "with files on their way",
  same: "given what is there now",
};

/** `2 of 7 workloads would break on a restart; 1 would be given other config by a restart; 4 given what is there now.` */
const statementOf = (
  outlooks: Readonly<Record<Outlook, number>>,
  { items, scaledToZero, unread }: VerdictList,
  none: number,
): string => {
  const said = OUTLOOKS.filter((one) => outlooks[one] > 0).map((one, at) =>
    at === 0
      ? `${outlooks[one]} of ${counted(items.length, "workload")} ${SAYS[one]}`
      : `${outlooks[one]} ${SAYS[one]}`,
  );
  const zero = scaledToZero.length;
  return `${[
    ...(said.length === 0 ? ["no target: nothing was selected that takes config and runs"] : said),
    ...(zero === 0 ? [] : [`${zero} scaled to zero ${zero === 1 ? "is" : "are"} not counted`]),
    ...(none === 0
      ? []
      : [
          `${none} ${none === 1 ? "takes nothing from a ConfigMap or Secret, or runs nothing now" : "take nothing from a ConfigMap or Secret, or run nothing now"}`,
        ]),
    ...(unread.length === 0 ? [] : [`not read: ${listed(unread.map((one) => one.replace(/:.*$/s, "")))}`]),
  ].join("; ")}.`;
};
