/**
 * What one printed line says (DESIGN §6). Pure.
 *
 * A JSON object with `outcome` is a result; with `id` or `outputs` it tells an id or outputs as soon as they are known
 * (W7); everything else is progress. A line that was meant as JSON and cannot be read is `broken`: it may have been
 * a result, so no result beside it is believed; an id that still stands in it is kept (W4).
 *
 * An id is a string of 1 to 1024 characters without control characters. A JSON integer counts as its decimal text, up
 * to 2^53: beyond that JSON readers change its digits, so it must be written as a string.
 */
import type { JsonObject, JsonValue } from "../../domain/json.ts";
import { isJsonObject } from "../../domain/json.ts";
import type { PrintedLine } from "./lines.ts";

export interface Result {
  readonly outcome: "done" | "refused" | "failed" | "unknown";
  readonly id: string | null;
  readonly outputs: JsonObject;
  readonly owes: readonly string[];
  readonly reason: string | null;
}

export type Printed =
  | { readonly kind: "progress"; readonly text: string }
  /** Before the result: an id, or outputs whose id is not known yet (null). */
  | {
      readonly kind: "told";
      readonly id: string | null;
      readonly outputs: JsonObject;
      readonly text: string | null;
    }
  | { readonly kind: "result"; readonly result: Result }
  | {
      readonly kind: "broken";
      readonly why: string;
      readonly id: string | null;
      readonly outputs: JsonObject;
    };

const OUTCOMES: ReadonlySet<JsonValue> = new Set(["done", "refused", "failed", "unknown"]);
const ID_CHARACTERS = 1024;
const MAX_DEPTH = 64;

export const readPrinted = (line: PrintedLine): Printed => {
  const object = readObject(line);
  if (object === null) return { kind: "progress", text: line.text };
  if (typeof object === "string")
    return { kind: "broken", why: object, id: idWithin(line.text), outputs: {} };
  if (object["outcome"] !== undefined) return readResult(object, line);
  if (object["id"] === undefined && object["outputs"] === undefined) return progressOf(object, line);
  const { id, outputs, faults } = readBrought(object, line);
  if (faults.length > 0) return { kind: "broken", why: faults.join("; "), id, outputs };
  const text = typeof object["progress"] === "string" ? object["progress"] : null;
  return { kind: "told", id, outputs, text };
};

const progressOf = (object: JsonObject, line: PrintedLine): Printed => {
  const text = object["progress"];
  return { kind: "progress", text: typeof text === "string" ? text : line.text };
};

const readResult = (object: JsonObject, line: PrintedLine): Printed => {
  const { id, outputs, faults } = readBrought(object, line);
  const outcome = object["outcome"];
  if (!isOutcome(outcome))
    faults.push(
      `its outcome is ${shown(outcome)}, and the protocol knows "done", "refused", "failed" and "unknown"`,
    );
  const owes = object["owes"];
  if (owes !== undefined && !isStrings(owes))
    faults.push(`its owes is ${shown(owes)}, and must be an array of strings`);
  if (faults.length > 0 || !isOutcome(outcome))
    return { kind: "broken", why: faults.join("; "), id, outputs };
  return {
    kind: "result",
    result: { outcome, id, outputs, owes: isStrings(owes) ? owes : [], reason: reasonOf(object["reason"]) },
  };
};

/** Any text a program gives as its reason; null when it gave none. */
export const reasonOf = (reason: JsonValue | undefined): string | null => {
  if (reason === undefined || reason === null || reason === "") return null;
  return clip(typeof reason === "string" ? reason : JSON.stringify(reason), 4096);
};

const readBrought = (
  object: JsonObject,
  line: PrintedLine,
): { id: string | null; outputs: JsonObject; faults: string[] } => {
  const faults: string[] = [];
  const id = readId(object["id"], line.lossy);
  if (typeof id === "object" && id !== null) faults.push(id.fault);
  const outputs = object["outputs"];
  if (outputs !== undefined && outputs !== null && !isJsonObject(outputs))
    faults.push(`its outputs is ${shown(outputs)}, and must be an object`);
  return { id: typeof id === "string" ? id : null, outputs: isJsonObject(outputs) ? outputs : {}, faults };
};

