/**
 * Canonical JSON, RFC 8785: one text for one value, so that a digest over it can be computed again by anybody.
 *
 * Object keys in UTF-16 code unit order, numbers as ECMAScript writes them, no white space. What JSON cannot say
 * (NaN, undefined, a lone surrogate, a Date …) is refused, never written as something else: a value that silently
 * turned into null would make two different inputs look the same.
 */
import type { JsonValue } from "../domain/json.ts";

/** Arrays and objects within each other; far below where the stack would end. */
export const MAX_DEPTH = 1000;

/** A value that has no canonical form. The message names the place, never the value: it may be a secret. */
export class NotCanonical extends Error {
  readonly code = "ASFOUND_NOT_CANONICAL";
}

/** The canonical text of `value`. Throws `NotCanonical`. */
export const canonicalJson = (value: JsonValue): string => write(value, []);

/** `path` is the way to the value, for the message; it is pushed and popped, never copied. */
const write = (value: unknown, path: (string | number)[]): string => {
  switch (typeof value) {
    case "string":
      return writeString(value, path);
    case "number":
      if (!Number.isFinite(value)) throw refuse(`the number ${value}`, path);
      return JSON.stringify(value);
    case "boolean":
      return value ? "true" : "false";
    case "object":
      if (value === null) return "null";
      if (path.length >= MAX_DEPTH) throw refuse(`more than ${MAX_DEPTH} levels`, path);
      return Array.isArray(value) ? writeArray(value, path) : writeObject(value, path);
    default:
      throw refuse(`${typeof value === "undefined" ? "undefined" : `a ${typeof value}`}`, path);
  }
};

const writeString = (text: string, path: (string | number)[]): string => {
  if (!text.isWellFormed()) throw refuse("a lone surrogate", path);
  return JSON.stringify(text);
};

const writeArray = (items: readonly unknown[], path: (string | number)[]): string => {
  let text = "[";
  for (let index = 0; index < items.length; index += 1) {
    path.push(index);
    text += index === 0 ? write(items[index], path) : `,${write(items[index], path)}`;
    path.pop();
  }
  return `${text}]`;
};

const writeObject = (object: object, path: (string | number)[]): string => {
  const prototype: unknown = Object.getPrototypeOf(object);
  if (prototype !== Object.prototype && prototype !== null) throw refuse("an object with a class", path);
  let text = "{";
  // The default sort compares UTF-16 code units, which is the order RFC 8785 asks for.
  for (const key of Object.keys(object).sort()) {
    path.push(key);
    const member = `${writeString(key, path)}:${write((object as Record<string, unknown>)[key], path)}`;
    path.pop();
    text += text.length === 1 ? member : `,${member}`;
  }
  return `${text}}`;
};

const refuse = (what: string, path: readonly (string | number)[]): NotCanonical => {
  const shown = path
    .slice(0, 20)
    .map((part) => (typeof part === "number" ? `[${part}]` : `.${part.toWellFormed()}`));
  const place = `$${shown.join("")}${path.length > 20 ? "…" : ""}`;
  return new NotCanonical(`${what} at ${place} cannot be written as JSON; give a plain JSON value there`);
};
