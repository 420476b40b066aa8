/**
 * A Deployment with its ReplicaSets, Pods, Service and EndpointSlice, in any state of a rollout: what is written in status
 * follows from the Pods as the controllers do it, and any field can be changed afterwards.
 */
import type { JsonObject } from "../../../src/domain/json.ts";
import { at, counters, list, metadata, uidOf } from "./object.ts";
import { isCounted, isReadyState, type PodState, pod } from "./pod.ts";

export interface Release {
  readonly version: string;
  readonly pods: readonly PodState[];
  /** When its ReplicaSet was made. */
  readonly created?: number;
}

export interface World {
  readonly replicas: number;
  /** null: its ReplicaSet is not there yet; the template is then that of `next`. */
  readonly fresh: Release | null;
  readonly old?: readonly Release[];
  /** The version of the template where there is no ReplicaSet of it. */
  readonly next?: string;
  readonly generation?: number;
  readonly observed?: number | null;
  readonly progressing?: JsonObject | null;
  readonly spec?: JsonObject;
  readonly service?: boolean;
  readonly events?: readonly JsonObject[];
}

/** Files by name, as `kubectl get RESOURCE -o json` would have made them. */
export type Files = Readonly<Record<string, JsonObject>>;

const NAME = "web";
const LABELS = { app: NAME };

export const templateOf = (version: string): JsonObject => ({
  metadata: { creationTimestamp: null, labels: LABELS },
  spec: {
    containers: [
      {
        name: "web",
        image: `web:${version}`,
        imagePullPolicy: "IfNotPresent",
        ports: [{ containerPort: 8080, protocol: "TCP" }],
        readinessProbe: { httpGet: { path: "/readyz", port: 8080, scheme: "HTTP" }, periodSeconds: 5 },
        resources: {},
        terminationMessagePath: "/dev/termination-log",
      },
    ],
    dnsPolicy: "ClusterFirst",
    restartPolicy: "Always",
    securityContext: {},
    terminationGracePeriodSeconds: 30,
  },
});

const hashOf = (version: string): string => uidOf("hash", version).slice(0, 10).replace("-", "");
export const setName = (version: string): string => `${NAME}-${hashOf(version)}`;
const podName = (version: string, index: number): string =>
  `${setName(version)}-${String(index).padStart(5, "p")}`;

const owner = (kind: string, name: string) => ({
  apiVersion: "apps/v1",
  kind,
  name,
  uid: uidOf(kind, name),
});

const replicaSet = (release: Release, revision: number): JsonObject => {
  const labels = { ...LABELS, "pod-template-hash": hashOf(release.version) };
  const counted = release.pods.filter(isCounted);
  const ready = counted.filter(isReadyState).length;
  const template = templateOf(release.version);
  return {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: metadata("ReplicaSet", {
      name: setName(release.version),
      created: release.created ?? revision * 100,
      generation: 1,
      labels,
      annotations: { "deployment.kubernetes.io/revision": String(revision) },
      owner: owner("Deployment", NAME),
    }),
    spec: {
      replicas: counted.length,
      selector: { matchLabels: labels },
      template: { ...template, metadata: { creationTimestamp: null, labels } },
    },
    status: {
      replicas: counted.length,
      ...counters({
        fullyLabeledReplicas: counted.length,
        readyReplicas: ready,
        availableReplicas: ready,
      }),
      observedGeneration: 1,
    },
  };
};

const podsOf = (release: Release, created: number): readonly JsonObject[] =>
  release.pods.map((state, index) =>
    pod({
      state,
      image: `web:${release.version}`,
      template: templateOf(release.version),
      meta: {
        name: podName(release.version, index),
        created,
        labels: { ...LABELS, "pod-template-hash": hashOf(release.version) },
        owner: owner("ReplicaSet", setName(release.version)),
      },
    }),
  );

export const progressing = (
  status: "True" | "False",
  reason: string,
  message: string,
  updated: number,
): JsonObject => ({
  type: "Progressing",
  status,
  reason,
  message,
  lastUpdateTime: at(updated),
  lastTransitionTime: at(updated),
});

/** Times: old releases from 100 s on, the new one from 600 s on; everything was read at 700 s. */
export const READ_AT = 700;
const FRESH_AT = 600;

export const worldFiles = (world: World): Files => {
  const old = world.old ?? [];
  const sets = [...old.map((release, at) => replicaSet(release, at + 1))];
  if (world.fresh !== null) sets.push(replicaSet({ created: FRESH_AT, ...world.fresh }, old.length + 1));
  const pods = [
    ...old.flatMap((release, index) => podsOf(release, (index + 1) * 100)),
    ...(world.fresh === null ? [] : podsOf(world.fresh, FRESH_AT)),
  ];
  return {
    "deployments.json": list([deploymentOf(world)]),
    "replicasets.json": list(sets),
    "pods.json": list(pods),
    "services.json": list(world.service === false ? [] : [service()]),
    "endpointslices.json": list(world.service === false ? [] : [slice(pods)]),
    "horizontalpodautoscalers.json": list([]),
    "events.json": list(world.events ?? []),
  };
};

