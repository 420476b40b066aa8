/** The cluster of one call or question, and what is read from it. A reading that failed is never an absence (R2). */
import type { JsonObject } from "../../domain/json.ts";
import type { Clock } from "../../ports/clock.ts";
import type { ObjectRef, ReadFailure, Resource } from "../../ports/cluster.ts";
import type { WritableCluster, WriteLimits } from "../../ports/cluster-writer.ts";
import type { ReadConfig } from "../../ports/config-files.ts";
import type { CallIo } from "../../ports/provider.ts";
import { MARK, nameOf } from "./inventory.ts";
import { annotation, metadataOf } from "./object.ts";
import type { KubernetesSpec } from "./spec.ts";

/** Which cluster, and as whom. */
export type Way = Pick<KubernetesSpec, "kubeconfig" | "context" | "namespace" | "allowExec">;

export type OpenWay = (way: Way, io: CallIo) => Promise<WritableCluster | { readonly fault: string }>;

export interface Parts {
  readonly clock: Clock;
  readonly readConfig: ReadConfig;
  readonly open: OpenWay;
}

export interface ClusterReach extends WritableCluster {
  readonly clock: Clock;
  /** Where namespaced objects go that name no namespace. */
  readonly namespace: string;
  /** Of the Namespace kube-system; null: it cannot be read. */
  readonly clusterUid: string | null;
  /** What is left of the deadline, by the clock that never goes backwards. */
  leftMs(): number;
  limits(): WriteLimits;
}

export interface Reach extends ClusterReach {
  readonly spec: KubernetesSpec;
  readonly readConfig: ReadConfig;
}

const KUBE_SYSTEM: ObjectRef = {
  resource: { group: "", version: "v1", resource: "namespaces", kind: "Namespace", namespaced: false },
  namespace: null,
  name: "kube-system",
};

/** `expected`: the cluster that is recorded of this incarnation; another one would show nothing of it, which is no absence. */
export const reachOf = async (
  parts: Parts,
  spec: KubernetesSpec,
  io: CallIo,
  expected: string | null,
): Promise<Reach | { readonly fault: string }> => {
  const reach = await clusterReachOf(parts, spec, io, expected);
  return "fault" in reach ? reach : { ...reach, spec, readConfig: parts.readConfig };
};

export const clusterReachOf = async (
  { clock, open }: Parts,
  way: Way,
  io: CallIo,
  expected: string | null,
): Promise<ClusterReach | { readonly fault: string }> => {
  const until = clock.monotonicMs() + io.deadlineMs;
  const leftMs = (): number => Math.max(0, until - clock.monotonicMs());
  const opened = await open(way, io);
  if ("fault" in opened) return opened;
  const limits = (): WriteLimits => ({ deadlineMs: leftMs(), stop: io.stop });
  const round = opened.cluster.round(limits());
  const read = await round.get(KUBE_SYSTEM);
  round.end();
  const clusterUid = read.kind === "observed" ? read.uid : null;
  const { server, namespace } = opened.cluster.facts;
  if (expected !== null && expected !== clusterUid) {
    opened.cluster.close();
    const why =
      clusterUid === null
        ? `whether ${server} is the cluster in which this step was made cannot be told, as the uid of its Namespace kube-system could not be read`
        : `${server} is another cluster than the one in which this step was made (its kube-system has another uid)`;
    return { fault: `${why}; what it shows says nothing of this step` };
  }
  return { ...opened, clock, namespace, clusterUid, leftMs, limits };
};

export interface There {
  readonly ref: ObjectRef;
  readonly object: JsonObject;
  readonly uid: string;
  readonly resourceVersion: string;
  /** The owner mark that it carries; null: none. */
  readonly mark: string | null;
  readonly leaving: boolean;
}

export type Look =
  | { readonly kind: "there"; readonly there: There }
  | { readonly kind: "absent"; readonly ref: ObjectRef };

const thereOf = (ref: ObjectRef, object: JsonObject, uid: string, resourceVersion: string): There => ({
  ref,
  object,
  uid,
  resourceVersion,
  mark: annotation(object, MARK),
  leaving: metadataOf(object)["deletionTimestamp"] !== undefined,
});

/** Each object, in order, or the first reading that failed. */
export const lookAt = async (
  reach: ClusterReach,
  refs: readonly ObjectRef[],
): Promise<{ readonly looks: readonly Look[] } | ReadFailure> => {
  const round = reach.cluster.round(reach.limits());
  try {
    const readings = await Promise.all(refs.map((ref) => round.get(ref)));
    const looks: Look[] = [];
    for (const [index, reading] of readings.entries()) {
      const ref = refs[index];
      if (ref === undefined) continue;
      if (reading.kind === "absent") looks.push({ kind: "absent", ref });
      else if (reading.kind !== "observed") {
        if (reading.reason !== "no-such-resource" || !(await isUnserved(reach, ref))) return reading;
        looks.push({ kind: "absent", ref });
      } else {
        const { object, uid, resourceVersion } = reading;
        if (uid === null || resourceVersion === null) {
          const sentence = `${nameOf(ref)} was read without a uid or resourceVersion`;
          return { ...reading, kind: "failed", reason: "wrong-kind", sentence, missing: null };
        }
        looks.push({ kind: "there", there: thereOf(ref, object, uid, resourceVersion) });
      }
    }
    return { looks };
  } finally {
    round.end();
  }
};

export const found = (looks: readonly Look[]): readonly There[] =>
  looks.flatMap((look) => (look.kind === "there" ? [look.there] : []));

export const wordOf = ({ group, version, kind }: Pick<Resource, "group" | "version" | "kind">): string =>
  group === "" ? kind : `${kind}.${version}.${group}`;

/** What a server that told all it serves does not serve does not exist. */
const isUnserved = async (reach: ClusterReach, { resource }: ObjectRef): Promise<boolean> => {
  const round = reach.cluster.round(reach.limits());
  try {
    return (await round.find(wordOf(resource))).kind === "unknown";
  } finally {
    round.end();
  }
};

/** `Deployment shop/web is being deleted, held by example.com/hold` */
export const leavingText = ({ ref, object }: There): string => {
  const { finalizers } = metadataOf(object);
  const held = Array.isArray(finalizers) && finalizers.length > 0 ? `, held by ${finalizers.join(", ")}` : "";
  return `${nameOf(ref)} is being deleted${held}`;
};
