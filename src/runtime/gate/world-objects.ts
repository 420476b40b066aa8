/** The objects of the healthy world: a Deployment of two Pods, all that stands around it, and the Application that brought it about. */
import { configDigest } from "../../domain/config-digest.ts";
import type { JsonObject } from "../../domain/json.ts";
import { at, uidOf } from "./world-times.ts";

/** The release that is there, and the one before. */
type Version = "v2" | "v1";

export const WEB = "web";
export const NAMESPACE = "shop";
export const SETTINGS = "web-settings-v2";
export const COMMIT: Readonly<Record<Version, string>> = {
  v2: "2a4c6e8f0b1d3f5a7c9e1b3d5f7a9c1e3b5d7f9a",
  v1: "1f0c9b2e4d6a8c0e2f4a6b8c0d2e4f6a8b0c2d4e",
};
export const IMAGE: Readonly<Record<Version, string>> = {
  v2: `sha256:${"2b".repeat(32)}`,
  v1: `sha256:${"1a".repeat(32)}`,
};

const LABELS = { app: WEB };
const HASH: Readonly<Record<Version, string>> = { v2: "7c5d9f6b48", v1: "59f8d7c6b4" };

const setName = (version: Version): string => `${WEB}-${HASH[version]}`;
const podName = (version: Version, index: number): string =>
  `${setName(version)}-${["k2x7p", "m9q4t"][index] ?? `p${index}`}`;

interface Meta {
  readonly namespace?: string;
  readonly created?: number;
  readonly owner?: readonly [apiVersion: string, kind: string, name: string];
  readonly more?: JsonObject;
}

const metadata = (kind: string, name: string, meta: Meta = {}): JsonObject => ({
  name,
  namespace: meta.namespace ?? NAMESPACE,
  uid: uidOf(kind, name),
  resourceVersion: String(1000 + (meta.created ?? 0)),
  creationTimestamp: at(meta.created ?? 0),
  ...(meta.owner === undefined ? {} : { ownerReferences: [ownerOf(meta.owner)] }),
  ...meta.more,
});

const ownerOf = ([apiVersion, kind, name]: NonNullable<Meta["owner"]>): JsonObject => ({
  apiVersion,
  kind,
  name,
  uid: uidOf(kind, name),
  controller: true,
  blockOwnerDeletion: true,
});

const podSpec = (version: Version): JsonObject => ({
  containers: [
    {
      name: WEB,
      image: `registry.example/${WEB}@${IMAGE[version]}`,
      env: [{ name: "MODE", valueFrom: { configMapKeyRef: { name: SETTINGS, key: "MODE" } } }],
      ports: [{ containerPort: 8080, protocol: "TCP" }],
      readinessProbe: { httpGet: { path: "/readyz", port: 8080, scheme: "HTTP" }, periodSeconds: 5 },
      resources: {},
    },
  ],
  dnsPolicy: "ClusterFirst",
  restartPolicy: "Always",
  securityContext: {},
  terminationGracePeriodSeconds: 30,
});

const template = (version: Version, labels: JsonObject = LABELS): JsonObject => ({
  metadata: { creationTimestamp: null, labels },
  spec: podSpec(version),
});

export const deployment = (): JsonObject => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: metadata("Deployment", WEB, {
    created: 90,
    more: { generation: 2, labels: LABELS, annotations: { "deployment.kubernetes.io/revision": "2" } },
  }),
  spec: {
    replicas: 2,
    selector: { matchLabels: LABELS },
    strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
    template: template("v2"),
    progressDeadlineSeconds: 600,
    revisionHistoryLimit: 10,
  },
  status: {
    observedGeneration: 2,
    replicas: 2,
    updatedReplicas: 2,
    readyReplicas: 2,
    availableReplicas: 2,
    conditions: [
      {
        type: "Available",
        status: "True",
        reason: "MinimumReplicasAvailable",
        message: "Deployment has minimum availability.",
        lastUpdateTime: at(120),
        lastTransitionTime: at(120),
      },
      {
        type: "Progressing",
        status: "True",
        reason: "NewReplicaSetAvailable",
        message: `ReplicaSet "${setName("v2")}" has successfully progressed.`,
        lastUpdateTime: at(650),
        lastTransitionTime: at(120),
      },
    ],
  },
});

export const replicaSet = (version: Version, pods: number): JsonObject => {
  const labels = { ...LABELS, "pod-template-hash": HASH[version] };
  return {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: metadata("ReplicaSet", setName(version), {
      created: version === "v2" ? 600 : 100,
      owner: ["apps/v1", "Deployment", WEB],
      more: {
        generation: 1,
        labels,
        annotations: { "deployment.kubernetes.io/revision": version === "v2" ? "2" : "1" },
      },
    }),
    spec: { replicas: pods, selector: { matchLabels: labels }, template: template(version, labels) },
    status: {
      replicas: pods,
      observedGeneration: 1,
      ...(pods === 0 ? {} : { fullyLabeledReplicas: pods, readyReplicas: pods, availableReplicas: pods }),
    },
  };
};

