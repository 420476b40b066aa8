/** The config of a workload's Pods: every reference of every container's last start, traced. */
import type { Seen } from "../../domain/evidence.ts";
import type { Instant } from "../../domain/ids.ts";
import type { Collection } from "../collection.ts";
import { isFinished } from "../pod.ts";
import { consumptionsOf } from "./consumptions.ts";
import { type Traced, trace } from "./loaded.ts";

export interface Tracing {
  readonly traced: readonly Traced[];
  readonly untraceable: readonly string[];
  readonly faults: readonly string[];
}

/** What the API server itself puts into every Pod is traced too, and told apart (`isServiceAccount`). */
export const tracePods = (pods: readonly Seen[], collection: Collection, at: Instant): Tracing => {
  const traced: Traced[] = [];
  const untraceable = new Set<string>();
  const faults = new Set<string>();
  for (const pod of pods) {
    if (isFinished(pod)) continue;
    const read = consumptionsOf(pod, ["spec"]);
    for (const one of read.untraceable) untraceable.add(one);
    for (const one of read.faults) faults.add(one);
    for (const consumption of read.all) traced.push(trace(pod, consumption, collection, at));
  }
  return { traced, untraceable: [...untraceable], faults: [...faults] };
};
