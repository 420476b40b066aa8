/**
 * YAML for what is added to a manifest. Written so that readers of YAML 1.1 (kubectl) and 1.2 (we) read the same: whatever
 * either of them could take for something else than a text stands in quotes, and only plain lines become a block.
 */
import { isJsonObject, type JsonValue } from "../../domain/json.ts";

/** A word that no reader takes for a number (some take `e-0` for one), a truth or a time. */
const PLAIN = /^(?!(?=.*\d)[0-9a-f]+$)(?!e[-+]?[0-9_]+$)[a-z][a-z0-9_./-]*$/i;
const NOT_TEXT = /^(?:true|false|yes|no|on|off|y|n|null|nan|inf)$/i;

const isPlain = (text: string): boolean => PLAIN.test(text) && !NOT_TEXT.test(text);

/** Characters that end a line or vanish for some readers. */
const ESCAPED = /[\u007f-\u009f\u2028\u2029\ufeff]/g;

const escapedIn = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

export const quotedText = (text: string): string => JSON.stringify(text).replace(ESCAPED, escapedIn);

export const scalarText = (value: string | boolean | number | null): string =>
  typeof value !== "string" ? JSON.stringify(value) : isPlain(value) ? value : quotedText(value);

/** A value in one line, as JSON. */
export const flowText = (value: JsonValue): string => JSON.stringify(value).replace(ESCAPED, escapedIn);

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is for
const IN_NO_BLOCK = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff\ud800-\udfff]/;

/** Lines as they are; null where a block could not hold them exactly. */
const blockText = (text: string, indent: string): string | null => {
  if (!text.includes("\n") || /^[\s]/.test(text) || IN_NO_BLOCK.test(text) || text.trim() === "") return null;
  const body = text.replace(/\n+$/, "");
  const ends = text.length - body.length;
  const mark = ends === 0 ? "|-" : ends === 1 ? "|" : "|+";
  const lines = (ends > 1 ? text.slice(0, -1) : body).split("\n");
  return [mark, ...lines.map((line) => (line === "" ? "" : indent + line))].join("\n");
};

/** Lines without a break at the end, each below the first one indented by `indent`. */
export const blockOf = (value: JsonValue, indent: string): string => {
  const deeper = `${indent}  `;
  if (Array.isArray(value))
    return value.length === 0
      ? "[]"
      : value.map((item: JsonValue) => `- ${blockOf(item, deeper)}`).join(`\n${indent}`);
  if (!isJsonObject(value)) return scalarText(value as string);
  const entries = Object.entries(value);
  if (entries.length === 0) return "{}";
  return entries.map(([key, item]) => entryOf(key, item, indent)).join(`\n${indent}`);
};

/** `key: value`, below other keys that are indented by `indent`. */
export const entryOf = (key: string, value: JsonValue, indent: string): string => {
  const deeper = `${indent}  `;
  const name = scalarText(key);
  if (typeof value === "string") return `${name}: ${blockText(value, deeper) ?? scalarText(value)}`;
  const holds = Array.isArray(value)
    ? value.length > 0
    : isJsonObject(value) && Object.keys(value).length > 0;
  return holds ? `${name}:\n${deeper}${blockOf(value, deeper)}` : `${name}: ${blockOf(value, indent)}`;
};
