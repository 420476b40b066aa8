/**
 * HorizontalPodAutoscalers. Rules: autoscaling/v2; every condition is looked at in any order, and a False one is named
 * (k8s-13). One that cannot compute a wish is undetermined, with since when (k8s-16).
 */
import { RESOURCES } from "../../domain/resource.ts";
import { age } from "../../domain/time.ts";
import type { Rule } from "../case.ts";
import { conditionOf } from "../conditions.ts";
import { sameIncarnation } from "../generation.ts";
import { Inquiry } from "../inquiry.ts";
import type { KindRule } from "../kind-rule.ts";
import { fieldAt, WHOLE } from "../read.ts";
import { beingDeleted } from "../whole.ts";
import { quoted } from "../words.ts";

const reportedReady: Rule = (given) => {
  const inquiry = new Inquiry("reported-ready");
  const { target, at } = given;
  const stop = sameIncarnation(inquiry, target, given.expected) ?? beingDeleted(inquiry, target);
  if (stop !== undefined) return stop;
  for (const [type, finding] of [
    ["AbleToScale", "refuted"],
    ["ScalingActive", "undetermined"],
  ] as const) {
    const condition = conditionOf(target, type);
    if (condition.kind !== "known") {
      inquiry.miss(condition.kind === "unreadable" ? condition.why : `the condition ${type}`);
      continue;
    }
    const { status, reason, message, transitionedAt, path } = condition.value;
    inquiry.cite(target, [...path, "type"]);
    inquiry.cite(target, [...path, "status"]);
    if (status === "True") continue;
    const since = transitionedAt === null ? "" : ` since ${age(at - transitionedAt)}`;
    const says = `${type} is ${status}${since}: ${quoted(reason)} (${quoted(message)})`;
    return finding === "refuted"
      ? inquiry.refuted("unable-to-scale", says)
      : inquiry.undetermined("autoscaler-unknown", says);
  }
  const desired = inquiry.need(target, ["status", "desiredReplicas"], WHOLE);
  const current = inquiry.need(target, ["status", "currentReplicas"], WHOLE);
  if (desired === undefined || current === undefined || inquiry.missing.length > 0) return inquiry.unknown();
  const behind = observedBehind(inquiry, given);
  if (behind !== undefined) return behind;
  const says = `it wants ${desired}, and there ${current === 1 ? "is" : "are"} ${current}`;
  return desired === current ? inquiry.proven("at-its-wish", says) : inquiry.progressing("scaling", says);
};

/** status.observedGeneration is optional here; where it is, it has to be of this generation. */
const observedBehind = (inquiry: Inquiry, { target }: Parameters<Rule>[0]) => {
  const observed = fieldAt(target.raw, ["status", "observedGeneration"], WHOLE);
  const generation = fieldAt(target.raw, ["metadata", "generation"], WHOLE);
  if (observed.kind !== "known" || generation.kind !== "known" || observed.value >= generation.value)
    return undefined;
  return inquiry.progressing(
    "generation-behind",
    `its status speaks of generation ${observed.value}, and this is generation ${generation.value}`,
  );
};

export const autoscaler: KindRule = {
  resource: RESOURCES.HorizontalPodAutoscaler,
  required: ["reported-ready"],
  rules: { "reported-ready": reportedReady },
};
