/** Label selectors (metav1.LabelSelector, and the plain map of a Service). */
import type { JsonObject, JsonValue } from "../domain/json.ts";
import { isJsonObject } from "../domain/json.ts";
import { hint, LIST, OBJECT, TEXT } from "./read.ts";

export type Labels = ReadonlyMap<string, string>;

export const labelsOf = (raw: JsonValue | undefined, ...path: readonly string[]): Labels => {
  const labels = hint(raw, path, OBJECT);
  const entries = labels === undefined ? [] : Object.entries(labels);
  return new Map(
    entries.flatMap(([key, value]) => (typeof value === "string" ? [[key, value] as const] : [])),
  );
};

/** undefined: the selector cannot be read. An empty one selects nothing here, since none of our kinds may have it. */
export const selects = (selector: JsonObject, labels: Labels): boolean | undefined => {
  const exact = hint(selector, ["matchLabels"], OBJECT);
  const expressions = hint(selector, ["matchExpressions"], LIST);
  if (exact === undefined && expressions === undefined) return false;
  const all = [
    ...(exact === undefined ? [] : Object.entries(exact).map(([key, value]) => labels.get(key) === value)),
    ...(expressions === undefined ? [] : expressions.map((one) => holds(one, labels))),
  ];
  return all.includes(undefined) ? undefined : all.length > 0 && all.every((one) => one === true);
};

const holds = (expression: JsonValue, labels: Labels): boolean | undefined => {
  const key = hint(expression, ["key"], TEXT);
  const operator = hint(expression, ["operator"], TEXT);
  if (key === undefined || !isJsonObject(expression)) return undefined;
  const values = hint(expression, ["values"], LIST);
  const value = labels.get(key);
  switch (operator) {
    case "In":
      return value !== undefined && values?.includes(value) === true;
    case "NotIn":
      return value === undefined || values?.includes(value) !== true;
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
    default:
      return undefined;
  }
};

/** A Service's selector: every pair has to match; without any pair it selects nothing. */
export const serviceSelects = (selector: Labels, labels: Labels): boolean =>
  selector.size > 0 && [...selector].every(([key, value]) => labels.get(key) === value);
