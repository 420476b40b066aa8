/**
 * Which generation a declared kind's status speaks of (O1). Where each condition says it of itself, those that count have
 * to; where nothing says it, the first generation is the only one that a status of this UID can speak of.
 */
import type { CustomRule } from "../../domain/custom-rule.ts";
import type { Case, Rule } from "../case.ts";
import { generationAsked, specObserved, statusOfThisGeneration } from "../generation.ts";
import { type Found, Inquiry } from "../inquiry.ts";
import { nameOf, quoted } from "../words.ts";
import { conditionFields, conditionNow } from "./condition.ts";

/** null: nothing of this kind tells it, so it is no claim about it. */
export const observedRule = (rule: CustomRule): Rule | null => {
  switch (rule.generation.kind) {
    case "field":
      return specObserved;
    case "conditions":
      return byConditions(rule);
    case "none":
      return null;
  }
};

const byConditions =
  ({ ready }: CustomRule): Rule =>
  (given) => {
    const inquiry = new Inquiry("spec-observed");
    const { target } = given;
    const generation = generationAsked(inquiry, given);
    if (typeof generation !== "number") return generation;
    const behind: string[] = [];
    for (const test of ready) {
      if (test.kind !== "condition") continue;
      const now = conditionNow(target, test.type, true);
      if (now.kind === "current")
        for (const path of conditionFields(now.condition, true)) inquiry.cite(target, path);
      else if (now.kind === "stale") behind.push(`${quoted(test.type)} speaks of generation ${now.observed}`);
      else
        inquiry.miss(
          `${nameOf(target)} ${now.kind === "absent" ? `the condition ${quoted(test.type)}` : now.why}`,
        );
    }
    if (inquiry.missing.length > 0) return inquiry.unknown();
    return behind.length > 0
      ? inquiry.progressing("generation-behind", `${behind.join(", ")}, and this is generation ${generation}`)
      : inquiry.proven("observed", `every condition that counts speaks of generation ${generation}`);
  };

/** Whether status speaks of this generation of this object; else the finding to give. */
export const statusNow = (inquiry: Inquiry, given: Case, { generation }: CustomRule): Found | undefined => {
  if (generation.kind === "field") return statusOfThisGeneration(inquiry, given);
  const now = generationAsked(inquiry, given);
  if (typeof now !== "number") return now;
  if (generation.kind === "conditions" || now === 1) return undefined;
  return inquiry.undetermined(
    "generation-unknown",
    `nothing in its status says which generation it speaks of, and its spec was changed after it was made (generation ${now})`,
  );
};
