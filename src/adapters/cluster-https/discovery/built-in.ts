/**
 * Kinds that every Kubernetes from 1.25 on serves in this version and that kubectl prefers over others of that name.
 * Knowing them saves the question what the server serves, which is a large answer; a server that does not serve one
 * says so when it is asked for it. A contract test compares this with what a server itself says.
 */
import type { Entry } from "./catalogue.ts";

type Row = readonly [kind: string, resource: string, shortNames: string, scope?: "cluster"];

const ROWS: Readonly<Record<string, readonly Row[]>> = {
  v1: [
    ["ConfigMap", "configmaps", "cm"],
    ["Endpoints", "endpoints", "ep"],
    ["Event", "events", "ev"],
    ["LimitRange", "limitranges", "limits"],
    ["Namespace", "namespaces", "ns", "cluster"],
    ["Node", "nodes", "no", "cluster"],
    ["PersistentVolumeClaim", "persistentvolumeclaims", "pvc"],
    ["PersistentVolume", "persistentvolumes", "pv", "cluster"],
    ["Pod", "pods", "po"],
    ["ReplicationController", "replicationcontrollers", "rc"],
    ["ResourceQuota", "resourcequotas", "quota"],
    ["Secret", "secrets", ""],
    ["ServiceAccount", "serviceaccounts", "sa"],
    ["Service", "services", "svc"],
  ],
  "apps/v1": [
    ["ControllerRevision", "controllerrevisions", ""],
    ["DaemonSet", "daemonsets", "ds"],
    ["Deployment", "deployments", "deploy"],
    ["ReplicaSet", "replicasets", "rs"],
    ["StatefulSet", "statefulsets", "sts"],
  ],
  "autoscaling/v2": [["HorizontalPodAutoscaler", "horizontalpodautoscalers", "hpa"]],
  "batch/v1": [
    ["CronJob", "cronjobs", "cj"],
    ["Job", "jobs", ""],
  ],
  "discovery.k8s.io/v1": [["EndpointSlice", "endpointslices", ""]],
  "networking.k8s.io/v1": [
    ["Ingress", "ingresses", "ing"],
    ["IngressClass", "ingressclasses", "", "cluster"],
    ["NetworkPolicy", "networkpolicies", "netpol"],
  ],
  "policy/v1": [["PodDisruptionBudget", "poddisruptionbudgets", "pdb"]],
};

export const BUILT_IN: readonly Entry[] = Object.entries(ROWS).flatMap(([groupVersion, rows]) => {
  const [group, version] = groupVersion.includes("/") ? groupVersion.split("/") : ["", groupVersion];
  return rows.map(([kind, resource, short, scope]) => ({
    resource: {
      group: group as string,
      version: version as string,
      resource,
      kind,
      namespaced: scope === undefined,
    },
    singular: kind.toLowerCase(),
    shortNames: short === "" ? [] : [short],
  }));
});
