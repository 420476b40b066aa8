/** A step's `with` for `uses: http`, after `parse.ts` has checked it. See docs/guide/http-provider.md. */
import type { JsonObject, JsonValue } from "../../domain/json.ts";

export type Headers = { readonly [name: string]: string };

/** Where an id stands in a reply. */
export type IdAt = { readonly pointer: string } | { readonly header: "location" };

/** Output name → JSON pointer. */
export type OutputsAt = { readonly [name: string]: string };

/** What every request says. */
export interface RequestSpec {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  /** null: no body. */
  readonly body: JsonValue;
}

/** How accepted work is followed. */
export interface PollSpec {
  /** null: the Location of the 202. */
  readonly path: string | null;
  readonly pointer: string;
  readonly done: readonly string[];
  readonly failed: readonly string[];
  readonly everyMs: number;
  readonly id: string | null;
  readonly outputs: OutputsAt;
}

/** A request that changes something. */
export interface CallSpec extends RequestSpec {
  /** The statuses below 300 that mean it was taken on. */
  readonly expect: readonly number[];
  readonly outputs: OutputsAt;
  readonly poll: PollSpec | null;
  readonly owes: readonly string[];
}

export interface CreateSpec extends CallSpec {
  /** null: the reply names none; `observe.find` does. */
  readonly id: IdAt | null;
  /** Where an error reply names the object that it left behind; null: an id in an error is not believed. */
  readonly idInError: string | null;
}

export interface ChangeSpec extends CallSpec {
  /** Send If-Match with the ETag of a GET just before. */
  readonly ifMatch: boolean;
}

export type NextAt =
  | { readonly by: "none" }
  | { readonly by: "link" }
  | { readonly by: "url"; readonly pointer: string }
  | { readonly by: "token"; readonly pointer: string; readonly query: string };

export interface FindSpec {
  readonly path: string;
  readonly headers: Headers;
  readonly items: string;
  readonly id: string;
  /** Pointer in an item → what must stand there, exactly. */
  readonly match: { readonly [pointer: string]: JsonValue };
  readonly next: NextAt;
}

export interface ReadySpec {
  readonly pointer: string;
  readonly is: readonly string[];
  readonly pending: readonly string[];
  readonly failed: readonly string[];
  /** Still listed, but no longer there. */
  readonly gone: readonly string[];
}

export interface ObserveSpec {
  readonly get: { readonly path: string; readonly headers: Headers } | null;
  readonly find: FindSpec | null;
  /** Where the object stands in the reply to `get`. */
  readonly object: string;
  readonly outputs: OutputsAt;
  /** Pointer in the object → the declared value. */
  readonly asDeclared: JsonObject;
  readonly ready: ReadySpec | null;
}

export interface KeySpec {
  readonly header: string | null;
  readonly body: string | null;
}

export interface HttpSpec {
  /** Empty: paths are whole URLs. */
  readonly base: string;
  readonly headers: Headers;
  /** A file of PEM certificates to trust instead of the usual ones. */
  readonly ca: string | null;
  readonly key: KeySpec;
  readonly create: CreateSpec | null;
  readonly observe: ObserveSpec | null;
  readonly update: ChangeSpec | null;
  readonly destroy: ChangeSpec | null;
  readonly compensate: CallSpec | null;
  readonly owed: CallSpec | null;
}
