/**
 * `target-health`: what a rollback goes to may be the broken one (flagger#1898, k8s-27: all traffic was sent to a primary
 * that did not come up, and the working canary was taken away). Where Pods of the target run now, what they show counts;
 * where none runs, nothing is shown.
 */
import type { Seen } from "../../domain/evidence.ts";
import { RESOURCES } from "../../domain/resource.ts";
import type { Check } from "../../domain/rollback.ts";
import { isActive, isReady } from "../pod.ts";
import { hint, TEXT } from "../read.ts";
import { troubleOf } from "../trouble.ts";
import { counted, listed } from "../words.ts";
import { Checking } from "./checking.ts";
import type { Given } from "./given.ts";

export const targetHealth = (given: Given): Check => {
  const checking = new Checking("target-health");
  const { live, target, collection, at } = given;
  if (target.revision === null)
    return checking.undetermined(
      "none-runs",
      "no revision of the cluster holds the target, so none of its Pods runs",
    );
  if (checking.needList(collection, RESOURCES.Pod, live.namespace) === undefined) return checking.unknown();
  const pods = podsOf(given, target.revision.object).filter(isActive);
  for (const pod of pods) checking.cite(pod, ["status", "conditions"]);
  if (pods.length === 0)
    return checking.undetermined(
      "none-runs",
      "no Pod of the target runs now, so nothing shows whether it still works; a drill afterwards does",
    );
  const ready = pods.filter(isReady);
  if (ready.length === pods.length)
    return checking.proven(
      "ready",
      `${counted(pods.length, "Pod")} of the target ${pods.length === 1 ? "is" : "are"} ready now`,
    );
  if (ready.length > 0)
    return checking.undetermined(
      "some-ready",
      `${ready.length} of ${counted(pods.length, "Pod")} of the target ${ready.length === 1 ? "is" : "are"} ready now`,
    );
  const troubles = pods.flatMap((pod) => {
    const trouble = troubleOf(pod, collection, at);
    if (trouble === undefined) return [];
    checking.cite(pod, trouble.path);
    return [{ lasting: trouble.lasting, says: `${pod.name} ${trouble.clause}` }];
  });
  const lasting = troubles.filter((one) => one.lasting);
  if (lasting.length > 0)
    return checking.refuted(
      "target-broken",
      `the target itself is broken: none of ${counted(pods.length, "Pod")} of it is ready, ${listed(lasting.map(({ says }) => says))}`,
      "choose another target: what serves now would be taken away for it",
    );
  return checking.undetermined(
    "none-ready",
    `none of ${counted(pods.length, "Pod")} of the target is ready now${troubles.length === 0 ? "" : `: ${listed(troubles.map(({ says }) => says))}`}`,
    "look again in a while",
  );
};

/** A ReplicaSet controls its Pods; of a ControllerRevision they bear the name in a label. */
const podsOf = ({ live, collection }: Given, holder: Seen): readonly Seen[] => {
  if (holder.kind === RESOURCES.ReplicaSet.kind)
    return holder.uid === null ? [] : collection.controlledBy(holder.uid, RESOURCES.Pod.kind);
  if (live.uid === null) return [];
  const hash = hint(holder.raw, ["metadata", "labels", "controller-revision-hash"], TEXT);
  return collection.controlledBy(live.uid, RESOURCES.Pod.kind).filter(({ raw }) => {
    const label = hint(raw, ["metadata", "labels", "controller-revision-hash"], TEXT);
    return label !== undefined && (label === holder.name || label === hash);
  });
};
