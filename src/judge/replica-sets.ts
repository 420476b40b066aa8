/** A Deployment's ReplicaSets by owner UID: the one of its template, and the others; and through them its Pods (O2). */
import type { Seen } from "../domain/evidence.ts";
import { RESOURCES } from "../domain/resource.ts";
import type { Case } from "./case.ts";
import { controllerOf } from "./collection.ts";
import { oncePerNamespace } from "./once-per-namespace.ts";
import { createdAt } from "./pod.ts";
import { ofNamesake, oncePerCase, type Population, strangersOf } from "./population.ts";
import { hint, OBJECT } from "./read.ts";
import { sameTemplate } from "./template.ts";
import { ofSet, versionsOf } from "./version.ts";
import { quoted } from "./words.ts";

export interface ReplicaSets {
  /** The one whose Pods this rollout is about; null: none of those that were read. */
  readonly fresh: Seen | null;
  readonly old: readonly Seen[];
}

/** undefined: the Deployment does not say enough of itself. */
export const replicaSetsOf = ({ target, collection }: Case): ReplicaSets | undefined => {
  const template = hint(target.raw, ["spec", "template"], OBJECT);
  if (target.uid === null || template === undefined) return undefined;
  const owned = collection.controlledBy(target.uid, RESOURCES.ReplicaSet.kind);
  const equal = owned.filter((set) => {
    const its = hint(set.raw, ["spec", "template"], OBJECT);
    return its !== undefined && sameTemplate(its, template);
  });
  const fresh = [...equal].sort(byAge)[0];
  return { fresh: fresh === undefined ? null : fresh, old: owned.filter((set) => set !== fresh) };
};

/** The oldest first, then by name: the order in which the controller looks. */
const byAge = (a: Seen, b: Seen): number => {
  const [first, second] = [createdAt(a), createdAt(b)];
  if (first !== undefined && second !== undefined && first !== second) return first - second;
  return a.name < b.name ? -1 : 1;
};

export const deploymentPods = oncePerCase((given) => {
  const sets = replicaSetsOf(given);
  if (sets === undefined) return undefined;
  const { fresh, old } = sets;
  const podsOf = (set: Seen) => (set.uid === null ? [] : given.collection.controlledBy(set.uid, "Pod"));
  return {
    fresh: fresh === null ? [] : podsOf(fresh),
    old: old.flatMap(podsOf),
    held: [],
    unknown: strangers(given, [...(fresh === null ? [] : [fresh]), ...old]),
    ...versionsOf(
      fresh === null ? null : ofSet(fresh),
      old.filter((set) => podsOf(set).length > 0).map(ofSet),
    ),
  };
});

const setOwnersIn = oncePerNamespace(
  (collection, namespace) =>
    new Map(collection.seen(RESOURCES.ReplicaSet, namespace).map((set) => [set.uid, controllerOf(set)])),
);

/** Pods of ReplicaSets that were not read, that nobody controls, or that an earlier Deployment of this name made. */
const strangers = (given: Case, sets: readonly Seen[]): Population["unknown"] => {
  const { target, collection } = given;
  const own = new Set(sets.map(({ uid }) => uid));
  const known = setOwnersIn(collection, target.namespace);
  return strangersOf(given, (owner) => {
    if (own.has(owner.uid) || owner.kind !== "ReplicaSet") return null;
    if (!known.has(owner.uid))
      return `is controlled by ReplicaSet ${quoted(owner.name)}, which is not among those that were read`;
    const above = known.get(owner.uid);
    return above === undefined
      ? `is of ReplicaSet ${quoted(owner.name)}, which no Deployment controls`
      : ofNamesake(given)(above);
  });
};
