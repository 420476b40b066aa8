/**
 * JSON that can mean one thing only. `JSON.parse` lets the last of several equal keys win and takes any depth, so that a
 * forged file could show a reviewer one value and a judge another: a scan, linear in the text and before anything is
 * built from it, finds both. A key named `__proto__` is an ordinary one here (a ConfigMap may have it): `JSON.parse`
 * makes it a member, and readers look at own members alone.
 */
import type { JsonValue } from "../../domain/json.ts";
import { shown } from "../manifest/fault.ts";

export interface Place {
  readonly line: number;
  readonly column: number;
}

export type StrictJson =
  | { readonly value: JsonValue }
  | { readonly fault: string; readonly at: Place | null };

const MAX_NESTING = 200;
/** Values; 10,000 Pods have about six million. */
const MAX_VALUES = 25_000_000;

export const parseStrictJson = (text: string): StrictJson => {
  const found = scan(text);
  if (found !== undefined) return { fault: found.fault, at: placeAt(text, found.offset) };
  try {
    return { value: JSON.parse(text) as JsonValue };
  } catch (error) {
    return syntaxFault(text, error);
  }
};

/** V8 tells the position in its message; a text that breaks off has its fault at its end. */
const syntaxFault = (text: string, error: unknown): StrictJson => {
  const message = error instanceof Error ? error.message : String(error);
  const position = /at position (\d+)/.exec(message)?.[1];
  const ended = /^Unexpected end|^Unterminated/.test(message);
  const at = position !== undefined ? Number(position) : ended ? text.length : undefined;
  return {
    fault: ended ? "the file ends in the middle of its JSON; save it again, whole" : NOT_JSON,
    at: at === undefined ? null : placeAt(text, at),
  };
};

const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;
const isOpening = (code: number): boolean => code === 123 || code === 91;
const isClosing = (code: number): boolean => code === 125 || code === 93;

/** Space, tab, line breaks and the colon. */
const isBetween = (code: number): boolean =>
  code === 32 || code === 10 || code === 13 || code === 9 || code === 58;
const LITERAL = /true|false|null|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/y;
const NOT_JSON = "this is not JSON; save it as kubectl get -o json prints it";

interface Open {
  /** null: a list. */
  readonly keys: Set<string> | null;
  expectsKey: boolean;
}

interface Found {
  readonly fault: string;
  readonly offset: number;
}

/** What is wrong with text that need not be JSON at all: that is found afterwards. */
const scan = (text: string): Found | undefined => {
  const open: Open[] = [];
  let values = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isBetween(code)) continue;
    if (code === QUOTE) {
      const end = endOfString(text, at);
      const inside = open.at(-1);
      if (inside?.expectsKey === true && inside.keys !== null) {
        inside.expectsKey = false;
        const key = keyOf(text, at, end);
        if (inside.keys.has(key))
          return { fault: `the key ${shown(key)} stands here a second time`, offset: at };
        inside.keys.add(key);
      }
      at = end;
    } else if (isOpening(code)) {
      if (open.length >= MAX_NESTING)
        return { fault: `nested deeper than ${MAX_NESTING} levels`, offset: at };
      open.push({ keys: code === 123 ? new Set() : null, expectsKey: code === 123 });
      values += 1;
    } else if (isClosing(code)) open.pop();
    else if (code === COMMA) {
      const inside = open.at(-1);
      if (inside !== undefined) inside.expectsKey = inside.keys !== null;
      values += 1;
    } else {
      LITERAL.lastIndex = at;
      const literal = LITERAL.exec(text);
      if (literal === null) return { fault: NOT_JSON, offset: at };
      at += literal[0].length - 1;
    }
    if (values > MAX_VALUES) return { fault: `there are more than ${MAX_VALUES} values`, offset: at };
  }
  return undefined;
};

const keyOf = (text: string, start: number, end: number): string => {
  const written = text.slice(start + 1, end);
  if (!written.includes("\\")) return written;
  try {
    return JSON.parse(`"${written}"`) as string;
  } catch {
    // Not JSON, which the parser says in a moment.
    return written;
  }
};

const endOfString = (text: string, start: number): number => {
  for (let end = text.indexOf('"', start + 1); end > 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
};

/** From 1, as editors count. */
const placeAt = (text: string, offset: number): Place => {
  const lineStart = offset === 0 ? 0 : text.lastIndexOf("\n", offset - 1) + 1;
  let line = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < offset; at = text.indexOf("\n", at + 1)) line += 1;
  return { line, column: offset - lineStart + 1 };
};
