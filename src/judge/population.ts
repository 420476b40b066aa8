/**
 * The Pods of a workload as three sets that never mix (O2): those of the template that is to run, those of another one,
 * and those of which it is not known; each with its terminating ones told apart. Membership is by owner UID, never by
 * name or label alone.
 */
import type { Seen } from "../domain/evidence.ts";
import { isActive, isFinished, isReady, isTerminating } from "./pod.ts";

export interface Population {
  /** Of the template that is to run. */
  readonly fresh: readonly Seen[];
  readonly old: readonly Seen[];
  /** Pods that may be this workload's, with why that is not known. */
  readonly unknown: readonly { readonly pod: Seen; readonly why: string }[];
  /** What a version is called where the two differ (`v2`, `revision 4`); null: they cannot be told apart by a name. */
  readonly freshVersion: string | null;
  readonly oldVersions: readonly string[];
}

export interface Standing {
  readonly active: readonly Seen[];
  readonly ready: readonly Seen[];
  readonly terminating: readonly Seen[];
}

/** Finished Pods run nothing, so they stand nowhere. */
export const standing = (pods: readonly Seen[]): Standing => {
  const active = pods.filter(isActive);
  return {
    active,
    ready: active.filter(isReady),
    terminating: pods.filter((pod) => isTerminating(pod) && !isFinished(pod)),
  };
};
