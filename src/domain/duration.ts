/**
 * Durations as Go writes them (https://pkg.go.dev/time#ParseDuration): `500ms`, `30s`, `1h30m`, `1.5h`, `0`.
 * asfound keeps whole milliseconds, so what is shorter than one is refused rather than rounded to nothing.
 */

const UNIT_MS: ReadonlyMap<string, number> = new Map([
  ["ns", 1e-6],
  ["us", 1e-3],
  ["µs", 1e-3],
  ["μs", 1e-3],
  ["ms", 1],
  ["s", 1000],
  ["m", 60_000],
  ["h", 3_600_000],
]);

/** Ten years: longer than anything a stack can sensibly wait for, and far from where numbers lose precision. */
export const MAX_DURATION_MS = 10 * 365 * 24 * 3_600_000;

const PART = /([0-9]+(?:\.[0-9]*)?|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h)/y;
const MAX_LENGTH = 64;

export type ParsedDuration = { readonly ms: number } | { readonly fault: string };

const HOW = "write it like 500ms, 30s or 1h30m";

/** Whole milliseconds, or one sentence saying why not. */
export const parseDuration = (text: string): ParsedDuration => {
  if (text.length > MAX_LENGTH) return { fault: `a duration has at most ${MAX_LENGTH} characters; ${HOW}` };
  if (text.startsWith("-")) return { fault: `the duration ${text} is negative; ${HOW}` };
  const unsigned = text.startsWith("+") ? text.slice(1) : text;
  if (unsigned === "0") return { ms: 0 };
  if (unsigned === "") return { fault: `a duration must not be empty; ${HOW}` };
  if (/^[0-9.]+$/.test(unsigned)) return { fault: `the duration ${text} has no unit; ${HOW}` };
  return sum(text, unsigned);
};

const sum = (text: string, unsigned: string): ParsedDuration => {
  let total = 0;
  PART.lastIndex = 0;
  let end = 0;
  while (end < unsigned.length) {
    const unit = PART.exec(unsigned);
    const size = unit === null ? undefined : UNIT_MS.get(String(unit[2]));
    if (unit === null || size === undefined) return { fault: `"${text}" is not a duration; ${HOW}` };
    total += Number(unit[1]) * size;
    end = PART.lastIndex;
  }
  if (!(total <= MAX_DURATION_MS)) return { fault: `the duration ${text} is longer than ten years` };
  const ms = Math.round(total);
  if (ms === 0 && total > 0) return { fault: `the duration ${text} is shorter than a millisecond` };
  return { ms };
};

/** The shortest form that `parseDuration` reads back as the same whole milliseconds: `1h30m`, `1.5s`, `250ms`, `0s`. */
export const formatDuration = (ms: number): string => {
  if (ms === 0) return "0s";
  if (ms < 1000) return `${ms}ms`;
  const hours = Math.floor(ms / 3_600_000);
  const minutes = Math.floor((ms % 3_600_000) / 60_000);
  const seconds = (ms % 60_000) / 1000;
  const parts = [
    [hours, "h"],
    [minutes, "m"],
    [seconds, "s"],
  ] as const;
  return parts.map(([count, unit]) => (count === 0 ? "" : `${count}${unit}`)).join("");
};
