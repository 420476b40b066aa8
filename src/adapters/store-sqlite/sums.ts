/**
 * Sums of the rows that are in no chain: stacks, steps, operations, and which ledger it is. They tell damage (a bit that
 * flipped, a page that is foreign or old, a row that is gone), not somebody who computes them again: neither would the chain
 * (trust tier T0, E3).
 */
import { sha256Hex } from "../../wire/digest.ts";

/**
 * The first 32 bits of SHA-256 of the fields as texts with a NUL between them; null is an empty text. A CRC would do, but
 * loading `node:zlib` loads Node's streams, and a question has no time for that (ADR 0017).
 */
export const sumOf = (...fields: readonly (string | number | null)[]): number =>
  Number.parseInt(sha256Hex(fields.join("\0")).slice(0, 8), 16);

/** All rows of one kind that a stack has. It stands in the stack's row, so that one that is missing or old shows. */
export interface Total {
  readonly rows: number;
  /** Of the rows' sums, modulo 2^32. */
  readonly sum: number;
}

export const NO_ROWS: Total = { rows: 0, sum: 0 };

/** One row more, less, or another: `before` and `after` are its sums, undefined where there is no such row. */
export const replacedIn = (
  { rows, sum }: Total,
  before: number | undefined,
  after: number | undefined,
): Total => ({
  rows: rows - (before === undefined ? 0 : 1) + (after === undefined ? 0 : 1),
  sum: (sum - (before === undefined ? 0 : before) + (after === undefined ? 0 : after)) >>> 0,
});

/** What is wrong with the rows that were read, as a clause; null when they are all of them. */
export const totalFault = (due: Total, found: Total, what: string): string | null => {
  if (found.rows !== due.rows) return `it has ${due.rows} ${what}, and ${found.rows} are there`;
  return found.sum === due.sum ? null : `one or more of its ${what} are as they were before, not as they are`;
};
