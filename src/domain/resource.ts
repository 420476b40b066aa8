/** The resources of Kubernetes that asfound knows by name, with the names that kubectl takes for them. */

export interface Resource {
  readonly group: string;
  readonly kind: string;
  /** The plural of the API's path. */
  readonly plural: string;
  /** kubectl's short names (`kubectl api-resources`). */
  readonly short: readonly string[];
}

const one = (group: string, kind: string, plural: string, ...short: readonly string[]): Resource => ({
  group,
  kind,
  plural,
  short,
});

export const RESOURCES = {
  Deployment: one("apps", "Deployment", "deployments", "deploy"),
  StatefulSet: one("apps", "StatefulSet", "statefulsets", "sts"),
  DaemonSet: one("apps", "DaemonSet", "daemonsets", "ds"),
  ReplicaSet: one("apps", "ReplicaSet", "replicasets", "rs"),
  ControllerRevision: one("apps", "ControllerRevision", "controllerrevisions"),
  Job: one("batch", "Job", "jobs"),
  CronJob: one("batch", "CronJob", "cronjobs", "cj"),
  Pod: one("", "Pod", "pods", "po"),
  Service: one("", "Service", "services", "svc"),
  EndpointSlice: one("discovery.k8s.io", "EndpointSlice", "endpointslices"),
  HorizontalPodAutoscaler: one("autoscaling", "HorizontalPodAutoscaler", "horizontalpodautoscalers", "hpa"),
  PodDisruptionBudget: one("policy", "PodDisruptionBudget", "poddisruptionbudgets", "pdb"),
  PersistentVolumeClaim: one("", "PersistentVolumeClaim", "persistentvolumeclaims", "pvc"),
  Event: one("", "Event", "events", "ev"),
  Node: one("", "Node", "nodes", "no"),
  ConfigMap: one("", "ConfigMap", "configmaps", "cm"),
} as const satisfies Readonly<Record<string, Resource>>;

export type KnownKind = keyof typeof RESOURCES;

/**
 * The resource that a person or a file means: its kind, plural, singular or short name, with the group after a dot where
 * it is told (`deployments.apps`). undefined: none of these.
 */
export const resourceNamed = (text: string): Resource | undefined => {
  const wanted = text.toLowerCase();
  return Object.values<Resource>(RESOURCES).find(({ group, kind, plural, short }) =>
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
