/**
 * Deployments. Rules: pkg/controller/deployment (progress.go for the Progressing condition, util for what is complete),
 * kubectl's rollout status for the order of the counters.
 */
import type { Seen } from "../../domain/evidence.ts";
import { RESOURCES } from "../../domain/resource.ts";
import { artifact } from "../artifact.ts";
import { capacity } from "../capacity.ts";
import type { Case, Rule } from "../case.ts";
import { type Condition, conditionOf } from "../conditions.ts";
import { endpointsReady } from "../endpoints.ts";
import { counter, specObserved, statusOfThisGeneration } from "../generation.ts";
import { type Found, Inquiry } from "../inquiry.ts";
import type { KindRule } from "../kind-rule.ts";
import { oldGone } from "../old-gone.ts";
import { createdAt, isActive, isFinished } from "../pod.ts";
import { contradictedByIdentities } from "../population.ts";
import { hint, LIST, OBJECT, TEXT, valueAt, WHOLE } from "../read.ts";
import { refusalClause, refusalReason } from "../refusal.ts";
import { deploymentPods, replicaSetsOf } from "../replica-sets.ts";
import { belongs, lastWrite, namedReplicaSet } from "../rollout-start.ts";
import { troubles, troubleText } from "../troubles.ts";
import { contradictedByPods, underWayByPods } from "../waiting.ts";
import { beingDeleted, vacuous } from "../whole.ts";
import { counted, quoted } from "../words.ts";

interface Counts {
  readonly wanted: number;
  readonly total: number;
  readonly updated: number;
  readonly available: number;
}

const rolloutComplete: Rule = (given) => {
  const inquiry = new Inquiry("rollout-complete");
  const stop = beingDeleted(inquiry, given.target) ?? statusOfThisGeneration(inquiry, given);
  if (stop !== undefined) return stop;
  const counts = countsOf(inquiry, given.target);
  if (counts === undefined) return inquiry.unknown();
  if (counts.wanted === 0 && given.expected.replicas !== 0) return vacuous(inquiry);
  const { wanted, total, updated, available } = counts;
  if (total === wanted && updated === wanted && available === wanted)
    return contradicted(inquiry, given) ?? complete(inquiry, wanted);
  return (
    completedBefore(inquiry, given, counts) ??
    failure(inquiry, given, counts) ??
    underWay(inquiry, given, counts)
  );
};

const countsOf = (inquiry: Inquiry, target: Seen): Counts | undefined => {
  const wanted = inquiry.need(target, ["spec", "replicas"], WHOLE);
  const total = counter(inquiry, target, "replicas");
  const updated = counter(inquiry, target, "updatedReplicas");
  const available = counter(inquiry, target, "availableReplicas");
  return wanted === undefined || total === undefined || updated === undefined || available === undefined
    ? undefined
    : { wanted, total, updated, available };
};

const complete = (inquiry: Inquiry, wanted: number): Found =>
  inquiry.proven(
    "complete",
    wanted === 0
      ? "no Pod is wanted, as expected, and none is left"
      : `${counted(wanted, "Pod")} of the new template ${wanted === 1 ? "is" : "are"} available, and no other is counted`,
  );

/** Counters that say "complete" while identities, or a reason of this very rollout, say otherwise (V8). */
const contradicted = (inquiry: Inquiry, given: Case): Found | undefined => {
  const sets = replicaSetsOf(given);
  const { target, collection } = given;
  if (sets === undefined) {
    inquiry.need(target, ["spec", "template"], OBJECT);
    return inquiry.unknown();
  }
  const list = collection.list(RESOURCES.ReplicaSet, target.namespace);
  const deadline = deadlineExceeded(given);
  if (deadline !== undefined)
    return inquiry.undetermined(
      "contradiction",
      `the counters say that the rollout is complete, and a condition says that it timed out: ${quoted(deadline.message)}`,
    );
  const wanted = hint(target.raw, ["spec", "replicas"], WHOLE);
  if (list.kind === "known" && sets.fresh === null && wanted !== 0)
    return inquiry.undetermined(
      "contradiction",
      "the counters say that the rollout is complete, and no ReplicaSet has this template",
    );
  return list.kind === "known" && wanted !== undefined
    ? contradictedByIdentities(inquiry, given, deploymentPods(given), wanted)
    : undefined;
};

/** The Progressing condition where it says that this rollout's deadline is over. */
const deadlineExceeded = (given: Case): Condition | undefined => {
  const progressing = conditionOf(given.target, "Progressing");
  if (progressing.kind !== "known" || progressing.value.reason !== "ProgressDeadlineExceeded")
    return undefined;
  return belongs(progressing.value, given, freshSet(given)) === "this-rollout"
    ? progressing.value
    : undefined;
};

