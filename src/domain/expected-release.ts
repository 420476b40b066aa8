/** A recorded release as what is expected of a workload: that it is this one again, by `as-released` and beside it. */
import type { ClaimName } from "./claim.ts";
import type { JsonObject } from "./json.ts";
import type { Release, ReleaseCluster } from "./release.ts";

export interface ExpectedRelease {
  /** `release v1 (rel_…)`. */
  readonly text: string;
  /** Of the workload that it was recorded of. */
  readonly uid: string;
  readonly cluster: ReleaseCluster;
  /** `spec.template`, less what is never written. */
  readonly template: JsonObject;
  /** What stands in `template` for a value that was removed, each as it stands there. */
  readonly removed: ReadonlySet<string>;
  /** What held this template in the cluster; null: it is not known. */
  readonly revision: Release["revision"];
  /** Judged, and not counted: the record itself says that they cannot be shown. */
  readonly notCounted: readonly ClaimName[];
  /** What the record does not expect or tell, each a sentence. */
  readonly limits: readonly string[];
}

/** How a release is named in a sentence. */
export const releaseText = ({ name, id }: Pick<Release, "name" | "id">): string =>
  `release ${name === null ? id : `${name} (${id})`}`;
