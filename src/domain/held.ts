/**
 * What was seen of config beyond what the objects say of themselves (DESIGN §9, L2 and L4), as evidence: objects of kinds of
 * their own, as recorded answers are, so that a judge cites their fields, and without one of them has nothing (V1).
 */
import type { Cited, Seen } from "./evidence.ts";
import type { JsonObject } from "./json.ts";

export const HELD = { group: "asfound.dev", version: "v1alpha1", kind: "HeldConfig" } as const;
export const READ_FILE = { group: "asfound.dev", version: "v1alpha1", kind: "ReadFile" } as const;

/**
 * L2: all that the recorder (`asfound watch`) knows of one content of one object: from `from` to `to` it held exactly this,
 * and the recorder was not blind in between. Times are RFC 3339 by the API server's clock. Blind intervals are those that no
 * such record covers.
 */
export interface HeldConfig {
  readonly kind: "ConfigMap" | "Secret";
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly immutable: boolean;
  /** The object's digest (C3); null for a Secret, of which only `resourceVersion` tells a change (C6). */
  readonly sha256: string | null;
  /** By key; null for a Secret. */
  readonly keys: Readonly<Record<string, string>> | null;
  readonly from: string;
  readonly to: string;
}

/** L4: a file of one running container, read there with the person's consent, or reported by the process itself. */
export interface ReadFile {
  readonly pod: { readonly namespace: string; readonly name: string; readonly uid: string };
  readonly container: string;
  /** Of the start that was running when it was read: `containerd://…`. */
  readonly containerId: string;
  /** The path in the container. */
  readonly path: string;
  /** Of the file's exact bytes; null: there is no such file. */
  readonly sha256: string | null;
  /** When it was read, RFC 3339, by the API server's clock. */
  readonly at: string;
}

/** `name` tells records of one reading apart. */
export const seenHeld = (raw: JsonObject, name: string, source: Cited): Seen => ({
  ...HELD,
  namespace: null,
  name,
  uid: null,
  raw,
  source,
});

export const seenReadFile = (raw: JsonObject, name: string, source: Cited): Seen => ({
  ...READ_FILE,
  namespace: null,
  name,
  uid: null,
  raw,
  source,
});
