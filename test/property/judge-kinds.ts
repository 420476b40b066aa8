/** Generated states of the other kinds, with what is true of each. */
import fc from "fast-check";
import type { JsonObject } from "../../src/domain/json.ts";
import { setName, worldFiles } from "../support/kubernetes/deployment.ts";
import { said } from "../support/kubernetes/events.ts";
import { at, changed, counters, list, metadata, uidOf } from "../support/kubernetes/object.ts";
import {
  autoscaler,
  barePod,
  budget,
  daemonFiles,
  jobCondition,
  jobFiles,
  scalingCondition,
  statefulFiles,
  storageClass,
  volume,
  volumeClaim,
} from "../support/kubernetes/others.ts";
import { isCounted, isReadyState, POD_STATES, type PodState } from "../support/kubernetes/pod.ts";
import { applicationMade } from "./judge-applications.ts";
import { gatewayMade, grpcRouteMade, httpRouteMade, ingressMade } from "./judge-routes.ts";
import type { Made } from "./made.ts";

const podState = fc.oneof(
  { weight: 4, arbitrary: fc.constant<PodState>("ready") },
  fc.constantFrom(...POD_STATES),
);
const counted = podState.filter(isCounted);

const statefulSet: fc.Arbitrary<Made> = fc
  .record({
    states: fc.array(counted, { minLength: 1, maxLength: 4 }),
    missing: fc.constantFrom(0, 0, 0, 1),
    updatedFrom: fc.nat(4),
    partition: fc.constantFrom(0, 0, 0, 1, 2),
    closed: fc.boolean(),
    onDelete: fc.boolean(),
    misses: fc.constantFrom(undefined, undefined, 0),
  })
  .map(({ states, missing, updatedFrom, partition, closed, onDelete, misses }): Made => {
    // A StatefulSet is updated from its highest ordinal down.
    const pods = states.map((state, index) => ({
      state,
      revision: index >= updatedFrom ? ("new" as const) : ("old" as const),
    }));
    const replicas = states.length + missing;
    const toUpdate = pods.slice(partition);
    const old = toUpdate.filter(({ revision }) => revision === "old").length;
    const done = missing === 0 && states.every(isReadyState) && old === 0;
    const files = statefulFiles({
      pods,
      replicas,
      partition: onDelete ? 0 : partition,
      onDelete,
      closed,
      ...(misses === undefined ? {} : { updatedReplicas: misses }),
    });
    if (onDelete) {
      const left = pods.filter(({ revision }) => revision === "old").length;
      const complete = missing === 0 && states.every(isReadyState) && left === 0 && closed;
      return { files, truth: { "rollout-complete": complete, "old-gone": left === 0 } };
    }
    if (partition >= replicas) return { files, truth: { "rollout-complete": false, "old-gone": true } };
    return {
      files,
      truth: {
        "rollout-complete": done && (partition > 0 || closed),
        "old-gone": old === 0,
        capacity: missing === 0 && states.every(isReadyState),
      },
    };
  });

const daemonSet: fc.Arbitrary<Made> = fc
  .record({
    pods: fc.array(
      fc.record({ template: fc.constantFrom(2 as const, 2 as const, 1 as const), state: podState }),
      {
        maxLength: 4,
      },
    ),
    missing: fc.constantFrom(0, 0, 1),
  })
  .map(({ pods, missing }): Made => {
    const there = pods.filter(({ state }) => isCounted(state));
    const desired = there.length + missing;
    const files = daemonFiles({ desired, pods });
    const oldRuns = pods.some(({ template, state }) => template === 1 && state !== "evicted");
    const available = there.filter(({ state }) => isReadyState(state)).length;
    return {
      files,
      truth: {
        "rollout-complete":
          desired > 0 &&
          available === desired &&
          there.filter(({ template }) => template === 2).length === desired,
        "old-gone": !oldRuns,
        capacity: desired > 0 && available === desired,
      },
    };
  });

const job: fc.Arbitrary<Made> = fc
  .record({
    end: fc.constantFrom("Complete", "Failed", "FailureTarget", "none"),
    pods: fc.array(podState, { maxLength: 2 }),
    suspended: fc.boolean(),
  })
  .map(({ end, pods, suspended }): Made => {
    const conditions = end === "none" ? [] : [jobCondition(end, "Because", "it says why")];
    const files = jobFiles(
      { startTime: at(101), ...counters({ active: pods.length }), conditions },
      pods,
      suspended ? { suspend: true } : {},
    );
    const stuck = pods.some((state) => state === "image-pull" || state === "config-error");
    return {
      files,
      truth: { "rollout-complete": end === "Complete" },
      ...(end === "Failed" || end === "FailureTarget" || (end === "none" && suspended)
        ? { finding: ["rollout-complete", "refuted"] as const }
        : end === "none" && !stuck
          ? { finding: ["rollout-complete", "progressing"] as const }
          : {}),
    };
  });

