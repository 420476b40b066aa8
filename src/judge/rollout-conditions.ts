/**
 * What a Deployment's conditions say of this rollout, and what they do not: a reason of an earlier rollout never counts (O4),
 * and a rollout that completed stays complete (O7). Rules: pkg/controller/deployment/progress.go.
 */
import type { Seen } from "../domain/evidence.ts";
import { RESOURCES } from "../domain/resource.ts";
import type { Case } from "./case.ts";
import { type Condition, conditionOf } from "./conditions.ts";
import { counter } from "./generation.ts";
import type { Found, Inquiry } from "./inquiry.ts";
import { createdAt, isActive } from "./pod.ts";
import { hint, WHOLE } from "./read.ts";
import { refusalClause, refusalReason } from "./refusal.ts";
import { deploymentPods, replicaSetsOf } from "./replica-sets.ts";
import { belongs, lastWrite, namedReplicaSet } from "./rollout-start.ts";
import { quoted } from "./words.ts";

export interface Counts {
  readonly wanted: number;
  readonly total: number;
  readonly updated: number;
  readonly available: number;
}

/** The Progressing condition where it says that this rollout's deadline is over. */
export const deadlineExceeded = (given: Case): Condition | undefined => {
  const progressing = conditionOf(given.target, "Progressing");
  if (progressing.kind !== "known" || progressing.value.reason !== "ProgressDeadlineExceeded")
    return undefined;
  return belongs(progressing.value, given, freshSet(given)) === "this-rollout"
    ? progressing.value
    : undefined;
};

/** undefined: the ReplicaSets were not all read, so there may be one. */
export const freshSet = (given: Case): Seen | null | undefined => {
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
export const completedBefore = (inquiry: Inquiry, given: Case, counts: Counts): Found | undefined => {
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

/** `says`: how far it is, for the sentence. */
export const timedOut = (inquiry: Inquiry, given: Case, says: string): Found | undefined => {
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
  if (whose === "not-known") return undated(inquiry, given, condition);
  const at = condition.updatedAt === null ? "" : ` at ${new Date(condition.updatedAt).toISOString()}`;
  return inquiry.refuted(
    "progress-deadline-exceeded",
    `the rollout made no progress within its deadline${at}: ${says}`,
  );
};

const undated = (inquiry: Inquiry, given: Case, condition: Condition): Found => {
  const unread = freshSet(given) === undefined;
  if (unread)
    inquiry.lack(
      "replicasets",
      given.target.namespace,
      given.collection.list(RESOURCES.ReplicaSet, given.target.namespace),
    );
  else inquiry.miss("the time of the template's write (metadata.managedFields, or --since)");
  return inquiry.undetermined(
    "undated-condition",
    `a condition says "${quoted(condition.message)}", and whether it speaks of this rollout cannot be told without ${unread ? "the ReplicaSets" : "the time at which this rollout began"}`,
  );
};

/** The ReplicaSet itself was refused (quota on ReplicaSets, admission). */
export const notCreated = (inquiry: Inquiry, given: Case, counts: Counts): Found | undefined => {
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
export const refusedPods = (
  inquiry: Inquiry,
  given: Case,
  counts: Counts,
  says: string,
): Found | undefined => {
  const fresh = freshSet(given);
  // The Deployment repeats the condition of any of its ReplicaSets, so it counts only where no other has Pods.
  const from = fresh === undefined && counts.total === counts.updated ? given.target : fresh;
  if (from === null || from === undefined) return undefined;
  const failed = conditionOf(from, "ReplicaFailure");
  if (failed.kind !== "known" || failed.value.status !== "True") return undefined;
  if (counts.updated >= counts.wanted || !isOfItsGeneration(from)) return undefined;
  inquiry.cite(from, [...failed.value.path, "status"]);
  inquiry.cite(from, [...failed.value.path, "message"]);
  return inquiry.refuted(
    refusalReason(failed.value.message),
    `${says}, and more are ${refusalClause(failed.value.message)}`,
  );
};

/** A ReplicaSet that was scaled a moment ago may still show a failure of before. */
const isOfItsGeneration = ({ raw }: Seen): boolean =>
  hint(raw, ["status", "observedGeneration"], WHOLE) === hint(raw, ["metadata", "generation"], WHOLE);

/** A word for a condition that is of an earlier rollout. */
export const limitByAge = (inquiry: Inquiry, given: Case): void => {
  const progressing = conditionOf(given.target, "Progressing");
  if (progressing.kind !== "known" || progressing.value.message === "") return;
  if (belongs(progressing.value, given, freshSet(given)) === "an-earlier-one")
    inquiry.limit(`"${quoted(progressing.value.message)}" is older than this rollout, and does not count`);
};
