/** The cloud's own memory of what it was asked and what it did. Tests and the demo believe this, never our ledger. */
import type { Verb } from "./fault.ts";
import type { Effect } from "./things.ts";

export interface LogEntry {
  /** From 1, in order of arrival. */
  readonly n: number;
  /** Milliseconds since 1970, by the cloud's clock. */
  readonly at: number;
  readonly verb: Verb | "other";
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly kind: string | null;
  /** From Idempotency-Key, else `key`, else `labels["asfound-key"]` of the body. */
  readonly key: string | null;
  readonly ifMatch: string | null;
  /** Whether the first reply to this key was given again. */
  readonly replayed: boolean;
  /** The names of the faults that this call met. */
  readonly faults: readonly string[];
  /** What it changed; a late effect joins when it happens. */
  readonly effects: readonly Effect[];
  /** null: no status was sent (cut, hanging, or still at work). */
  readonly status: number | null;
}

/** Being written while the request is handled. */
export type OpenEntry = { -readonly [K in keyof LogEntry]: LogEntry[K] };