const pod: fc.Arbitrary<Made> = podState.map((state) => ({
  files: { "pods.json": list([barePod(state)]) },
  truth: { "rollout-complete": state === "ready" },
  ...(state === "evicted" ? { finding: ["rollout-complete", "refuted"] as const } : {}),
}));

const hpa: fc.Arbitrary<Made> = fc
  .record({ able: fc.boolean(), active: fc.boolean(), desired: fc.nat(3), current: fc.nat(3) })
  .map(({ able, active, desired, current }): Made => {
    const status = {
      desiredReplicas: desired,
      ...(current === 0 ? { currentReplicas: 0 } : { currentReplicas: current }),
      conditions: [
        scalingCondition("AbleToScale", able ? "True" : "False", "ReadyForNewScale", 100),
        scalingCondition("ScalingActive", active ? "True" : "False", "ValidMetricFound", 100),
      ],
    };
    return {
      files: { "horizontalpodautoscalers.json": list([autoscaler(status)]) },
      truth: { "reported-ready": able && active && desired === current },
    };
  });

const pdb: fc.Arbitrary<Made> = fc.record({ expected: fc.nat(3), healthy: fc.nat(3), needed: fc.nat(3) }).map(
  ({ expected, healthy, needed }): Made => ({
    files: {
      "poddisruptionbudgets.json": list([
        budget({
          expectedPods: expected,
          currentHealthy: healthy,
          desiredHealthy: needed,
          disruptionsAllowed: 0,
        }),
      ]),
    },
    truth: { "reported-ready": expected > 0 && healthy >= needed },
  }),
);

const CLASSES = {
  none: [],
  fast: [storageClass("fast")],
  "fast, which waits": [storageClass("fast", { mode: "WaitForFirstConsumer" })],
  "fast, made by hand": [storageClass("fast", { provisioner: "kubernetes.io/no-provisioner" })],
  "fast, the default": [storageClass("fast", { isDefault: true })],
} as const;
const VOLUMES = {
  none: [],
  "a free one of the class": [volume("fast", "Available")],
  "a free one of no class": [volume("", "Available")],
  "a bound one of the class": [volume("fast", "Bound", "other")],
  "one of the class kept for this claim": [volume("fast", "Available", "data")],
  "one of the class kept for another": [volume("fast", "Available", "other")],
} as const;

const pvc: fc.Arbitrary<Made> = fc
  .record({
    phase: fc.constantFrom("Bound", "Pending", "Pending", "Pending", "Lost"),
    asks: fc.constantFrom("fast", "", null),
    classes: fc.constantFrom(...(Object.keys(CLASSES) as (keyof typeof CLASSES)[])),
    volumes: fc.constantFrom(...(Object.keys(VOLUMES) as (keyof typeof VOLUMES)[])),
    chosen: fc.boolean(),
    says: fc.option(fc.constantFrom("ProvisioningFailed", "WaitForFirstConsumer", "FailedBinding")),
  })
  .map(({ phase, asks, classes, volumes, chosen, says }): Made => {
    const name = asks === null && classes === "fast, the default" ? "fast" : asks;
    const its = name === "fast" && classes !== "none" ? classes : null;
    const isByHand = its === null || its === "fast, made by hand";
    const isWaiting = its === "fast, which waits" && !chosen;
    const fits =
      name === "fast"
        ? ["a free one of the class", "one of the class kept for this claim"]
        : ["a free one of no class"];
    const finding =
      phase === "Lost"
        ? "refuted"
        : phase === "Bound"
          ? "proven"
          : isByHand && !isWaiting && !fits.includes(volumes)
            ? "refuted"
            : "progressing";
    return {
      files: {
        "persistentvolumeclaims.json": list([
          volumeClaim(
            phase as "Bound",
            asks === null ? {} : { storageClassName: asks },
            chosen ? { "volume.kubernetes.io/selected-node": "node0" } : {},
          ),
        ]),
        "storageclasses.json": list(CLASSES[classes]),
        "persistentvolumes.json": list(VOLUMES[volumes]),
        "events.json": list(
          says === null
            ? []
            : [said({ kind: "PersistentVolumeClaim", name: "data", reason: says, message: "as it says" })],
        ),
      },
      truth: { "reported-ready": phase === "Bound" },
      finding: ["reported-ready", finding],
      ...(phase === "Pending" && isWaiting ? { reason: "waits-for-consumer" } : {}),
    };
  });

const jobTemplate = (image: string) => ({
  spec: { template: { spec: { containers: [{ name: "web", image }] } } },
});

