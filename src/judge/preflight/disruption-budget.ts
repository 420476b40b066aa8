/**
 * `disruption-budget`: whether a Pod of the target may be disrupted. A rollout evicts nobody and no budget holds it up; but
 * a recovery is confirmed by replacing a Pod (Y2), which a budget at zero refuses, and it says that nothing can be spared.
 */
import type { Seen } from "../../domain/evidence.ts";
import { RESOURCES } from "../../domain/resource.ts";
import type { Check } from "../../domain/rollback.ts";
import { hint, OBJECT, WHOLE } from "../read.ts";
import { labelsOf, selects } from "../selector.ts";
import { listed, nameOf, quoted } from "../words.ts";
import { Checking } from "./checking.ts";
import type { Given } from "./given.ts";

export const disruptionBudget = ({ live, target, collection }: Given): Check => {
  const checking = new Checking("disruption-budget");
  const list = checking.needList(collection, RESOURCES.PodDisruptionBudget, live.namespace);
  if (list === undefined)
    return checking.unknown("say --accept disruption-budget where nobody may list them");
  const labels = labelsOf(target.holder.raw, ...(target.path as readonly string[]), "metadata", "labels");
  const ours: Seen[] = [];
  for (const budget of list.objects) {
    const selector = hint(budget.raw, ["spec", "selector"], OBJECT);
    // policy/v1: an empty selector takes in every Pod of the namespace, none at all takes in no Pod.
    const taken =
      selector === undefined ? false : Object.keys(selector).length === 0 ? true : selects(selector, labels);
    if (taken === undefined) checking.miss(`${nameOf(budget)} spec.selector`);
    if (taken === true) ours.push(budget);
  }
  const none: string[] = [];
  for (const budget of ours) {
    const allowed = checking.need(budget, ["status", "disruptionsAllowed"], WHOLE);
    const generation = checking.need(budget, ["metadata", "generation"], WHOLE);
    const observed = checking.need(budget, ["status", "observedGeneration"], WHOLE);
    if (allowed === undefined || generation === undefined || observed === undefined) continue;
    if (observed < generation) checking.miss(`${nameOf(budget)} status of its generation ${generation}`);
    else if (allowed === 0) none.push(quoted(budget.name));
  }
  if (none.length > 0)
    return checking.refuted(
      "no-disruption-allowed",
      `PodDisruptionBudget ${listed(none)} ${none.length === 1 ? "allows" : "allow"} no disruption now: the rollout would go on all the same, and the drill that confirms it would be refused`,
      "wait until more Pods are ready, or allow one more; or say --accept disruption-budget, and the recovery stays unconfirmed",
    );
  if (checking.missing.length > 0) return checking.unknown();
  return ours.length === 0
    ? checking.proven("none", "no PodDisruptionBudget takes in its Pods")
    : checking.proven(
        "allowed",
        `${listed(ours.map(({ name }) => `PodDisruptionBudget ${quoted(name)}`))} allow${ours.length === 1 ? "s" : ""} a disruption now`,
      );
};
