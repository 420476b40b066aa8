/** What PodDisruptionBudgets allow of one Pod now (policy/v1; registry/core/pod/rest, eviction.go). */
import type { Seen } from "../../domain/evidence.ts";
import { RESOURCES } from "../../domain/resource.ts";
import type { Collection } from "../collection.ts";
import { hint, OBJECT, WHOLE } from "../read.ts";
import { labelsOf, selects } from "../selector.ts";
import { listed } from "../words.ts";

export type Budget =
  | { readonly kind: "allows"; readonly sentence: string }
  | { readonly kind: "refuses"; readonly reason: string; readonly sentence: string }
  /** Nobody here knows; the eviction API will say. */
  | { readonly kind: "unknown"; readonly sentence: string };

/** An empty selector takes in every Pod of the namespace, one that is left out none. */
const covers = ({ raw }: Seen, pod: Seen): boolean | undefined => {
  const selector = hint(raw, ["spec", "selector"], OBJECT);
  if (selector === undefined) return false;
  return Object.keys(selector).length === 0 || selects(selector, labelsOf(pod.raw, "metadata", "labels"));
};

export const budgetOf = (collection: Collection, pod: Seen): Budget => {
  const list = collection.list(RESOURCES.PodDisruptionBudget, pod.namespace);
  if (list.kind !== "known")
    return {
      kind: "unknown",
      sentence: `PodDisruptionBudgets were not read${list.kind === "unreadable" ? ` (${list.why})` : ""}`,
    };
  const unread = list.value.objects.find((one) => covers(one, pod) === undefined);
  if (unread !== undefined)
    return { kind: "unknown", sentence: `the selector of PodDisruptionBudget ${unread.name} cannot be read` };
  const its = list.value.objects.filter((one) => covers(one, pod) === true);
  const [budget, ...others] = its;
  if (budget === undefined) return { kind: "allows", sentence: "no PodDisruptionBudget covers it" };
  if (others.length > 0)
    return {
      kind: "refuses",
      reason: "several-budgets",
      sentence: `${its.length} PodDisruptionBudgets cover it (${listed(its.map(({ name }) => name).sort())}), which the eviction API does not support`,
    };
  return allowedBy(budget);
};

const allowedBy = ({ name, raw }: Seen): Budget => {
  const generation = hint(raw, ["metadata", "generation"], WHOLE);
  const observed = hint(raw, ["status", "observedGeneration"], WHOLE);
  const allowed = hint(raw, ["status", "disruptionsAllowed"], WHOLE);
  if (generation === undefined || observed === undefined || allowed === undefined)
    return { kind: "unknown", sentence: `PodDisruptionBudget ${name} does not say yet what it allows` };
  if (observed < generation)
    return {
      kind: "unknown",
      sentence: `PodDisruptionBudget ${name} was changed, and is not worked off yet`,
    };
  const healthy = hint(raw, ["status", "currentHealthy"], WHOLE);
  const needed = hint(raw, ["status", "desiredHealthy"], WHOLE);
  const counts =
    healthy === undefined || needed === undefined ? "" : ` (${healthy} healthy, ${needed} needed)`;
  return allowed > 0
    ? { kind: "allows", sentence: `PodDisruptionBudget ${name} allows ${allowed} now${counts}` }
    : {
        kind: "refuses",
        reason: "budget-at-zero",
        sentence: `PodDisruptionBudget ${name} allows no disruption now${counts}`,
      };
};
