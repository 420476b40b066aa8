/** The resources that asfound knows by name, with the names that kubectl takes for them. */

export interface Resource {
  readonly group: string;
  readonly kind: string;
  /** The plural of the API's path. */
  readonly plural: string;
  /** kubectl's short names (`kubectl api-resources`). */
  readonly short: readonly string[];
}

export interface KnownResource extends Resource {
  /**
   * The version that every Kubernetes from 1.25 on serves it in, so that no server has to be asked for it. null: some
   * serve it and some do not, or in several versions.
   */
  readonly version: string | null;
  readonly namespaced: boolean;
}

const one = (groupVersion: string, kind: string, plural: string, short?: string): KnownResource => {
  const [version = "", group = ""] = groupVersion.split("/").reverse();
  return {
    group,
    version,
    kind,
    plural,
    short: short === undefined ? [] : [short],
    namespaced: true,
  };
};

const inNoNamespace = (known: KnownResource): KnownResource => ({ ...known, namespaced: false });

/** An API of its own, which some servers serve, in this version or that. */
const perhaps = (group: string, kind: string, plural: string, short?: string): KnownResource => ({
  ...one(`${group}/`, kind, plural, short),
  version: null,
});

const GATEWAY = "gateway.networking.k8s.io";

/** The one table; a contract test compares it with what a server itself says. */
export const RESOURCES = {
  Deployment: one("apps/v1", "Deployment", "deployments", "deploy"),
  StatefulSet: one("apps/v1", "StatefulSet", "statefulsets", "sts"),
  DaemonSet: one("apps/v1", "DaemonSet", "daemonsets", "ds"),
  ReplicaSet: one("apps/v1", "ReplicaSet", "replicasets", "rs"),
  ControllerRevision: one("apps/v1", "ControllerRevision", "controllerrevisions"),
  Job: one("batch/v1", "Job", "jobs"),
  CronJob: one("batch/v1", "CronJob", "cronjobs", "cj"),
  Pod: one("v1", "Pod", "pods", "po"),
  Service: one("v1", "Service", "services", "svc"),
  Endpoints: one("v1", "Endpoints", "endpoints", "ep"),
  EndpointSlice: one("discovery.k8s.io/v1", "EndpointSlice", "endpointslices"),
  Ingress: one("networking.k8s.io/v1", "Ingress", "ingresses", "ing"),
  IngressClass: inNoNamespace(one("networking.k8s.io/v1", "IngressClass", "ingressclasses")),
  NetworkPolicy: one("networking.k8s.io/v1", "NetworkPolicy", "networkpolicies", "netpol"),
  GatewayClass: inNoNamespace(perhaps(GATEWAY, "GatewayClass", "gatewayclasses", "gc")),
  Gateway: perhaps(GATEWAY, "Gateway", "gateways", "gtw"),
  HTTPRoute: perhaps(GATEWAY, "HTTPRoute", "httproutes"),
  GRPCRoute: perhaps(GATEWAY, "GRPCRoute", "grpcroutes"),
  HorizontalPodAutoscaler: one(
    "autoscaling/v2",
    "HorizontalPodAutoscaler",
    "horizontalpodautoscalers",
    "hpa",
  ),
  PodDisruptionBudget: one("policy/v1", "PodDisruptionBudget", "poddisruptionbudgets", "pdb"),
  PersistentVolumeClaim: one("v1", "PersistentVolumeClaim", "persistentvolumeclaims", "pvc"),
  PersistentVolume: inNoNamespace(one("v1", "PersistentVolume", "persistentvolumes", "pv")),
  StorageClass: inNoNamespace(one("storage.k8s.io/v1", "StorageClass", "storageclasses", "sc")),
  Event: one("v1", "Event", "events", "ev"),
  Node: inNoNamespace(one("v1", "Node", "nodes", "no")),
  Namespace: inNoNamespace(one("v1", "Namespace", "namespaces", "ns")),
  ConfigMap: one("v1", "ConfigMap", "configmaps", "cm"),
  Secret: one("v1", "Secret", "secrets"),
  ServiceAccount: one("v1", "ServiceAccount", "serviceaccounts", "sa"),
  ResourceQuota: one("v1", "ResourceQuota", "resourcequotas", "quota"),
  LimitRange: one("v1", "LimitRange", "limitranges", "limits"),
  Role: one("rbac.authorization.k8s.io/v1", "Role", "roles"),
  RoleBinding: one("rbac.authorization.k8s.io/v1", "RoleBinding", "rolebindings"),
  Application: perhaps("argoproj.io", "Application", "applications", "app"),
  ReplicationController: one("v1", "ReplicationController", "replicationcontrollers", "rc"),
} as const satisfies Readonly<Record<string, KnownResource>>;

export type KnownKind = keyof typeof RESOURCES;

/**
 * The resource that a person or a file means: its kind, plural, singular or short name, with the group after a dot where
 * it is told (`deployments.apps`). undefined: none of these.
 */
export const resourceNamed = (text: string): Resource | undefined =>
  namedAmong(Object.values(RESOURCES), text);

export const namedAmong = (resources: readonly Resource[], text: string): Resource | undefined => {
  const wanted = text.toLowerCase();
  return resources.find(({ group, kind, plural, short }) =>
    [kind.toLowerCase(), plural, ...short].some(
      (name) => wanted === name || (group !== "" && isOfGroup(wanted, name, group)),
    ),
  );
};

/** `deployments.apps`, `deployments.v1.apps`, `endpointslices.discovery.k8s.io`. */
const isOfGroup = (wanted: string, name: string, group: string): boolean =>
  wanted === `${name}.${group}` || (wanted.startsWith(`${name}.v`) && wanted.endsWith(`.${group}`));

/** Events are served by two groups, autoscalers in several versions: a known kind in an unknown group is not known. */
export const resourceOf = (group: string, kind: string): Resource | undefined => {
  const found: Resource | undefined = Object.hasOwn(RESOURCES, kind)
    ? RESOURCES[kind as KnownKind]
    : undefined;
  if (found === undefined) return undefined;
  return found.group === group || (kind === "Event" && group === "events.k8s.io") ? found : undefined;
};
