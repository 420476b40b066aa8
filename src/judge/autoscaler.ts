/**
 * What a HorizontalPodAutoscaler wishes for this workload. One that cannot compute a wish (ScalingActive=False) leaves it
 * unknown, with how long that has been so (k8s-13, k8s-16).
 */
import type { Seen } from "../domain/evidence.ts";
import { RESOURCES } from "../domain/resource.ts";
import { age } from "../domain/time.ts";
import type { Case } from "./case.ts";
import { conditionOf } from "./conditions.ts";
import type { Found, Inquiry } from "./inquiry.ts";
import { indexed, oncePerNamespace } from "./once-per-namespace.ts";
import { hint, TEXT, WHOLE } from "./read.ts";
import { nameOf, quoted } from "./words.ts";

/** The wish; null: no autoscaler governs it; a finding where that cannot be told. */
export const autoscalerWish = (inquiry: Inquiry, given: Case): number | null | Found => {
  const { target, collection } = given;
  const list = collection.list(RESOURCES.HorizontalPodAutoscaler, target.namespace);
  if (list.kind === "unreadable") {
    inquiry.lack("horizontalpodautoscalers", target.namespace, list);
    return inquiry.unknown();
  }
  if (list.kind !== "known")
    inquiry.limit("autoscalers were not asked for, so what one wishes is not included");
  const named = scalersIn(collection, target.namespace)(target.name);
  const governing = named.filter((scaler) => governs(scaler, target));
  const [scaler, another] = governing;
  if (scaler === undefined) return null;
  if (another !== undefined)
    return inquiry.undetermined(
      "several-autoscalers",
      `${nameOf(scaler)} and ${nameOf(another)} both scale it, so what is wanted cannot be told`,
    );
  return wishOf(inquiry, given, scaler);
};

const scalersIn = oncePerNamespace((collection, namespace) =>
  indexed(collection.seen(RESOURCES.HorizontalPodAutoscaler, namespace), ({ raw }) =>
    hint(raw, ["spec", "scaleTargetRef", "name"], TEXT),
  ),
);

const governs = ({ raw }: Seen, target: Seen): boolean => {
  const of = (field: string) => hint(raw, ["spec", "scaleTargetRef", field], TEXT);
  const group = of("apiVersion")?.split("/");
  return (
    of("kind") === target.kind &&
    of("name") === target.name &&
    (group === undefined || group.length < 2 || group[0] === target.group)
  );
};

const wishOf = (inquiry: Inquiry, { at }: Case, scaler: Seen): number | null | Found => {
  const active = conditionOf(scaler, "ScalingActive");
  if (active.kind === "known" && active.value.status !== "True") {
    // Someone scaled the workload to zero, which turns autoscaling off.
    if (active.value.reason === "ScalingDisabled") return null;
    inquiry.cite(scaler, [...active.value.path, "status"]);
    const since = active.value.transitionedAt;
    const long = since === null ? "" : ` since ${age(at - since)}`;
    return inquiry.undetermined(
      "autoscaler-unknown",
      `${nameOf(scaler)} cannot tell how many are wanted${long}: ${quoted(active.value.reason)} (${quoted(active.value.message)})`,
    );
  }
  const wish = inquiry.need(scaler, ["status", "desiredReplicas"], WHOLE);
  return wish === undefined ? inquiry.unknown() : wish;
};
