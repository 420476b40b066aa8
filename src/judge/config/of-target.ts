/** Every reference of a target's Pods to config, as rows to be shown: of the Pods of its template, and of the others. */
import type { Seen } from "../../domain/evidence.ts";
import { RESOURCES } from "../../domain/resource.ts";
import type { Case } from "../case.ts";
import type { KindRule } from "../kind-rule.ts";
import { type Checksum, checksumsOf } from "./checksums.ts";
import { consumptionsOf } from "./consumptions.ts";
import type { Traced } from "./loaded.ts";
import { podSpecOf } from "./named-by.ts";
import { type Tracing, tracePods } from "./tracing.ts";

/** Which Pods: of the template that is to run, of another one, or held at another one on purpose. */
export type Template = "new" | "old" | "held";

export interface Row extends Traced {
  readonly template: Template;
}

export interface TracedTarget extends Omit<Tracing, "traced"> {
  readonly rows: readonly Row[];
  readonly checksums: readonly Checksum[];
}

/** `rule`: of the target's kind. null: it has no Pods that asfound knows how to find. */
export const traceTarget = (given: Case, rule: KindRule | undefined): TracedTarget | null => {
  const sets = setsOf(given, rule);
  if (sets === null) return null;
  const traced = sets.map(([template, pods]) => ({
    template,
    ...tracePods(pods, given.collection, given.at),
  }));
  const rows = traced.flatMap(({ template, traced: its }) => its.map((one): Row => ({ ...one, template })));
  return {
    rows: [...rows].sort(byPlace),
    checksums: checksumsIn(given),
    untraceable: [...new Set(traced.flatMap(({ untraceable }) => untraceable))].sort(),
    faults: [...new Set(traced.flatMap(({ faults }) => faults))].sort(),
  };
};

const checksumsIn = (given: Case): readonly Checksum[] => {
  const podSpec = podSpecOf(given.target);
  return podSpec === undefined ? [] : checksumsOf(given, podSpec, consumptionsOf(given.target, podSpec).all);
};

const setsOf = (
  given: Case,
  rule: KindRule | undefined,
): readonly (readonly [Template, readonly Seen[]])[] | null => {
  const { target } = given;
  if (target.group === RESOURCES.Pod.group && target.kind === RESOURCES.Pod.kind) return [["new", [target]]];
  const find = rule?.population ?? rule?.runs;
  const population = find?.(given);
  if (population === undefined) return null;
  return [
    ["new", population.fresh],
    ["old", population.old],
    ["held", population.held],
  ];
};

const placeOf = ({ pod, consumption }: Row): string =>
  `${pod.name}\u0000${consumption.container}\u0000${consumption.kind}\u0000${consumption.name}\u0000${consumption.as}`;

const byPlace = (a: Row, b: Row): number => (placeOf(a) < placeOf(b) ? -1 : placeOf(a) > placeOf(b) ? 1 : 0);
