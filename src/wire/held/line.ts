/**
 * Lines of the recorder's files: one JSON object each, whose first member is a sum over the line before and the rest of this
 * one. So a line that is cut, changed, left out or out of place is recognised, and so is everything behind it.
 */
import { isJsonObject, type JsonObject } from "../../domain/json.ts";
import { sha256Hex } from "../digest.ts";

const SUM_DIGITS = 16;
/** `{"sum":"0123456789abcdef",` */
const HEAD = /^\{"sum":"([0-9a-f]{16})",/;
const HEAD_LENGTH = '{"sum":"",'.length + SUM_DIGITS;

/** Of a file's first line. */
export const FIRST_SUM = "";

/** A ConfigMap has at most 1 MiB, and a digest for each key is longer than the shortest of them. */
export const MAX_LINE_BYTES = 16 * 1024 * 1024;

const sumOf = (before: string, rest: string): string => sha256Hex(`${before}{${rest}`).slice(0, SUM_DIGITS);

/** Without the newline, and its own sum, which the next line needs. */
export const lineOf = (
  members: JsonObject,
  before: string,
): { readonly line: string; readonly sum: string } => {
  const rest = JSON.stringify(members).slice(1);
  const sum = sumOf(before, rest);
  return { line: `{"sum":"${sum}",${rest}`, sum };
};

/** The fault is a clause. */
export const readLine = (
  line: string,
  before: string,
): { readonly members: JsonObject; readonly sum: string } | { readonly fault: string } => {
  const [, sum] = HEAD.exec(line) ?? [];
  if (sum === undefined) return { fault: "it is no line of a recorder" };
  const rest = line.slice(HEAD_LENGTH);
  if (sumOf(before, rest) !== sum) return { fault: "its sum does not fit it and the lines before it" };
  try {
    const members: unknown = JSON.parse(`{${rest}`);
    return isJsonObject(members) ? { members, sum } : { fault: "it is not JSON" };
  } catch {
    return { fault: "it is not JSON" };
  }
};
