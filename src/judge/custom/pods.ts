/**
 * The Pods of a declared kind: found by owner UIDs through the kinds that stand between (O2), told apart by the label that
 * carries the version which its status names. A Pod without that label is of nobody knows which version.
 */
import type { CustomPods, CustomRule } from "../../domain/custom-rule.ts";
import type { Seen } from "../../domain/evidence.ts";
import { type KnownKind, RESOURCES, type Resource } from "../../domain/resource.ts";
import type { Case, Rule } from "../case.ts";
import { controllerOf, type Owner } from "../collection.ts";
import { counter, statusOfThisGeneration } from "../generation.ts";
import { Inquiry } from "../inquiry.ts";
import { isFinished } from "../pod.ts";
import {
  contradictedByIdentities,
  ofNamesake,
  oncePerCase,
  type Population,
  strangersOf,
} from "../population.ts";
import { hint, LIST, OBJECT, TEXT, WHOLE } from "../read.ts";
import { versionsOfPods } from "../version.ts";
import { contradictedByPods, underWayByPods } from "../waiting.ts";
import { beingDeleted, vacuous } from "../whole.ts";
import { counted, quoted } from "../words.ts";
import { byRule } from "./ready.ts";

/** The kinds that stand between an object and its Pods. */
const ownerResources = ({ owners }: CustomPods): readonly Resource[] =>
  owners.map((kind) => RESOURCES[kind as KnownKind]);

/** All that it controls, kind by kind; the last are its Pods. */
const chainOf = (
  { target, collection }: Case,
  owners: readonly string[],
): { readonly between: readonly Seen[]; readonly pods: readonly Seen[] } => {
  let above: readonly Seen[] = [target];
  const between: Seen[] = [];
  const below = (kind: string): readonly Seen[] =>
    above.flatMap(({ uid }) => (uid === null ? [] : collection.controlledBy(uid, kind)));
  for (const kind of owners) {
    above = below(kind);
    between.push(...above);
  }
  return { between, pods: below(RESOURCES.Pod.kind) };
};

/** undefined: the version is not told. */
export const customPods = (pods: CustomPods): ((given: Case) => Population | undefined) =>
  oncePerCase((given) => {
    const { version } = pods;
    if (version === null || given.target.uid === null) return undefined;
    const wanted = hint(given.target.raw, version.path, TEXT);
    if (wanted === undefined || wanted === "") return undefined;
    const { between, pods: own } = chainOf(given, pods.owners);
    const versionOf = (pod: Seen) => hint(pod.raw, ["metadata", "labels", version.label], TEXT);
    const fresh = own.filter((pod) => versionOf(pod) === wanted);
    const others = own.filter((pod) => versionOf(pod) !== wanted);
    const old = others.filter((pod) => versionOf(pod) !== undefined);
    return {
      fresh,
      old,
      held: [],
      unknown: [
        ...strangersOf(given, whoseIs(given, pods, between), pods.selector),
        ...others
          .filter((pod) => versionOf(pod) === undefined && !isFinished(pod))
          .map((pod) => ({ pod, why: `does not say of which version it is (label ${version.label})` })),
      ],
      ...versionsOfPods(fresh, old, (pod) => `version ${versionOf(pod)}`),
    };
  });

/** What is not known of a Pod with this controller; null: it is somebody else's, or known to be its own. */
const whoseIs = (given: Case, { owners }: CustomPods, between: readonly Seen[]) => {
  const direct = owners.at(-1);
  if (direct === undefined) return ofNamesake(given);
  const own = new Set(between.map(({ uid }) => uid));
  const seen = given.collection.seen(RESOURCES[direct as KnownKind], given.target.namespace);
  return (owner: Owner): string | null => {
    if (own.has(owner.uid) || owner.kind !== direct) return null;
    const its = seen.find(({ uid }) => uid === owner.uid);
    if (its === undefined)
      return `is controlled by ${direct} ${quoted(owner.name)}, which is not among those that were read`;
    const above = controllerOf(its);
    return above === undefined
      ? `is of ${direct} ${quoted(owner.name)}, which nothing controls`
      : ofNamesake(given)(above);
  };
};

