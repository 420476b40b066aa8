/**
 * Small checks of JSON that came from outside: each says in one clause what is wrong and where, or null.
 * Unknown extra members are left alone, so that a newer program's additions do not make a record unreadable.
 * Written by hand since it runs for every row that is read; `zod` stays with the files that people write.
 */
import { isJsonObject } from "../domain/json.ts";

/** null when `value` has the shape; else a clause like `record.epoch is not a whole number`. */
export type Shape = (value: unknown, at: string) => string | null;

export const is =
  (what: string, holds: (value: unknown) => boolean): Shape =>
  (value, at) =>
    holds(value) ? null : value === undefined ? `${at} is missing` : `${at} is not ${what}`;

export const text = is("a text", (value) => typeof value === "string");
export const name = is("a non-empty text", (value) => typeof value === "string" && value.length > 0);
export const flag = is("true or false", (value) => typeof value === "boolean");
/** A whole number from 0: a count, an instant, an epoch, a duration in milliseconds. */
export const count = is("a whole number", (value) => Number.isSafeInteger(value) && (value as number) >= 0);
export const anyObject = is("an object", isJsonObject);
export const sha256 = is(
  "64 hex digits",
  (value) => typeof value === "string" && /^[0-9a-f]{64}$/.test(value),
);

export const oneOf = (...allowed: readonly string[]): Shape => {
  const set = new Set<unknown>(allowed);
  return is(`one of ${allowed.join(", ")}`, (value) => set.has(value));
};

export const orNull =
  (shape: Shape): Shape =>
  (value, at) =>
    value === null ? null : shape(value, at);

/** For a member that a type may leave out. */
export const orLeftOut =
  (shape: Shape): Shape =>
  (value, at) =>
    value === undefined ? null : shape(value, at);

export const anyList = is("a list", Array.isArray);

export const listOf =
  (shape: Shape): Shape =>
  (value, at) => {
    if (!Array.isArray(value)) return value === undefined ? `${at} is missing` : `${at} is not a list`;
    for (let index = 0; index < value.length; index += 1) {
      const fault = shape(value[index], `${at}[${index}]`);
      if (fault !== null) return fault;
    }
    return null;
  };

/** One shape for every member of `T`, its tag aside: a new member of a domain type does not compile until it has one. */
export type Members<T> = { readonly [Key in Exclude<keyof T, "kind" | "what">]-?: Shape };

/** An object that has all `members`, each in its shape. */
export const objectOf = <T>(members: Members<T>): Shape => {
  const entries = Object.entries<Shape>(members);
  return (value, at) => {
    if (!isJsonObject(value)) return value === undefined ? `${at} is missing` : `${at} is not an object`;
    for (const [key, shape] of entries) {
      const fault = shape(Object.hasOwn(value, key) ? value[key] : undefined, `${at}.${key}`);
      if (fault !== null) return fault;
    }
    return null;
  };
};

/** Any object whose values all have the shape. */
export const mapOf =
  (shape: Shape): Shape =>
  (value, at) => {
    if (!isJsonObject(value)) return value === undefined ? `${at} is missing` : `${at} is not an object`;
    for (const [key, member] of Object.entries(value)) {
      const fault = shape(member, `${at}.${key}`);
      if (fault !== null) return fault;
    }
    return null;
  };

/** A union told apart by the text in `tag`; a new case does not compile until it has a shape. */
export const taggedBy = <Value extends string>(
  tag: "kind" | "what",
  members: { readonly [V in Value]: Shape },
): Shape => {
  const known = oneOf(...Object.keys(members));
  return (value, at) => {
    if (!isJsonObject(value)) return value === undefined ? `${at} is missing` : `${at} is not an object`;
    const found = value[tag];
    const shape =
      typeof found === "string" && Object.hasOwn(members, found) ? members[found as Value] : undefined;
    return shape === undefined ? known(found, `${at}.${tag}`) : shape(value, at);
  };
};
