/** Reads a reply's body as JSON, with limits; and quotes a little of it for a person. */
import type { JsonValue } from "../../domain/json.ts";
import type { Reply } from "./exchange.ts";
import type { Headers } from "./spec.ts";

const MAX_DEPTH = 64;
const MAX_QUOTED = 200;

/** Brackets outside of strings. */
const tooDeep = (text: string): boolean => {
  let depth = 0;
  let quoted = false;
  for (let index = 0; index < text.length; index += 1) {
    const letter = text[index];
    if (quoted) {
      if (letter === "\\") index += 1;
      else if (letter === '"') quoted = false;
    } else if (letter === '"') quoted = true;
    else if (letter === "{" || letter === "[") {
      depth += 1;
      if (depth > MAX_DEPTH) return true;
    } else if (letter === "}" || letter === "]") depth -= 1;
  }
  return false;
};

/**
 * A whole number beyond 2^53 would be rounded to a neighbour, so an id would become another's: it is kept as its
 * digits, in a text. So is a number beyond all (1e999): it would be Infinity, and no ledger can hold that.
 */
const exactly = (_name: string, value: unknown, context?: { readonly source?: string }): unknown =>
  typeof value === "number" &&
  (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value)))
    ? (context?.source ?? String(value))
    : value;

/** The fault is a clause: "its body is not JSON". An empty body is one too. */
export const jsonOf = (reply: Reply): { readonly value: JsonValue } | { readonly fault: string } => {
  const encoding = reply.headers["content-encoding"];
  if (encoding !== undefined && encoding !== "identity")
    return { fault: "its body is compressed, which was not asked for" };
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(reply.body);
  } catch {
    return { fault: "its body is not UTF-8" };
  }
  if (text.trim() === "") return { fault: "its body is empty" };
  if (tooDeep(text)) return { fault: `its body is nested more than ${MAX_DEPTH} levels deep` };
  try {
    return { value: JSON.parse(text, exactly) as JsonValue };
  } catch {
    return { fault: "its body is not JSON" };
  }
};

const ID_CHARACTERS = 1024;

/**
 * An id as text: 1 to 1024 characters without control characters or half a surrogate pair (kept, that would be another
 * id), or a whole number.
 */
export const idText = (value: JsonValue | undefined): string | null => {
  if (typeof value === "number") return Number.isSafeInteger(value) ? String(value) : null;
  const usable =
    typeof value === "string" &&
    value !== "" &&
    value.length <= ID_CHARACTERS &&
    value.isWellFormed() &&
    !/\p{Cc}/u.test(value);
  return usable ? value : null;
};

/** ` It said: "…"`, at most 200 characters, without control characters and without the values of our own headers. */
export const quote = (body: Buffer, sent: Headers): string => {
  let text = new TextDecoder("utf-8").decode(body.subarray(0, 4 * MAX_QUOTED));
  for (const value of Object.values(sent))
    for (const part of [value, ...value.split(" ")])
      if (part.length >= 6) text = text.replaceAll(part, "(hidden)");
  const plain = text.replace(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim();
  if (plain === "") return "";
  const letters = [...plain];
  return ` It said: "${letters.length > MAX_QUOTED ? `${letters.slice(0, MAX_QUOTED - 1).join("")}…` : plain}"`;
};
