/** PodDisruptionBudgets, by their own counters (k8s-34). Rules: policy/v1; these counters are never left out. */
import { RESOURCES } from "../../domain/resource.ts";
import type { Rule } from "../case.ts";
import { conditionOf } from "../conditions.ts";
import { specObserved, statusOfThisGeneration } from "../generation.ts";
import { Inquiry } from "../inquiry.ts";
import type { KindRule } from "../kind-rule.ts";
import { hint, WHOLE } from "../read.ts";
import { beingDeleted } from "../whole.ts";
import { quoted } from "../words.ts";

const reportedReady: Rule = (given) => {
  const inquiry = new Inquiry("reported-ready");
  const { target } = given;
  const stop = beingDeleted(inquiry, target) ?? statusOfThisGeneration(inquiry, given);
  if (stop !== undefined) return stop;
  const synced = conditionOf(target, "DisruptionAllowed");
  if (synced.kind === "known" && synced.value.reason === "SyncFailed")
    return inquiry.undetermined(
      "sync-failed",
      `its controller cannot count: ${quoted(synced.value.message)}`,
    );
  const expected = inquiry.need(target, ["status", "expectedPods"], WHOLE);
  const healthy = inquiry.need(target, ["status", "currentHealthy"], WHOLE);
  const needed = inquiry.need(target, ["status", "desiredHealthy"], WHOLE);
  if (expected === undefined || healthy === undefined || needed === undefined) return inquiry.unknown();
  if (expected === 0) return inquiry.undetermined("vacuous", "it selects no Pod, so it protects none");
  const allowed = hint(target.raw, ["status", "disruptionsAllowed"], WHOLE);
  const says = `${healthy} healthy Pods of ${expected}, and ${needed} are needed${allowed === undefined ? "" : `; ${allowed} may be disrupted now`}`;
  return healthy >= needed ? inquiry.proven("budget-kept", says) : inquiry.refuted("below-budget", says);
};

export const disruptionBudget: KindRule = {
  resource: RESOURCES.PodDisruptionBudget,
  required: ["spec-observed", "reported-ready"],
  rules: { "spec-observed": specObserved, "reported-ready": reportedReady },
};
