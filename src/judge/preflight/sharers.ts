/** Who else takes something from an object of config: other workloads of its namespace, by their templates and their Pods. */
import type { Seen } from "../../domain/evidence.ts";
import { type KnownKind, RESOURCES } from "../../domain/resource.ts";
import { type Collection, controllerOf } from "../collection.ts";
import { consumptionsOf } from "../config/consumptions.ts";
import { isFinished } from "../pod.ts";
import type { Path } from "../read.ts";

const TEMPLATES: readonly (readonly [KnownKind, Path])[] = [
  ["Deployment", ["spec", "template", "spec"]],
  ["StatefulSet", ["spec", "template", "spec"]],
  ["DaemonSet", ["spec", "template", "spec"]],
  ["CronJob", ["spec", "jobTemplate", "spec", "template", "spec"]],
  ["Job", ["spec", "template", "spec"]],
  ["ReplicaSet", ["spec", "template", "spec"]],
  ["Pod", ["spec"]],
];

/** By `ConfigMap name`: the workloads, as `Deployment other`, sorted; `live` itself is left out. */
export const sharersOf = (live: Seen, collection: Collection): ReadonlyMap<string, readonly string[]> => {
  const byObject = new Map<string, Set<string>>();
  for (const [kind, podSpec] of TEMPLATES)
    for (const one of collection.seen(RESOURCES[kind], live.namespace)) {
      if (kind === "Pod" && isFinished(one)) continue;
      const top = topOf(one, collection);
      if (top.uid !== null && top.uid === live.uid) continue;
      // An old ReplicaSet is not what its Deployment runs: the Deployment's own template and its Pods tell that.
      if (kind === "ReplicaSet" && top !== one) continue;
      for (const { kind: object, name } of consumptionsOf(one, podSpec).all) {
        const key = `${object} ${name}`;
        const who = `${top.kind} ${top.name}`;
        byObject.set(key, (byObject.get(key) ?? new Set()).add(who));
      }
    }
  return new Map([...byObject].map(([key, all]) => [key, [...all].sort()]));
};

interface Top {
  readonly uid: string | null;
  readonly kind: string;
  readonly name: string;
}

/** What stands above all its owners, as far as they were read; its controller's name where that one was not. */
const topOf = (object: Seen, collection: Collection): Top => {
  let top: Top = object;
  let seen: Seen | undefined = object;
  // A Pod, its Job, its CronJob: no chain of controllers is longer.
  for (let step = 0; step < 4 && seen !== undefined; step += 1) {
    const owner = controllerOf(seen);
    if (owner === undefined) break;
    top = owner;
    seen = collection.byUid(owner.uid);
    if (seen !== undefined) top = seen;
  }
  return top;
};
