/**
 * An Argo Rollout with its ReplicaSets, Pods and AnalysisRuns. What stands in status follows from the Pods as the
 * controller does it (argoproj/argo-rollouts, utils/rollout/rolloututil.go), and any field can be changed.
 */
import type { JsonObject, JsonValue } from "../../../src/domain/json.ts";
import { type ServedResource, USUAL_RESOURCES } from "../../../src/testing/api-server/resources.ts";
import type { Files } from "./deployment.ts";
import { at, counters, list, metadata, uidOf } from "./object.ts";
import { isCounted, isReadyState, type PodState, pod } from "./pod.ts";

export type Version = "new" | "old";

export interface RolloutWorld {
  readonly replicas: number;
  readonly fresh: readonly PodState[];
  readonly old: readonly PodState[];
  readonly generation: number;
  /** As the controller wrote it: a text up to 1.8, a number later. */
  readonly observed: JsonValue;
  /** Which of the two is the stable one; null: none yet. */
  readonly stable: Version | null;
  readonly phase: "Healthy" | "Degraded" | "Progressing" | "Paused";
  readonly message?: string;
  /** More of status. */
  readonly status?: JsonObject;
  /** Phases of the AnalysisRuns of the new version. */
  readonly analyses: readonly string[];
}

const HASH: Readonly<Record<Version, string>> = { new: "6d5f4c7b9d", old: "7f9c8d6b5f" };
const LABELS = { app: "web" };
const API = "argoproj.io/v1alpha1";
const LABEL = "rollouts-pod-template-hash";

const setName = (version: Version): string => `web-${HASH[version]}`;
const image = (version: Version): string => (version === "new" ? "web:v2" : "web:v1");
const template = (version: Version): JsonObject => ({
  metadata: { labels: LABELS },
  spec: { containers: [{ name: "web", image: image(version) }] },
});
const owner = { apiVersion: API, kind: "Rollout", name: "web", uid: uidOf("Rollout", "web") };

const setOf = (version: Version, pods: readonly PodState[]): JsonObject => {
  const counted = pods.filter(isCounted);
  const labels = { ...LABELS, [LABEL]: HASH[version] };
  return {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: metadata("ReplicaSet", {
      name: setName(version),
      created: version === "old" ? 100 : 200,
      generation: 1,
      labels,
      annotations: { "rollout.argoproj.io/revision": version === "old" ? "1" : "2" },
      owner,
    }),
    spec: {
      replicas: counted.length,
      selector: { matchLabels: labels },
      template: { ...template(version), metadata: { labels } },
    },
    status: {
      replicas: counted.length,
      observedGeneration: 1,
      ...counters({ readyReplicas: counted.filter(isReadyState).length }),
    },
  };
};

const podsOf = (version: Version, states: readonly PodState[]): readonly JsonObject[] =>
  states.map((state, index) =>
    pod({
      state,
      image: image(version),
      template: template(version),
      meta: {
        name: `${setName(version)}-${String(index).padStart(5, "p")}`,
        created: 600,
        labels: { ...LABELS, [LABEL]: HASH[version] },
        owner: {
          apiVersion: "apps/v1",
          kind: "ReplicaSet",
          name: setName(version),
          uid: uidOf("ReplicaSet", setName(version)),
        },
      },
    }),
  );

const analysisRun = (phase: string, index: number): JsonObject => ({
  apiVersion: API,
  kind: "AnalysisRun",
  metadata: metadata("AnalysisRun", {
    name: `${setName("new")}-2-${index}`,
    created: 610,
    labels: { [LABEL]: HASH.new, "rollout-type": "Background" },
    owner,
  }),
  spec: { metrics: [{ name: "success-rate" }] },
  status: { phase },
});

