/**
 * StatefulSets. Rules: pkg/controller/statefulset. Equal revisions and the Pods' own revision labels decide, and a counter
 * that disagrees is named (V8). With a partition only the ordinals from it on are to be updated.
 */
import type { Seen } from "../../domain/evidence.ts";
import { RESOURCES } from "../../domain/resource.ts";
import { artifact } from "../artifact.ts";
import { capacity } from "../capacity.ts";
import type { Case, Rule } from "../case.ts";
import { controllerOf } from "../collection.ts";
import { configBound } from "../config-bound.ts";
import { configLoaded } from "../config-loaded.ts";
import { endpointsReady } from "../endpoints.ts";
import { counter, specObserved, statusOfThisGeneration } from "../generation.ts";
import { type Found, Inquiry } from "../inquiry.ts";
import type { KindRule } from "../kind-rule.ts";
import { oldGone } from "../old-gone.ts";
import { isActive, isFinished } from "../pod.ts";
import { ofNamesake, oncePerCase, type Population, strangersOf } from "../population.ts";
import { fieldAt, hint, OBJECT, TEXT, WHOLE } from "../read.ts";
import { podReplaced } from "../replacement.ts";
import { versionsOfPods } from "../version.ts";
import { contradictedByPods, underWayByPods } from "../waiting.ts";
import { beingDeleted, vacuous } from "../whole.ts";
import { quoted } from "../words.ts";

const REVISION = ["metadata", "labels", "controller-revision-hash"];

/** The first index that is to be updated; undefined: the field cannot be read. Its default is 0 (apps/v1). */
const partitionOf = ({ raw }: Seen): number | undefined => {
  const field = fieldAt(raw, ["spec", "updateStrategy", "rollingUpdate", "partition"], WHOLE);
  if (field.kind === "absent") return 0;
  return field.kind === "known" ? field.value : undefined;
};

/** Where the Pod stands, from 0, whatever the first ordinal is. */
const indexOf = (set: Seen, pod: Seen): number | undefined => {
  const ordinal = /-(\d{1,9})$/.exec(pod.name)?.[1];
  const start = hint(set.raw, ["spec", "ordinals", "start"], WHOLE);
  return ordinal === undefined ? undefined : Number(ordinal) - (start === undefined ? 0 : start);
};

/** Below the partition: not to be updated. */
const isBelow = (set: Seen, pod: Seen): boolean => {
  const [index, partition] = [indexOf(set, pod), partitionOf(set)];
  return index !== undefined && partition !== undefined && index < partition;
};

/** By the revision that status names: so it has to be of this generation. Pods below the partition are held back. */
const statefulPods = oncePerCase((given) => {
  const { target, collection, before } = given;
  const revision = hint(target.raw, ["status", "updateRevision"], TEXT);
  const partition = partitionOf(target);
  if (target.uid === null || revision === undefined || partition === undefined) return undefined;
  if (before.get("spec-observed")?.finding !== "proven") return undefined;
  const pods = collection.controlledBy(target.uid, RESOURCES.Pod.kind);
  const revisionOf = (pod: Seen) => hint(pod.raw, REVISION, TEXT);
  const apart = pods.filter((pod) => revisionOf(pod) !== revision);
  const others = apart.filter((pod) => !isBelow(target, pod));
  return {
    fresh: pods.filter((pod) => revisionOf(pod) === revision),
    old: others.filter((pod) => revisionOf(pod) !== undefined),
    held: apart.filter((pod) => isBelow(target, pod)),
    unknown: [
      ...strangersOf(given, ofNamesake(given)),
      ...others
        .filter((pod) => revisionOf(pod) === undefined && !isFinished(pod))
        .map((pod) => ({ pod, why: "does not say its revision (label controller-revision-hash)" })),
    ],
    ...versionsOfPods(
      pods.filter((pod) => revisionOf(pod) === revision),
      apart,
      (pod) => {
        const its = revisionOf(pod);
        return its === undefined ? undefined : `revision ${its}`;
      },
    ),
  };
});

interface Counts {
  readonly wanted: number;
  /** How many of them are to be of the new revision. */
  readonly needed: number;
  readonly total: number;
  readonly updated: number;
  readonly available: number;
}

const rolloutComplete: Rule = (given) => {
  const inquiry = new Inquiry("rollout-complete");
  const { target } = given;
  const stop = beingDeleted(inquiry, target) ?? statusOfThisGeneration(inquiry, given);
  if (stop !== undefined) return stop;
  const counts = countsOf(inquiry, target);
  const update = inquiry.need(target, ["status", "updateRevision"], TEXT);
  const strategy = inquiry.need(target, ["spec", "updateStrategy", "type"], TEXT);
  if (counts === undefined || update === undefined || strategy === undefined) return inquiry.unknown();
  if (counts.wanted === 0 && given.expected.replicas !== 0) return vacuous(inquiry);
  if (counts.needed === 0 && counts.wanted > 0)
    return inquiry.undetermined(
      "vacuous",
      `the partition holds back all ${counts.wanted} Pods, so none is to be updated`,
    );
  const done = counts.total === counts.wanted && counts.available === counts.wanted;
  const updated = updatedPods(inquiry, given, update, counts);
  if (typeof updated !== "number") return updated;
  if (done && updated >= counts.needed) return complete(inquiry, given, update, counts);
  return unfinished(inquiry, given, strategy, { ...counts, updated });
};

