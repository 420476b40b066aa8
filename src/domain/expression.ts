/**
 * References in a `with`: finding them, replacing variables, resolving. What a single text may hold is in
 * `reference.ts`.
 *
 * E5: what is secret never leaves `resolve` but in `resolved` (for the call) and `secretValues` (for the scrubber);
 * `kept`, which may be stored, still has the reference there, and resolves to the same again.
 */
import type { JsonObject, JsonValue } from "./json.ts";
import { isJsonObject } from "./json.ts";
import type { Piece, Reference } from "./reference.ts";
import { escapeText, readText, writeReference, writeText } from "./reference.ts";

export type { Reference } from "./reference.ts";

/** A place inside a `with`, as keys and indexes, with one sentence. */
export interface ExpressionFault {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Far deeper than anything a person writes; keeps every walk below the call stack's end. */
const MAX_VALUE_DEPTH = 500;

/** A literal value as written: every text in it escaped. */
export const escapeValue = (value: JsonValue): JsonValue => mapStrings(value, (text) => escapeText(text));

/** Every string of a value replaced; keys stay. Assumes the depth was checked (`MAX_VALUE_DEPTH`). */
const mapStrings = (
  value: JsonValue,
  change: (text: string, path: Path | null) => JsonValue,
  path: Path | null = null,
): JsonValue => {
  if (typeof value === "string") return change(value, path);
  if (Array.isArray(value))
    return value.map((item, index) => mapStrings(item, change, { up: path, key: index }));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(
    ([key, item]) => [key, mapStrings(item, change, { up: path, key })] as const,
  );
  return Object.fromEntries(entries);
};

/** A path as a chain from the leaf up, so that a walk allocates one link a level and not one array a leaf. */
interface Path {
  readonly up: Path | null;
  readonly key: string | number;
}

const keysOf = (path: Path | null): readonly (string | number)[] => {
  const keys: (string | number)[] = [];
  for (let at = path; at !== null; at = at.up) keys.push(at.key);
  return keys.reverse();
};

const pointerOf = (path: Path | null): string =>
  keysOf(path)
    .map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`)
    .join("");

export interface Found {
  readonly reference: Reference;
  readonly path: readonly (string | number)[];
}

/**
 * All references of a `with`, in order, with their places; and everything malformed. References in keys are faults, and
 * so is a value nested deeper than `MAX_VALUE_DEPTH`.
 */
export const referencesIn = (
  value: JsonValue,
): { readonly references: readonly Found[]; readonly faults: readonly ExpressionFault[] } => {
  const references: Found[] = [];
  const faults: ExpressionFault[] = [];
  const todo: { value: JsonValue; path: Path | null; depth: number }[] = [{ value, path: null, depth: 0 }];
  for (let at = todo.pop(); at !== undefined; at = todo.pop()) {
    if (at.depth > MAX_VALUE_DEPTH)
      return { references, faults: [{ path: [], message: `nested deeper than ${MAX_VALUE_DEPTH} levels` }] };
    if (typeof at.value === "string") lookAt(at.value, at.path, references, faults);
    else
      for (const child of childrenOf(at.value, at.path, faults)) todo.push({ ...child, depth: at.depth + 1 });
  }
  return { references, faults };
};

const lookAt = (text: string, path: Path | null, references: Found[], faults: ExpressionFault[]): void => {
  if (!text.includes("${")) return;
  const pieces = readText(text);
  if ("fault" in pieces) {
    faults.push({ path: keysOf(path), message: pieces.fault });
    return;
  }
  for (const reference of pieces)
    if (typeof reference !== "string") references.push({ reference, path: keysOf(path) });
};

/** The children last first: whoever takes them from the end sees the written order. */
const childrenOf = (
  value: JsonValue,
  path: Path | null,
  faults: ExpressionFault[],
): { value: JsonValue; path: Path }[] => {
  const children: { value: JsonValue; path: Path }[] = [];
  if (Array.isArray(value)) {
    for (const [key, item] of value.entries()) children.push({ value: item, path: { up: path, key } });
  } else if (isJsonObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      if (hasReference(key))
        faults.push({ path: [...keysOf(path), key], message: "references work in values, not in keys" });
      children.push({ value: item, path: { up: path, key } });
    }
  }
  return children.reverse();
};

/** A key is never unescaped, so any `${` in it is refused rather than half understood. */
const hasReference = (key: string): boolean => key.includes("${");

/**
 * `${var.*}` replaced by its value, which is always text and literal: what looks like a reference in it is none.
 * Everything else stays as written.
 */
export const substituteVars = (
  value: JsonObject,
  vars: ReadonlyMap<string, string>,
):
  | { readonly value: JsonObject; readonly used: ReadonlySet<string> }
  | { readonly faults: readonly ExpressionFault[] } => {
  const { references, faults } = referencesIn(value);
  const missing: ExpressionFault[] = [];
  const used = new Set<string>();
  for (const { reference, path } of references) {
    if (reference.kind !== "var") continue;
    used.add(reference.name);
    if (!vars.has(reference.name))
      missing.push({
        path,
        message: `the variable ${reference.name} has no value; give it with --var ${reference.name}=VALUE`,
      });
  }
  if (faults.length + missing.length > 0) return { faults: [...faults, ...missing] };
  if (used.size === 0) return { value, used };
  const replaced = mapStrings(value, (text) => {
    if (!text.includes("${")) return text;
    const pieces = readText(text);
    if ("fault" in pieces) return text;
    return writeText(pieces.map((piece) => valueOfVar(piece, vars)));
  });
  return { value: replaced as JsonObject, used };
};

const valueOfVar = (piece: Piece, vars: ReadonlyMap<string, string>): Piece => {
  if (typeof piece === "string" || piece.kind !== "var") return piece;
  const value = vars.get(piece.name);
  return value === undefined ? piece : value;
};

/** What a reference stands for now. The fault is one sentence without any secret in it. */
export type Look = (
  reference: Reference,
) => { readonly value: JsonValue; readonly secret: boolean } | { readonly fault: string };

export interface Resolved {
  /** For the call only: holds secrets. */
  readonly resolved: JsonObject;
  /** As written again, with everything but the secrets resolved: may be stored, and resolves to the same. */
  readonly kept: JsonObject;
  /** Every text and number that came from a secret, for the scrubber. */
  readonly secretValues: readonly string[];
  /** JSON pointers (RFC 6901) into `resolved` where a secret went in. */
  readonly secretPaths: readonly string[];
}

/**
 * Resolves a written `with`. A string that is exactly one reference becomes its value, whatever its type; one among
 * other text must be a string, number or boolean.
 */
export const resolve = (
  written: JsonObject,
  look: Look,
): Resolved | { readonly faults: readonly ExpressionFault[] } => {
  const malformed = referencesIn(written).faults;
  if (malformed.length > 0) return { faults: malformed };
  const faults: ExpressionFault[] = [];
  const secrets = new Set<string>();
  const secretPaths: string[] = [];
  const keptTexts: JsonValue[] = [];
  const resolved = mapStrings(written, (text, path) => {
    const outcome = resolveText(text, look);
    if ("fault" in outcome) {
      faults.push({ path: keysOf(path), message: outcome.fault });
      return null;
    }
    for (const secret of outcome.secrets) collectTexts(secret, secrets);
    if (outcome.secrets.length > 0) secretPaths.push(pointerOf(path));
    keptTexts.push(outcome.kept);
    return outcome.value;
  });
  if (faults.length > 0) return { faults };
  const inOrder = keptTexts[Symbol.iterator]();
  const kept = mapStrings(written, () => inOrder.next().value as JsonValue);
  return {
    resolved: resolved as JsonObject,
    kept: kept as JsonObject,
    secretValues: [...secrets],
    secretPaths,
  };
};

interface ResolvedText {
  readonly value: JsonValue;
  readonly kept: JsonValue;
  readonly secrets: readonly JsonValue[];
}

const resolveText = (text: string, look: Look): ResolvedText | { readonly fault: string } => {
  if (!text.includes("${")) return { value: text, kept: text, secrets: [] };
  const pieces = readText(text);
  if ("fault" in pieces) return pieces;
  const [only] = pieces;
  if (pieces.length === 1 && only !== undefined && typeof only !== "string")
    return resolveWhole(only, text, look);
  return resolveParts(pieces, look);
};

const resolveWhole = (
  reference: Reference,
  text: string,
  look: Look,
): ResolvedText | { readonly fault: string } => {
  const found = look(reference);
  if ("fault" in found) return found;
  if (found.secret) return { value: found.value, kept: text, secrets: [found.value] };
  if (tooDeep(found.value))
    return { fault: `${writeReference(reference)} is nested deeper than ${MAX_VALUE_DEPTH} levels` };
  return { value: found.value, kept: escapeValue(found.value), secrets: [] };
};

const resolveParts = (pieces: readonly Piece[], look: Look): ResolvedText | { readonly fault: string } => {
  const secrets: JsonValue[] = [];
  const keptPieces: Piece[] = [];
  let value = "";
  for (const piece of pieces) {
    if (typeof piece === "string") {
      value += piece;
      keptPieces.push(piece);
      continue;
    }
    const found = look(piece);
    if ("fault" in found) return found;
    if (typeof found.value === "object")
      return {
        fault: `${writeReference(piece)} is ${kindOf(found.value)}, and only text, a number or true/false can stand inside other text`,
      };
    value += String(found.value);
    if (found.secret) secrets.push(found.value);
    keptPieces.push(found.secret ? piece : String(found.value));
  }
  const kept = writeText(keptPieces);
  // Around a secret everything resolved to nothing: alone, its reference would give back its own type, not text. So
  // the other references stay as well.
  const again = readText(kept);
  const alone = !("fault" in again) && again.length === 1 && secrets.length === 1;
  return { value, kept: alone ? writeText(pieces) : kept, secrets };
};

const kindOf = (value: JsonValue): string =>
  value === null ? "null" : Array.isArray(value) ? "a list" : "an object";

const tooDeep = (value: JsonValue): boolean => {
  const todo: { value: JsonValue; depth: number }[] = [{ value, depth: 0 }];
  for (let at = todo.pop(); at !== undefined; at = todo.pop()) {
    if (at.depth > MAX_VALUE_DEPTH) return true;
    if (typeof at.value !== "object" || at.value === null) continue;
    for (const child of Object.values(at.value))
      todo.push({ value: child as JsonValue, depth: at.depth + 1 });
  }
  return false;
};

const collectTexts = (value: JsonValue, into: Set<string>): void => {
  const todo: JsonValue[] = [value];
  for (let at = todo.pop(); at !== undefined; at = todo.pop()) {
    if (typeof at === "string" || typeof at === "number") into.add(String(at));
    else if (typeof at === "object" && at !== null)
      for (const child of Object.values(at)) todo.push(child as JsonValue);
  }
};

/** The value at an output's path: keys of objects, indexes of lists; undefined when it is not there. */
export const atPath = (value: JsonValue, path: readonly string[]): JsonValue | undefined => {
  let at: JsonValue | undefined = value;
  for (const key of path) {
    if (Array.isArray(at))
      at = /^(0|[1-9][0-9]*)$/.test(key) ? (at[Number(key)] as JsonValue | undefined) : undefined;
    else if (isJsonObject(at)) at = Object.hasOwn(at, key) ? at[key] : undefined;
    else return undefined;
  }
  return at;
};
