/** Label and field selectors (Kubernetes' API concepts): which objects a list or watch is about. */
import type { JsonObject, JsonValue } from "../../domain/json.ts";
import { isJsonObject } from "../../domain/json.ts";

export type Selector = (object: JsonObject) => boolean;

const labelsOf = (object: JsonObject): JsonObject => {
  const { metadata } = object;
  return isJsonObject(metadata) && isJsonObject(metadata["labels"]) ? metadata["labels"] : {};
};

/** Commas between requirements, not those within `in (a, b)`. */
const requirements = (text: string): readonly string[] =>
  text
    .split(/,(?![^(]*\))/)
    .map((part) => part.trim())
    .filter((part) => part !== "");

const labelRequirement = (text: string): Selector => {
  const among = /^(\S+)\s+(in|notin)\s+\(([^)]*)\)$/.exec(text);
  if (among !== null) {
    const [, key = "", operator, list = ""] = among;
    const values = list.split(",").map((value) => value.trim());
    return (object) => {
      const value = labelsOf(object)[key];
      const isAmong = typeof value === "string" && values.includes(value);
      return operator === "in" ? isAmong : !isAmong;
    };
  }
  const compared = /^([^=!\s]+)\s*(==|=|!=)\s*(.*)$/.exec(text);
  if (compared !== null) {
    const [, key = "", operator, wanted] = compared;
    return (object) => (labelsOf(object)[key] === wanted) === (operator !== "!=");
  }
  return text.startsWith("!")
    ? (object) => labelsOf(object)[text.slice(1)] === undefined
    : (object) => labelsOf(object)[text] !== undefined;
};

const fieldAt = (object: JsonObject, path: string): JsonValue | undefined =>
  path
    .split(".")
    .reduce<JsonValue | undefined>((value, key) => (isJsonObject(value) ? value[key] : undefined), object);

const fieldRequirement = (text: string): Selector => {
  const [, path = "", operator, wanted = ""] = /^([^=!]+)(==|=|!=)(.*)$/.exec(text) ?? [];
  return (object) => (String(fieldAt(object, path) ?? "") === wanted) === (operator !== "!=");
};

/** `null`: everything. */
export const selectorOf = (labels: string | null, fields: string | null): Selector => {
  const all = [
    ...requirements(labels ?? "").map(labelRequirement),
    ...requirements(fields ?? "").map(fieldRequirement),
  ];
  return (object) => all.every((requirement) => requirement(object));
};
