/** Reads what was recorded: no cluster is asked, and nothing is changed. */

import { EXIT } from "../domain/exit.ts";
import { resourceNamed } from "../domain/resource.ts";
import type { ReleaseFault, ReleaseListing, ReleaseTarget, StoredRelease } from "../ports/releases.ts";
import { type Refused, refused } from "../runtime/runtime.ts";
import { type ReleasesPlace, releasesIn } from "./releases.ts";

export interface Listed extends ReleaseListing {
  readonly kind: "listed";
  readonly place: string;
}

export const listReleases = async (
  place: ReleasesPlace,
  typed: { readonly kind: string; readonly namespace: string; readonly name: string } | null,
): Promise<Listed | Refused> => {
  const releases = releasesIn(place);
  const target = typed === null ? undefined : targetOf(typed);
  const listing = await releases.list(target);
  return "fault" in listing ? refusedFor(listing) : { kind: "listed", place: releases.place, ...listing };
};

/** `typed`: null: of any workload. */
export const oneRelease = async (
  place: ReleasesPlace,
  idOrName: string,
): Promise<(StoredRelease & { readonly kind: "read" }) | Refused> => {
  const read = await releasesIn(place).read(idOrName);
  return "fault" in read ? refusedFor(read) : { kind: "read", ...read };
};

/** A kind that is not known by name is taken as it is written: nothing was recorded of it. */
const targetOf = ({
  kind,
  namespace,
  name,
}: {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}): ReleaseTarget => {
  const resource = resourceNamed(kind);
  return resource === undefined
    ? { group: "", kind, namespace, name }
    : { group: resource.group, kind: resource.kind, namespace, name };
};

const refusedFor = ({ reason, fault }: ReleaseFault): Refused =>
  refused(reason === "absent" || reason === "ambiguous" ? EXIT.usage : EXIT.broken, fault);
