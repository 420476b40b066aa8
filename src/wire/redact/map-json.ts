/** A JSON value rebuilt with some of its parts replaced, without recursion: a provider's answer may be nested deeply. */
import type { JsonValue } from "../../domain/json.ts";

/** The way from the root to a value, from the leaf up. */
export interface Place {
  readonly up: Place | null;
  readonly key: string | number;
}

/** JSON pointer (RFC 6901) of a place; the empty text is the root. */
export const pointerTo = (place: Place | null): string => {
  const parts: string[] = [];
  for (let at = place; at !== null; at = at.up)
    parts.push(`/${String(at.key).replaceAll("~", "~0").replaceAll("/", "~1")}`);
  return parts.reverse().join("");
};

interface Todo {
  readonly value: JsonValue;
  readonly into: JsonValue[] | Record<string, JsonValue>;
  readonly as: string | number;
  readonly place: Place | null;
}

/** A key called `__proto__` stays an ordinary key: it is the one that assigning would take for something else. */
const put = (into: Todo["into"], key: string | number, value: JsonValue): void => {
  if (key === "__proto__")
    Object.defineProperty(into, key, { value, writable: true, enumerable: true, configurable: true });
  else (into as Record<string | number, JsonValue>)[key] = value;
};

/**
 * `replace` sees every value before its parts: what it returns stands in its place, undefined means look inside.
 * `rename` gives each object key its new name, unique among its neighbours.
 */
export const mapJson = (
  root: JsonValue,
  replace: (value: JsonValue, place: Place | null) => JsonValue | undefined,
  rename?: (key: string, taken: object) => string,
): JsonValue => {
  const holder: JsonValue[] = [];
  const todo: Todo[] = [{ value: root, into: holder, as: 0, place: null }];
  for (let at = todo.pop(); at !== undefined; at = todo.pop()) {
    const replaced = replace(at.value, at.place);
    if (replaced !== undefined || at.value === null || typeof at.value !== "object") {
      put(at.into, at.as, replaced === undefined ? at.value : replaced);
      continue;
    }
    const target: Todo["into"] = Array.isArray(at.value) ? [] : {};
    put(at.into, at.as, target);
    const parts: Todo[] = [];
    for (const [key, value] of Object.entries(at.value)) {
      const isList = Array.isArray(target);
      const as = isList ? Number(key) : rename === undefined ? key : rename(key, target);
      put(target, as, null);
      parts.push({
        value: value as JsonValue,
        into: target,
        as,
        place: { up: at.place, key: isList ? Number(key) : key },
      });
    }
    while (parts.length > 0) todo.push(parts.pop() as Todo);
  }
  return holder[0] as JsonValue;
};
