/** Reads the fields of a `with` one by one; what is wrong becomes a fault with its path (W5). */
import { parseDuration } from "../../domain/duration.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../domain/json.ts";
import type { InputFault } from "../../ports/provider.ts";
import { placeholders } from "./placeholder.ts";
import { pointerFault } from "./pointer.ts";

type Path = readonly (string | number)[];

/** One object of the `with`, and where it stands. Every reader returns undefined for what is absent or at fault. */
export interface Fields {
  readonly value: JsonObject;
  readonly path: Path;
  has(name: string): boolean;
  fault(message: string, ...below: readonly (string | number)[]): void;
  json(name: string): JsonValue | undefined;
  text(name: string): string | undefined;
  /** A text that must be written out: no `${…}`. */
  literal(name: string): string | undefined;
  yes(name: string): boolean | undefined;
  pointer(name: string): string | undefined;
  texts(name: string): readonly string[] | undefined;
  numbers(name: string): readonly number[] | undefined;
  /** Milliseconds. */
  duration(name: string): number | undefined;
  /** A path below `base`, or a URL; with the placeholders it may and must have. */
  route(name: string, may: readonly string[], must?: string): string | undefined;
  object(name: string, known: readonly string[]): Fields | undefined;
  /** An object with any keys; `check` returns a sentence about one entry. */
  map(name: string, check: (name: string, value: JsonValue) => string | undefined): JsonObject;
}

export const isReference = (text: string): boolean => text.includes("${");

/** A sentence with the nearest known word, when there is one near. */
const hint = (word: string, known: readonly string[]): string => {
  const near = known
    .map((one) => ({ one, far: distance(word.toLowerCase(), one.toLowerCase()) }))
    .sort((a, b) => a.far - b.far)[0];
  return near !== undefined && near.far <= 2
    ? `; did you mean '${near.one}'?`
    : `; known are ${known.join(", ")}`;
};

const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries())
      next.push(
        Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (letter === other ? 0 : 1)),
      );
    row = next;
  }
  return row[b.length] ?? 0;
};

const routeFault = (text: string, may: readonly string[], must: string | undefined): string | undefined => {
  if (!/^(\/|https?:\/\/|\$\{)/.test(text))
    return "a path begins with '/' (below 'base') or is a whole http(s) URL";
  if (/[\s\\#]/.test(text)) return "a path has no spaces, no '\\' and no '#'; percent-encode them";
  const strange = placeholders(text).find((name) => !may.includes(name));
  if (strange === "id") return "{id} has no value here: before the create nothing has an id yet";
  if (strange !== undefined)
    return may.length === 0
      ? `{${strange}} is not known here; a path with braces writes them %7B and %7D`
      : `{${strange}} is not known here; known are ${may.map((name) => `{${name}}`).join(" and ")}`;
  if (must !== undefined && !placeholders(text).includes(must))
    return `the path needs {${must}}: a thing is read, changed and destroyed by its identity, never by its place alone`;
  return undefined;
};

/** Unknown keys are faults at once. */
export const fieldsOf = (
  value: JsonObject,
  path: Path,
  known: readonly string[],
  faults: InputFault[],
): Fields => {
  for (const name of Object.keys(value))
    if (!known.includes(name))
      faults.push({ path: [...path, name], message: `'${name}' is not known here${hint(name, known)}` });

  const fault: Fields["fault"] = (message, ...below) => {
    faults.push({ path: [...path, ...below], message });
  };
  const json = (name: string): JsonValue | undefined =>
    Object.hasOwn(value, name) ? value[name] : undefined;
  const typed = <T>(name: string, want: string, read: (found: JsonValue) => T | undefined): T | undefined => {
    const found = json(name);
    if (found === undefined) return undefined;
    const got = read(found);
    if (got === undefined) fault(`'${name}' must be ${want}`, name);
    return got;
  };
  const text = (name: string): string | undefined =>
    typed(name, "a text that is not empty", (found) =>
      typeof found === "string" && found !== "" ? found : undefined,
    );
  const literal = (name: string): string | undefined => {
    const found = text(name);
    if (found === undefined || !isReference(found)) return found;
    fault(
      `'${name}' must be written out: it decides how the reply is read, so a reference cannot stand here`,
      name,
    );
    return undefined;
  };
  const list = <T>(
    name: string,
    want: string,
    fits: (one: JsonValue) => one is JsonValue & T,
  ): readonly T[] | undefined =>
    typed(name, want, (found) =>
      Array.isArray(found) && found.length > 0 && found.every(fits) ? (found as readonly T[]) : undefined,
    );

  return {
    value,
    path,
    has: (name) => json(name) !== undefined,
    fault,
    json,
    text,
    literal,
    yes: (name) => typed(name, "true or false", (found) => (typeof found === "boolean" ? found : undefined)),
    pointer: (name) => {
      const found = json(name);
      if (found === "") return "";
      const written = literal(name);
      const wrong = written === undefined ? undefined : pointerFault(written);
      if (wrong === undefined) return written;
      fault(wrong, name);
      return undefined;
    },
    texts: (name) => list(name, "a list of texts", (one): one is string => typeof one === "string"),
    numbers: (name) =>
      list(
        name,
        "a list of statuses from 200 to 299",
        (one): one is number => typeof one === "number" && Number.isInteger(one) && one >= 200 && one <= 299,
      ),
    duration: (name) => {
      const found = literal(name);
      const parsed = found === undefined ? undefined : parseDuration(found);
      if (parsed === undefined || "ms" in parsed) return parsed?.ms;
      fault(parsed.fault, name);
      return undefined;
    },
    route: (name, may, must) => {
      const found = text(name);
      if (found === undefined) {
        if (!Object.hasOwn(value, name))
          fault(`'${name}' is missing: say where the request goes, e.g. /machines`);
        return undefined;
      }
      const wrong = routeFault(found, may, must);
      if (wrong === undefined) return found;
      fault(wrong, name);
      return undefined;
    },
    object: (name, inner) => {
      const found = typed(name, "an object", (one) => (isJsonObject(one) ? one : undefined));
      return found === undefined ? undefined : fieldsOf(found, [...path, name], inner, faults);
    },
    map: (name, check) => {
      const found = typed(name, "an object", (one) => (isJsonObject(one) ? one : undefined)) ?? {};
      for (const [key, one] of Object.entries(found)) {
        const wrong = check(key, one);
        if (wrong !== undefined) fault(wrong, name, key);
      }
      return found;
    },
  };
};