const countsOf = (inquiry: Inquiry, target: Seen): Counts | undefined => {
  const wanted = inquiry.need(target, ["spec", "replicas"], WHOLE);
  const total = counter(inquiry, target, "replicas");
  const available = counter(inquiry, target, "availableReplicas");
  const updated = fieldAt(target.raw, ["status", "updatedReplicas"], WHOLE);
  const partition = partitionOf(target);
  if (partition === undefined)
    inquiry.need(target, ["spec", "updateStrategy", "rollingUpdate", "partition"], WHOLE);
  if (updated.kind === "unreadable") inquiry.miss(updated.why);
  if (wanted === undefined || total === undefined || available === undefined) return undefined;
  if (partition === undefined || updated.kind === "unreadable") return undefined;
  return {
    wanted,
    needed: Math.max(0, wanted - partition),
    total,
    available,
    updated: updated.kind === "known" ? updated.value : 0,
  };
};

/** How many Pods that are to be of this revision are: by their labels where all were read, else by the counter. */
const updatedPods = (inquiry: Inquiry, given: Case, revision: string, counts: Counts): number | Found => {
  const { target, collection } = given;
  const list = collection.list(RESOURCES.Pod, target.namespace);
  const partition = counts.wanted - counts.needed;
  if (list.kind !== "known" || target.uid === null) {
    inquiry.limit("by the controller's count: its Pods were not all read");
    return counter(inquiry, target, "updatedReplicas") ?? inquiry.unknown();
  }
  const own = collection.controlledBy(target.uid, RESOURCES.Pod.kind).filter(isActive);
  const fresh = own.filter((pod) => {
    const index = indexOf(target, pod);
    return index !== undefined && index >= partition && hint(pod.raw, REVISION, TEXT) === revision;
  });
  for (const pod of fresh) {
    const owner = controllerOf(pod);
    inquiry.cite(pod, REVISION);
    if (owner !== undefined) inquiry.cite(pod, ["metadata", "ownerReferences", owner.at, "uid"]);
  }
  if (partition === 0 && fresh.length !== counts.updated)
    inquiry.limit(
      `status.updatedReplicas says ${counts.updated}, and ${fresh.length} Pods carry the revision: the Pods decide`,
    );
  return fresh.length;
};

const complete = (inquiry: Inquiry, given: Case, update: string, { wanted, needed }: Counts): Found => {
  if (needed === wanted) {
    const current = inquiry.need(given.target, ["status", "currentRevision"], TEXT);
    if (current === undefined && wanted > 0) return inquiry.unknown();
    if (current !== update && wanted > 0)
      return inquiry.progressing(
        "closing",
        `all ${wanted} Pods are of the new revision, and the controller has not closed the rollout (currentRevision is ${quoted(String(current))})`,
      );
    return inquiry.proven(
      "complete",
      wanted === 0
        ? "no Pod is wanted, as expected"
        : `${wanted} of ${wanted} Pods are of the new revision and available`,
    );
  }
  inquiry.limit(`${wanted - needed} Pods below the partition are held back, and not judged`);
  return inquiry.proven(
    "complete-to-partition",
    `${needed} of ${wanted} Pods, all from the partition on, are of the new revision, and all are available`,
  );
};

const unfinished = (inquiry: Inquiry, given: Case, strategy: string, counts: Counts): Found => {
  const { needed, updated, available, wanted } = counts;
  const says = `${updated} of ${needed} Pods that are to be updated are of the new revision; ${available} of ${wanted} are available`;
  if (strategy === "OnDelete" && updated < needed)
    return inquiry.refuted("on-delete", `${says}; the strategy OnDelete replaces none by itself`);
  const population = statefulPods(given);
  const fresh = population === undefined ? [] : population.fresh;
  return (
    contradictedByPods(inquiry, given, fresh, says) ??
    underWayByPods(inquiry, given, fresh, updated < needed ? "updating" : "becoming-available", says)
  );
};

const populationFor = (inquiry: Inquiry, given: Case): Population | Found | undefined => {
  const stop = statusOfThisGeneration(inquiry, given);
  if (stop !== undefined) return stop;
  inquiry.need(given.target, ["status", "updateRevision"], TEXT);
  inquiry.need(given.target, ["spec", "selector"], OBJECT);
  const pods = inquiry.needList(given.collection, RESOURCES.Pod, given.target.namespace);
  const population = statefulPods(given);
  if (pods === undefined || inquiry.missing.length > 0 || population === undefined) return undefined;
  for (const pod of population.fresh)
    if (!isFinished(pod) && !isBelow(given.target, pod)) inquiry.cite(pod, REVISION);
  return population;
};

const POD_LABELS = ["spec", "template", "metadata", "labels"];

export const statefulSet: KindRule = {
  resource: RESOURCES.StatefulSet,
  required: ["spec-observed", "rollout-complete", "old-gone", "capacity"],
  podLabels: POD_LABELS,
  population: statefulPods,
  rules: {
    "spec-observed": specObserved,
    "rollout-complete": rolloutComplete,
    "old-gone": oldGone(populationFor),
    capacity: capacity({ available: "availableReplicas", population: statefulPods }),
    "endpoints-ready": endpointsReady(POD_LABELS, statefulPods),
    artifact: artifact(["spec", "template"], populationFor),
    "config-loaded": configLoaded(populationFor),
    "pod-replaced": podReplaced(populationFor),
    "config-bound": configBound(["spec", "template", "spec"], populationFor),
  },
};
