/** What the next start of a workload's containers would come to, as far as its config goes. Pure. */
import type { ConfigState } from "../domain/config.ts";
import type { ConfigTraceRow } from "../wire/api/config-trace.ts";
import type { ConfigOutlook, Outlook } from "../wire/api/config-trace-list.ts";
import type { ConfigTrace } from "./config-trace.ts";

export const OUTLOOK_OF: Readonly<Record<ConfigState, Outlook>> = {
  "reference-missing": "breaks",
  stale: "changes",
  "will-change-on-restart": "changes",
  "not-knowable": "not-knowable",
  propagating: "follows",
  fresh: "same",
};

/** The worst first. */
export const OUTLOOKS: readonly Outlook[] = ["breaks", "changes", "not-knowable", "follows", "same"];

export const outlookOf = (trace: ConfigTrace): ConfigOutlook => {
  const bound = trace.report.findings.find(({ claim }) => claim === "config-bound");
  const isTimeBomb = bound?.finding === "refuted" && bound.reason !== "reference-missing";
  const rows = rowsOfNext(trace);
  // A template may name what is not there before any Pod of it was made.
  if (bound?.finding === "refuted" && bound.reason === "reference-missing") {
    const its = rows.filter(({ state }) => state === "reference-missing");
    return { outlook: "breaks", isTimeBomb, references: its.length, pods: podsOf(its), why: bound.sentence };
  }
  const outlook = OUTLOOKS.find((one) => rows.some(({ state }) => OUTLOOK_OF[state] === one));
  const its = rows.filter(({ state }) => OUTLOOK_OF[state] === outlook);
  const [first] = its;
  if (outlook === undefined || first === undefined)
    return { outlook: "not-knowable", isTimeBomb, references: 0, pods: 0, why: withoutRows(trace) };
  const counts = { isTimeBomb, references: its.length, pods: podsOf(its) };
  // The template itself tells that it was made for other config, whatever its Pods were given.
  return isTimeBomb && (outlook === "same" || outlook === "follows")
    ? { ...counts, outlook: "changes", why: bound.sentence }
    : { ...counts, outlook, why: whyOf(first) };
};

/** Whether no container of it takes anything from a ConfigMap or Secret: its own Pods' nor the next one's. */
export const takesNone = (trace: ConfigTrace): boolean =>
  trace.rows.every(({ serviceAccount }) => serviceAccount) &&
  trace.untraceable.length === 0 &&
  trace.report.findings.some(({ claim, reason }) => claim === "config-bound" && reason === "takes-none");

/** Pods of an earlier template are not started again. */
const rowsOfNext = ({ rows }: ConfigTrace): readonly ConfigTraceRow[] =>
  rows.filter(({ template, serviceAccount }) => template !== "old" && !serviceAccount);

const podsOf = (rows: readonly ConfigTraceRow[]): number => new Set(rows.map(({ pod }) => pod)).size;

const whyOf = ({ container, delivery, as, kind, name, keys, why }: ConfigTraceRow): string => {
  const what = `${kind} ${name}${keys === null ? "" : ` ${keys.join(",")}`}`;
  return `${container}: ${delivery} ${as}`.trimEnd().concat(` from ${what}: ${why}`);
};

const withoutRows = ({ report }: ConfigTrace): string => {
  const loaded = report.findings.find(({ claim }) => claim === "config-loaded");
  return loaded === undefined ? report.statement : loaded.sentence;
};
