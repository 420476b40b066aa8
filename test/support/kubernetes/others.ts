/** Small objects of the other kinds, each in a usual state; tests change what they are about. */
import type { JsonObject } from "../../../src/domain/json.ts";
import type { Files } from "./deployment.ts";
import { at, counters, list, metadata, uidOf } from "./object.ts";
import { type PodState, pod } from "./pod.ts";

const LABELS = { app: "db" };
const template = (version: string): JsonObject => ({
  metadata: { creationTimestamp: null, labels: LABELS },
  spec: { containers: [{ name: "web", image: `db:${version}` }], restartPolicy: "Always" },
});

const ownedBy = (kind: string, name: string, apiVersion = "apps/v1") => ({
  apiVersion,
  kind,
  name,
  uid: uidOf(kind, name),
});

export interface StatefulWorld {
  /** By ordinal: which revision each Pod runs, and how it is. */
  readonly pods: readonly { readonly revision: "old" | "new"; readonly state: PodState }[];
  readonly replicas: number;
  readonly partition?: number;
  readonly onDelete?: boolean;
  /** The controller has made the new revision the current one. */
  readonly closed: boolean;
  readonly updatedReplicas?: number;
}

export const statefulFiles = (world: StatefulWorld): Files => {
  const counted = world.pods.filter(({ state }) => state !== "evicted" && state !== "terminating");
  const ready = counted.filter(({ state }) => state === "ready").length;
  const updated = world.updatedReplicas ?? counted.filter(({ revision }) => revision === "new").length;
  const set: JsonObject = {
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    metadata: metadata("StatefulSet", { name: "db", generation: 3, labels: LABELS }),
    spec: {
      replicas: world.replicas,
      serviceName: "db",
      selector: { matchLabels: LABELS },
      template: template("2"),
      podManagementPolicy: "OrderedReady",
      updateStrategy:
        world.onDelete === true
          ? { type: "OnDelete" }
          : { type: "RollingUpdate", rollingUpdate: { partition: world.partition ?? 0 } },
    },
    status: {
      observedGeneration: 3,
      replicas: counted.length,
      ...counters({ readyReplicas: ready, updatedReplicas: updated }),
      availableReplicas: ready,
      currentRevision: world.closed ? "db-new" : "db-old",
      updateRevision: "db-new",
      collisionCount: 0,
    },
  };
  const pods = world.pods.map(({ revision, state }, ordinal) =>
    pod({
      state,
      image: revision === "new" ? "db:2" : "db:1",
      template: template(revision === "new" ? "2" : "1"),
      meta: {
        name: `db-${ordinal}`,
        created: 100 + ordinal,
        labels: {
          ...LABELS,
          "controller-revision-hash": `db-${revision}`,
          "statefulset.kubernetes.io/pod-name": `db-${ordinal}`,
        },
        owner: ownedBy("StatefulSet", "db"),
      },
    }),
  );
  return { "statefulsets.json": list([set]), "pods.json": list(pods), "services.json": list([]) };
};

export interface DaemonWorld {
  readonly desired: number;
  readonly pods: readonly { readonly template: 1 | 2; readonly state: PodState }[];
  readonly status?: JsonObject;
}

export const daemonFiles = (world: DaemonWorld): Files => {
  const counted = world.pods.filter(({ state }) => state !== "evicted" && state !== "terminating");
  const ready = counted.filter(({ state }) => state === "ready").length;
  const set: JsonObject = {
    apiVersion: "apps/v1",
    kind: "DaemonSet",
    metadata: metadata("DaemonSet", {
      name: "agent",
      generation: 2,
      annotations: { "deprecated.daemonset.template.generation": "2" },
    }),
    spec: {
      selector: { matchLabels: { app: "agent" } },
      template: {
        metadata: { labels: { app: "agent" } },
        spec: { containers: [{ name: "web", image: "agent:2" }] },
      },
      updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
    },
    status: world.status ?? {
      observedGeneration: 2,
      currentNumberScheduled: counted.length,
      desiredNumberScheduled: world.desired,
      numberMisscheduled: 0,
      numberReady: ready,
      ...counters({
        updatedNumberScheduled: counted.filter((one) => one.template === 2).length,
        numberAvailable: ready,
        numberUnavailable: world.desired - ready,
      }),
    },
  };
  const pods = world.pods.map((one, index) =>
    pod({
      state: one.state,
      image: `agent:${one.template}`,
      template: { spec: { containers: [{ name: "web", image: `agent:${one.template}` }] } },
      meta: {
        name: `agent-${index}`,
        created: 100 + index,
        labels: {
          app: "agent",
          "controller-revision-hash": `c0ffee${one.template}`,
          "pod-template-generation": String(one.template),
        },
        owner: ownedBy("DaemonSet", "agent"),
      },
    }),
  );
  return { "daemonsets.json": list([set]), "pods.json": list(pods), "services.json": list([]) };
};

