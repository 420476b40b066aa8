/** Where a workload that is proven, live or as saved files, meets the place that keeps releases. */
import { resolve } from "node:path";
import { headOf } from "../adapters/repo-git/head.ts";
import { savedEvidence } from "../adapters/system/saved-evidence.ts";
import { EXIT } from "../domain/exit.ts";
import type { Question } from "../domain/question.ts";
import type { Release } from "../domain/release.ts";
import { RESOURCES } from "../domain/resource.ts";
import type { Releases } from "../ports/releases.ts";
import { lookedOf, recordQuestion, releaseOf, type Told } from "../runtime/release-record.ts";
import { liveRelease, type MadeRelease, type Recording } from "../runtime/release-record-live.ts";
import { isRefused, type Refused, refused } from "../runtime/runtime.ts";
import type { VerdictReport } from "../runtime/verify.ts";
import type { StackFaults } from "./place.ts";
import { newReleaseId, type ReleasesPlace, releasesIn } from "./releases.ts";
import type { Saved } from "./verify.ts";
import { asking, type Live } from "./verify-cluster.ts";

export interface Wanted {
  readonly target: Pick<Question, "kind" | "namespace" | "name">;
  readonly name: string | null;
  /** `head`: of the working folder. */
  readonly source: Release["source"] | "head";
  readonly irreversible: readonly string[];
  readonly secrets: boolean;
}

export type Kept =
  | {
      readonly kind: "kept";
      readonly release: Release;
      /** It was there already. */
      readonly already: boolean;
      readonly place: string;
      /** What a person has to know of the store, each a sentence. */
      readonly notes: readonly string[];
    }
  | { readonly kind: "not-proven"; readonly report: VerdictReport };

export const recordLive = async (
  live: Live,
  place: ReleasesPlace,
  wanted: Wanted,
  windowMs: number | null,
): Promise<Kept | Refused> => {
  const opened = await openedFor(place, wanted);
  if (isRefused(opened)) return opened;
  const { recording } = opened;
  const made = await asking(live, recordQuestion(wanted.target, wanted.secrets), (options) =>
    liveRelease(options, { ...recording, secrets: wanted.secrets, windowMs }, live.reporter),
  );
  return isRefused(made) ? made : keep(opened, made);
};

export const recordSaved = async (
  saved: Omit<Saved, "baseline">,
  place: ReleasesPlace,
  wanted: Wanted,
): Promise<Kept | Refused | StackFaults> => {
  const { from, at, cwd } = saved;
  const collected = await savedEvidence({ path: resolve(cwd, from), named: from, at }).collect();
  if ("faults" in collected) return { kind: "faults", faults: collected.faults };
  const opened = await openedFor(place, wanted);
  if (isRefused(opened)) return opened;
  const looked = lookedOf(collected, recordQuestion(wanted.target, wanted.secrets));
  const { report, collection, server } = looked;
  if (report.verdict !== "proven") return { kind: "not-proven", report };
  const { recording } = opened;
  const { told } = recording;
  const made = releaseOf(looked, {
    ...recording,
    told: { ...told, limits: [...told.limits, FROM_FILES] },
    cluster: { server, uid: null },
    secrets: wanted.secrets
      ? (name) => collection.object(RESOURCES.Secret, report.target.namespace, name)
      : null,
  });
  return keep(
    opened,
    "fault" in made ? { kind: "fault", fault: made.fault } : { kind: "release", stored: made },
  );
};

const FROM_FILES =
  "recorded from saved files: whether what is in them was read at one moment, or changed since, nobody looked at again";

interface Opened {
  readonly releases: Releases;
  readonly recording: Pick<Recording, "id" | "told" | "key">;
  readonly notes: readonly string[];
}

/** Whether it can be kept is better known before a cluster is asked. */
const openedFor = async (place: ReleasesPlace, wanted: Wanted): Promise<Opened | Refused> => {
  const told = await toldBy(place, wanted);
  if (isRefused(told)) return told;
  const releases = releasesIn(place);
  const before = await releases.key({ create: false });
  const found = before.kind === "absent" ? await releases.key({ create: true }) : before;
  if (found.kind !== "key")
    return refused(
      EXIT.notDurable,
      `nothing was recorded: ${found.kind === "fault" ? found.fault : "the key of the releases is gone again"}`,
    );
  const { key } = found;
  const listing = await releases.list();
  if ("fault" in listing) return refused(EXIT.notDurable, `nothing was recorded: ${listing.fault}`);
  const ofOthers = listing.releases.filter(
    ({ release: { keyId } }) => keyId !== null && keyId !== key.id,
  ).length;
  return {
    releases,
    recording: { id: newReleaseId(), told, key },
    notes: [
      ...(ofOthers === 0
        ? []
        : [
            `the key in ${releases.place} is not the one of ${ofOthers} ${ofOthers === 1 ? "release" : "releases"} there: their Secrets and removed values cannot be compared with this one's`,
          ]),
      ...listing.unfinished.map(
        (path) =>
          `${releases.place}/${path} is what a recording that ended early left: no release; it can be removed`,
      ),
    ],
  };
};

const toldBy = async (place: ReleasesPlace, wanted: Wanted): Promise<Told | Refused> => {
  const { name, source, irreversible } = wanted;
  if (source !== "head") return { name, source, irreversible, limits: [] };
  const head = await headOf(place.cwd, place.environment);
  if ("fault" in head) return refused(EXIT.usage, `nothing was recorded: ${head.fault}`);
  const limits = [
    "the commit is the one that the working folder was at: whether what was deployed was made from it is the person's word",
  ];
  return { name, source: head, irreversible, limits };
};

const keep = async ({ releases, notes }: Opened, made: MadeRelease): Promise<Kept | Refused> => {
  if (made.kind === "not-proven") return made;
  if (made.kind === "fault") return refused(EXIT.refused, `nothing was recorded: ${made.fault}`);
  const { release } = made.stored;
  const { place } = releases;
  const done = await releases.record(made.stored);
  switch (done.kind) {
    case "recorded":
      return { kind: "kept", release, already: false, place, notes };
    case "already":
      return { kind: "kept", release: done.release, already: true, place, notes };
    case "name-taken":
      return refused(
        EXIT.refused,
        `nothing was recorded: ${done.release.name} is what another release of it is called (${done.release.id}); a recorded one is never written over, so choose another name`,
      );
    case "fault":
      return refused(EXIT.notDurable, `nothing was recorded in ${place}: ${done.fault}`);
  }
};
