/**
 * Canonical JSON, RFC 8785: one text for one value, so that a digest over it can be computed again by anybody.
 *
 * Object keys in UTF-16 code unit order, numbers as ECMAScript writes them, no white space. What JSON cannot say
 * (NaN, undefined, a lone surrogate, a Date …) is refused, never written as something else: a value that silently
 * turned into null would make two different inputs look the same.
 *
 * Every commit writes through here several times, so it is built for speed: the place of a fault is not carried along
 * but looked for afterwards.
 */
import type { JsonObject, JsonValue } from "../domain/json.ts";

/** Arrays and objects within each other; far below where the stack would end. */
export const MAX_DEPTH = 1000;

/** A value that has no canonical form. The message names the place, never the value: it may be a secret. */
export class NotCanonical extends Error {
  readonly code = "ASFOUND_NOT_CANONICAL";
}

/** The canonical text of `value`. Throws `NotCanonical`. */
export const canonicalJson = (value: JsonValue): string => {
  const text = write(value, 0);
  if (text === undefined) throw notCanonical(value);
  return text;
};

/**
 * JSON in whatever order the keys have, for what is read back but never compared or digested: several times as fast.
 * Refuses exactly what `canonicalJson` refuses. Throws `NotCanonical`.
 */
export const plainJson = (value: JsonValue): string => {
  if (!isWritable(value, 0)) throw notCanonical(value);
  return JSON.stringify(value);
};

/**
 * Refuses what `canonicalJson` refuses, for what is to be written later. Members that are the very ones of `written`, an
 * object that was written, are not looked at again. Throws `NotCanonical`.
 */
export const refuseUnwritable = (value: JsonObject, written: JsonObject | undefined): void => {
  for (const key of Object.keys(value)) {
    const member = value[key];
    if (written !== undefined && member === written[key]) continue;
    if (!key.isWellFormed() || !isWritable(member, 1)) throw notCanonical(value);
  }
};

const notCanonical = (value: unknown): NotCanonical => {
  const [fault, path] = locate(value) ?? ["a value", []];
  const shown = path.slice(0, 20).map((part) => (typeof part === "number" ? `[${part}]` : `.${part}`));
  const place = `$${shown.join("")}${path.length > 20 ? "…" : ""}`;
  return new NotCanonical(`${fault} at ${place} cannot be written as JSON; give a plain JSON value there`);
};

const isWritable = (value: unknown, depth: number): boolean => {
  switch (typeof value) {
    case "string":
      return value.isWellFormed();
    case "number":
      return Number.isFinite(value);
    case "boolean":
      return true;
    case "object":
      if (value === null) return true;
      if (depth >= MAX_DEPTH) return false;
      if (Array.isArray(value)) {
        // By index: a hole is refused, as in `writeArray`.
        for (let index = 0; index < value.length; index += 1)
          if (!isWritable(value[index], depth + 1)) return false;
        return true;
      }
      if (!isPlain(value)) return false;
      for (const key of Object.keys(value))
        if (!key.isWellFormed() || !isWritable((value as Record<string, unknown>)[key], depth + 1))
          return false;
      return true;
    default:
      return false;
  }
};

/** undefined: there is something in it that cannot be written. */
const write = (value: unknown, depth: number): string | undefined => {
  switch (typeof value) {
    case "string":
      return quote(value);
    case "number":
      // The very text that RFC 8785 asks for: ECMAScript's own, with 0 for -0.
      return Number.isFinite(value) ? `${value}` : undefined;
    case "boolean":
      return value ? "true" : "false";
    case "object":
      if (value === null) return "null";
      if (depth >= MAX_DEPTH) return undefined;
      return Array.isArray(value) ? writeArray(value, depth + 1) : writeObject(value, depth + 1);
    default:
      return undefined;
  }
};

/** What needs no escape: neither quote, backslash, control character nor half of a surrogate pair. */
const PLAIN = /^[ !#-[\]-\ud7ff\ue000-\uffff]*$/;

const quote = (text: string): string | undefined => {
  if (PLAIN.test(text)) return `"${text}"`;
  return text.isWellFormed() ? JSON.stringify(text) : undefined;
};

const writeArray = (items: readonly unknown[], depth: number): string | undefined => {
  let text = "[";
  for (let index = 0; index < items.length; index += 1) {
    const item = write(items[index], depth);
    if (item === undefined) return undefined;
    text += index === 0 ? item : `,${item}`;
  }
  return `${text}]`;
};

const writeObject = (object: object, depth: number): string | undefined => {
  if (!isPlain(object)) return undefined;
  let text = "{";
  let separator = "";
  for (const key of sorted(Object.keys(object))) {
    const name = quote(key);
    const member = write((object as Record<string, unknown>)[key], depth);
    if (name === undefined || member === undefined) return undefined;
    text += `${separator}${name}:${member}`;
    separator = ",";
  }
  return `${text}}`;
};

/** By UTF-16 code units, as RFC 8785 asks: so compare both `<` and the default sort. */
const sorted = (keys: string[]): string[] => {
  if (keys.length > 64) return keys.sort();
  // For a few keys, twice as fast as the built-in sort.
  for (let next = 1; next < keys.length; next += 1) {
    const key = keys[next] as string;
    let at = next;
    for (; at > 0 && (keys[at - 1] as string) > key; at -= 1) keys[at] = keys[at - 1] as string;
    keys[at] = key;
  }
  return keys;
};

const isPlain = (object: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(object);
  return prototype === Object.prototype || prototype === null;
};

type Found = readonly [fault: string, path: readonly (string | number)[]];

/** The first thing that cannot be written, and the way to it. */
const locate = (value: unknown, path: readonly (string | number)[] = []): Found | undefined => {
  if (typeof value === "string") return value.isWellFormed() ? undefined : ["a lone surrogate", path];
  if (typeof value === "number") return Number.isFinite(value) ? undefined : [`the number ${value}`, path];
  if (typeof value === "boolean" || value === null) return undefined;
  if (typeof value !== "object") return [value === undefined ? "undefined" : `a ${typeof value}`, path];
  if (path.length >= MAX_DEPTH) return [`more than ${MAX_DEPTH} levels`, path];
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const found = locate(value[index], [...path, index]);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (!isPlain(value)) return ["an object with a class", path];
  for (const [key, member] of Object.entries(value)) {
    const found = key.isWellFormed()
      ? locate(member, [...path, key])
      : (["a lone surrogate in a key", path] as const);
    if (found !== undefined) return found;
  }
  return undefined;
};
