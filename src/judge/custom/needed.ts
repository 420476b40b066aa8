/**
 * What a declared rule needs to call an object done: each is read through the inquiry, so that it is cited where it is
 * there (V1) and missed where it is not, or is of another type (V7).
 */
import type { Need } from "../../domain/custom-rule.ts";
import type { Seen } from "../../domain/evidence.ts";
import type { Inquiry } from "../inquiry.ts";
import { nameOf, quoted } from "../words.ts";
import { conditionFields, conditionNow, conditionText } from "./condition.ts";
import { isOf, ofTheirType, SCALAR } from "./scalar.ts";
import { comparedText } from "./sign.ts";

export type Needed =
  | { readonly kind: "holds" | "does-not"; readonly says: string }
  /** The condition speaks of an earlier generation. */
  | { readonly kind: "stale"; readonly says: string }
  /** It is named among what is missing. */
  | { readonly kind: "missing" };

const MISSING: Needed = { kind: "missing" };
const told = (holds: boolean, says: string): Needed => ({ kind: holds ? "holds" : "does-not", says });

export const needed = (inquiry: Inquiry, target: Seen, need: Need, each: boolean): Needed => {
  switch (need.kind) {
    case "condition":
      return neededCondition(inquiry, target, need, each);
    case "is": {
      const value = inquiry.need(target, need.path, ofTheirType(need.values));
      return value === undefined ? MISSING : told(need.values.includes(value), isOf(need.path, value));
    }
    case "same": {
      const one = inquiry.need(target, need.path, SCALAR);
      const other = inquiry.need(target, need.as, SCALAR);
      return one === undefined || other === undefined
        ? MISSING
        : told(one === other, comparedText(need, one, other));
    }
  }
};

const neededCondition = (
  inquiry: Inquiry,
  target: Seen,
  { type, is, reasons }: Extract<Need, { kind: "condition" }>,
  each: boolean,
): Needed => {
  const now = conditionNow(target, type, each);
  if (now.kind === "absent" || now.kind === "unreadable") {
    inquiry.miss(`${nameOf(target)} ${now.kind === "absent" ? `the condition ${quoted(type)}` : now.why}`);
    return MISSING;
  }
  const { condition } = now;
  if (now.kind === "stale")
    return {
      kind: "stale",
      says: `${conditionText(condition)}, and that speaks of generation ${now.observed}`,
    };
  for (const path of conditionFields(condition, each)) inquiry.cite(target, path);
  if (reasons !== null && condition.reason !== "") inquiry.cite(target, [...condition.path, "reason"]);
  const holds =
    is.some((status) => status === condition.status) &&
    (reasons === null || reasons.includes(condition.reason));
  return told(holds, conditionText(condition));
};