const rolloutOf = (world: RolloutWorld): JsonObject => {
  const fresh = world.fresh.filter(isCounted);
  const all = [...fresh, ...world.old.filter(isCounted)];
  return {
    apiVersion: API,
    kind: "Rollout",
    metadata: metadata("Rollout", { name: "web", created: 90, generation: world.generation, labels: LABELS }),
    spec: {
      replicas: world.replicas,
      selector: { matchLabels: LABELS },
      template: template("new"),
      strategy: { canary: { steps: [{ setWeight: 50 }, { pause: { duration: "30s" } }] } },
    },
    status: {
      observedGeneration: world.observed,
      phase: world.phase,
      ...(world.message === undefined ? {} : { message: world.message }),
      currentPodHash: HASH.new,
      ...(world.stable === null ? {} : { stableRS: HASH[world.stable] }),
      ...counters({
        replicas: all.length,
        updatedReplicas: fresh.length,
        readyReplicas: all.filter(isReadyState).length,
        availableReplicas: all.filter(isReadyState).length,
        HPAReplicas: all.length,
      }),
      selector: "app=web",
      conditions: [
        {
          type: "Available",
          status: "True",
          reason: "AvailableReason",
          message: "Rollout has minimum availability",
          lastTransitionTime: at(110),
          lastUpdateTime: at(110),
        },
        {
          type: "Progressing",
          status: "True",
          reason: "NewReplicaSetAvailable",
          message: `ReplicaSet "${setName("new")}" has successfully progressed.`,
          lastTransitionTime: at(90),
          lastUpdateTime: at(650),
        },
      ],
      ...world.status,
    },
  };
};

export const rolloutFiles = (world: RolloutWorld): Files => ({
  "rollouts.argoproj.io.json": list([rolloutOf(world)]),
  "replicasets.json": list([setOf("old", world.old), setOf("new", world.fresh)]),
  "pods.json": list([...podsOf("old", world.old), ...podsOf("new", world.fresh)]),
  "analysisruns.argoproj.io.json": list(world.analyses.map(analysisRun)),
  "services.json": list([]),
  "events.json": list([]),
});

const ready = (count: number): readonly PodState[] => Array.from({ length: count }, () => "ready");

/** Rolled out and promoted. */
export const promoted: RolloutWorld = {
  replicas: 3,
  fresh: ready(3),
  old: [],
  generation: 7,
  observed: "7",
  stable: "new",
  phase: "Healthy",
  analyses: ["Successful"],
};

/** One of four steps: paused on purpose, with both versions there. */
export const paused: RolloutWorld = {
  ...promoted,
  fresh: ready(1),
  old: ready(2),
  stable: "old",
  phase: "Paused",
  message: "CanaryPauseStep",
  analyses: ["Running"],
  status: { pauseConditions: [{ reason: "CanaryPauseStep", startTime: at(640) }], controllerPause: true },
};

const ABORTED = "RolloutAborted: Rollout aborted update to revision 2";

/** The update failed, and what was stable before serves. */
export const aborted: RolloutWorld = {
  ...promoted,
  fresh: [],
  old: ready(3),
  stable: "old",
  phase: "Degraded",
  message: ABORTED,
  analyses: ["Failed"],
  status: { abort: true, abortedAt: at(640) },
};

/** k8s-17: promoted all the same, and the abort never cleared. */
export const abortedYetPromoted: RolloutWorld = {
  ...promoted,
  phase: "Degraded",
  message: ABORTED,
  status: { abort: true, abortedAt: at(640) },
};

const argo = (kind: string, resource: string, ...shortNames: readonly string[]): ServedResource => ({
  group: "argoproj.io",
  version: "v1alpha1",
  kind,
  resource,
  singular: kind.toLowerCase(),
  shortNames,
  namespaced: true,
});
/** What a server serves where Argo Rollouts are installed. */
export const ARGO_RESOURCES: readonly ServedResource[] = [
  ...USUAL_RESOURCES,
  argo("Rollout", "rollouts", "ro"),
  argo("AnalysisRun", "analysisruns", "ar"),
];
