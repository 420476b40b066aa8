/** How long a server asks to wait (RFC 9110 §10.2.3): seconds, or a date. */
const FIRST_MS = 1_000;
const LONGEST_MS = 30_000;
/** Where a server asks for no wait at all, again and again: else it would get thousands of requests. */
const LEAST_MS = 100;

/** Milliseconds; undefined when the header is absent or unreadable. */
const askedMs = (header: string | undefined, nowMs: number): number | undefined => {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header.trim()) * 1_000;
  // A date begins with its weekday. Date.parse finds a date in nearly anything: in -5, the May of 2001.
  const date = /^[A-Za-z]{3,9},/.test(header.trim()) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
};

const doubled = (ms: number, turn: number): number => Math.min(LONGEST_MS, ms * 2 ** (turn - 1));

/**
 * `turn` counts the replies of this kind from 1. Without a header the wait doubles, up to 30 s. What a header asks for
 * is taken at its word once, and from then on is no less than a wait that doubles as well.
 */
export const waitMs = (header: string | undefined, nowMs: number, turn: number): number => {
  const asked = askedMs(header, nowMs);
  if (asked === undefined) return doubled(FIRST_MS, turn);
  return turn === 1 ? asked : Math.max(asked, doubled(LEAST_MS, turn));
};
