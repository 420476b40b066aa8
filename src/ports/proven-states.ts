/**
 * What asfound itself recorded of objects that it found proven, where a person asked it to (`--proven DIR`). Nothing in it is
 * ever written over (E1).
 */
import type { StateKey } from "../domain/difference.ts";
import type { Instant } from "../domain/ids.ts";
import type { JsonObject } from "../domain/json.ts";

export interface ProvenState {
  /** When it was proven, by the clock that its verdict was judged by. */
  readonly at: Instant;
  /** null: it did not say. */
  readonly uid: string | null;
  /** Less what is never written (E5). */
  readonly object: JsonObject;
  /** The file's name. */
  readonly name: string;
}

export interface ProvenStates {
  /** The one of this object that was recorded last; null: there is none. A last one that cannot be read is a fault, and no older stands for it. */
  last(key: StateKey): ProvenState | { readonly name: string; readonly fault: string } | null;
  /** Makes a new file. The fault is a clause. */
  keep(key: StateKey, record: JsonObject): Promise<{ readonly fault: string } | undefined>;
}
