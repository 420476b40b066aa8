/** JSON Patch (RFC 6902), as far as the API server's clients here use it: test, add, replace, remove. */
import type { JsonObject, JsonValue } from "../../domain/json.ts";
import { isJsonObject } from "../../domain/json.ts";
import { sameJson } from "../../domain/same-json.ts";

const keysIn = (pointer: JsonValue | undefined): readonly string[] | null =>
  typeof pointer !== "string" || (pointer !== "" && !pointer.startsWith("/"))
    ? null
    : pointer
        .split("/")
        .slice(1)
        .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));

const valueAt = (value: JsonValue | undefined, keys: readonly string[]): JsonValue | undefined =>
  keys.reduce<JsonValue | undefined>((at, key) => {
    if (Array.isArray(at)) return (at as readonly JsonValue[])[Number(key)];
    return isJsonObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }, value);

/** undefined: nothing is there to change. */
const changed = (
  value: JsonValue | undefined,
  [key, ...rest]: readonly string[],
  make: (before: JsonValue | undefined) => JsonValue | undefined,
): JsonValue | undefined => {
  if (key === undefined) return make(value);
  if (Array.isArray(value)) {
    const items = [...(value as readonly JsonValue[])];
    const at = key === "-" ? items.length : Number(key);
    const next = changed(items[at], rest, make);
    items.splice(
      at,
      rest.length === 0 && at < items.length && next !== undefined ? 0 : 1,
      ...(next === undefined ? [] : [next]),
    );
    return items;
  }
  if (!isJsonObject(value)) return undefined;
  const next = changed(value[key], rest, make);
  if (next !== undefined) return { ...value, [key]: next };
  const { [key]: _gone, ...left } = value;
  return left;
};

/** null: an operation does not hold or cannot be read, so that nothing is changed. */
export const jsonPatch = (object: JsonObject, operations: readonly JsonObject[]): JsonObject | null => {
  let now: JsonValue = object;
  for (const { op, path, value } of operations) {
    const keys = keysIn(path);
    if (keys === null) return null;
    const before = valueAt(now, keys);
    if (op === "test") {
      if (before === undefined || value === undefined || !sameJson(before, value)) return null;
      continue;
    }
    if (op !== "add" && op !== "replace" && op !== "remove") return null;
    if (op !== "add" && before === undefined) return null;
    const next: JsonValue | undefined = changed(now, keys, () => (op === "remove" ? undefined : value));
    if (!isJsonObject(next)) return null;
    now = next;
  }
  return isJsonObject(now) ? now : null;
};
