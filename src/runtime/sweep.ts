/**
 * verify -l, -A: many targets, judged one by one over one collection of evidence. Pure.
 *
 * Laws: the worst verdict is the sweep's (DESIGN §7); nothing to judge proves nothing, and a kind that was not read leaves
 * it open (V5, R2). What is scaled to zero stands apart and is not counted, unless something else is to be said of it.
 */
import type { Asked, Seen } from "../domain/evidence.ts";
import { NOTHING_EXPECTED } from "../domain/expected.ts";
import type { Judgement } from "../domain/finding.ts";
import type { Question, SweepQuestion } from "../domain/question.ts";
import type { Resource } from "../domain/resource.ts";
import { EXIT_OF_VERDICT } from "../domain/verdict.ts";
import { Collection } from "../judge/collection.ts";
import { resourceMeant } from "../judge/resource-meant.ts";
import { rulesOf } from "../judge/rules.ts";
import { isScaledToZero, type Selection, targetsOf } from "../judge/targets.ts";
import { counted, listed } from "../judge/words.ts";
import type { Collected } from "../ports/evidence-source.ts";
import type { VerdictListInput } from "../wire/api/verdict-list.ts";
import type { Comparison } from "./comparison.ts";
import { reportIn, reportOf, type VerdictReport } from "./verify.ts";

export interface VerdictList extends VerdictListInput {
  readonly verdict: Judgement;
  readonly items: readonly VerdictReport[];
  readonly exit: VerdictReport["exit"];
}

/** What the lists of a sweep come to. */
export interface SweepEvidence {
  readonly collected: Collected;
  /** Which resources the words mean, where the source knows it better than the judge; null: it does not. */
  readonly kinds: readonly Resource[] | null;
  /** Kinds that nobody could tell the resource of, each a sentence. */
  readonly nameless: readonly string[];
  /** By `keyOf`: why what was read of it is not of one moment. */
  readonly torn: ReadonlyMap<string, string>;
  /** By `keyOf`: what limits the judgement of this one. */
  readonly limits: ReadonlyMap<string, string>;
}

/** How one target is judged over what was read of all, and where it stands then. */
export interface Judging {
  readonly report: (collection: Collection, collected: Collected, its: Question) => VerdictReport;
  readonly place: (target: Seen, report: VerdictReport) => Place;
}

/** `zero`: scaled to zero, with nothing else to be said of it; `aside`: nothing of the kind that is asked for can be said. */
export type Place = "counted" | "zero" | "aside";

/** `pins`: the UIDs that were seen first, by `keyOf`; another object of the same name is not taken for it (V3). */
export const sweepOf = (
  evidence: SweepEvidence,
  question: SweepQuestion,
  comparison: Comparison,
  pins: ReadonlyMap<string, string> = new Map(),
): VerdictList => {
  const judging: Judging = {
    report: (collection, collected, its) => reportIn(collection, collected, its, comparison),
    place: (target, report) => (isScaledToZero(target) && isVacuous(report) ? "zero" : "counted"),
  };
  return sweepBy(judging, evidence, question, pins).list;
};

/** `aside`: what is not in the list, as it was judged. */
export const sweepBy = (
  judging: Judging,
  { collected, kinds, nameless, torn, limits }: SweepEvidence,
  question: SweepQuestion,
  pins: ReadonlyMap<string, string> = new Map(),
): { readonly list: VerdictList; readonly aside: readonly VerdictReport[] } => {
  const collection = new Collection(collected.evidence);
  const named =
    question.kinds === null
      ? null
      : question.kinds.map((word) => resourceMeant(word, collection, rulesOf(question)));
  const selection: Selection = { ...question, kinds: kinds ?? named };
  const { targets, unread, left } = targetsOf(collection, selection);
  const judged = targets.map((target) => {
    const key = keyOf(target);
    const its = questionOf(target, question, pins.get(key) ?? null);
    const why = torn.get(key);
    const read = why === undefined ? collected : unreadOne(collected, target, its, why);
    const report = judging.report(why === undefined ? collection : new Collection(read.evidence), read, its);
    const limit = limits.get(key);
    return {
      place: judging.place(target, report),
      report: limit === undefined ? own(report) : own(report, limit),
    };
  });
  const list = listOf(
    {
      selection: {
        kinds: question.kinds,
        namespace: question.namespace,
        selector: question.selector === null ? null : question.selector.text,
      },
      judged,
      open: [...nameless, ...unread],
      left,
      limits: collected.evidence.limits,
    },
    collected,
  );
  return { list, aside: judged.flatMap(({ place, report }) => (place === "aside" ? [report] : [])) };
};

interface Judged {
  readonly place: Place;
  readonly report: VerdictReport;
}

const listOf = (
  {
    selection,
    judged,
    open,
    left,
    limits,
  }: {
    readonly selection: VerdictList["selection"];
    readonly judged: readonly Judged[];
    readonly open: readonly string[];
    readonly left: number;
    readonly limits: readonly string[];
  },
  { from, to }: Pick<Collected, "from" | "to">,
): VerdictList => {
  const apart = judged.filter(({ place }) => place === "zero");
  const items = judged.flatMap(({ place, report }) => (place === "counted" ? [report] : []));
  const counts = countsOf(items);
  const verdict = worstOf(items, open);
  return {
    selection,
    verdict,
    window: { from, to, ended: true },
    counts,
    items: [...items].sort(byVerdict),
    scaledToZero: apart.map(({ report }) => report.target),
    unread: open,
    left,
    statement: statementOf(counts, items.length, apart.length, open),
    notLookedAt: notLookedAt(judged.map(({ report }) => report)),
    trust: { tier: "T0", limits },
    exit: EXIT_OF_VERDICT[verdict],
  };
};