/** Reads the lists that tell which Pods are of which version. */
export const customPodsFor =
  (pods: CustomPods, population: (given: Case) => Population | undefined) =>
  (inquiry: Inquiry, given: Case): Population | undefined => {
    const { target, collection } = given;
    const { version } = pods;
    inquiry.need(target, pods.selector, OBJECT);
    if (version !== null) inquiry.need(target, version.path, TEXT);
    for (const resource of [...ownerResources(pods), RESOURCES.Pod])
      inquiry.needList(collection, resource, target.namespace);
    const found = population(given);
    if (found === undefined || inquiry.missing.length > 0 || version === null) return undefined;
    const running = found.fresh.filter((pod) => !isFinished(pod));
    for (const pod of running) inquiry.cite(pod, ["metadata", "labels", version.label]);
    const controllers = new Set(running.map((pod) => controllerOf(pod)?.uid));
    for (const one of chainOf(given, pods.owners).between)
      if (one.uid !== null && controllers.has(one.uid)) {
        inquiry.need(one, ["metadata", "uid"], TEXT);
        inquiry.need(one, ["metadata", "ownerReferences"], LIST);
      }
    return inquiry.missing.length > 0 ? undefined : found;
  };

interface Counts {
  readonly wanted: number;
  readonly total: number | null;
  readonly updated: number;
  readonly available: number;
}

/** By its counters, of this generation; the Pods, where all were read, can only take from them (V8). */
export const customRollout =
  (rule: CustomRule, pods: CustomPods, population: (given: Case) => Population | undefined): Rule =>
  (given) => {
    const inquiry = new Inquiry("rollout-complete");
    inquiry.limit(byRule(rule));
    const stop = beingDeleted(inquiry, given.target) ?? statusOfThisGeneration(inquiry, given);
    if (stop !== undefined) return stop;
    const counts = countsOf(inquiry, given.target, pods);
    if (counts === undefined) return inquiry.unknown();
    const { wanted, total, updated, available } = counts;
    if (wanted === 0 && given.expected.replicas !== 0) return vacuous(inquiry);
    const says = countsText(counts);
    if (updated === wanted && available === wanted && (total === null || total === wanted))
      return (
        contradictedByIdentities(inquiry, given, population(given), wanted) ??
        inquiry.proven("complete", says)
      );
    const found = population(given);
    const fresh = found === undefined ? [] : found.fresh;
    const usual =
      updated < wanted
        ? "updating"
        : total !== null && total > updated
          ? "old-pending-termination"
          : "becoming-available";
    return (
      contradictedByPods(inquiry, given, fresh, says) ?? underWayByPods(inquiry, given, fresh, usual, says)
    );
  };

const countsOf = (inquiry: Inquiry, target: Seen, pods: CustomPods): Counts | undefined => {
  const wanted = inquiry.need(target, pods.wanted, WHOLE);
  const total = pods.total === null ? null : counter(inquiry, target, pods.total);
  const updated = counter(inquiry, target, pods.updated);
  const available = counter(inquiry, target, pods.available);
  return wanted === undefined || total === undefined || updated === undefined || available === undefined
    ? undefined
    : { wanted, total, updated, available };
};

const countsText = ({ wanted, total, updated, available }: Counts): string => {
  const others = total === null ? 0 : Math.max(0, total - updated);
  return [
    `${updated} of ${counted(wanted, "wanted Pod")} ${updated === 1 ? "is" : "are"} of the new version`,
    ...(others === 0 ? [] : [`${others} of another version ${others === 1 ? "is" : "are"} still counted`]),
    `${available} ${available === 1 ? "is" : "are"} available`,
  ].join("; ");
};

/** What judging its Pods takes beside the target. */
export const podReads = (pods: CustomPods) => {
  const owned = [...ownerResources(pods), RESOURCES.Pod];
  return {
    "rollout-complete": [...owned, RESOURCES.Event],
    capacity: [...owned, RESOURCES.HorizontalPodAutoscaler, RESOURCES.Event],
    "endpoints-ready": [RESOURCES.Service, RESOURCES.EndpointSlice, ...owned],
    "old-gone": owned,
    artifact: owned,
  };
};
