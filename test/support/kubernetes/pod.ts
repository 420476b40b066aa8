/** Pods in the states that kubelet and scheduler report. */
import type { JsonObject } from "../../../src/domain/json.ts";
import { at, type Meta, metadata } from "./object.ts";

export const POD_STATES = [
  "ready",
  "not-ready",
  "creating",
  "unschedulable",
  "crash-loop",
  "out-of-memory",
  "image-pull",
  "config-error",
  "init-crash",
  "evicted",
  "terminating",
] as const;
export type PodState = (typeof POD_STATES)[number];

const DIGESTS: Readonly<Record<string, string>> = {};

/** The digest that a tag stands for here. */
export const digestOf = (image: string): string =>
  DIGESTS[image] ?? `sha256:${Buffer.from(image.padEnd(32, "=")).toString("hex").slice(0, 64)}`;

interface PodShape {
  readonly state: PodState;
  readonly image: string;
  readonly meta: Meta;
  readonly template: JsonObject;
}

const condition = (type: string, status: string, since: number, more: JsonObject = {}): JsonObject => ({
  type,
  status,
  lastProbeTime: null,
  lastTransitionTime: at(since),
  ...more,
});

const conditions = (ready: boolean, created: number): JsonObject[] => [
  condition("PodReadyToStartContainers", "True", created + 2),
  condition("Initialized", "True", created),
  condition("Ready", ready ? "True" : "False", created + (ready ? 5 : 0), ready ? {} : NOT_READY),
  condition("ContainersReady", ready ? "True" : "False", created + (ready ? 5 : 0), ready ? {} : NOT_READY),
  condition("PodScheduled", "True", created),
];
const NOT_READY = { reason: "ContainersNotReady", message: "containers with unready status: [web]" };

const container = (image: string, ready: boolean, state: JsonObject, more: JsonObject = {}): JsonObject => ({
  name: "web",
  image,
  imageID: `registry.test/${image.split(":")[0]}@${digestOf(image)}`,
  containerID: "containerd://c0ffee",
  ready,
  started: ready,
  restartCount: 0,
  state,
  lastState: {},
  ...more,
});

const ended = (code: number, reason: string, created: number): JsonObject => ({
  terminated: { exitCode: code, reason, startedAt: at(created + 3), finishedAt: at(created + 4) },
});

const waiting = (reason: string, message: string): JsonObject => ({ waiting: { reason, message } });

const statusOf = ({ state, image }: PodShape, created: number): JsonObject => {
  const base = (ready: boolean, phase: string, of: JsonObject): JsonObject => ({
    phase,
    conditions: conditions(ready, created),
    hostIP: "10.77.0.10",
    podIP: "10.244.0.5",
    startTime: at(created),
    qosClass: "BestEffort",
    ...of,
  });
  const running = { running: { startedAt: at(created + 3) } };
  switch (state) {
    case "ready":
    case "terminating":
      return base(true, "Running", { containerStatuses: [container(image, true, running)] });
    case "not-ready":
      return base(false, "Running", {
        containerStatuses: [container(image, false, running, { started: true })],
      });
    case "creating":
      return base(false, "Pending", {
        containerStatuses: [
          container(image, false, { waiting: { reason: "ContainerCreating" } }, { imageID: "" }),
        ],
      });
    case "unschedulable":
      return {
        phase: "Pending",
        conditions: [
          condition("PodScheduled", "False", created, {
            reason: "Unschedulable",
            message: "0/1 nodes are available: 1 Insufficient cpu.",
          }),
        ],
        qosClass: "Burstable",
      };
    case "crash-loop":
      return base(false, "Running", {
        containerStatuses: [
          container(
            image,
            false,
            waiting("CrashLoopBackOff", "back-off 40s restarting failed container=web"),
            {
              restartCount: 3,
              lastState: ended(1, "Error", created),
            },
          ),
        ],
      });
    case "out-of-memory":
      return base(false, "Running", {
        containerStatuses: [
          container(
            image,
            false,
            waiting("CrashLoopBackOff", "back-off 20s restarting failed container=web"),
            {
              restartCount: 2,
              lastState: ended(137, "OOMKilled", created),
            },
          ),
        ],
      });
    case "image-pull":
      return base(false, "Pending", {
        containerStatuses: [
          container(image, false, waiting("ImagePullBackOff", `Back-off pulling image "${image}"`), {
            imageID: "",
          }),
        ],
      });
    case "config-error":
      return base(false, "Pending", {
        containerStatuses: [
          container(image, false, waiting("CreateContainerConfigError", 'configmap "app" not found'), {
            imageID: "",
          }),
        ],
      });
    case "init-crash":
      return base(false, "Pending", {
        initContainerStatuses: [
          {
            ...container(
              image,
              false,
              waiting("CrashLoopBackOff", "back-off 10s restarting failed container=migrate"),
            ),
            name: "migrate",
            restartCount: 1,
            lastState: ended(2, "Error", created),
          },
        ],
        containerStatuses: [
          container(image, false, { waiting: { reason: "PodInitializing" } }, { imageID: "" }),
        ],
      });
    case "evicted":
      return {
        phase: "Failed",
        reason: "Evicted",
        message: "The node was low on resource: memory.",
        startTime: at(created),
      };
  }
};

export const pod = (shape: PodShape): JsonObject => {
  const created = shape.meta.created ?? 0;
  const leaving =
    shape.state === "terminating"
      ? { deletionTimestamp: at(created + 630), deletionGracePeriodSeconds: 30 }
      : {};
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: metadata("Pod", { ...shape.meta, more: { ...shape.meta.more, ...leaving } }),
    spec: {
      ...(shape.template["spec"] as JsonObject),
      ...(shape.state === "init-crash" ? { initContainers: [{ name: "migrate", image: shape.image }] } : {}),
      nodeName: "node0",
    },
    status: statusOf(shape, created),
  };
};

/** States in which a controller counts the Pod, in which it is ready. */
export const isCounted = (state: PodState): boolean => state !== "evicted" && state !== "terminating";
export const isReadyState = (state: PodState): boolean => state === "ready";
