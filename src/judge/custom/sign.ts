/**
 * Whether a declared sign holds: a fact against being done, or one that shows it under way. What is not there does not
 * hold; what is there and cannot be told (a condition that is Unknown, a value of another type) is never rounded either
 * way (V7).
 */
import type { Scalar, Sign, Test } from "../../domain/custom-rule.ts";
import type { Seen } from "../../domain/evidence.ts";
import { isJsonObject } from "../../domain/json.ts";
import { dotted, fieldAt, type Path, valueAt } from "../read.ts";
import { listed } from "../words.ts";
import { conditionFields, conditionNow, conditionText } from "./condition.ts";
import { isOf, SCALAR, shownScalar } from "./scalar.ts";

export type Told =
  | { readonly kind: "holds"; readonly cited: readonly Path[]; readonly says: string }
  | { readonly kind: "does-not" }
  | { readonly kind: "unknown"; readonly why: string };

const DOES_NOT: Told = { kind: "does-not" };

/** `each`: every condition has to say which generation it speaks of. */
export const signTold = (target: Seen, { tests, says }: Sign, each: boolean): Told => {
  const told = tests.map((test) => testTold(target, test, each));
  if (told.some(({ kind }) => kind === "does-not")) return DOES_NOT;
  const unknown = told.find((one) => one.kind === "unknown");
  if (unknown !== undefined) return unknown;
  const held = told.filter((one) => one.kind === "holds");
  const facts = listed(held.map((one) => one.says));
  return {
    kind: "holds",
    cited: held.flatMap(({ cited }) => cited),
    says: says === null ? facts : `${says} (${facts})`,
  };
};

const testTold = (target: Seen, test: Test, each: boolean): Told => {
  switch (test.kind) {
    case "condition":
      return conditionTold(target, test, each);
    case "there":
      return thereTold(target, test);
    case "is":
    case "is-not":
      return valueTold(target, test);
    case "same":
    case "other":
      return comparedTold(target, test);
  }
};

const conditionTold = (
  target: Seen,
  { type, is, reasons }: Extract<Test, { kind: "condition" }>,
  each: boolean,
): Told => {
  const now = conditionNow(target, type, each);
  if (now.kind === "unreadable") return { kind: "unknown", why: now.why };
  if (now.kind !== "current") return DOES_NOT;
  const { condition } = now;
  const cited = conditionFields(condition, each);
  const isAsSaid = is.some((status) => status === condition.status);
  if (isAsSaid && reasons === null) return { kind: "holds", cited, says: conditionText(condition) };
  if (isAsSaid && reasons?.includes(condition.reason) === true)
    return {
      kind: "holds",
      cited: [...cited, [...condition.path, "reason"]],
      says: conditionText(condition),
    };
  return condition.status === "Unknown" && !isAsSaid
    ? { kind: "unknown", why: conditionText(condition) }
    : DOES_NOT;
};

const thereTold = (target: Seen, { path, there }: Extract<Test, { kind: "there" }>): Told => {
  const value = valueAt(target.raw, path);
  const isEmpty =
    value === undefined ||
    value === "" ||
    (Array.isArray(value) && value.length === 0) ||
    (isJsonObject(value) && Object.keys(value).length === 0);
  if (isEmpty === there) return DOES_NOT;
  return there
    ? { kind: "holds", cited: [path], says: `${dotted(path)} is there` }
    : { kind: "holds", cited: [], says: `${dotted(path)} is empty or not there` };
};

const valueTold = (target: Seen, test: Extract<Test, { kind: "is" | "is-not" }>): Told => {
  const field = fieldAt(target.raw, test.path, SCALAR);
  if (field.kind === "unreadable") return { kind: "unknown", why: field.why };
  if (field.kind !== "known") return DOES_NOT;
  const isOne = test.values.includes(field.value);
  return isOne === (test.kind === "is")
    ? { kind: "holds", cited: [test.path], says: isOf(test.path, field.value) }
    : DOES_NOT;
};

/** As they are written: a generation may be a number in one place and a text in another. */
const comparedTold = (target: Seen, test: Extract<Test, { kind: "same" | "other" }>): Told => {
  const one = fieldAt(target.raw, test.path, SCALAR);
  const other = fieldAt(target.raw, test.as, SCALAR);
  for (const field of [one, other])
    if (field.kind === "unreadable") return { kind: "unknown", why: field.why };
  if (one.kind !== "known" || other.kind !== "known") return DOES_NOT;
  const isSame = String(one.value) === String(other.value);
  if (isSame !== (test.kind === "same")) return DOES_NOT;
  return {
    kind: "holds",
    cited: [test.path, test.as],
    says: comparedText(test, one.value, other.value),
  };
};

export const comparedText = (
  { path, as }: Extract<Test, { kind: "same" | "other" }>,
  one: Scalar,
  other: Scalar,
): string =>
  one === other
    ? `${dotted(path)} is ${dotted(as)} (${shownScalar(one)})`
    : `${dotted(path)} is ${shownScalar(one)}, while ${dotted(as)} is ${shownScalar(other)}`;