const condition = (type: string, since: number): JsonObject => ({
  type,
  status: "True",
  lastProbeTime: null,
  lastTransitionTime: at(since),
});

export const pod = (version: Version, index: number): JsonObject => {
  const created = version === "v2" ? 605 : 105;
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: metadata("Pod", podName(version, index), {
      created,
      owner: ["apps/v1", "ReplicaSet", setName(version)],
      more: { labels: { ...LABELS, "pod-template-hash": HASH[version] } },
    }),
    spec: { ...podSpec(version), nodeName: "node0" },
    status: {
      phase: "Running",
      conditions: [
        condition("PodReadyToStartContainers", created + 2),
        condition("Initialized", created),
        condition("Ready", created + 6),
        condition("ContainersReady", created + 6),
        condition("PodScheduled", created),
      ],
      hostIP: "10.77.0.10",
      podIP: `10.244.0.${(version === "v2" ? 20 : 10) + index}`,
      startTime: at(created),
      qosClass: "BestEffort",
      containerStatuses: [
        {
          name: WEB,
          image: `registry.example/${WEB}@${IMAGE[version]}`,
          imageID: `registry.example/${WEB}@${IMAGE[version]}`,
          containerID: `containerd://${version}${index}`,
          ready: true,
          started: true,
          restartCount: 0,
          state: { running: { startedAt: at(created + 3) } },
          lastState: {},
        },
      ],
    },
  };
};

export const service = (): JsonObject => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: metadata("Service", WEB, { created: 90 }),
  spec: {
    type: "ClusterIP",
    clusterIP: "10.96.0.20",
    selector: LABELS,
    ports: [{ port: 80, targetPort: 8080, protocol: "TCP" }],
  },
  status: { loadBalancer: {} },
});

export const slice = (pods: readonly JsonObject[]): JsonObject => ({
  apiVersion: "discovery.k8s.io/v1",
  kind: "EndpointSlice",
  metadata: metadata("EndpointSlice", `${WEB}-abcde`, {
    created: 91,
    owner: ["v1", "Service", WEB],
    more: {
      generation: 4,
      labels: {
        "kubernetes.io/service-name": WEB,
        "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io",
      },
    },
  }),
  addressType: "IPv4",
  ports: [{ name: "", port: 8080, protocol: "TCP" }],
  endpoints: pods.map((one) => ({
    addresses: [bearerOf(one).ip],
    conditions: { ready: true, serving: true, terminating: false },
    nodeName: "node0",
    targetRef: { kind: "Pod", namespace: NAMESPACE, name: bearerOf(one).name, uid: bearerOf(one).uid },
  })),
});

export interface Bearer {
  readonly name: string;
  readonly uid: string;
  readonly ip: string;
}

/** Which Pod it is, and at which address. */
export const bearerOf = (one: JsonObject): Bearer => {
  const { name, uid } = one["metadata"] as { readonly name: string; readonly uid: string };
  return { name, uid, ip: (one["status"] as { readonly podIP: string }).podIP };
};

const settings = (): JsonObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: metadata("ConfigMap", SETTINGS, {
    created: 595,
    more: {
      managedFields: [
        {
          manager: "argocd-controller",
          operation: "Apply",
          apiVersion: "v1",
          time: at(595),
          fieldsType: "FieldsV1",
          fieldsV1: { "f:data": { "f:MODE": {} }, "f:immutable": {} },
        },
      ],
    },
  }),
  immutable: true,
  data: { MODE: "fast" },
});

export const configMaps = (): readonly JsonObject[] => [settings()];

/** 64 hex digits. */
export const settingsDigest = (): string => String(configDigest(settings()));

export const APPLICATION = { namespace: "argocd", name: "shop" } as const;

const SOURCE = { repoURL: "https://git.example/shop.git", path: "deploy/web" };
const DESTINATION = { server: "https://kubernetes.default.svc", namespace: NAMESPACE };

export const application = (version: Version = "v2"): JsonObject => {
  const source = { ...SOURCE, targetRevision: COMMIT[version] };
  const object = (kind: string, name: string, group: JsonObject = {}): JsonObject => ({
    ...group,
    version: "v1",
    kind,
    namespace: NAMESPACE,
    name,
    status: "Synced",
  });
  return {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Application",
    metadata: metadata("Application", APPLICATION.name, {
      namespace: APPLICATION.namespace,
      more: { generation: 41 },
    }),
    spec: { project: "default", source, destination: DESTINATION, syncPolicy: { automated: {} } },
    status: {
      sync: { status: "Synced", revision: COMMIT[version], comparedTo: { source, destination: DESTINATION } },
      health: { status: "Healthy", lastTransitionTime: at(660) },
      reconciledAt: at(690),
      resourceHealthSource: "appTree",
      sourceType: "Directory",
      resources: [
        object("Deployment", WEB, { group: "apps" }),
        object("Service", WEB),
        object("ConfigMap", SETTINGS),
      ],
      operationState: {
        phase: "Succeeded",
        startedAt: at(598),
        finishedAt: at(655),
        operation: { sync: { revision: COMMIT[version] } },
        syncResult: { revision: COMMIT[version], source },
      },
    },
  };
};
