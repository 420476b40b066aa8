/**
 * Whether a node's kubelet may still hand out an object that is gone, in place of the one that has its name now (C4).
 *
 * Rule: a kubelet keeps what its Pods refer to, and no longer watches what was immutable; as long as one Pod of the node
 * refers to the name, a container that starts there is given the object that was kept, also if it was deleted and made again
 * since (kubernetes.io/docs, "Immutable ConfigMaps"; seen on a real cluster, test/e2e/config.test.ts). What is gone does not
 * tell whether it was immutable. So a Pod of the same node that refers to the name and is older than the object leaves open
 * what a later start was given. Pods that are gone as well leave no trace.
 */
import type { ConfigKind } from "../../domain/config.ts";
import type { Seen } from "../../domain/evidence.ts";
import type { Instant } from "../../domain/ids.ts";
import { RESOURCES } from "../../domain/resource.ts";
import type { Collection } from "../collection.ts";
import { oncePerNamespace } from "../once-per-namespace.ts";
import { createdAt } from "../pod.ts";
import { hint, TEXT } from "../read.ts";
import { quoted } from "../words.ts";
import { consumptionsOf } from "./consumptions.ts";
import type { Moment } from "./moment.ts";

interface Holder {
  readonly pod: Seen;
  /** undefined: it does not say. */
  readonly created: Instant | undefined;
}

/** What a Pod's fields do not tell of may be any object. */
const ANYTHING = "*";

const keyOf = (node: string, name: string): string => `${node}\u0000${name}`;
const objectKey = (kind: ConfigKind, name: string): string => `${kind}/${name}`;

const holdersIn = oncePerNamespace((collection: Collection, namespace: string | null) => {
  // Of each the oldest: whether one is older than an object is all that is asked, and once for every reference.
  const holders = new Map<string, Holder>();
  for (const pod of collection.seen(RESOURCES.Pod, namespace)) {
    const node = nodeOf(pod);
    if (node === undefined) continue;
    const { all, faults } = consumptionsOf(pod, ["spec"]);
    const names = new Set(all.map(({ kind, name }) => objectKey(kind, name)));
    if (faults.length > 0) names.add(ANYTHING);
    for (const name of names) {
      const key = keyOf(node, name);
      const there = holders.get(key);
      const holder = { pod, created: createdAt(pod) };
      if (there === undefined || isOlder(holder, there)) holders.set(key, holder);
    }
  }
  return holders;
});

/** One that does not say when it was made may be older than all. */
const isOlder = (a: Holder, b: Holder): boolean =>
  b.created !== undefined && (a.created === undefined || a.created < b.created);

const nodeOf = ({ raw }: Seen): string | undefined => hint(raw, ["spec", "nodeName"], TEXT);

/**
 * Why a start may have been given an object that is gone, in place of the one that was made then; undefined: no Pod that was
 * listed says so. `made` undefined: when it was made is not known.
 */
export const keptByNode = (
  { collection, pod, consumption, object }: Pick<Moment, "collection" | "pod" | "consumption" | "object">,
  made: Instant | undefined,
): { readonly reason: string; readonly why: string } | undefined => {
  const node = nodeOf(pod);
  if (node === undefined) return { reason: "no-node", why: "the Pod does not say on which node it runs" };
  if (collection.list(RESOURCES.Pod, pod.namespace).kind !== "known")
    return {
      reason: "pods-not-read",
      why: "which other Pods of its node refer to the object was not read",
    };
  const holders = holdersIn(collection, object.namespace);
  const all = [objectKey(consumption.kind, object.name), ANYTHING].flatMap((name) => {
    const oldest = holders.get(keyOf(node, name));
    return oldest === undefined ? [] : [oldest];
  });
  const holder = all.find(({ created }) => made === undefined || created === undefined || created < made);
  if (holder === undefined) return undefined;
  return {
    reason: "node-may-keep-another",
    why: `${holder.pod === pod ? "this Pod" : `Pod ${quoted(holder.pod.name)} of the same node`} is older than the object of this name; if the one before was immutable, the node's kubelet may still hand that out`,
  };
};
