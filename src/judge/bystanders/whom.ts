/**
 * Who the bystanders are: as they are named, else all workloads of the state before but for the target. And what has to be
 * read of now to compare them.
 */
import type { Before, Bystander, Bystanders } from "../../domain/bystander.ts";
import type { Evidence, Seen } from "../../domain/evidence.ts";
import { RESOURCES, type Resource } from "../../domain/resource.ts";
import { Collection } from "../collection.ts";
import type { Followed } from "../kind-rule.ts";
import { resourceMeant } from "../resource-meant.ts";
import { rulesOf } from "../rules.ts";
import { targetsOf, WORKLOADS } from "../targets.ts";

export interface Meant {
  readonly resource: Resource;
  readonly namespace: string | null;
  readonly name: string;
  /** What is said of it; null: the state before tells. */
  readonly said: Bystander | null;
}

type Named = Pick<Seen, "kind" | "namespace" | "name">;

export const bystandersMeant = (
  { named, before }: Bystanders,
  now: Collection,
  target: Named,
): readonly Meant[] => {
  if (named !== null) return named.map((said) => ({ ...meantBy(said, now, target), said }));
  if (before === null) return [];
  return targetsOf(collectionOf(before.evidence), EVERYTHING)
    .targets.filter((one) => !isSame(one, target))
    .map(({ group, kind, namespace, name }) => ({
      resource: WORKLOADS.find((one) => one.group === group && one.kind === kind) as Resource,
      namespace,
      name,
      said: null,
    }));
};

const EVERYTHING = { kinds: null, namespace: null, selector: null };

const isSame = (one: Named, other: Named): boolean =>
  one.kind === other.kind && one.namespace === other.namespace && one.name === other.name;

/** Whom a name means: in the target's namespace where none is told. */
export const meantBy = (
  { kind, namespace, name }: Pick<Bystander, "kind" | "namespace" | "name">,
  now: Collection,
  target: Named,
): Meant => ({
  resource: resourceMeant(kind, now, rulesOf({})),
  namespace: namespace === null ? target.namespace : namespace,
  name,
  said: null,
});

/** Workload kinds of which the state before has no list; with why, where one was asked for in vain. */
export const unreadBefore = (
  before: Before,
): { readonly failed: readonly string[]; readonly notAsked: readonly string[] } => {
  const lists = WORKLOADS.map((kind) => ({
    plural: kind.plural,
    list: collectionOf(before.evidence).everywhere(kind),
  }));
  return {
    failed: lists.flatMap(({ plural, list }) =>
      list.kind === "unreadable" ? [`${plural} of ${before.named}: ${list.why}`] : [],
    ),
    notAsked: lists.flatMap(({ plural, list }) => (list.kind === "not-asked" ? [plural] : [])),
  };
};

const made = new WeakMap<Evidence, Collection>();

/** Made once for each state. */
export const collectionOf = (evidence: Evidence): Collection => {
  const known = made.get(evidence);
  if (known !== undefined) return known;
  const collection = new Collection(evidence);
  made.set(evidence, collection);
  return collection;
};

/** What tells which Pods are its own; a kind that is not here has none that are compared (a Job's come and go). */
const PODS: Readonly<Record<string, readonly Resource[]>> = {
  Deployment: [RESOURCES.ReplicaSet, RESOURCES.Pod],
  StatefulSet: [RESOURCES.Pod],
  DaemonSet: [RESOURCES.Pod],
  ReplicaSet: [RESOURCES.Pod],
  ReplicationController: [RESOURCES.Pod],
  Pod: [RESOURCES.Pod],
};

/** undefined: its Pods are not compared. */
export const listsOfPods = ({ group, kind }: Resource): readonly Resource[] | undefined =>
  ["", "apps"].includes(group) && Object.hasOwn(PODS, kind) ? PODS[kind] : undefined;

/** Lists of now that comparing takes, each once. */
export const readsOfBystanders = (bystanders: Bystanders | null, target: Named): readonly Followed[] => {
  if (bystanders === null) return [];
  const meant = bystandersMeant(bystanders, EMPTY, target);
  const wanted = new Map<string, Followed>();
  for (const { resource, namespace } of meant)
    for (const one of new Set([resource, ...withPods(resource)]))
      wanted.set(JSON.stringify([one.group, one.plural, namespace]), {
        resource: one,
        namespace,
        name: null,
      });
  return [...wanted.values()];
};

const withPods = (resource: Resource): readonly Resource[] => {
  const lists = listsOfPods(resource);
  return lists === undefined ? [] : lists;
};

const EMPTY = new Collection({ objects: [], asked: [], at: 0 as Evidence["at"], limits: [] });
