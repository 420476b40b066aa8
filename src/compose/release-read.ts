/** Reads what was recorded: no cluster is asked, and nothing is changed. */

import { EXIT } from "../domain/exit.ts";
import { resourceNamed } from "../domain/resource.ts";
import { type ReleaseDifference, releaseDifference } from "../judge/release/difference.ts";
import type { ReleaseFault, ReleaseListing, ReleaseTarget, StoredRelease } from "../ports/releases.ts";
import { type Refused, refused } from "../runtime/runtime.ts";
import { type ReleasesPlace, releasesIn } from "./releases.ts";

export interface Listed extends ReleaseListing {
  readonly kind: "listed";
  readonly place: string;
}

/** `typed`: null: of any workload. */
export const listReleases = async (
  place: ReleasesPlace,
  typed: { readonly kind: string; readonly namespace: string; readonly name: string } | null,
): Promise<Listed | Refused> => {
  const releases = releasesIn(place);
  const target = typed === null ? undefined : targetOf(typed);
  const listing = await releases.list(target);
  return "fault" in listing ? refusedFor(listing) : { kind: "listed", place: releases.place, ...listing };
};

export const oneRelease = async (
  place: ReleasesPlace,
  idOrName: string,
): Promise<(StoredRelease & { readonly kind: "read" }) | Refused> => {
  const read = await releasesIn(place).read(idOrName);
  return "fault" in read ? refusedFor(read) : { kind: "read", ...read };
};

export interface Diffed {
  readonly kind: "diffed";
  readonly was: StoredRelease & { readonly place: string };
  readonly is: StoredRelease & { readonly place: string };
  readonly difference: ReleaseDifference;
}

/** Each as it was typed: `ID`, `NAME`, or with another folder before it, as `DIR:ID`. */
export const diffReleases = async (
  place: ReleasesPlace,
  [first, second]: readonly [string, string],
): Promise<Diffed | Refused> => {
  const was = await typedRelease(place, first);
  if ("exit" in was) return was;
  const is = await typedRelease(place, second);
  if ("exit" in is) return is;
  return { kind: "diffed", was, is, difference: releaseDifference(was.release, is.release) };
};

/** No name and no id has a colon. */
const typedRelease = async (place: ReleasesPlace, typed: string): Promise<Diffed["was"] | Refused> => {
  const at = typed.lastIndexOf(":");
  const releases = releasesIn(at < 0 ? place : { ...place, releases: typed.slice(0, at) });
  const read = await releases.read(typed.slice(at + 1));
  return "fault" in read ? refusedFor(read) : { ...read, place: releases.place };
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

export const refusedFor = ({ reason, fault }: ReleaseFault): Refused =>
  refused(reason === "absent" || reason === "ambiguous" ? EXIT.usage : EXIT.broken, fault);
