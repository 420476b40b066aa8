/** A body's bytes as one JSON object, with limits. What is wrong is a clause: "its body is empty". */
import { isUtf8 } from "node:buffer";
import type { JsonObject, JsonValue } from "../../domain/json.ts";
import { isJsonObject } from "../../domain/json.ts";
import type { Exchange, FailureReason } from "../../ports/cluster.ts";
import { printable } from "../../wire/redact/printable.ts";
import { MAX_DEPTH, scan } from "./scan.ts";

const MAX_QUOTED = 200;

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

/** Without the parts that begin and end at these places. */
const without = (bytes: Buffer, places: readonly number[]): Buffer => {
  if (places.length === 0) return bytes;
  const kept: Buffer[] = [];
  let from = 0;
  for (let at = 0; at < places.length; at += 2) {
    kept.push(bytes.subarray(from, places[at]));
    from = places[at + 1] as number;
  }
  return Buffer.concat([...kept, bytes.subarray(from)]);
};

/** `keepsWriters`: false: the metadata.managedFields of a list's items are never made. */
export const objectOf = (exchange: Exchange, keepsWriters = true): Parsed => {
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
  const scanned = scan(bytes);
  if (scanned.isTooDeep) return notJson(`its body is nested more than ${MAX_DEPTH} levels deep`);
  const text = (keepsWriters ? bytes : without(bytes, scanned.writers)).toString("utf8");
  let value: JsonValue;
  try {
    // Reading exactly costs several times as much.
    value = scanned.maybeInexact ? JSON.parse(text, exactly) : JSON.parse(text);
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
