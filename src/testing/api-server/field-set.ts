/**
 * The fields of an object as server-side apply sees them (structured-merge-diff): maps by name, lists of named items by
 * their keys, every other list as one. Written as FieldsV1, and read back from it.
 */
import type { JsonObject, JsonValue } from "../../domain/json.ts";
import { isJsonObject } from "../../domain/json.ts";

/** Steps as FieldsV1 writes them: `f:spec`, `k:{"name":"web"}`, `v:"text"`. */
export type FieldPath = readonly string[];

/** Lists whose items have a name of their own, from Kubernetes' OpenAPI (`x-kubernetes-list-map-keys`); `[]`: a set of texts. */
const LIST_KEYS: Readonly<Record<string, readonly string[]>> = {
  containers: ["name"],
  initContainers: ["name"],
  ephemeralContainers: ["name"],
  volumes: ["name"],
  env: ["name"],
  imagePullSecrets: ["name"],
  volumeMounts: ["mountPath"],
  conditions: ["type"],
  ownerReferences: ["uid"],
  finalizers: [],
};

const keysOf = (field: string, items: readonly JsonValue[]): readonly string[] | undefined => {
  if (field !== "ports") return LIST_KEYS[field];
  const isOfContainers = items.every((item) => isJsonObject(item) && item["containerPort"] !== undefined);
  return isOfContainers ? ["containerPort", "protocol"] : ["port", "protocol"];
};

/** `protocol` has a default, and defaults are part of the key. */
const keyStep = (item: JsonObject, keys: readonly string[]): string =>
  `k:${JSON.stringify(Object.fromEntries(keys.map((key) => [key, item[key] ?? (key === "protocol" ? "TCP" : null)])))}`;

/** The step of each item; undefined: the list is one value. */
const itemSteps = (field: string, items: readonly JsonValue[]): readonly string[] | undefined => {
  const keys = keysOf(field, items);
  if (keys === undefined) return undefined;
  if (keys.length === 0) return items.map((item) => `v:${JSON.stringify(item)}`);
  return items.every(isJsonObject) ? items.map((item) => keyStep(item as JsonObject, keys)) : undefined;
};

/** Every field that has a value, and the items of lists themselves, each by its path. */
export const fieldsIn = (value: JsonValue, at: FieldPath = []): ReadonlyMap<string, JsonValue> => {
  const found = new Map<string, JsonValue>();
  const add = (inner: JsonValue, path: FieldPath): void => {
    for (const [place, one] of fieldsIn(inner, path)) found.set(place, one);
  };
  if (isJsonObject(value) && (Object.keys(value).length > 0 || at.length === 0)) {
    for (const [name, member] of Object.entries(value)) add(member, [...at, `f:${name}`]);
    return found;
  }
  const steps = Array.isArray(value) ? itemSteps(String(at.at(-1)).slice(2), value) : undefined;
  if (steps === undefined || !Array.isArray(value)) return found.set(JSON.stringify(at), value);
  for (const [index, step] of steps.entries()) add(value[index] ?? null, [...at, step]);
  return found;
};

const pathOf = (place: string): FieldPath => JSON.parse(place) as string[];

/** `.spec.template.spec.containers[name="web"].image`, as the server tells a conflict. */
export const fieldText = (place: string): string =>
  pathOf(place)
    .map((step) => {
      if (step.startsWith("f:")) return `.${step.slice(2)}`;
      if (step.startsWith("v:")) return `[${step.slice(2)}]`;
      const keys = Object.entries(JSON.parse(step.slice(2)) as Record<string, JsonValue>);
      return `[${keys.map(([key, value]) => `${key}=${JSON.stringify(value)}`).join(",")}]`;
    })
    .join("");

export const fieldsV1 = (places: Iterable<string>): JsonObject => {
  const root: Record<string, JsonValue> = {};
  for (const place of places) {
    let node = root;
    for (const step of pathOf(place)) {
      node[step] ??= {};
      node = node[step] as Record<string, JsonValue>;
    }
  }
  return root;
};

export const placesIn = (fields: JsonValue | undefined, at: FieldPath = []): ReadonlySet<string> => {
  if (!isJsonObject(fields)) return new Set();
  const entries = Object.entries(fields).filter(([step]) => step !== ".");
  if (entries.length === 0) return at.length === 0 ? new Set() : new Set([JSON.stringify(at)]);
  return new Set(entries.flatMap(([step, inner]) => [...placesIn(inner, [...at, step])]));
};

/** `value` with the field set to `next`, or without it (undefined). Lists of named items keep their order. */
export const withField = (
  value: JsonValue | undefined,
  place: string,
  next: JsonValue | undefined,
): JsonValue | undefined => {
  const set = (here: JsonValue | undefined, path: FieldPath, field: string): JsonValue | undefined => {
    const [step, ...rest] = path;
    if (step === undefined) return next;
    if (step.startsWith("f:")) {
      const name = step.slice(2);
      const { [name]: before, ...others } = isJsonObject(here) ? here : {};
      const after = set(before, rest, name);
      if (after !== undefined) return isJsonObject(here) ? { ...here, [name]: after } : { [name]: after };
      return Object.keys(others).length === 0 ? undefined : others;
    }
    const items: readonly JsonValue[] = Array.isArray(here) ? here : [];
    const index = (itemSteps(field, items) ?? []).indexOf(step);
    const after = set(index < 0 ? undefined : items[index], rest, field);
    if (after === undefined) {
      const left = items.filter((_, at) => at !== index);
      return left.length === 0 ? undefined : left;
    }
    return index < 0 ? [...items, after] : items.map((item, at) => (at === index ? after : item));
  };
  return set(value, pathOf(place), "");
};
