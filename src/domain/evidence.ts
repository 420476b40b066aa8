/**
 * Evidence as judges see it: objects, each with where it was read, and what was asked. Whoever collects it (saved files,
 * a live cluster) hands in exactly this; a judge never sees anything else (V2).
 *
 * An object that is in no list proves nothing by its absence unless its resource was asked for as a whole: `asked` tells
 * "asked and empty" from "not asked" (V5).
 */
import type { Instant } from "./ids.ts";
import type { JsonObject } from "./json.ts";

/** A place inside one reading: which reading, and an RFC 6901 pointer into it (empty: all of it). */
export interface Cited {
  /** The reading's id: an `ev_…`, or the file's path for saved files. */
  readonly evidence: string;
  readonly pointer: string;
}

/** As it is printed: `pods.json#/items/0/status/phase`. */
export const citation = ({ evidence, pointer }: Cited): string => `${evidence}#${pointer}`;

/** One object of a cluster as it was read; nothing is dropped, defaulted or converted. */
export interface Seen {
  /** `apps`; empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** null for what has none. */
  readonly namespace: string | null;
  readonly name: string;
  /** null: it was not there, so which incarnation this is cannot be known. */
  readonly uid: string | null;
  readonly raw: JsonObject;
  readonly source: Cited;
}

/** One question to the API, and whether it was answered. */
export interface Asked {
  readonly group: string;
  /** The plural of the API's path: `pods`. */
  readonly resource: string;
  /** Which namespaces the question covered. */
  readonly namespaces: "all" | readonly string[];
  /** null: all of them (a LIST that no selector narrowed, and read to its end); else one object by its name (a GET). */
  readonly name: string | null;
  readonly answer: Answer;
  /** The reading as a whole. */
  readonly source: Cited;
}

export type Answer =
  /** All that there was is among the objects. */
  | { readonly kind: "observed" }
  /** A GET of one name that was answered with 404. */
  | { readonly kind: "absent" }
  /** No answer (R2): nothing follows from it. `why` is a sentence. */
  | { readonly kind: "denied" | "failed" | "timed-out"; readonly why: string };

export interface Evidence {
  readonly objects: readonly Seen[];
  readonly asked: readonly Asked[];
  /** The time at which it is judged: ages count from here, never from the time of judging (V2). */
  readonly at: Instant;
  /** What limits all of it, each a sentence: how the time was found, what was left out. */
  readonly limits: readonly string[];
}

/** An object that changed while it was read among many. */
export interface Unsteady {
  readonly group: string;
  readonly kind: string;
  readonly namespace: string | null;
  readonly name: string;
  /** true: what was read of it is not of one state, so nothing is judged; false: only its status went on. */
  readonly whole: boolean;
  /** A clause. */
  readonly says: string;
}
