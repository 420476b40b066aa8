/**
 * What a sweep judges: the objects of some kinds that a selector takes in. Of all workload kinds, what is controlled by an
 * object that is judged itself is left to it (a Pod to its ReplicaSet, that to its Deployment), so that nothing is counted
 * twice and nothing falls between.
 *
 * Laws: a kind whose list was not answered leaves the sweep open, by its name (R2, V5); nothing selected proves nothing.
 */
import type { Seen } from "../domain/evidence.ts";
import type { LabelSelector } from "../domain/label-selector.ts";
import { matchesLabels } from "../domain/label-selector.ts";
import { RESOURCES, type Resource } from "../domain/resource.ts";
import { type Collection, controllerOf } from "./collection.ts";
import { hint, WHOLE } from "./read.ts";
import { labelsOf } from "./selector.ts";

/** In the order in which they are listed. */
export const WORKLOADS: readonly Resource[] = [
  RESOURCES.Deployment,
  RESOURCES.StatefulSet,
  RESOURCES.DaemonSet,
  RESOURCES.ReplicaSet,
  RESOURCES.CronJob,
  RESOURCES.Job,
  RESOURCES.Pod,
];

export interface Selection {
  /** null: all workload kinds. */
  readonly kinds: readonly Resource[] | null;
  /** null: all namespaces. */
  readonly namespace: string | null;
  readonly selector: LabelSelector | null;
}

export interface Targets {
  readonly targets: readonly Seen[];
  /** Kinds that were not read, each a clause that names it and says why. */
  readonly unread: readonly string[];
  /** How many were left to what controls them. */
  readonly left: number;
}

export const targetsOf = (collection: Collection, selection: Selection): Targets => {
  const kinds = selection.kinds ?? WORKLOADS;
  const unread: string[] = [];
  const selected: Seen[] = [];
  for (const kind of kinds) {
    const list =
      selection.namespace === null ? collection.everywhere(kind) : collection.list(kind, selection.namespace);
    if (list.kind === "known") selected.push(...selectedOf(collection, kind, selection));
    else unread.push(unreadText(kind, selection.namespace, list.kind === "unreadable" ? list.why : null));
  }
  if (selection.kinds !== null) return { targets: selected, unread, left: 0 };
  const uids = new Set(selected.map(({ uid }) => uid));
  const targets = selected.filter((one) => {
    const owner = controllerOf(one);
    return owner === undefined || !uids.has(owner.uid);
  });
  return { targets, unread, left: selected.length - targets.length };
};

const selectedOf = (
  collection: Collection,
  { group, kind }: Resource,
  { namespace, selector }: Selection,
): readonly Seen[] =>
  collection
    .ofKind(group, kind)
    // What is in no namespace is in every selection's reach.
    .filter((one) => namespace === null || one.namespace === namespace || one.namespace === null)
    .filter((one) => selector === null || matchesLabels(selector, labelsOf(one.raw, "metadata", "labels")));

const unreadText = ({ plural }: Resource, namespace: string | null, why: string | null): string => {
  const where = namespace === null ? "of all namespaces" : `of namespace ${namespace}`;
  return why === null ? `${plural} ${where} were not asked for` : `${plural} ${where}: ${why}`;
};

/** V5: its spec asks for none, so there is nothing that could be shown of it. */
export const isScaledToZero = ({ raw }: Seen): boolean => hint(raw, ["spec", "replicas"], WHOLE) === 0;
