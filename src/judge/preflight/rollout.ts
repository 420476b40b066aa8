/**
 * `rollout`: a new template makes the controller replace the Pods. Not where it is paused, where Pods are replaced only when
 * somebody deletes them (OnDelete), below a StatefulSet's partition, or where an ordered StatefulSet waits for a Pod that
 * is broken and will not mend (kubernetes#67250; kubernetes.io/docs, StatefulSet, "Forced rollback").
 */

import { RESOURCES } from "../../domain/resource.ts";
import type { Check } from "../../domain/rollback.ts";
import { isActive, isReady } from "../pod.ts";
import { FLAG, fieldAt, hint, type Path, TEXT, valueAt, WHOLE } from "../read.ts";
import { troubleOf } from "../trouble.ts";
import { counted, listed, quoted } from "../words.ts";
import { Checking } from "./checking.ts";
import type { Given } from "./given.ts";

export const rollout = (given: Given): Check => {
  const checking = new Checking("rollout");
  const { live } = given;
  const replicas = hint(live.raw, ["spec", "replicas"], WHOLE);
  if (replicas === 0)
    checking.limit("it is scaled to zero: no Pod would run, and nothing would be shown of the target");
  switch (live.kind) {
    case RESOURCES.Deployment.kind:
      return ofDeployment(checking, given);
    case RESOURCES.StatefulSet.kind:
      return ofStatefulSet(checking, given);
    default:
      return ofDaemonSet(checking, given);
  }
};

const ofDeployment = (checking: Checking, { live }: Given): Check => {
  const paused = fieldAt(live.raw, ["spec", "paused"], FLAG);
  if (paused.kind === "unreadable") {
    checking.miss(paused.why);
    return checking.unknown();
  }
  if (paused.kind === "known" && paused.value) {
    checking.cite(live, ["spec", "paused"]);
    return checking.refuted(
      "paused",
      "it is paused: its controller would replace no Pod",
      "kubectl rollout resume, or say --accept rollout",
    );
  }
  const type = checking.need(live, ["spec", "strategy", "type"], TEXT);
  if (type === undefined) return checking.unknown();
  if (type !== "RollingUpdate" && type !== "Recreate")
    return unknownType(checking, ["spec", "strategy", "type"], type);
  if (type === "Recreate")
    checking.limit(
      "Recreate: all Pods are ended before the first one of the target starts, so nobody serves meanwhile",
    );
  const deadline = hint(live.raw, ["spec", "progressDeadlineSeconds"], WHOLE);
  if (deadline !== undefined)
    checking.limit(
      `its progress deadline is ${deadline} s; after it the rollout is called failed, and nothing is undone`,
    );
  return checking.proven("replaces", `${type}: its controller replaces the Pods`);
};

const unknownType = (checking: Checking, path: Path, type: string): Check =>
  checking.undetermined(
    "unknown-strategy",
    `${path.join(".")} is ${quoted(type)}, which asfound does not know`,
  );

const STRATEGY: Path = ["spec", "updateStrategy", "type"];

const onDelete = (checking: Checking): Check =>
  checking.refuted(
    "on-delete",
    "its Pods are replaced only when somebody deletes them (OnDelete): after the rollback all would run on as they are",
    "replace them one by one afterwards (asfound drill), and say --accept rollout",
  );

const ofDaemonSet = (checking: Checking, { live }: Given): Check => {
  const type = checking.need(live, STRATEGY, TEXT);
  if (type === undefined) return checking.unknown();
  if (type === "OnDelete") return onDelete(checking);
  return type === "RollingUpdate"
    ? checking.proven("replaces", "RollingUpdate: its controller replaces the Pods, node by node")
    : unknownType(checking, STRATEGY, type);
};

const ofStatefulSet = (checking: Checking, given: Given): Check => {
  const { live } = given;
  const type = checking.need(live, STRATEGY, TEXT);
  if (type === undefined) return checking.unknown();
  if (type === "OnDelete") return onDelete(checking);
  if (type !== "RollingUpdate") return unknownType(checking, STRATEGY, type);
  checking.limit("volumeClaimTemplates cannot be changed: volumes, and what is on them, stay as they are");
  const partition = fieldAt(live.raw, ["spec", "updateStrategy", "rollingUpdate", "partition"], WHOLE);
  if (partition.kind === "unreadable") {
    checking.miss(partition.why);
    return checking.unknown();
  }
  if (partition.kind === "known" && partition.value > 0) {
    checking.cite(live, ["spec", "updateStrategy", "rollingUpdate", "partition"]);
    return checking.refuted(
      "partition",
      `its partition is ${partition.value}: Pods of a lower ordinal would not be replaced`,
      "set spec.updateStrategy.rollingUpdate.partition to 0, or say --accept rollout",
    );
  }
  // Left out it is OrderedReady (apps/v1).
  const policy = hint(live.raw, ["spec", "podManagementPolicy"], TEXT);
  if (policy === "Parallel")
    return checking.proven("replaces", "RollingUpdate and Parallel: no Pod waits for another to be ready");
  return ordered(checking, given);
};

/** Each Pod, from the first on, has to be running and ready before the controller goes on to another. */
const ordered = (checking: Checking, { live, collection, at }: Given): Check => {
  const pods = checking.needList(collection, RESOURCES.Pod, live.namespace);
  if (pods === undefined || live.uid === null) return checking.unknown();
  const own = collection.controlledBy(live.uid, RESOURCES.Pod.kind).filter(isActive);
  const broken = own.filter((pod) => !isReady(pod));
  for (const pod of own) checking.cite(pod, ["status", "conditions"]);
  if (broken.length === 0)
    return checking.proven(
      "replaces",
      `RollingUpdate, in order: ${counted(own.length, "Pod")}, and none of them is in the way`,
    );
  const clauses = broken.map((pod) => {
    const trouble = troubleOf(pod, collection, at);
    return `${pod.name} ${trouble === undefined ? "is not ready" : trouble.clause}`;
  });
  return checking.refuted(
    "waits-for-broken-pod",
    `in order (OrderedReady) its controller goes on only once every Pod is ready, and so it would wait, possibly for ever, for ${listed(clauses)}`,
    "after the rollback delete the broken Pod, so that it is made from the target: say --accept rollout, and do that",
  );
};

/** For whoever asks how many more Pods a rollout makes at once. */
export const surgeOf = ({ live }: Given): boolean =>
  live.kind === RESOURCES.Deployment.kind &&
  hint(live.raw, ["spec", "strategy", "type"], TEXT) === "RollingUpdate" &&
  isNone(valueAt(live.raw, ["spec", "strategy", "rollingUpdate", "maxUnavailable"]));

const isNone = (value: unknown): boolean => value === 0 || value === "0" || value === "0%";
