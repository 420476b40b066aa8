/**
 * A release: what was deployed and found proven, as the one unit that is rolled back to (DESIGN §3). It is recorded once and
 * never written over (E1). What E5 keeps out of every file (values of Secrets, literals of env) is kept out of it too: a keyed
 * digest stands in their place, so that a change is seen and the value is not.
 */
import type { Instant } from "./ids.ts";
import type { JsonObject } from "./json.ts";

/** A ConfigMap or Secret as the release's containers were given it. */
export interface ReleasedConfig {
  readonly kind: "ConfigMap" | "Secret";
  readonly name: string;
  /** null: the server gave none. Names are not content: another UID is another object (C4). */
  readonly uid: string | null;
  readonly resourceVersion: string | null;
  readonly immutable: boolean;
  /** The object's digest (C3), in hex; of a Secret keyed with the store's own key (C6). */
  readonly digest: string;
  /** By key: of its exact bytes (C3); of a Secret keyed. */
  readonly keys: ReadonlyMap<string, string>;
  /** The exact bytes by key; null for a Secret, whose values are never stored. */
  readonly content: ReadonlyMap<string, Uint8Array> | null;
}

/**
 * What the template names and the release does not hold: `not-asked`, a Secret that nobody asked to be read; `absent`, it
 * was not there, and the container starts without it (optional).
 */
export interface UnheldConfig {
  readonly kind: "ConfigMap" | "Secret";
  readonly name: string;
  readonly reason: "not-asked" | "absent";
}

export interface ReleasedImage {
  readonly container: string;
  /** As the template declares it. */
  readonly image: string;
  /** `sha256:…` as it ran, each once, in order; several where a tag moved. */
  readonly digests: readonly string[];
}

export interface ReleaseCluster {
  /** Its address; null: nothing says it (saved files). */
  readonly server: string | null;
  /** Of the Namespace kube-system; null: it was not read. */
  readonly uid: string | null;
}

/** The workload that a release is of. */
export interface ReleaseSubject {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly generation: number;
}

export interface Release {
  /** `rel_` + UUIDv7. */
  readonly id: string;
  /** As the person named it, unique for its target in its cluster; null: not named. */
  readonly name: string | null;
  /** When it was found proven, by the clock that its verdict was judged by. */
  readonly provenAt: Instant;
  readonly cluster: ReleaseCluster;
  readonly target: ReleaseSubject;
  /** `spec.template`, less what is never written. */
  readonly template: JsonObject;
  /** Pointers into `template` at which something was removed, each with its keyed digest. Empty: the template is whole. */
  readonly removed: ReadonlyMap<string, string>;
  /**
   * SHA-256 over the canonical JSON (RFC 8785) of `template` as it stands here: of a whole one that is the server's own. A
   * plain digest over removed literals could be tried with guesses.
   */
  readonly templateDigest: string;
  /** The ReplicaSet or ControllerRevision that holds this template in the cluster; null: it was not found (a limit says why). */
  readonly revision: {
    readonly kind: string;
    readonly name: string;
    readonly uid: string;
    readonly number: number | null;
  } | null;
  readonly images: readonly ReleasedImage[];
  /** Containers that its Pods ran and its template does not have: something adds them. */
  readonly injected: readonly string[];
  readonly config: readonly ReleasedConfig[];
  readonly unheld: readonly UnheldConfig[];
  /** Names the key of the keyed digests, without telling it; null: it has none. Digests of two keys tell nothing of each other. */
  readonly keyId: string | null;
  /** As the person told it, or the repository it ran in; null: not told. */
  readonly source: { readonly commit: string; readonly tree: string | null } | null;
  /** What no rollback brings back (Y5), each a sentence of the person's. */
  readonly irreversible: readonly string[];
  /** What the record does not tell, each a sentence. */
  readonly limits: readonly string[];
  /** SHA-256 of the VerdictReport (canonical JSON) that found it proven, which is kept beside it. */
  readonly verdict: string;
}