/** undefined: the ReplicaSets were not all read, so there may be one. */
const freshSet = (given: Case): Seen | null | undefined => {
  const sets = replicaSetsOf(given);
  if (sets === undefined) return undefined;
  if (sets.fresh !== null) return sets.fresh;
  const list = given.collection.list(RESOURCES.ReplicaSet, given.target.namespace);
  return list.kind === "known" ? null : undefined;
};

/**
 * O7: the controller's own record that this rollout completed, in this generation; what is missing now was lost since.
 * Dated by the last write of spec, or by every missing Pod being older than the record.
 */
const completedBefore = (inquiry: Inquiry, given: Case, counts: Counts): Found | undefined => {
  const { target } = given;
  const condition = conditionOf(target, "Progressing");
  if (counts.total !== counts.updated || condition.kind !== "known") return undefined;
  const { status, reason, message, updatedAt, path } = condition.value;
  if (status !== "True" || reason !== "NewReplicaSetAvailable" || updatedAt === null) return undefined;
  const fresh = freshSet(given);
  if (fresh === null || fresh === undefined || namedReplicaSet(message) !== fresh.name) return undefined;
  const written = lastWrite(target, ["f:spec"]);
  const before = written !== undefined && written <= updatedAt;
  if (!before && !lostSince(given, counts, updatedAt)) return undefined;
  // The two counters have to agree on the loss, or one of them is missing rather than 0.
  const lost = counter(inquiry, target, "unavailableReplicas");
  if (lost !== counts.wanted - counts.available) return undefined;
  for (const field of ["status", "reason", "message", "lastUpdateTime"])
    inquiry.cite(target, [...path, field]);
  return inquiry.proven(
    "completed-before",
    `the rollout completed at ${new Date(updatedAt).toISOString()}; ${counts.available} of ${counts.wanted} are available now`,
  );
};

/** All wanted Pods exist, and each that is not available was there when the rollout completed. */
const lostSince = (given: Case, counts: Counts, completedAt: number): boolean => {
  const pods = given.collection.list(RESOURCES.Pod, given.target.namespace);
  const population = deploymentPods(given);
  if (pods.kind !== "known" || population === undefined || counts.updated !== counts.wanted) return false;
  const there = population.fresh.filter(isActive);
  const older = there.filter((pod) => {
    const created = createdAt(pod);
    return created !== undefined && created <= completedAt;
  });
  return there.length === counts.wanted && older.length === there.length;
};

/** A fact against this rollout, judged on the new revision alone (O3). */
const failure = (inquiry: Inquiry, given: Case, counts: Counts): Found | undefined =>
  paused(inquiry, given, counts) ??
  timedOut(inquiry, given, counts) ??
  notCreated(inquiry, given, counts) ??
  refusedPods(inquiry, given, counts) ??
  brokenPods(inquiry, given, counts);

const paused = (inquiry: Inquiry, { target }: Case, counts: Counts): Found | undefined => {
  if (valueAt(target.raw, ["spec", "paused"]) !== true) return undefined;
  if (counts.updated === counts.wanted && counts.total === counts.updated) return undefined;
  inquiry.cite(target, ["spec", "paused"]);
  return inquiry.refuted("paused", `the rollout is paused with ${progressText(counts)}`);
};

const timedOut = (inquiry: Inquiry, given: Case, counts: Counts): Found | undefined => {
  const progressing = conditionOf(given.target, "Progressing");
  if (progressing.kind === "unreadable") {
    inquiry.miss(progressing.why);
    return inquiry.unknown();
  }
  if (progressing.kind !== "known" || progressing.value.reason !== "ProgressDeadlineExceeded")
    return undefined;
  const condition = progressing.value;
  const whose = belongs(condition, given, freshSet(given));
  if (whose === "an-earlier-one") {
    inquiry.limit(`"${quoted(condition.message)}" is older than this rollout, and does not count`);
    return undefined;
  }
  inquiry.cite(given.target, [...condition.path, "reason"]);
  inquiry.cite(given.target, [...condition.path, "message"]);
  if (whose === "not-known") {
    inquiry.lack("replicasets", given.target.namespace, { kind: "not-asked" });
    return inquiry.undetermined(
      "undated-condition",
      `a condition says "${quoted(condition.message)}", and whether it speaks of this rollout cannot be told without the ReplicaSets`,
    );
  }
  const at = condition.updatedAt === null ? "" : ` at ${new Date(condition.updatedAt).toISOString()}`;
  return inquiry.refuted(
    "progress-deadline-exceeded",
    `the rollout made no progress within its deadline${at}: ${progressText(counts)}${detail(inquiry, given)}`,
  );
};

