/**
 * What printed bytes can mean at best, told without the code under test: lines by newline, JSON by `JSON.parse`, and the
 * table of DESIGN §6 as conditions that an answer needs.
 */
import type { Outcome, Reading } from "../../../src/domain/outcome.ts";
import type { Print } from "./exec-print.ts";

/** What the code under test makes of a print. */
export interface CallMeaning {
  readonly outcome: Outcome;
  /** Handed over while it ran (W7). */
  readonly identities: readonly string[];
}

interface Line {
  readonly text: string;
  /** It held bytes that are no UTF-8. */
  readonly lossy: boolean;
  readonly object: Readonly<Record<string, unknown>> | null;
}

const linesOf = (bytes: Buffer): Line[] => {
  const found: Line[] = [];
  for (let from = 0; from <= bytes.length; ) {
    const newline = bytes.indexOf(0x0a, from);
    const end = newline < 0 ? bytes.length : newline;
    const raw = bytes.subarray(from, end);
    const text = raw
      .toString("utf8")
      .replace(/^\ufeff/, "")
      .replace(/\r$/, "");
    found.push({ text, lossy: !Buffer.from(raw.toString("utf8")).equals(raw), object: objectOf(text) });
    from = end + 1;
  }
  return found;
};

const objectOf = (text: string): Line["object"] => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
};

const says = (line: Line, key: string): boolean => line.object !== null && Object.hasOwn(line.object, key);
/** Meant as that, and no JSON any more. */
const torn = (line: Line, key: string): boolean =>
  line.object === null && /^\s*\{/.test(line.text) && line.text.includes(`"${key}":`);

const isId = (value: unknown): value is string =>
  typeof value === "string" &&
  value !== "" &&
  value.length <= 1024 &&
  !/\p{Cc}/u.test(value) &&
  value.isWellFormed();

/** Every text that may stand for an id in the print, broken lines included. */
const idsIn = (lines: readonly Line[]): ReadonlySet<string> => {
  const ids = new Set<string>();
  for (const { text, object } of lines) {
    const id = object?.["id"];
    if (typeof id === "string") ids.add(id);
    if (typeof id === "number" && Number.isSafeInteger(id)) ids.add(String(id));
    if (object !== null || !/^\s*\{/.test(text)) continue;
    for (const [, quoted, digits] of text.matchAll(/"id"\s*:\s*(?:("(?:[^"\\]|\\.)*")|(\d+))/g)) {
      const parsed = quoted === undefined ? String(Number(digits)) : objectOf(`{"id":${quoted}}`)?.["id"];
      if (typeof parsed === "string") ids.add(parsed);
    }
  }
  return ids;
};

/** Why the meaning is better than the print, or forgets what it said; undefined when it is not. */
export const callFault = (print: Print, { outcome, identities }: CallMeaning): string | undefined => {
  if (print.means !== null && outcome.kind !== print.means)
    return `an undamaged print means ${print.means}, and was read as ${outcome.kind}`;
  const lines = linesOf(print.bytes);
  const results = lines.filter((line) => says(line, "outcome"));
  const word = results[0]?.object?.["outcome"];
  const isOne = results.length === 1 && !lines.some((line) => torn(line, "outcome"));
  const ids = idsIn(lines);
  if (outcome.kind !== "unknown" && !(isOne && word === outcome.kind))
    return `read as ${outcome.kind}, and it does not say so as its one result`;
  if (outcome.kind === "done" && (print.ended.cut !== null || print.ended.exitCode !== 0))
    return "read as done, although it did not end by itself with 0";
  if (outcome.kind === "refused" && print.ended.cut !== null)
    return "read as refused, although it was cut off";
  if (outcome.kind === "refused" && [...ids].some((id) => isId(id) && id !== print.recordedId))
    return "read as refused, although it names something that it made";
  const id = outcome.kind === "refused" ? null : outcome.id;
  for (const kept of [...identities, ...(id === null ? [] : [id])])
    if (!isId(kept) || !(ids.has(kept) || kept === print.recordedId))
      return `the id ${JSON.stringify(kept)} stands nowhere in the print`;
  const lost = lines.find(({ object, lossy }) => {
    const said = object?.["id"];
    return isId(said) && !lossy && said !== id && said !== print.recordedId && !identities.includes(said);
  });
  if (lost !== undefined && ids.size < 16)
    return `the id of the line ${JSON.stringify(lost.text)} was lost (W4)`;
  return undefined;
};

/** The same for an observe: no absence and no presence is made out of anything but their own words (R2). */
export const answerFault = (print: Print, reading: Reading): string | undefined => {
  if (print.means !== null && reading.kind !== print.means)
    return `an undamaged answer means ${print.means}, and was read as ${reading.kind}`;
  if (reading.kind === "failed" || reading.kind === "timed-out") return undefined;
  const lines = linesOf(print.bytes);
  const keys = ["present", "ambiguous", "denied", "outcome"] as const;
  const answers = lines.filter((line) => keys.some((key) => says(line, key)));
  const [only] = answers;
  if (only === undefined || answers.length > 1 || lines.some((line) => torn(line, "present")))
    return `read as ${reading.kind}, out of ${answers.length} answers`;
  if (keys.filter((key) => says(only, key)).length > 1)
    return `read as ${reading.kind}, and it says two things`;
  const said = only.object ?? {};
  if (reading.kind !== "denied" && (print.ended.cut !== null || print.ended.exitCode !== 0))
    return `read as ${reading.kind}, although it did not end by itself with 0`;
  if (reading.kind === "absent" && said["present"] !== false) return "read as absent, and it does not say so";
  if (reading.kind === "ambiguous" && !Array.isArray(said["ambiguous"])) return "read as ambiguous";
  if (reading.kind !== "observed") return undefined;
  if (said["present"] !== true) return "read as observed, and it does not say so";
  if (reading.asDeclared.kind === "known" && reading.asDeclared.value !== said["asDeclared"])
    return `read as declared: ${reading.asDeclared.value}, and it says ${JSON.stringify(said["asDeclared"])}`;
  if (reading.id !== null && reading.id !== said["id"] && reading.id !== String(said["id"]))
    return `the id ${JSON.stringify(reading.id)} is not the one that it says`;
  return undefined;
};
