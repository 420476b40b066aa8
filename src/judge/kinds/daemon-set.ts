/**
 * DaemonSets. Rules: pkg/controller/daemon (a Pod is up to date when its label pod-template-generation is that of the
 * DaemonSet's template), kubectl's rollout status for the counters. desiredNumberScheduled is never left out.
 */
import type { Seen } from "../../domain/evidence.ts";
import { RESOURCES } from "../../domain/resource.ts";
import { artifact } from "../artifact.ts";
import { capacity } from "../capacity.ts";
import type { Case, Rule } from "../case.ts";
import { configBound } from "../config-bound.ts";
import { configLoaded } from "../config-loaded.ts";
import { endpointsReady } from "../endpoints.ts";
import { counter, specObserved, statusOfThisGeneration } from "../generation.ts";
import { type Found, Inquiry } from "../inquiry.ts";
import type { KindRule } from "../kind-rule.ts";
import { oldGone } from "../old-gone.ts";
import { isFinished } from "../pod.ts";
import {
  contradictedByIdentities,
  ofNamesake,
  oncePerCase,
  type Population,
  strangersOf,
} from "../population.ts";
import { hint, OBJECT, TEXT, WHOLE } from "../read.ts";
import { podReplaced } from "../replacement.ts";
import { versionsOfPods } from "../version.ts";
import { contradictedByPods, underWayByPods } from "../waiting.ts";
import { beingDeleted } from "../whole.ts";

const TEMPLATE = ["metadata", "annotations", "deprecated.daemonset.template.generation"];
const POD_TEMPLATE = ["metadata", "labels", "pod-template-generation"];

const daemonPods = oncePerCase((given) => {
  const { target, collection } = given;
  const template = hint(target.raw, TEMPLATE, TEXT);
  if (target.uid === null || template === undefined) return undefined;
  const pods = collection.controlledBy(target.uid, RESOURCES.Pod.kind);
  const generationOf = (pod: Seen) => hint(pod.raw, POD_TEMPLATE, TEXT);
  const others = pods.filter((pod) => generationOf(pod) !== template);
  const old = others.filter((pod) => generationOf(pod) !== undefined);
  return {
    fresh: pods.filter((pod) => generationOf(pod) === template),
    old,
    held: [],
    unknown: [
      ...strangersOf(given, ofNamesake(given)),
      ...others
        .filter((pod) => generationOf(pod) === undefined && !isFinished(pod))
        .map((pod) => ({ pod, why: "does not say of which template it is (label pod-template-generation)" })),
    ],
    ...versionsOfPods(
      pods.filter((pod) => generationOf(pod) === template),
      old,
      (pod) => `template generation ${generationOf(pod)}`,
    ),
  };
});

const rolloutComplete: Rule = (given) => {
  const inquiry = new Inquiry("rollout-complete");
  const { target } = given;
  const stop = beingDeleted(inquiry, target) ?? statusOfThisGeneration(inquiry, given);
  if (stop !== undefined) return stop;
  const desired = inquiry.need(target, ["status", "desiredNumberScheduled"], WHOLE);
  const updated = counter(inquiry, target, "updatedNumberScheduled");
  const available = counter(inquiry, target, "numberAvailable");
  const strategy = inquiry.need(target, ["spec", "updateStrategy", "type"], TEXT);
  if (desired === undefined || updated === undefined || available === undefined || strategy === undefined)
    return inquiry.unknown();
  if (desired === 0 && given.expected.replicas !== 0)
    return inquiry.undetermined(
      "vacuous",
      "no node matches it, so no Pod is to run; say --replicas 0 if that is expected",
    );
  const astray = hint(target.raw, ["status", "numberMisscheduled"], WHOLE);
  if (astray !== undefined && astray > 0)
    inquiry.limit(`${astray} Pods run on nodes where they should not, and are not counted`);
  const says = `${updated} of ${desired} Pods are of the new template; ${available} are available`;
  if (updated === desired && available === desired)
    return (
      contradictedByIdentities(inquiry, given, daemonPods(given), desired) ?? inquiry.proven("complete", says)
    );
  if (strategy === "OnDelete" && updated < desired)
    return inquiry.refuted("on-delete", `${says}; the strategy OnDelete replaces none by itself`);
  const population = daemonPods(given);
  const fresh = population === undefined ? [] : population.fresh;
  return (
    contradictedByPods(inquiry, given, fresh, says) ??
    underWayByPods(inquiry, given, fresh, updated < desired ? "updating" : "becoming-available", says)
  );
};

const populationFor = (inquiry: Inquiry, given: Case): Population | Found | undefined => {
  inquiry.need(given.target, TEMPLATE, TEXT);
  inquiry.need(given.target, ["spec", "selector"], OBJECT);
  const pods = inquiry.needList(given.collection, RESOURCES.Pod, given.target.namespace);
  const population = daemonPods(given);
  if (pods === undefined || inquiry.missing.length > 0 || population === undefined) return undefined;
  for (const pod of population.fresh) if (!isFinished(pod)) inquiry.cite(pod, POD_TEMPLATE);
  return population;
};

const POD_LABELS = ["spec", "template", "metadata", "labels"];

export const daemonSet: KindRule = {
  resource: RESOURCES.DaemonSet,
  required: ["spec-observed", "rollout-complete", "old-gone", "capacity"],
  podLabels: POD_LABELS,
  population: daemonPods,
  rules: {
    "spec-observed": specObserved,
    "rollout-complete": rolloutComplete,
    "old-gone": oldGone(populationFor),
    capacity: capacity({
      available: "numberAvailable",
      wanted: (inquiry, target) => inquiry.need(target, ["status", "desiredNumberScheduled"], WHOLE),
      population: daemonPods,
    }),
    "endpoints-ready": endpointsReady(POD_LABELS, daemonPods),
    artifact: artifact(["spec", "template"], populationFor),
    "config-loaded": configLoaded(populationFor),
    "pod-replaced": podReplaced(populationFor, ["status", "desiredNumberScheduled"]),
    "config-bound": configBound(["spec", "template", "spec"], populationFor),
  },
};