const cronJob: fc.Arbitrary<Made> = fc
  .record({
    jobs: fc.array(
      fc.record({
        image: fc.constantFrom("db:1", "db:2"),
        end: fc.constantFrom("Complete", "Failed", "none"),
      }),
      {
        maxLength: 3,
      },
    ),
    suspended: fc.boolean(),
  })
  .map(({ jobs, suspended }): Made => {
    const made = jobs.map(({ image, end }, index) => ({
      apiVersion: "batch/v1",
      kind: "Job",
      metadata: metadata("Job", {
        name: `backup-${index}`,
        created: 100 + index * 60,
        owner: { apiVersion: "batch/v1", kind: "CronJob", name: "backup", uid: uidOf("CronJob", "backup") },
      }),
      spec: jobTemplate(image).spec,
      status: { startTime: at(101), conditions: end === "none" ? [] : [jobCondition(end, "Because", "")] },
    }));
    const latest = jobs.at(-1);
    return {
      files: {
        "cronjobs.json": list([
          {
            apiVersion: "batch/v1",
            kind: "CronJob",
            metadata: metadata("CronJob", { name: "backup" }),
            spec: { schedule: "* * * * *", suspend: suspended, jobTemplate: jobTemplate("db:2") },
            status: jobs.length === 0 ? {} : { lastScheduleTime: at(100 + (jobs.length - 1) * 60) },
          },
        ]),
        "jobs.json": list(made),
      },
      truth: { "rollout-complete": latest?.image === "db:2" && latest.end === "Complete" },
    };
  });

const replicaSet: fc.Arbitrary<Made> = fc
  .record({ states: fc.array(counted, { maxLength: 3 }), missing: fc.constantFrom(0, 0, 1) })
  .map(({ states, missing }): Made => {
    const files = worldFiles({ replicas: 1, fresh: { version: "v2", pods: states } });
    const wanted = states.length + missing;
    const ready = states.every(isReadyState);
    return {
      files: {
        ...files,
        "replicasets.json": changed(
          files["replicasets.json"] as JsonObject,
          ["items", 0, "spec", "replicas"],
          wanted,
        ),
      },
      truth: {
        "rollout-complete": wanted > 0 && missing === 0 && ready,
        capacity: wanted > 0 && missing === 0 && ready,
        "endpoints-ready": states.some(isReadyState),
      },
    };
  });

const service: fc.Arbitrary<Made> = fc
  .record({
    states: fc.array(podState, { maxLength: 3 }),
    read: fc.constantFrom("all", "all", "no Pods", "no slices", "a slice of an earlier Service"),
  })
  .map(({ states, read }): Made => {
    const files = worldFiles({ replicas: 1, fresh: { version: "v2", pods: states } });
    const { "pods.json": pods, "endpointslices.json": slices, ...rest } = files;
    const earlier = changed(
      slices as JsonObject,
      ["items", 0, "metadata", "ownerReferences", 0, "uid"],
      uidOf("Service", "web", 2),
    );
    return {
      files: {
        ...rest,
        ...(read === "no Pods" ? {} : { "pods.json": pods as JsonObject }),
        ...(read === "no slices"
          ? {}
          : {
              "endpointslices.json": read === "all" || read === "no Pods" ? (slices as JsonObject) : earlier,
            }),
      },
      truth: { "endpoints-ready": (read === "all" || read === "no Pods") && states.some(isReadyState) },
      ...(read === "no slices" ? { finding: ["endpoints-ready", "undetermined"] as const } : {}),
    };
  });

const endpointSlice: fc.Arbitrary<Made> = fc.array(podState, { maxLength: 3 }).map(
  (states): Made => ({
    files: worldFiles({ replicas: 1, fresh: { version: "v2", pods: states } }),
    truth: { "endpoints-ready": states.some(isReadyState) },
  }),
);

export const KINDS: Readonly<Record<string, { readonly target: string; readonly made: fc.Arbitrary<Made> }>> =
  {
    StatefulSet: { target: "statefulset/db", made: statefulSet },
    DaemonSet: { target: "daemonset/agent", made: daemonSet },
    Job: { target: "job/migrate", made: job },
    CronJob: { target: "cronjob/backup", made: cronJob },
    Pod: { target: "pod/alone", made: pod },
    HorizontalPodAutoscaler: { target: "hpa/web", made: hpa },
    PodDisruptionBudget: { target: "pdb/web", made: pdb },
    ReplicaSet: { target: `replicaset/${setName("v2")}`, made: replicaSet },
    Service: { target: "service/web", made: service },
    EndpointSlice: { target: "endpointslice/web-abcde", made: endpointSlice },
    PersistentVolumeClaim: { target: "pvc/data", made: pvc },
    Ingress: { target: "ingress/door", made: ingressMade },
    Gateway: { target: "gateway/front", made: gatewayMade },
    HTTPRoute: { target: "httproute/way", made: httpRouteMade },
    GRPCRoute: { target: "grpcroute/way", made: grpcRouteMade },
    Application: { target: "application/shop", made: applicationMade },
  };
