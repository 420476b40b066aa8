/** Where a recorded release becomes what is expected of a workload. No cluster is asked, and nothing is changed. */

import { EXIT } from "../domain/exit.ts";
import { type ExpectedRelease, releaseText } from "../domain/expected-release.ts";
import { iso } from "../domain/ids.ts";
import type { Question } from "../domain/question.ts";
import type { Release } from "../domain/release.ts";
import { resourceNamed } from "../domain/resource.ts";
import { valueAt } from "../judge/read.ts";
import { type Refused, refused } from "../runtime/runtime.ts";
import { expectationOf } from "../wire/releases/expectation.ts";
import { refusedFor } from "./release-read.ts";
import { type ReleasesPlace, releasesIn } from "./releases.ts";

/** The workload as a person named it. */
export interface NamedWorkload {
  readonly kind: string;
  /** null: not told. */
  readonly namespace: string | null;
  readonly name: string;
}

export interface Expecting {
  readonly kind: "expecting";
  /** Of the release's own workload. */
  readonly target: { readonly kind: string; readonly namespace: string; readonly name: string };
  readonly expected: Pick<Question["expected"], "images" | "injected" | "config" | "release">;
  /** null: nobody told of which commit it is. */
  readonly commit: string | null;
}

/** `workload`: null: that of the release. A release of another one is refused. */
export const expectRelease = async (
  place: ReleasesPlace,
  idOrName: string,
  workload: NamedWorkload | null,
): Promise<Expecting | Refused> => {
  const releases = releasesIn(place);
  const read = await releases.read(idOrName, targetOf(workload));
  if ("fault" in read) return refusedFor(read);
  const { release } = read;
  const { target, source } = release;
  const other = workload === null ? null : otherWorkload(release, workload);
  if (other !== null) return refused(EXIT.usage, other);
  const { images, injected, config, notCounted, limits } = expectationOf(release);
  return {
    kind: "expecting",
    target: { kind: `${target.kind}.${target.group}`, namespace: target.namespace, name: target.name },
    expected: {
      images,
      injected,
      config,
      release: {
        text: releaseText(release),
        uid: target.uid,
        cluster: release.cluster,
        template: release.template,
        removed: standing(release),
        revision: release.revision,
        notCounted,
        limits: [trustOf(release, releases.place), ...limits],
      },
    },
    commit: source === null ? null : source.commit,
  };
};

/** Names are unique for one workload; where it is not told which, a name has to mean one of all. */
const targetOf = (workload: NamedWorkload | null) => {
  if (workload === null || workload.namespace === null) return undefined;
  const resource = resourceNamed(workload.kind);
  return resource === undefined
    ? undefined
    : { group: resource.group, kind: resource.kind, namespace: workload.namespace, name: workload.name };
};

const otherWorkload = (release: Release, { kind, namespace, name }: NamedWorkload): string | null => {
  const { target } = release;
  const resource = resourceNamed(kind);
  const isIts =
    resource?.kind === target.kind &&
    resource.group === target.group &&
    name === target.name &&
    (namespace === null || namespace === target.namespace);
  return isIts
    ? null
    : `${releaseText(release)} is of ${target.kind} ${target.namespace}/${target.name}, and not of ${kind} ${namespace === null ? "" : `${namespace}/`}${name}; name a release of this workload`;
};

/** As they stand in the template. */
const standing = (release: Release): ExpectedRelease["removed"] =>
  new Set(
    [...release.removed.keys()].flatMap((pointer) => {
      const path = pointer
        .split("/")
        .slice(1)
        .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
        .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
      const value = valueAt(release.template, path);
      return typeof value === "string" ? [value] : [];
    }),
  );

const trustOf = (release: Release, place: string): string => {
  const { source, target } = release;
  const commit = source === null ? "" : `, made from commit ${source.commit} as whoever recorded it said`;
  return `what is expected is ${releaseText(release)} of ${target.kind} ${target.namespace}/${target.name}, proven at ${iso(release.provenAt)}${commit}; its files in ${place} agree with their SHA256SUMS, and that nobody rewrote both is this host's word (T0)`;
};
