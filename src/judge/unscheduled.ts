/**
 * Why a Pod has no node: the scheduler's word (condition PodScheduled), what was last said of the claims that it names,
 * and whether an autoscaler has said that it asks for a node. That one comes is never claimed.
 */
import type { Seen } from "../domain/evidence.ts";
import type { Instant } from "../domain/ids.ts";
import { RESOURCES } from "../domain/resource.ts";
import { age } from "../domain/time.ts";
import type { Collection } from "./collection.ts";
import { conditionOf } from "./conditions.ts";
import { claimEvent, eventsOf, type Told } from "./events.ts";
import { hint, itemsAt, type Path, TEXT, valueAt } from "./read.ts";
import { quoted } from "./words.ts";

export interface Unscheduled {
  readonly reason: "scheduling-gated" | "volume-unbound" | "unschedulable";
  readonly clause: string;
  readonly path: Path;
}

export const unscheduled = (pod: Seen, collection: Collection, at: Instant): Unscheduled | undefined => {
  const scheduled = conditionOf(pod, "PodScheduled");
  if (scheduled.kind !== "known" || scheduled.value.status !== "False") return undefined;
  const { reason, message, transitionedAt, path } = scheduled.value;
  const since = transitionedAt === null ? "" : ` since ${age(at - transitionedAt)}`;
  if (reason === "SchedulingGated")
    return { reason: "scheduling-gated", clause: `is held back by a scheduling gate${since}`, path };
  const says = `is unschedulable${since} (${quoted(message)})`;
  // Of what kind the obstacle is, the scheduler says in words only.
  if (/persistentvolume/i.test(message))
    return { reason: "volume-unbound", clause: `${says}${claimText(pod, collection)}`, path };
  return {
    reason: "unschedulable",
    clause: `${says}${autoscalerText(pod, collection, at, transitionedAt)}`,
    path,
  };
};

const claimText = (pod: Seen, collection: Collection): string => {
  const told = claimEvent(pod, claimsOf(pod), collection);
  return told === undefined
    ? ""
    : `; of its claim it was last said: ${told.reason} (${quoted(told.message)})`;
};

/** Claims by name, and those that are made for it (a generic ephemeral volume: `POD-VOLUME`). */
const claimsOf = ({ raw, name }: Seen): readonly string[] =>
  itemsAt(raw, ["spec", "volumes"]).flatMap((volume) => {
    const claim = hint(volume, ["persistentVolumeClaim", "claimName"], TEXT);
    if (claim !== undefined) return [claim];
    const its = hint(volume, ["name"], TEXT);
    return its === undefined || valueAt(volume, ["ephemeral"]) === undefined ? [] : [`${name}-${its}`];
  });

/**
 * What autoscalers write of a Pod that waits for a node: cluster-autoscaler TriggeredScaleUp, NotTriggerScaleUp and
 * FailedScaleUp (its FAQ, "events"), Karpenter Nominated (and FailedScheduling, as the scheduler does, under its own name).
 */
const SAYS: ReadonlyMap<string, string> = new Map([
  ["TriggeredScaleUp", "an autoscaler says that it has asked for a node; whether one comes is not known"],
  [
    "Nominated",
    "an autoscaler says that it has a node in mind; whether the Pod comes to run on it is not known",
  ],
  ["NotTriggerScaleUp", "an autoscaler says that it asks for no node"],
  ["FailedScaleUp", "an autoscaler says that it could not add a node"],
]);

const autoscalerText = (pod: Seen, collection: Collection, at: Instant, since: Instant | null): string => {
  const told = eventsOf(pod, collection).findLast(
    (one) => saysOf(one) !== undefined && !(since !== null && one.last !== undefined && one.last < since),
  );
  // Without a look at the events nothing is said of it either way.
  if (told === undefined)
    return collection.list(RESOURCES.Event, pod.namespace).kind === "known"
      ? "; no autoscaler has spoken of it"
      : "";
  const when = told.last === undefined ? "" : `, ${age(at - told.last)} ago`;
  return `; ${saysOf(told)} (${quoted(told.reason)}${when}: ${quoted(told.message)})`;
};

const saysOf = ({ reason, component }: Told): string | undefined =>
  reason === "FailedScheduling" && component !== undefined && /karpenter|eks-auto-mode/.test(component)
    ? "an autoscaler says that no node of its own would do"
    : SAYS.get(reason);