/** The ReplicaSet itself was refused (quota on ReplicaSets, admission). */
const notCreated = (inquiry: Inquiry, given: Case, counts: Counts): Found | undefined => {
  const progressing = conditionOf(given.target, "Progressing");
  if (progressing.kind !== "known" || progressing.value.reason !== "ReplicaSetCreateError") return undefined;
  // With the ReplicaSet there, or Pods of it counted, that was before.
  const fresh = freshSet(given);
  if ((fresh !== null && fresh !== undefined) || counts.updated > 0) return undefined;
  inquiry.cite(given.target, [...progressing.value.path, "reason"]);
  return inquiry.refuted(
    refusalReason(progressing.value.message),
    `the new ReplicaSet was not created: ${refusalClause(progressing.value.message)}`,
  );
};

/** Pods of the new ReplicaSet are refused by the API server (k8s-23, k8s-35). */
const refusedPods = (inquiry: Inquiry, given: Case, counts: Counts): Found | undefined => {
  const fresh = freshSet(given);
  // The Deployment repeats the condition of any of its ReplicaSets, so it counts only where no other has Pods.
  const from = fresh === undefined && counts.total === counts.updated ? given.target : fresh;
  if (from === null || from === undefined) return undefined;
  const failed = conditionOf(from, "ReplicaFailure");
  if (failed.kind !== "known" || failed.value.status !== "True") return undefined;
  if (counts.updated >= counts.wanted) return undefined;
  inquiry.cite(from, [...failed.value.path, "status"]);
  inquiry.cite(from, [...failed.value.path, "message"]);
  return inquiry.refuted(
    refusalReason(failed.value.message),
    `${progressText(counts)}, and more are ${refusalClause(failed.value.message)}`,
  );
};

const brokenPods = (inquiry: Inquiry, given: Case, counts: Counts): Found | undefined =>
  contradictedByPods(inquiry, given, freshPods(given), progressText(counts));

const freshPods = (given: Case): readonly Seen[] => {
  const population = deploymentPods(given);
  return population === undefined ? [] : population.fresh;
};

const underWay = (inquiry: Inquiry, given: Case, counts: Counts): Found => {
  const progressing = conditionOf(given.target, "Progressing");
  if (progressing.kind === "known" && progressing.value.message !== "")
    if (belongs(progressing.value, given, freshSet(given)) === "an-earlier-one")
      inquiry.limit(`"${quoted(progressing.value.message)}" is older than this rollout, and does not count`);
  const usual =
    counts.updated < counts.wanted
      ? "updating"
      : counts.total > counts.updated
        ? "old-pending-termination"
        : "becoming-available";
  return underWayByPods(inquiry, given, freshPods(given), usual, progressText(counts));
};

/** `1 of 3 Pods is of the new template; 2 of another template still run; 2 are available`. */
const progressText = ({ wanted, total, updated, available }: Counts): string => {
  const old = Math.max(0, total - updated);
  return [
    `${updated} of ${wanted} wanted ${wanted === 1 ? "Pod is" : "Pods are"} of the new template`,
    ...(old === 0 ? [] : [`${old} of another template ${old === 1 ? "is" : "are"} still counted`]),
    `${available} ${available === 1 ? "is" : "are"} available`,
  ].join("; ");
};

const detail = (inquiry: Inquiry, given: Case): string => {
  const found = troubles(freshPods(given).filter(isActive), given);
  if (found.length === 0) return "";
  for (const { pod, trouble } of found) inquiry.cite(pod, trouble.path);
  return `: ${troubleText(found)}`;
};

/** Lists that tell which Pods are of which template. */
const populationFor = (inquiry: Inquiry, given: Case) => {
  const { target, collection } = given;
  inquiry.need(target, ["spec", "template"], OBJECT);
  inquiry.need(target, ["spec", "selector"], OBJECT);
  const sets = inquiry.needList(collection, RESOURCES.ReplicaSet, target.namespace);
  const pods = inquiry.needList(collection, RESOURCES.Pod, target.namespace);
  const population = deploymentPods(given);
  if (sets === undefined || pods === undefined || inquiry.missing.length > 0) return undefined;
  const own = replicaSetsOf(given);
  const runs = population?.fresh.some((pod) => !isFinished(pod));
  if (own !== undefined && own.fresh !== null && runs === true) {
    inquiry.need(own.fresh, ["metadata", "uid"], TEXT);
    inquiry.need(own.fresh, ["metadata", "ownerReferences"], LIST);
    inquiry.need(own.fresh, ["spec", "template"], OBJECT);
  }
  return population;
};

const POD_LABELS = ["spec", "template", "metadata", "labels"];

export const deployment: KindRule = {
  resource: RESOURCES.Deployment,
  required: ["spec-observed", "rollout-complete", "old-gone", "capacity"],
  podLabels: POD_LABELS,
  population: deploymentPods,
  rules: {
    "spec-observed": specObserved,
    "rollout-complete": rolloutComplete,
    "old-gone": oldGone(populationFor),
    capacity: capacity({ available: "availableReplicas", population: deploymentPods }),
    "endpoints-ready": endpointsReady(POD_LABELS, deploymentPods),
    artifact: artifact(["spec", "template"], populationFor),
  },
};
