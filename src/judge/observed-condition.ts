/**
 * Conditions that say of which generation they speak (metav1.Condition, `observedGeneration`): one that is out of date
 * shows nothing of the object as it is now (O1), and one that does not say it neither (V7).
 */
import type { Seen } from "../domain/evidence.ts";
import { type Condition, conditionOf } from "./conditions.ts";
import type { Inquiry } from "./inquiry.ts";
import { fieldAt, type Path, WHOLE } from "./read.ts";

export type ObservedCondition =
  /** Of this generation. */
  | { readonly kind: "current"; readonly condition: Condition }
  /** Of an earlier one: its controller has not come to this one yet. */
  | {
      readonly kind: "stale";
      readonly condition: Condition;
      readonly observed: number;
      readonly generation: number;
    }
  | { readonly kind: "absent" }
  /** `why` names the field, as `observedGeneration of the condition Ready is not there`. */
  | { readonly kind: "unreadable"; readonly why: string };

/** `at`: where the list of conditions stands. */
export const observedCondition = (
  object: Seen,
  type: string,
  at: Path = ["status", "conditions"],
): ObservedCondition => {
  const found = conditionOf(object, type, at);
  if (found.kind === "unreadable") return found;
  if (found.kind !== "known") return { kind: "absent" };
  const condition = found.value;
  const observed = fieldAt(object.raw, [...condition.path, "observedGeneration"], WHOLE);
  const generation = fieldAt(object.raw, ["metadata", "generation"], WHOLE);
  if (generation.kind !== "known")
    return {
      kind: "unreadable",
      why: generation.kind === "unreadable" ? generation.why : "metadata.generation is not there",
    };
  // Where it stands in the list is not said: the order of conditions means nothing (V2).
  const its = `observedGeneration of the condition ${type}`;
  if (observed.kind !== "known")
    return {
      kind: "unreadable",
      why: observed.kind === "absent" ? `${its} is not there` : `${its} is not a whole number`,
    };
  if (observed.value > generation.value)
    return {
      kind: "unreadable",
      why: `${its} is ${observed.value}, and the object is at ${generation.value}: the two are not of one reading`,
    };
  return observed.value === generation.value
    ? { kind: "current", condition }
    : { kind: "stale", condition, observed: observed.value, generation: generation.value };
};

/** All that makes it count: what it is of, what it says, and of which generation. */
export const citeCondition = (inquiry: Inquiry, object: Seen, { path }: Condition): void => {
  inquiry.cite(object, ["metadata", "generation"]);
  for (const field of ["type", "status", "observedGeneration"]) inquiry.cite(object, [...path, field]);
};