const deploymentOf = (world: World): JsonObject => {
  const generation = world.generation ?? 2;
  const observed = world.observed === undefined ? generation : world.observed;
  const old = world.old ?? [];
  const freshPods = world.fresh === null ? [] : world.fresh.pods;
  const all = [...freshPods, ...old.flatMap(({ pods }) => pods)].filter(isCounted);
  const available = all.filter(isReadyState).length;
  const version = world.fresh === null ? (world.next ?? "v2") : world.fresh.version;
  const done =
    all.length === world.replicas &&
    freshPods.filter(isCounted).length === world.replicas &&
    available === world.replicas;
  const usual = done
    ? progressing(
        "True",
        "NewReplicaSetAvailable",
        `ReplicaSet "${setName(version)}" has successfully progressed.`,
        650,
      )
    : progressing("True", "ReplicaSetUpdated", `ReplicaSet "${setName(version)}" is progressing.`, 610);
  const condition = world.progressing === undefined ? usual : world.progressing;
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: metadata("Deployment", {
      name: NAME,
      created: 90,
      generation,
      labels: LABELS,
      annotations: { "deployment.kubernetes.io/revision": String(old.length + 1) },
    }),
    spec: {
      replicas: world.replicas,
      selector: { matchLabels: LABELS },
      strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      template: templateOf(version),
      progressDeadlineSeconds: 600,
      revisionHistoryLimit: 10,
      ...world.spec,
    },
    status: {
      ...(observed === null ? {} : { observedGeneration: observed }),
      ...counters({
        replicas: all.length,
        updatedReplicas: freshPods.filter(isCounted).length,
        readyReplicas: available,
        availableReplicas: available,
        unavailableReplicas: Math.max(0, world.replicas - available),
      }),
      conditions: [
        {
          type: "Available",
          status: available > 0 ? "True" : "False",
          reason: available > 0 ? "MinimumReplicasAvailable" : "MinimumReplicasUnavailable",
          message: "Deployment has minimum availability.",
          lastUpdateTime: at(120),
          lastTransitionTime: at(120),
        },
        ...(condition === null ? [] : [condition]),
      ],
    },
  };
};

const service = (): JsonObject => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: metadata("Service", { name: NAME, created: 90 }),
  spec: {
    type: "ClusterIP",
    clusterIP: "10.96.0.20",
    selector: LABELS,
    ports: [{ port: 80, targetPort: 8080 }],
  },
  status: { loadBalancer: {} },
});

/** As the EndpointSlice controller makes it: ready Pods are ready, terminating ones are not and say that they serve. */
const slice = (pods: readonly JsonObject[]): JsonObject => ({
  apiVersion: "discovery.k8s.io/v1",
  kind: "EndpointSlice",
  metadata: metadata("EndpointSlice", {
    name: `${NAME}-abcde`,
    created: 91,
    generation: 4,
    labels: {
      "kubernetes.io/service-name": NAME,
      "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io",
    },
    owner: { apiVersion: "v1", kind: "Service", name: NAME, uid: uidOf("Service", NAME) },
  }),
  addressType: "IPv4",
  ports: [{ name: "", port: 8080, protocol: "TCP" }],
  endpoints: pods.filter((one) => hasAddress(one)).map((one, index) => endpoint(one, index)),
});

const hasAddress = (one: JsonObject): boolean => (one["status"] as JsonObject)["podIP"] !== undefined;

const endpoint = (one: JsonObject, index: number): JsonObject => {
  const meta = one["metadata"] as JsonObject;
  const conditions = (one["status"] as { conditions: readonly JsonObject[] }).conditions;
  const serving = conditions.some(({ type, status }) => type === "Ready" && status === "True");
  const terminating = meta["deletionTimestamp"] !== undefined;
  return {
    addresses: [`10.244.0.${index + 5}`],
    conditions: { ready: serving && !terminating, serving, terminating },
    nodeName: "node0",
    targetRef: {
      kind: "Pod",
      namespace: String(meta["namespace"]),
      name: String(meta["name"]),
      uid: String(meta["uid"]),
    },
  };
};

/** The kubelet's event about a probe of a Pod. */
export const probeFailed = (version: string, index: number, message: string, count: number): JsonObject => {
  const name = podName(version, index);
  return {
    apiVersion: "v1",
    kind: "Event",
    metadata: metadata("Event", { name: `${name}.17a`, created: 640 }),
    involvedObject: { kind: "Pod", namespace: "shop", name, uid: uidOf("Pod", name), apiVersion: "v1" },
    reason: "Unhealthy",
    message,
    type: "Warning",
    count,
    firstTimestamp: at(640),
    lastTimestamp: at(READ_AT),
    source: { component: "kubelet" },
  };
};
