/**
 * The revision before this one, as far as the cluster keeps it: the newest of the workload's own ReplicaSets or
 * ControllerRevisions whose template is not the present one. It holds the Pod template and nothing else, and that it was
 * there does not say that it ever worked.
 *
 * Rules: pkg/controller/deployment/util (revisions of ReplicaSets); pkg/controller/history, and the patches of
 * pkg/controller/statefulset and daemon, which hold `spec.template` with a `$patch` beside it.
 */
import type { Seen } from "../domain/evidence.ts";
import type { JsonObject } from "../domain/json.ts";
import type { Known } from "../domain/known.ts";
import { absent, known, notAsked } from "../domain/known.ts";
import { RESOURCES, type Resource } from "../domain/resource.ts";
import type { Collection } from "./collection.ts";
import { hint, OBJECT, type Path, TEXT, WHOLE } from "./read.ts";
import { sameTemplate, withoutHash } from "./template.ts";

export interface Revision {
  readonly object: Seen;
  readonly number: number;
  readonly template: JsonObject;
}

/** What keeps a kind's revisions; undefined: nothing does. */
export const revisionsOf = (target: Pick<Seen, "group" | "kind">): Resource | undefined => {
  if (target.group !== RESOURCES.Deployment.group) return undefined;
  if (target.kind === RESOURCES.Deployment.kind) return RESOURCES.ReplicaSet;
  const own = [RESOURCES.StatefulSet.kind, RESOURCES.DaemonSet.kind].includes(target.kind);
  return own ? RESOURCES.ControllerRevision : undefined;
};

/** All that this incarnation keeps, the present one among them. `not-asked`: they were not read, or the kind has none. */
export const revisionsIn = (target: Seen, collection: Collection): Known<readonly Revision[]> => {
  const resource = revisionsOf(target);
  if (resource === undefined || target.uid === null) return notAsked;
  const list = collection.list(resource, target.namespace);
  if (list.kind !== "known") return list;
  return known(
    collection
      .controlledBy(target.uid, resource.kind)
      .flatMap((object) => revisionIn(object, resource))
      .sort((a, b) => b.number - a.number || (a.object.name < b.object.name ? -1 : 1)),
  );
};

/** `absent`: all were read, and there is no other. `not-asked`: they were not, or the kind has none. */
export const previousRevision = (target: Seen, collection: Collection): Known<Revision> => {
  const template = hint(target.raw, ["spec", "template"], OBJECT);
  if (template === undefined) return notAsked;
  const all = revisionsIn(target, collection);
  if (all.kind !== "known") return all;
  const others = all.value.filter((one) => !sameTemplate(one.template, template));
  const [newest] = others;
  return newest === undefined ? absent : known(newest);
};

/** Of what keeps a revision: all that says whose it is, which one, and what it holds. */
export const revisionPaths = ({ kind }: Pick<Seen, "kind">): readonly Path[] => [
  ["metadata", "uid"],
  ["metadata", "ownerReferences"],
  ...(kind === RESOURCES.ReplicaSet.kind
    ? [
        ["metadata", "annotations", "deployment.kubernetes.io/revision"],
        ["spec", "template"],
      ]
    : [["revision"], ["data", "spec", "template"]]),
];

const revisionIn = (object: Seen, resource: Resource): readonly Revision[] => {
  const { raw } = object;
  if (resource === RESOURCES.ReplicaSet) {
    const text = hint(raw, ["metadata", "annotations", "deployment.kubernetes.io/revision"], TEXT);
    const template = hint(raw, ["spec", "template"], OBJECT);
    const number = text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
    if (template === undefined || number === undefined) return [];
    return [{ object, number, template: withoutHash(template) as JsonObject }];
  }
  const number = hint(raw, ["revision"], WHOLE);
  const patch = hint(raw, ["data", "spec", "template"], OBJECT);
  if (number === undefined || patch === undefined) return [];
  const { $patch: _, ...template } = patch;
  return [{ object, number, template }];
};
