/**
 * The Pods of a workload as three sets that never mix (O2): those of the template that is to run, those of another one,
 * and those of which it is not known; each with its terminating ones told apart. Membership is by owner UID, never by
 * name or label alone.
 */
import type { Seen } from "../domain/evidence.ts";
import { RESOURCES } from "../domain/resource.ts";
import type { Case } from "./case.ts";
import { controllerOf, type Owner } from "./collection.ts";
import type { Found, Inquiry } from "./inquiry.ts";
import { isActive, isFinished, isReady, isTerminating } from "./pod.ts";
import { hint, OBJECT, type Path } from "./read.ts";
import { labelsOf, selects } from "./selector.ts";
import { counted, quoted } from "./words.ts";

export interface Population {
  /** Of the template that is to run. */
  readonly fresh: readonly Seen[];
  readonly old: readonly Seen[];
  /** Of another template on purpose: below a StatefulSet's partition. */
  readonly held: readonly Seen[];
  /** Pods that may be this workload's, with why that is not known. */
  readonly unknown: readonly Stranger[];
  /** What a version is called where the two differ (`v2`, `revision 4`); null: they cannot be told apart by a name. */
  readonly freshVersion: string | null;
  readonly oldVersions: readonly string[];
}

/** Several claims look at the same Pods: they are found once for each case. */
export const oncePerCase = (
  find: (given: Case) => Population | undefined,
): ((given: Case) => Population | undefined) => {
  const found = new WeakMap<Case, Population | undefined>();
  return (given) => {
    if (!found.has(given)) found.set(given, find(given));
    return found.get(given);
  };
};

export interface Stranger {
  readonly pod: Seen;
  readonly why: string;
}

/**
 * Pods that the workload's selector takes in and that it does not control, as far as they may be its own all the same.
 * `whyOwned`: what is not known of a Pod with this controller; null: it is somebody else's.
 */
export const strangersOf = (
  { target, collection }: Case,
  whyOwned: (owner: Owner) => string | null,
  selectorAt: Path = ["spec", "selector"],
): readonly Stranger[] => {
  const selector = hint(target.raw, selectorAt, OBJECT);
  if (selector === undefined) return [];
  return collection.doubtfulPods(target.namespace).flatMap((pod) => {
    if (isFinished(pod) || selects(selector, labelsOf(pod.raw, "metadata", "labels")) === false) return [];
    const owner = controllerOf(pod);
    const why =
      owner === undefined ? "has no controller, and its labels are those of this workload" : whyOwned(owner);
    return why === null ? [] : [{ pod, why }];
  });
};

/** For kinds that control their Pods themselves: one of the same name and another UID was an earlier incarnation. */
export const ofNamesake =
  ({ target }: Case) =>
  (owner: Owner): string | null =>
    owner.kind === target.kind && owner.name === target.name && owner.uid !== target.uid
      ? `is of an earlier ${target.kind} of this name (UID ${quoted(owner.uid)})`
      : null;

/** Counters that say "complete" while the Pods, all of which were read, say otherwise (V8). */
export const contradictedByIdentities = (
  inquiry: Inquiry,
  { target, collection }: Case,
  population: Population | undefined,
  wanted: number,
): Found | undefined => {
  const pods = collection.list(RESOURCES.Pod, target.namespace);
  if (population === undefined || pods.kind !== "known") return undefined;
  const fresh = population.fresh.filter(isActive).length;
  const others = population.old.filter(isActive).length + population.unknown.length;
  if (others === 0 || fresh >= wanted) return undefined;
  return inquiry.undetermined(
    "contradiction",
    `the counters say that the rollout is complete, and beside ${counted(fresh, "Pod")} of the new template ${others} others run`,
  );
};

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