export const jobFiles = (
  status: JsonObject,
  pods: readonly PodState[] = [],
  spec: JsonObject = {},
): Files => ({
  "jobs.json": list([
    {
      apiVersion: "batch/v1",
      kind: "Job",
      metadata: metadata("Job", { name: "migrate", created: 100, generation: 1 }),
      spec: { backoffLimit: 3, completions: 1, parallelism: 1, template: template("2"), ...spec },
      status,
    },
  ]),
  "pods.json": list(
    pods.map((state, index) =>
      pod({
        state,
        image: "db:2",
        template: template("2"),
        meta: { name: `migrate-${index}`, created: 110, owner: ownedBy("Job", "migrate", "batch/v1") },
      }),
    ),
  ),
});

export const jobCondition = (type: string, reason: string, message: string): JsonObject => ({
  type,
  status: "True",
  reason,
  message,
  lastProbeTime: at(200),
  lastTransitionTime: at(200),
});

export const autoscaler = (status: JsonObject, name = "web"): JsonObject => ({
  apiVersion: "autoscaling/v2",
  kind: "HorizontalPodAutoscaler",
  metadata: metadata("HorizontalPodAutoscaler", { name, created: 90 }),
  spec: {
    scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name },
    minReplicas: 2,
    maxReplicas: 10,
    metrics: [
      {
        type: "Resource",
        resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 80 } },
      },
    ],
  },
  status,
});

export const scalingCondition = (
  type: string,
  status: "True" | "False",
  reason: string,
  since: number,
): JsonObject => ({
  type,
  status,
  reason,
  message: `the HPA says ${reason}`,
  lastTransitionTime: at(since),
});

export const budget = (status: JsonObject): JsonObject => ({
  apiVersion: "policy/v1",
  kind: "PodDisruptionBudget",
  metadata: metadata("PodDisruptionBudget", { name: "web", generation: 1 }),
  spec: { minAvailable: 2, selector: { matchLabels: { app: "web" } } },
  status: { observedGeneration: 1, ...status },
});

export const customResource = (status: JsonObject | undefined, generation = 1): JsonObject => ({
  apiVersion: "example.com/v1",
  kind: "Widget",
  metadata: metadata("Widget", { name: "one", generation }),
  spec: { size: 3 },
  ...(status === undefined ? {} : { status }),
});

export const barePod = (state: PodState): JsonObject =>
  pod({ state, image: "db:1", template: template("1"), meta: { name: "alone", created: 100 } });

export const volumeClaim = (
  phase: "Bound" | "Pending" | "Lost",
  spec: JsonObject = {},
  annotations: JsonObject = {},
): JsonObject => ({
  apiVersion: "v1",
  kind: "PersistentVolumeClaim",
  metadata: metadata("PersistentVolumeClaim", { name: "data", annotations }),
  spec: { accessModes: ["ReadWriteOnce"], ...(phase === "Pending" ? {} : { volumeName: "pv-1" }), ...spec },
  status: { phase },
});

/** In no namespace. */
const clusterWide = (kind: string, name: string, annotations: JsonObject = {}): JsonObject => {
  const { namespace: _, ...meta } = metadata(kind, { name, annotations });
  return meta;
};

export const storageClass = (
  name: string,
  { provisioner = "csi.test", mode = "Immediate", isDefault = false } = {},
): JsonObject => ({
  apiVersion: "storage.k8s.io/v1",
  kind: "StorageClass",
  metadata: clusterWide(
    "StorageClass",
    name,
    isDefault ? { "storageclass.kubernetes.io/is-default-class": "true" } : {},
  ),
  provisioner,
  reclaimPolicy: "Delete",
  volumeBindingMode: mode,
});

export const volume = (storageClassName: string, phase: string, claim?: string): JsonObject => ({
  apiVersion: "v1",
  kind: "PersistentVolume",
  metadata: clusterWide("PersistentVolume", "pv-1"),
  spec: {
    capacity: { storage: "1Gi" },
    ...(storageClassName === "" ? {} : { storageClassName }),
    ...(claim === undefined
      ? {}
      : { claimRef: { kind: "PersistentVolumeClaim", namespace: "shop", name: claim } }),
  },
  status: { phase },
});
