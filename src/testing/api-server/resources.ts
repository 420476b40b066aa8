/** Which resources a fake API server serves. Written down from Kubernetes' own API, not from what asfound believes of it. */

export interface ServedResource {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly namespaced: boolean;
}

const served = (
  groupVersion: string,
  kind: string,
  resource: string,
  shortNames: readonly string[] = [],
  namespaced = true,
): ServedResource => {
  const cut = groupVersion.lastIndexOf("/");
  return {
    group: groupVersion.slice(0, Math.max(0, cut)),
    version: groupVersion.slice(cut + 1),
    resource,
    kind,
    singular: kind.toLowerCase(),
    shortNames,
    namespaced,
  };
};

/** What `kubectl api-resources` prints of these, in the order in which a server names its groups. */
export const USUAL_RESOURCES: readonly ServedResource[] = [
  served("v1", "ConfigMap", "configmaps", ["cm"]),
  served("v1", "Event", "events", ["ev"]),
  served("v1", "Namespace", "namespaces", ["ns"], false),
  served("v1", "Node", "nodes", ["no"], false),
  served("v1", "PersistentVolumeClaim", "persistentvolumeclaims", ["pvc"]),
  served("v1", "PersistentVolume", "persistentvolumes", ["pv"], false),
  served("v1", "Pod", "pods", ["po"]),
  served("v1", "Secret", "secrets"),
  served("v1", "Service", "services", ["svc"]),
  served("apps/v1", "ControllerRevision", "controllerrevisions"),
  served("apps/v1", "DaemonSet", "daemonsets", ["ds"]),
  served("apps/v1", "Deployment", "deployments", ["deploy"]),
  served("apps/v1", "ReplicaSet", "replicasets", ["rs"]),
  served("apps/v1", "StatefulSet", "statefulsets", ["sts"]),
  served("events.k8s.io/v1", "Event", "events", ["ev"]),
  served("autoscaling/v2", "HorizontalPodAutoscaler", "horizontalpodautoscalers", ["hpa"]),
  served("autoscaling/v1", "HorizontalPodAutoscaler", "horizontalpodautoscalers", ["hpa"]),
  served("batch/v1", "CronJob", "cronjobs", ["cj"]),
  served("batch/v1", "Job", "jobs"),
  served("networking.k8s.io/v1", "Ingress", "ingresses", ["ing"]),
  served("networking.k8s.io/v1", "IngressClass", "ingressclasses", [], false),
  served("policy/v1", "PodDisruptionBudget", "poddisruptionbudgets", ["pdb"]),
  served("discovery.k8s.io/v1", "EndpointSlice", "endpointslices"),
  served("gateway.networking.k8s.io/v1", "GatewayClass", "gatewayclasses", ["gc"], false),
  served("gateway.networking.k8s.io/v1", "Gateway", "gateways", ["gtw"]),
  served("gateway.networking.k8s.io/v1", "GRPCRoute", "grpcroutes"),
  served("gateway.networking.k8s.io/v1", "HTTPRoute", "httproutes"),
  served("storage.k8s.io/v1", "StorageClass", "storageclasses", ["sc"], false),
  served("argoproj.io/v1alpha1", "Application", "applications", ["app", "apps"]),
  served("example.com/v1", "Widget", "widgets", ["wd"]),
  served("example.com/v1beta1", "Widget", "widgets", ["wd"]),
  served("example.com/v1", "Site", "sites", [], false),
];

export const groupVersionOf = ({ group, version }: ServedResource): string =>
  group === "" ? version : `${group}/${version}`;
