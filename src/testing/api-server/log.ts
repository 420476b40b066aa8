/** The server's own memory of what it was asked and what it did. Tests believe this, never our readings. */
import type { Verb } from "./asked.ts";
import type { ApiEffect } from "./change.ts";

export interface ApiLogEntry {
  /** From 1, in order of arrival. */
  readonly n: number;
  /** Milliseconds since 1970, by the server's clock. */
  readonly at: number;
  readonly verb: Verb;
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly resource: string | null;
  /** null: nobody was let in. */
  readonly user: string | null;
  /** The names of the faults that it met. */
  readonly faults: readonly string[];
  readonly effect: ApiEffect | null;
  /** In what form the client takes it; null: it does not say. */
  readonly accept: string | null;
  /** What encodings the client takes; null: it does not say. */
  readonly acceptEncoding: string | null;
  /** null: no status was sent. */
  readonly status: number | null;
}

/** Being written while the request is handled. */
export type OpenApiEntry = { -readonly [K in keyof ApiLogEntry]: ApiLogEntry[K] };