/** The id as text, null where there is none, or why it cannot be one. */
export const readId = (
  value: JsonValue | undefined,
  lossy: boolean,
): string | null | { readonly fault: string } => {
  if (value === undefined || value === null) return null;
  if (typeof value === "number") {
    if (Number.isSafeInteger(value)) return String(value);
    return { fault: `its id is the number ${value}, whose digits JSON does not keep; print it as a string` };
  }
  if (typeof value !== "string") return { fault: `its id is ${shown(value)}, and must be a string` };
  if (value === "") return { fault: "its id is an empty string" };
  if (value.length > ID_CHARACTERS)
    return { fault: `its id has ${value.length} characters, and ${ID_CHARACTERS} are allowed` };
  if (/\p{Cc}/u.test(value) || !value.isWellFormed() || (lossy && value.includes("\uFFFD")))
    return { fault: `its id ${shown(value)} holds control characters or invalid UTF-8` };
  return value;
};

/** The JSON object of a line; null when it is no object, a sentence when it was meant as one and is broken. */
export const readObject = (line: PrintedLine): JsonObject | null | string => {
  if (!/^\s*\{/.test(line.text)) return null;
  if (line.cut) return "a JSON line was longer than 1 MiB and was cut";
  let value: unknown;
  try {
    value = JSON.parse(line.text);
  } catch {
    return /"(?:outcome|present|ambiguous|id)"\s*:/.test(line.text)
      ? `a line is not valid JSON: ${clip(line.text, 200)}`
      : null;
  }
  if (!isJsonObject(value)) return null;
  if (isDeeper(value, MAX_DEPTH)) return `a JSON line is nested deeper than ${MAX_DEPTH} levels`;
  return /\d{16}|[eE]\+?\d{3}/.test(line.text) ? keepInexact(line.text, value) : value;
};

/**
 * An integer beyond 2^53, and a number beyond all (1e999), becomes its text: as a number it would silently be another
 * one, or none that JSON has. The line's own id stays a number, which `readId` refuses.
 */
const keepInexact = (text: string, plain: JsonObject): JsonObject => {
  const exact: unknown = JSON.parse(text, (_key: string, value: unknown, context?: { source?: string }) => {
    if (typeof value !== "number") return value;
    const source = context?.source ?? String(value);
    if (!Number.isFinite(value)) return source;
    return /^-?\d+$/.test(source) && !Number.isSafeInteger(value) ? source : value;
  });
  if (!isJsonObject(exact)) return plain;
  return typeof plain["id"] === "number" ? { ...exact, id: plain["id"] } : exact;
};

const isDeeper = (value: JsonValue, levels: number): boolean => {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((inner: JsonValue) => isDeeper(inner, levels - 1));
};

/** An id at the top level of a line that is no whole JSON any more (W4: an error never erases a known id). */
const idWithin = (text: string): string | null => {
  const found = /^\s*\{[^{}[\]]*?"id"\s*:\s*("(?:[^"\\]|\\.)*"|\d{1,15}(?=\s*[,}]))/.exec(text);
  if (found?.[1] === undefined) return null;
  try {
    const id = readId(JSON.parse(found[1]) as JsonValue, true);
    return typeof id === "string" ? id : null;
  } catch {
    return null;
  }
};

const isOutcome = (value: JsonValue | undefined): value is Result["outcome"] =>
  value !== undefined && OUTCOMES.has(value);

const isStrings = (value: JsonValue | undefined): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === "string");

const shown = (value: JsonValue | undefined): string => clip(JSON.stringify(value) ?? "missing", 80);

/** At most so many characters, and said when there were more. Never cuts a character in two. */
export const clip = (text: string, characters: number): string =>
  text.length <= characters
    ? text
    : `${text.slice(0, characters).toWellFormed()}… (${text.length} characters)`;
