/**
 * ReplicaSets. Rules: pkg/controller/replicaset. A ReplicaSet keeps a number of Pods and replaces none when its template
 * changes, so it has no old Pods that could be told from the new.
 */
import { RESOURCES } from "../../domain/resource.ts";
import { capacity } from "../capacity.ts";
import type { Case, Rule } from "../case.ts";
import { conditionOf } from "../conditions.ts";
import { configBound } from "../config-bound.ts";
import { configLoaded } from "../config-loaded.ts";
import { endpointsReady } from "../endpoints.ts";
import { counter, specObserved, statusOfThisGeneration } from "../generation.ts";
import { Inquiry } from "../inquiry.ts";
import type { KindRule } from "../kind-rule.ts";
import { contradictedByIdentities, ofNamesake, type Population, strangersOf } from "../population.ts";
import { OBJECT, WHOLE } from "../read.ts";
import { refusalClause, refusalReason } from "../refusal.ts";
import { contradictedByPods, underWayByPods } from "../waiting.ts";
import { beingDeleted, vacuous } from "../whole.ts";

const ownPods = (given: Case): Population | undefined =>
  given.target.uid === null
    ? undefined
    : {
        fresh: given.collection.controlledBy(given.target.uid, RESOURCES.Pod.kind),
        old: [],
        held: [],
        unknown: strangersOf(given, ofNamesake(given)),
        freshVersion: null,
        oldVersions: [],
      };

const rolloutComplete: Rule = (given) => {
  const inquiry = new Inquiry("rollout-complete");
  const { target } = given;
  const stop = beingDeleted(inquiry, target) ?? statusOfThisGeneration(inquiry, given);
  if (stop !== undefined) return stop;
  inquiry.limit(
    "a ReplicaSet replaces no Pod when its template changes: older ones may run what it said then",
  );
  const wanted = inquiry.need(target, ["spec", "replicas"], WHOLE);
  const total = counter(inquiry, target, "replicas");
  const available = counter(inquiry, target, "availableReplicas");
  if (wanted === undefined || total === undefined || available === undefined) return inquiry.unknown();
  if (wanted === 0 && given.expected.replicas !== 0) return vacuous(inquiry);
  const says = `${total} of ${wanted} Pods are there; ${available} are available`;
  if (total === wanted && available === wanted)
    return (
      contradictedByIdentities(inquiry, given, ownPods(given), wanted) ?? inquiry.proven("complete", says)
    );
  const failed = conditionOf(target, "ReplicaFailure");
  if (failed.kind === "known" && failed.value.status === "True" && total < wanted) {
    inquiry.cite(target, [...failed.value.path, "status"]);
    return inquiry.refuted(
      refusalReason(failed.value.message),
      `${says}, and more are ${refusalClause(failed.value.message)}`,
    );
  }
  const population = ownPods(given);
  const pods = population === undefined ? [] : population.fresh;
  return (
    contradictedByPods(inquiry, given, pods, says) ??
    underWayByPods(inquiry, given, pods, total < wanted ? "creating" : "becoming-available", says)
  );
};

const populationFor = (inquiry: Inquiry, given: Case): Population | undefined => {
  inquiry.need(given.target, ["spec", "template"], OBJECT);
  inquiry.need(given.target, ["spec", "selector"], OBJECT);
  const pods = inquiry.needList(given.collection, RESOURCES.Pod, given.target.namespace);
  return pods === undefined || inquiry.missing.length > 0 ? undefined : ownPods(given);
};

const POD_LABELS = ["spec", "template", "metadata", "labels"];

export const replicaSet: KindRule = {
  resource: RESOURCES.ReplicaSet,
  required: ["spec-observed", "rollout-complete", "capacity"],
  podLabels: POD_LABELS,
  population: ownPods,
  rules: {
    "spec-observed": specObserved,
    "rollout-complete": rolloutComplete,
    capacity: capacity({ available: "availableReplicas", population: ownPods }),
    "endpoints-ready": endpointsReady(POD_LABELS, ownPods),
    "config-loaded": configLoaded(populationFor),
    "config-bound": configBound(["spec", "template", "spec"], populationFor),
  },
};
