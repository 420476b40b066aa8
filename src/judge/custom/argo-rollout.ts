/**
 * Argo Rollouts, as docs/guide/examples/argo-rollouts.yaml says it (a test holds the two together; ADR 0026).
 *
 * Sources, argoproj/argo-rollouts: utils/rollout/rolloututil.go for the phases and what makes them, types.go for the
 * status. `observedGeneration` is a text up to 1.8 and a number later (#3402). A background analysis that ends after the
 * promotion is not in the status any more (rollout/analysis.go), so the AnalysisRuns themselves are looked at (#3850). An
 * abort of an update that is fully promoted all the same is told (#939).
 */
import type { CustomRule, FieldPath, Need, Sign, Test } from "../../domain/custom-rule.ts";

const status = (...path: FieldPath): FieldPath => ["status", ...path];
const phase = (...values: readonly string[]): Need => ({ kind: "is", path: status("phase"), values });
const hash = { path: status("currentPodHash"), label: "rollouts-pod-template-hash" };
const stable = { path: status("stableRS"), as: hash.path };
const promoted: Need = { kind: "same", ...stable };
const notPromoted: Test = { kind: "other", ...stable };
const aborted: Test = { kind: "is", path: status("abort"), values: [true] };
const abortReason: Test = {
  kind: "condition",
  type: "Progressing",
  is: ["True", "False", "Unknown"],
  reasons: ["RolloutAborted"],
};
const workloadChanged: Test = {
  kind: "other",
  path: status("workloadObservedGeneration"),
  as: ["metadata", "annotations", "rollout.argoproj.io/workload-generation"],
};

const analysis = (...path: FieldPath): Sign => ({
  tests: [{ kind: "is-not", path: status(...path, "status"), values: ["Successful", "Running", "Pending"] }],
  says: null,
});

export const ARGO_ROLLOUT: CustomRule = {
  group: "argoproj.io",
  kind: "Rollout",
  plural: "rollouts",
  short: ["ro"],
  source: null,
  generation: { kind: "field", path: status("observedGeneration"), as: "either" },
  ready: [phase("Healthy"), promoted],
  failed: [
    {
      tests: [phase("Degraded"), notPromoted],
      says: "the update failed, and it is not the stable one",
    },
    {
      tests: [phase("Degraded"), { kind: "there", path: status("stableRS"), there: false }],
      says: "its first version failed",
    },
    {
      tests: [{ kind: "condition", type: "InvalidSpec", is: ["True"], reasons: null }],
      says: "its spec is invalid",
    },
  ],
  undetermined: [
    {
      tests: [aborted, promoted],
      says: "it says that the update was aborted, and also that it is the stable one",
    },
    {
      tests: [abortReason, promoted],
      says: "a condition says that the update was aborted, and the update is the stable one",
    },
    {
      tests: [phase("Degraded"), promoted],
      says: "it says that it is degraded, and also that the update is the stable one",
    },
    analysis("canary", "currentBackgroundAnalysisRunStatus"),
    analysis("canary", "currentStepAnalysisRunStatus"),
    analysis("blueGreen", "prePromotionAnalysisRunStatus"),
    analysis("blueGreen", "postPromotionAnalysisRunStatus"),
  ],
  progressing: [
    { tests: [phase("Progressing", "Paused")], says: null },
    {
      tests: [
        { kind: "is", path: status("controllerPause"), values: [true] },
        { kind: "there", path: status("pauseConditions"), there: false },
      ],
      says: "it is being resumed",
    },
    { tests: [workloadChanged], says: "the workload that it refers to was changed" },
  ],
  message: status("message"),
  pods: {
    owners: ["ReplicaSet"],
    selector: ["spec", "selector"],
    template: ["spec", "template"],
    version: hash,
    wanted: ["spec", "replicas"],
    total: "replicas",
    updated: "updatedReplicas",
    available: "availableReplicas",
  },
  children: [
    {
      group: "argoproj.io",
      kind: "AnalysisRun",
      plural: "analysisruns",
      version: hash,
      path: status("phase"),
      done: ["Successful", "Failed", "Error"],
      progressing: ["Running", "Pending"],
    },
  ],
};
