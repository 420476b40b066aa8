/**
 * Which revision a controller removes next, once another template has rolled out. Pure.
 *
 * Rules: beyond spec.revisionHistoryLimit the oldest go that no Pod is of. Of a Deployment's ReplicaSets the present one does
 * not count (pkg/controller/deployment, cleanupDeployment); of ControllerRevisions those that are current, that are to be,
 * or of which a Pod runs do not (pkg/controller/statefulset truncateHistory, pkg/controller/daemon cleanupHistory). The
 * API server writes 10 where the limit is not told.
 */
import type { Seen } from "../../domain/evidence.ts";
import { RESOURCES } from "../../domain/resource.ts";
import type { Collection } from "../collection.ts";
import { type Revision, revisionsIn } from "../previous-revision.ts";
import { hint, OBJECT, TEXT, WHOLE } from "../read.ts";
import { sameTemplate } from "../template.ts";

export interface NextToGo {
  /** The workload, as `Deployment web`. */
  readonly of: string;
  readonly kind: string;
  readonly name: string;
  readonly number: number;
  /** How many earlier ones are kept, and how many may be. */
  readonly kept: number;
  readonly limit: number;
}

export const nextToGo = (collection: Collection, namespace: string): readonly NextToGo[] =>
  (["Deployment", "StatefulSet", "DaemonSet"] as const).flatMap((kind) =>
    collection.seen(RESOURCES[kind], namespace).flatMap((target) => nextOf(target, collection)),
  );

const nextOf = (target: Seen, collection: Collection): readonly NextToGo[] => {
  const limit = hint(target.raw, ["spec", "revisionHistoryLimit"], WHOLE);
  const revisions = revisionsIn(target, collection);
  if (limit === undefined || revisions.kind !== "known") return [];
  const present = hint(target.raw, ["spec", "template"], OBJECT);
  const isPresent = ({ template }: Revision): boolean =>
    present !== undefined && sameTemplate(template, present);
  const earlier = revisions.value.filter((one) => !isPresent(one) && isIdle(target, one, collection));
  // The present one becomes an earlier one then.
  const then = revisions.value.filter((one) => isPresent(one) || earlier.includes(one));
  const oldest = then.at(-1);
  if (oldest === undefined || then.length <= limit) return [];
  const { object, number } = oldest;
  return [
    {
      of: `${target.kind} ${target.name}`,
      kind: object.kind,
      name: object.name,
      number,
      kept: earlier.length,
      limit,
    },
  ];
};

/** No Pod is of it. */
const isIdle = (target: Seen, { object }: Revision, collection: Collection): boolean =>
  object.kind === RESOURCES.ControllerRevision.kind
    ? !revisionsOfPods(target, collection).has(object.name)
    : [
        ["status", "replicas"],
        ["spec", "replicas"],
      ].every((path) => hint(object.raw, path, WHOLE) === 0);

/** A Pod's label holds the name of its StatefulSet's revision, or the hash that ends the name of its DaemonSet's. */
const revisionsOfPods = (target: Seen, collection: Collection): ReadonlySet<string> => {
  const pods = target.uid === null ? [] : collection.controlledBy(target.uid, RESOURCES.Pod.kind);
  return new Set(
    pods.flatMap(({ raw }) => {
      const label = hint(raw, ["metadata", "labels", "controller-revision-hash"], TEXT);
      return label === undefined ? [] : [label, `${target.name}-${label}`];
    }),
  );
};
