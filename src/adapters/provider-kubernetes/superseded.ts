/**
 * Versions of bound config that left the manifests. An old ReplicaSet or ControllerRevision may name one: without it a rollback
 * to that revision starts no container (k8s-25). So one is pruned only when all that could still need it was read and does
 * not name it; a question without an answer keeps it (R2).
 */
import { isJsonObject, type JsonObject } from "../../domain/json.ts";
import type { Resource } from "../../ports/cluster.ts";
import { NONE_DECLARED, referencesIn } from "../../wire/bind/references.ts";
import { isBoundConfig } from "../../wire/bind/sources.ts";
import { placeOf } from "./inventory.ts";
import { metadataOf } from "./object.ts";
import type { Reach, There } from "./reach.ts";

const of = (group: string, version: string, resource: string, kind: string): Resource => ({
  group,
  version,
  resource,
  kind,
  namespaced: true,
});

/** What has a Pod template that containers can still be made from, Deployments' and StatefulSets' history included. */
const HOLDERS: readonly Resource[] = [
  of("apps", "v1", "replicasets", "ReplicaSet"),
  of("apps", "v1", "controllerrevisions", "ControllerRevision"),
  of("", "v1", "pods", "Pod"),
  of("batch", "v1", "jobs", "Job"),
  of("batch", "v1", "cronjobs", "CronJob"),
];

export const isVersionOfConfig = ({ object }: There): boolean => isBoundConfig(object);

/** A StatefulSet's and a DaemonSet's revision has the template where they have it themselves. */
const asHolder = ({ group, version, kind }: Resource, object: JsonObject): JsonObject => {
  const apiVersion = group === "" ? version : `${group}/${version}`;
  if (kind !== "ControllerRevision") return { ...object, apiVersion, kind };
  const { data } = object;
  return {
    apiVersion,
    kind: "StatefulSet",
    spec: isJsonObject(data) && isJsonObject(data["spec"]) ? data["spec"] : {},
  };
};

/** By place, why it is kept; what is not among them may be pruned. */
export const keptForRollback = async (
  reach: Reach,
  superseded: readonly There[],
): Promise<ReadonlyMap<string, string>> => {
  const kept = new Map<string, string>();
  const namespaces = Map.groupBy(superseded, ({ ref }) => ref.namespace);
  const round = reach.cluster.round(reach.limits());
  try {
    for (const [namespace, ones] of namespaces)
      for (const resource of HOLDERS) {
        const list = { resource, namespace, labelSelector: null, fieldSelector: null };
        const read = await round.list(list, { bytes: false, writers: false });
        if (read.kind !== "observed") {
          for (const one of ones)
            if (!kept.has(placeOf(one.ref)))
              kept.set(
                placeOf(one.ref),
                `whether something still refers to it is not known: ${read.sentence}`,
              );
          continue;
        }
        for (const item of read.items) {
          const named = new Set(
            referencesIn(asHolder(resource, item), NONE_DECLARED).flatMap(({ kind, name }) =>
              kind === "ConfigMap" ? [name] : [],
            ),
          );
          const holder = `${resource.kind} ${String(metadataOf(item)["name"])}`;
          for (const one of ones)
            if (named.has(one.ref.name) && !kept.has(placeOf(one.ref)))
              kept.set(placeOf(one.ref), `${holder} refers to it`);
        }
      }
    return kept;
  } finally {
    round.end();
  }
};
