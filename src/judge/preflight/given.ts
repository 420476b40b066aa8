/** What a preflight is made over. */
import type { Seen } from "../../domain/evidence.ts";
import type { Instant } from "../../domain/ids.ts";
import type { JsonObject } from "../../domain/json.ts";
import type { Release } from "../../domain/release.ts";
import type { CheckName } from "../../domain/rollback.ts";
import type { Collection } from "../collection.ts";
import type { Revision } from "../previous-revision.ts";
import type { Path } from "../read.ts";

/** Of one object of config: C3, in hex; of a Secret keyed with the store's key (C6). */
export interface ContentDigests {
  readonly digest: string;
  readonly keys: ReadonlyMap<string, string>;
}

/** Digests are computed outside: judging is pure, and a Secret's needs a key. */
export interface Digests {
  /** null: its content cannot be read as the API has it, or there is no key for it. */
  config(object: Seen): ContentDigests | null;
  /** As `Release.templateDigest`; null: it has no canonical form. */
  template(template: JsonObject): string | null;
}

/** What the person asked for, and takes upon themself. */
export interface Means {
  /** Config that is not as the release had it is written from the release's bytes. */
  readonly restoreConfig: boolean;
  readonly accepted: ReadonlySet<CheckName>;
}

/** What is rolled back to. */
export interface RollbackTarget {
  /** `release v1 (rel_…)`, `revision 3 (ReplicaSet web-5f)`. */
  readonly text: string;
  /** null: nobody recorded one; what the cluster keeps of it is a template. */
  readonly release: Release | null;
  /** What keeps the template in the cluster; null: nothing does any more. */
  readonly revision: Revision | null;
  /** Whole. */
  readonly template: JsonObject;
  /** Where the template stands, to be cited. */
  readonly holder: Seen;
  readonly path: Path;
}

export interface Given {
  /** The workload as it is now. */
  readonly live: Seen;
  readonly target: RollbackTarget;
  readonly collection: Collection;
  readonly at: Instant;
  readonly digests: Digests;
  readonly means: Means;
}
