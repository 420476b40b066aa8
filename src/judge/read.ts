/** Reading fields of raw objects. What is not there, or is of another type than the API's, says so (V7); nothing is defaulted. */
import type { Cited, Seen } from "../domain/evidence.ts";
import type { Instant } from "../domain/ids.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../domain/json.ts";
import type { Known } from "../domain/known.ts";
import { absent, known, unreadable } from "../domain/known.ts";
import { parseTime } from "../domain/time.ts";

export type Path = readonly (string | number)[];

/** What a field has to be, for the sentence that says it is not; and its value if it is. */
export interface Shape<T> {
  readonly what: string;
  read(value: JsonValue): T | undefined;
}

/** A field, and what it has to be. */
export interface Field<T> {
  readonly path: Path;
  readonly shape: Shape<T>;
}

export const TEXT: Shape<string> = {
  what: "a text",
  read: (value) => (typeof value === "string" ? value : undefined),
};
/** Counters, generations: whole numbers from 0. */
export const WHOLE: Shape<number> = {
  what: "a whole number",
  read: (value) => (Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined),
};
export const FLAG: Shape<boolean> = {
  what: "true or false",
  read: (value) => (typeof value === "boolean" ? value : undefined),
};
export const LIST: Shape<readonly JsonValue[]> = {
  what: "a list",
  read: (value) => (Array.isArray(value) ? value : undefined),
};
export const OBJECT: Shape<JsonObject> = {
  what: "an object",
  read: (value) => (isJsonObject(value) ? value : undefined),
};
export const TIME: Shape<Instant> = {
  what: "a time (RFC 3339)",
  read: (value) => (typeof value === "string" ? parseTime(value) : undefined),
};

/** The value at a path; own members only, so that no name of a prototype is ever found. null counts as not there, as in Go. */
export const valueAt = (from: JsonValue | undefined, path: Path): JsonValue | undefined => {
  let value = from;
  for (const key of path) {
    if (Array.isArray(value)) value = typeof key === "number" ? value[key] : undefined;
    else if (isJsonObject(value) && Object.hasOwn(value, key)) value = value[key];
    else return undefined;
  }
  return value === null ? undefined : value;
};

export const fieldAt = <T>(from: JsonValue | undefined, path: Path, shape: Shape<T>): Known<T> => {
  const value = valueAt(from, path);
  if (value === undefined) return absent;
  const read = shape.read(value);
  return read === undefined
    ? unreadable(`${dotted(path)} is ${described(value)}, not ${shape.what}`)
    : known(read);
};

const described = (value: JsonValue): string => {
  if (typeof value === "string") return `the text "${value.slice(0, 40)}"`;
  if (Array.isArray(value)) return "a list";
  if (isJsonObject(value)) return "an object";
  return String(value);
};

/** `status.conditions[2].reason`, as kubectl's JSONPath has it. */
export const dotted = (path: Path): string =>
  path.map((key, at) => (typeof key === "number" ? `[${key}]` : at === 0 ? key : `.${key}`)).join("");

/** RFC 6901. A sweep writes hundreds of thousands of these, and hardly a key has anything to escape. */
const pointerOf = (path: Path): string => {
  let pointer = "";
  for (const key of path)
    pointer +=
      typeof key === "string" && /[~/]/.test(key)
        ? `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`
        : `/${key}`;
  return pointer;
};

export const citedAt = ({ source }: Seen, path: Path): Cited => ({
  evidence: source.evidence,
  pointer: source.pointer + pointerOf(path),
});

/** The value if it is known and of this type; for hints and wording, where its absence decides nothing. */
export const hint = <T>(from: JsonValue | undefined, path: Path, shape: Shape<T>): T | undefined => {
  const value = valueAt(from, path);
  return value === undefined ? undefined : shape.read(value);
};

/** The items of a list; none where there is no list. For hints and wording, as `hint`. */
export const itemsAt = (from: JsonValue | undefined, path: Path): readonly JsonValue[] => {
  const list = hint(from, path, LIST);
  return list === undefined ? [] : list;
};
