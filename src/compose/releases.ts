/** Where releases are kept: the folder that the person named, else ASFOUND_RELEASES, else one in the working folder. */
import { join, resolve } from "node:path";
import { systemClock } from "../adapters/system/clock.ts";
import { systemIds } from "../adapters/system/ids.ts";
import { openReleases } from "../adapters/system/releases.ts";
import type { Releases } from "../ports/releases.ts";

export interface ReleasesPlace {
  /** As the person gave it; null: not given. */
  readonly releases: string | null;
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const USUAL = join(".asfound", "releases");

/** Nothing is read or made yet. */
export const releasesIn = ({ releases, cwd, environment }: ReleasesPlace): Releases => {
  const told = environment["ASFOUND_RELEASES"];
  const named = releases !== null ? releases : told === undefined || told === "" ? USUAL : told;
  return openReleases(resolve(cwd, named), named);
};

const ids = systemIds(systemClock);

export const newReleaseId = (): string => `rel_${ids.uuid()}`;
