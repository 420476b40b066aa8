/** How long a server asks to wait (RFC 9110 §10.2.3): seconds, or a date. */
const FIRST_MS = 1_000;
const LONGEST_MS = 30_000;

/** Milliseconds; undefined when the header is absent or unreadable. */
const askedMs = (header: string | undefined, nowMs: number): number | undefined => {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header.trim()) * 1_000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
};

/** `turn` counts the replies of this kind from 1; without a header the wait doubles, up to 30 s. */
export const waitMs = (header: string | undefined, nowMs: number, turn: number): number =>
  askedMs(header, nowMs) ?? Math.min(LONGEST_MS, FIRST_MS * 2 ** (turn - 1));