export const keyOf = ({
  group,
  kind,
  namespace,
  name,
}: Pick<Seen, "group" | "kind" | "namespace" | "name">): string =>
  JSON.stringify([group, kind, namespace, name]);

const questionOf = (target: Seen, { claims, rules, only }: SweepQuestion, uid: string | null): Question => ({
  kind: target.group === "" ? target.kind : `${target.kind}.${target.group}`,
  namespace: target.namespace,
  name: target.name,
  expected: { ...NOTHING_EXPECTED, uid },
  claims,
  ...(rules === undefined ? {} : { rules }),
  ...(only === undefined ? {} : { only }),
});

/** What saved files say of many; each list in them is of one moment. */
export const savedSweep = (collected: Collected): SweepEvidence => {
  const all = collected.unsteady ?? [];
  const saying = (isWhole: boolean) =>
    new Map(all.filter(({ whole }) => whole === isWhole).map((one) => [keyOf(one), one.says]));
  return { collected, kinds: null, nameless: [], torn: saying(true), limits: saying(false) };
};

/** One of them, by itself. */
export const reportOfSaved = (
  collected: Collected,
  question: Question,
  comparison: Comparison,
): VerdictReport => {
  const report = reportOf(collected, question, comparison);
  const { subject } = report;
  if (subject === null) return report;
  const { torn, limits } = savedSweep(collected);
  const key = keyOf(subject);
  const why = torn.get(key);
  if (why !== undefined) return reportOf(unreadOne(collected, subject, question, why), question, comparison);
  const limit = limits.get(key);
  return limit === undefined
    ? report
    : { ...report, trust: { ...report.trust, limits: [...report.trust.limits, limit] } };
};

/** Of this object nothing was read that can be judged. */
const unreadOne = (collected: Collected, target: Seen, its: Question, why: string): Collected => {
  const evidence = { ...collected.evidence, objects: [], asked: [] };
  const asked: Asked = {
    group: target.group,
    resource: resourceMeant(its.kind, new Collection(evidence), rulesOf(its)).plural,
    namespaces: target.namespace === null ? "all" : [target.namespace],
    name: target.name,
    answer: { kind: "failed", why },
    source: target.source,
  };
  return { ...collected, evidence: { ...evidence, asked: [asked] } };
};

/** What limits all of them is said once, of the sweep. */
const own = (report: VerdictReport, ...limits: readonly string[]): VerdictReport => ({
  ...report,
  trust: { ...report.trust, limits },
});

/** Nothing is said of it but that none is wanted. */
export const isVacuous = ({ findings }: VerdictReport): boolean =>
  findings.every(
    ({ finding, reason }) => finding === "proven" || (finding === "undetermined" && reason === "vacuous"),
  );

const ORDER: readonly Judgement[] = ["refuted", "undetermined", "progressing", "proven"];

const countsOf = (items: readonly VerdictReport[]): Readonly<Record<Judgement, number>> => {
  const of = (judgement: Judgement) => items.filter(({ verdict }) => verdict === judgement).length;
  return {
    proven: of("proven"),
    refuted: of("refuted"),
    undetermined: of("undetermined"),
    progressing: of("progressing"),
  };
};

const worstOf = (items: readonly VerdictReport[], open: readonly string[]): Judgement => {
  if (items.some(({ verdict }) => verdict === "refuted")) return "refuted";
  if (items.length === 0 || open.length > 0) return "undetermined";
  return ORDER.find((judgement) => items.some(({ verdict }) => verdict === judgement)) ?? "undetermined";
};

/** The worst first, then as they were listed. */
const byVerdict = (a: VerdictReport, b: VerdictReport): number =>
  ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict);

const statementOf = (
  counts: Readonly<Record<Judgement, number>>,
  judged: number,
  apart: number,
  open: readonly string[],
): string => {
  const zero = apart === 0 ? [] : [`${apart} scaled to zero ${apart === 1 ? "is" : "are"} not counted`];
  const unread =
    open.length === 0 ? [] : [`not read: ${listed(open.map((one) => one.replace(/:.*$/s, "")))}`];
  const others = ORDER.filter((judgement) => judgement !== "proven" && counts[judgement] > 0).map(
    (judgement) => `${counts[judgement]} ${judgement}`,
  );
  const found =
    judged === 0
      ? ["no target: nothing was selected that could be judged"]
      : [`${counts.proven} of ${counted(judged, "target")} ${judged === 1 ? "is" : "are"} proven`, ...others];
  return `${[...found, ...zero, ...unread].join("; ")}.`;
};

/** What was not asked for is said once for all of them. */
const notLookedAt = (reports: readonly VerdictReport[]): readonly string[] => {
  const said = new Set(reports.flatMap((report) => report.notLookedAt));
  const MOST = 50;
  const all = [...said].sort();
  return all.length <= MOST ? all : [...all.slice(0, MOST), `and ${all.length - MOST} more`];
};
