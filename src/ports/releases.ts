/**
 * Where releases are kept: append-only, so nothing that was recorded is ever written over or made shorter (E1). What was
 * altered, cut short or left unfinished is said, and never taken for a release; a store that cannot be read is a fault,
 * never an empty one.
 *
 * Every adapter passes `test/contract/releases.ts`.
 */
import type { JsonObject } from "../domain/json.ts";
import type { Release, ReleaseCluster, ReleaseSubject } from "../domain/release.ts";

/** A workload by its name. */
export interface ReleaseTarget extends Pick<ReleaseSubject, "group" | "kind" | "namespace" | "name"> {
  /** Left out or null: in whichever cluster. */
  readonly cluster?: ReleaseCluster | null;
}

/** The key of a store's keyed digests (C6). Whoever has its bytes can try values. */
export interface ReleaseKey {
  /** Names it without telling it. */
  readonly id: string;
  readonly bytes: Uint8Array;
}

export type FoundKey =
  | { readonly kind: "key"; readonly key: ReleaseKey }
  | { readonly kind: "absent" }
  /** One sentence with the way out. */
  | { readonly kind: "fault"; readonly fault: string };

export interface StoredRelease {
  readonly release: Release;
  /** The VerdictReport that found it proven. */
  readonly report: JsonObject;
}

export interface ReleaseListing {
  /** In the order of their ids: the one that was recorded last is the last. */
  readonly releases: readonly StoredRelease[];
  /** Those that are not as they were recorded, each with a sentence that names the file. */
  readonly altered: readonly { readonly id: string; readonly fault: string }[];
  /** What a recording that died left: never a release. Paths within the store. */
  readonly unfinished: readonly string[];
}

/** Why a release cannot be had. */
export interface ReleaseFault {
  readonly reason: "absent" | "ambiguous" | "altered" | "unreadable";
  /** One sentence. */
  readonly fault: string;
}

export type Recorded =
  | { readonly kind: "recorded" }
  /** The same release is there already, and the new record says nothing beyond it. */
  | { readonly kind: "already"; readonly release: Release }
  /** Another release of this target has the name. */
  | { readonly kind: "name-taken"; readonly release: Release }
  /** Nothing was recorded. A clause. */
  | { readonly kind: "fault"; readonly fault: string };

export interface Releases {
  /** As the person named it. */
  readonly place: string;
  /** `create`: makes one where there is none. One that is lost is never replaced unsaid: ids tell keys apart. */
  key(options: { readonly create: boolean }): Promise<FoundKey>;
  /** All or nothing, whatever dies in between. Two at once do not mix. */
  record(stored: StoredRelease): Promise<Recorded>;
  /** Every release of the target; left out: of every one. */
  list(target?: ReleaseTarget): Promise<ReleaseListing | ReleaseFault>;
  /** By id, or by a name that means one release of the target. */
  read(idOrName: string, target?: ReleaseTarget): Promise<StoredRelease | ReleaseFault>;
}
