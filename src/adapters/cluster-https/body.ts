/** A body's bytes as one JSON object, with limits. What is wrong is a clause: "its body is empty". */
import { isUtf8 } from "node:buffer";
import type { JsonObject, JsonValue } from "../../domain/json.ts";
import { isJsonObject } from "../../domain/json.ts";
import type { Exchange, FailureReason } from "../../ports/cluster.ts";
import { printable } from "../../wire/redact/printable.ts";

/** A CustomResourceDefinition describes its fields in the same nesting twice over, so this is far more than a stack file may have. */
const MAX_DEPTH = 256;
const MAX_QUOTED = 200;

const [QUOTE, ESCAPE] = [0x22, 0x5c];
const [OPEN_MAP, CLOSE_MAP, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d];

/** Where the string that begins at `at` ends; most bytes of an answer are in strings, so they are passed over at once. */
const endOfString = (bytes: Buffer, at: number): number => {
  let end = bytes.indexOf(QUOTE, at + 1);
  while (end > 0) {
    let escapes = 0;
    while (bytes[end - 1 - escapes] === ESCAPE) escapes += 1;
    if (escapes % 2 === 0) return end;
    end = bytes.indexOf(QUOTE, end + 1);
  }
  return bytes.length;
};

const isTooDeep = (bytes: Buffer): boolean => {
  let depth = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfString(bytes, at);
    else if (byte === OPEN_MAP || byte === OPEN_LIST) {
      depth += 1;
      if (depth > MAX_DEPTH) return true;
    } else if (byte === CLOSE_MAP || byte === CLOSE_LIST) depth -= 1;
  }
  return false;
};

/** Numbers that may not fit: a superset (it looks into strings too), since reading exactly costs several times as much. */
export const MAYBE_INEXACT = /(?:":|[[,])\s*-?\d(?:\d{15}|[\d.]*[eE]\+?\d{3})/;

/** A whole number beyond 2^53 would be rounded to a neighbour, and a generation would equal another: kept as its digits, a text. */
const exactly = (_name: string, value: unknown, context?: { readonly source?: string }): unknown =>
  typeof value === "number" &&
  (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value)))
    ? (context?.source ?? String(value))
    : value;

export type Parsed =
  | { readonly object: JsonObject }
  | {
      readonly reason: Extract<FailureReason, "not-json" | "truncated" | "wrong-kind">;
      readonly why: string;
    };

/** `application/json`, whatever stands behind it. */
export const isJson = (contentType: string | null): boolean =>
  contentType !== null && /^application\/json\s*(;|$)/i.test(contentType);

const notJson = (why: string): Parsed => ({ reason: "not-json", why });

export const objectOf = (exchange: Exchange): Parsed => {
  const { contentType } = exchange;
  const bytes = Buffer.from(exchange.body.buffer, exchange.body.byteOffset, exchange.body.byteLength);
  if (bytes.length === 0) return notJson("its body is empty");
  if (!isJson(contentType))
    return notJson(
      contentType === null
        ? "it does not say of which type its body is"
        : `its body is ${printable(contentType.slice(0, 60))}, and not JSON${quote(exchange, [])}`,
    );
  if (!isUtf8(bytes)) return notJson("its body is not UTF-8");
  const text = bytes.toString("utf8");
  if (isTooDeep(bytes)) return notJson(`its body is nested more than ${MAX_DEPTH} levels deep`);
  let value: JsonValue;
  try {
    value = MAYBE_INEXACT.test(text) ? JSON.parse(text, exactly) : JSON.parse(text);
  } catch {
    return /^\s*\{/.test(text) && !/\}\s*$/.test(text)
      ? { reason: "truncated", why: "its body breaks off in the middle of JSON" }
      : notJson("its body is not JSON");
  }
  return isJsonObject(value)
    ? { object: value }
    : { reason: "wrong-kind", why: "its body is JSON, and not an object" };
};

/** ` It said: "…"`, on one line, at most 200 characters, without any of `secrets`. */
export const quote = ({ body }: Exchange, secrets: readonly string[]): string => {
  const start = new TextDecoder("utf-8").decode(body.subarray(0, 4 * MAX_QUOTED));
  return saying(start, secrets);
};

export const saying = (text: string, secrets: readonly string[]): string => {
  let shown = text.slice(0, 4 * MAX_QUOTED);
  for (const secret of secrets) shown = shown.replaceAll(secret, "(hidden)");
  const letters = [...printable(shown.replace(/\s+/g, " ").trim())];
  if (letters.length === 0) return "";
  const short =
    letters.length > MAX_QUOTED ? `${letters.slice(0, MAX_QUOTED - 1).join("")}…` : letters.join("");
  return `. It said: "${short}"`;
};
