/** What the target's template takes from ConfigMaps and Secrets, object by object. */
import type { ConfigKind } from "../../domain/config.ts";
import type { Seen } from "../../domain/evidence.ts";
import type { Known } from "../../domain/known.ts";
import { RESOURCES } from "../../domain/resource.ts";
import { type Consumption, consumptionsOf } from "../config/consumptions.ts";
import type { Checking } from "./checking.ts";
import type { Given } from "./given.ts";

export interface Need {
  readonly kind: ConfigKind;
  readonly name: string;
  /** Every way by which something of it reaches a container. */
  readonly by: readonly Consumption[];
  /** The containers start without it. */
  readonly optional: boolean;
  /** null: whatever keys it has. */
  readonly keys: readonly string[] | null;
  readonly source: Known<Seen>;
}

/** What the API server itself puts in is left out. Sorted, so that sentences are the same in any order (V2). */
export const needsOf = (given: Given, checking: Checking): readonly Need[] | undefined => {
  const { target, live, collection } = given;
  const read = consumptionsOf(target.holder, [...target.path, "spec"]);
  for (const fault of read.faults) checking.miss(fault);
  for (const what of read.untraceable) checking.limit(`what asfound cannot follow: ${what}`);
  if (read.faults.length > 0) return undefined;
  const byObject = Map.groupBy(
    read.all.filter(({ isServiceAccount }) => !isServiceAccount),
    ({ kind, name }) => `${kind}/${name}`,
  );
  for (const one of read.all) checking.cite(target.holder, one.path);
  return [...byObject.keys()].sort().map((key) => {
    const by = byObject.get(key) as readonly Consumption[];
    const [{ kind, name }] = by as [Consumption];
    const keys = by.some((one) => one.keys === null)
      ? null
      : [...new Set(by.flatMap((one) => (one.keys === null ? [] : one.keys)))].sort();
    return {
      kind,
      name,
      by,
      optional: by.every(({ optional }) => optional),
      keys,
      source: collection.object(RESOURCES[kind], live.namespace, name),
    };
  });
};
