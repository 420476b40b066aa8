/** Reasons are named, and told apart from what may pass by itself. */
import { expect, it } from "vitest";
import { type Files, probeFailed, READ_AT, worldFiles } from "../../test/support/kubernetes/deployment.ts";
import { about, evidenceOf } from "../../test/support/kubernetes/evidence.ts";
import { changed } from "../../test/support/kubernetes/object.ts";
import type { PodState } from "../../test/support/kubernetes/pod.ts";
import type { JsonObject } from "../domain/json.ts";
import { judge } from "./judge.ts";

const worldOf = (state: PodState, events: readonly JsonObject[] = []): Files =>
  worldFiles({
    replicas: 1,
    fresh: { version: "v2", pods: [state] },
    old: [{ version: "v1", pods: [] }],
    events,
  });

const rollout = (files: Files) => {
  const { findings } = judge(evidenceOf(files, READ_AT), about("deployment/web"));
  const found = findings.find(({ claim }) => claim === "rollout-complete");
  return `${found?.finding} ${found?.reason}: ${found?.sentence}`;
};

it.each<[PodState, RegExp]>([
  ["crash-loop", /^refuted crash-loop: .*container web ended with exit code 1, restarted 3 times$/],
  ["out-of-memory", /^refuted crash-loop: .*ended with exit code 137 \(OOMKilled\), restarted 2 times$/],
  ["init-crash", /^refuted crash-loop: .*init container migrate ended with exit code 2, restarted once$/],
  [
    "image-pull",
    /^refuted image-pull: .*cannot pull the image web:v2: ImagePullBackOff \(Back-off pulling image "web:v2"\)$/,
  ],
  ["config-error", /^refuted container-create: .*CreateContainerConfigError \(configmap "app" not found\)$/],
  ["creating", /^progressing creating: .*is being created$/],
  [
    "unschedulable",
    /^progressing unschedulable: .*since 1m40s \(0\/1 nodes are available: 1 Insufficient cpu\.\); no autoscaler has spoken of it$/,
  ],
  ["not-ready", /^progressing not-ready: .*is not ready since 1m40s$/],
])("%s", (state, wanted) => expect(rollout(worldOf(state))).toMatch(wanted));

it("a probe is named with what it answers, how often and for how long", () => {
  const readiness = probeFailed(
    "v2",
    0,
    "Readiness probe failed: HTTP probe failed with statuscode: 503",
    12,
  );
  expect(rollout(worldOf("not-ready", [readiness]))).toMatch(
    /^progressing readiness-probe: .*its readiness answers 503 \(12 times, for 1m\)$/,
  );
  const refused = probeFailed(
    "v2",
    0,
    "Liveness probe failed: dial tcp 10.244.0.5:8080: connect: connection refused",
    1,
  );
  expect(rollout(worldOf("not-ready", [refused]))).toMatch(
    /^progressing liveness-probe: .*its liveness probe fails \(.*connection refused\) \(once, for 1m\)$/,
  );
});

const first = (files: Files, path: readonly (string | number)[], value: JsonObject[string]): Files => ({
  ...files,
  "pods.json": changed(files["pods.json"] as JsonObject, ["items", 0, ...path], value),
});

it("a sidecar is told from an init container, by its restart policy", () => {
  const files = first(worldOf("init-crash"), ["spec", "initContainers", 0, "restartPolicy"], "Always");
  expect(rollout(files)).toMatch(/sidecar migrate ended with exit code 2/);
});

it("a readiness gate, a scheduling gate, a claim that is not bound, a volume that does not come", () => {
  const gated = first(
    worldOf("not-ready"),
    ["spec", "readinessGates"],
    [{ conditionType: "example.com/traffic" }],
  );
  const conditions = ["status", "conditions", 3, "status"] as const;
  expect(rollout(first(gated, conditions, "True"))).toMatch(
    /^progressing readiness-gate: .*its readiness gate example\.com\/traffic/,
  );
  const held = first(worldOf("unschedulable"), ["status", "conditions", 0, "reason"], "SchedulingGated");
  expect(rollout(held)).toMatch(/^progressing scheduling-gated: /);
  const unbound = first(
    worldOf("unschedulable"),
    ["status", "conditions", 0, "message"],
    "0/1 nodes are available: pod has unbound immediate PersistentVolumeClaims.",
  );
  expect(rollout(unbound)).toMatch(/^progressing volume-unbound: /);
  const mount = {
    ...probeFailed("v2", 0, 'MountVolume.SetUp failed for volume "c": configmap "app" not found', 3),
    reason: "FailedMount",
  };
  expect(rollout(worldOf("creating", [mount]))).toMatch(
    /^progressing volume-mount: .*configmap "app" not found/,
  );
});

it("a Pod that is ready has to stay so for minReadySeconds", () => {
  const files = worldOf("ready");
  const waits = changed(
    files["deployments.json"] as JsonObject,
    ["items", 0, "spec", "minReadySeconds"],
    300,
  );
  const counted = changed(waits, ["items", 0, "status", "availableReplicas"], undefined);
  const status = changed(counted, ["items", 0, "status", "conditions"], []);
  expect(rollout({ ...files, "deployments.json": status })).toMatch(
    /^progressing min-ready: .*1 Pod is ready and has to stay so for 5m$/,
  );
});

it("an event of another Pod says nothing of this one", () => {
  const stranger = probeFailed("v1", 0, "Readiness probe failed: HTTP probe failed with statuscode: 500", 1);
  expect(rollout(worldOf("not-ready", [stranger]))).toMatch(/^progressing not-ready: /);
});

it("two failures in a row are a crash loop, also before the kubelet calls it one; one is not, nor is a good end", () => {
  const files = worldOf("crash-loop");
  const [pod] = (files["pods.json"] as JsonObject)["items"] as readonly JsonObject[];
  const told = (now: number, before: number | null): string => {
    const end = (exitCode: number): JsonObject => ({ terminated: { exitCode, reason: "Error" } });
    const path = ["status", "containerStatuses", 0] as const;
    const ended = changed(pod as JsonObject, [...path, "state"], end(now));
    const last = changed(ended, [...path, "lastState"], before === null ? {} : end(before));
    return rollout({ ...files, "pods.json": { ...files["pods.json"], items: [last] } as JsonObject });
  };
  expect(told(3, 1)).toMatch(
    /^refuted crash-loop: .*container web ended with exit code 3, restarted 3 times$/,
  );
  expect(told(3, null)).toMatch(/^progressing exited: /);
  expect(told(3, 0)).toMatch(/^progressing exited: /);
  expect(told(0, 1)).not.toMatch(/^refuted/);
});
