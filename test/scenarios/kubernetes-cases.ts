/**
 * The cases of `shared/cases/kubernetes.md`: states from public reports, each with a healthy twin, and the finding that
 * the API's rules demand. A case has several states where the report has.
 */
import type { JsonObject } from "../../src/domain/json.ts";
import type { Question } from "../../src/domain/question.ts";
import { type ApplicationWorld, applicationFiles, COMMIT } from "../support/kubernetes/application.ts";
import {
  type Files,
  progressing,
  READ_AT,
  setName,
  templateOf,
  type World,
  worldFiles,
} from "../support/kubernetes/deployment.ts";
import { about } from "../support/kubernetes/evidence.ts";
import { at, changed, list, uidOf } from "../support/kubernetes/object.ts";
import {
  autoscaler,
  barePod,
  budget,
  customResource,
  daemonFiles,
  jobCondition,
  jobFiles,
  scalingCondition,
} from "../support/kubernetes/others.ts";
import { digestOf, type PodState } from "../support/kubernetes/pod.ts";
import {
  aborted,
  abortedYetPromoted,
  paused,
  promoted,
  type RolloutWorld,
  rolloutFiles,
} from "../support/kubernetes/rollout.ts";
import { WIDGET_RULE } from "../support/kubernetes/widget-rule.ts";
import type { Case, State } from "./kubernetes-case.ts";
import { CONFIG_CASES } from "./kubernetes-config-cases.ts";

const WEB = about("deployment/web");
type Expect = Omit<State, "files" | "question" | "readAt">;

const state = (files: Files, question: Question, expect: Expect, readAt = READ_AT): State => ({
  files,
  question,
  readAt,
  ...expect,
});
const web = (world: World, expect: Expect): State => state(worldFiles(world), WEB, expect);

const ready = (count: number): readonly PodState[] => Array.from({ length: count }, () => "ready");
const v1 = (...pods: readonly PodState[]) => ({ version: "v1", pods });
const v2 = (...pods: readonly PodState[]) => ({ version: "v2", pods });
const healthy = (replicas: number): World => ({ replicas, fresh: v2(...ready(replicas)), old: [v1()] });
const PROVEN: Expect = {
  verdict: "proven",
  findings: {
    "spec-observed": "proven",
    "rollout-complete": "proven",
    "old-gone": "proven",
    capacity: "proven",
  },
  says: /new replicas? runs? v2 and serves?\.$/,
};

const BY_RULE = about("widget/one", { rules: [WIDGET_RULE] });
const ROLLOUT = about("rollout/web");
const PROMOTED: Expect = {
  verdict: "proven",
  findings: {
    "spec-observed": "proven",
    "rollout-complete": "proven",
    "reported-ready": ["proven", "reported-ready"],
    "old-gone": "proven",
    capacity: "proven",
  },
  says: /^3 new replicas run v2 and are ready\.$/,
};

/** The first object of a file, changed. */
const edited = (
  files: Files,
  file: string,
  path: readonly (string | number)[],
  value: JsonObject[string] | undefined,
): Files => ({
  ...files,
  [file]: changed(files[file] as JsonObject, ["items", 0, ...path], value),
});

const replicaFailure = (message: string): JsonObject => ({
  type: "ReplicaFailure",
  status: "True",
  reason: "FailedCreate",
  message,
  lastTransitionTime: at(605),
});
const QUOTA = `pods "${setName("v2")}-x" is forbidden: exceeded quota: compute, requested: pods=1, used: pods=3, limited: pods=3`;

const oneUnavailable = {
  strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } },
};

/** Synced to v2 at 5 s, and looked at again at 9 s, unless it is told otherwise. */
const synced = (world: Partial<ApplicationWorld>): ApplicationWorld => ({
  aims: COMMIT.v2,
  compared: COMMIT.v2,
  operation: { phase: "Succeeded", revision: COMMIT.v2, finished: 5 },
  ...world,
});
const withSource = (source: JsonObject | null): Question =>
  about("application/shop", {
    expected: { commit: { sha: COMMIT.v2, tree: null, repository: null, source } },
  });
const DRIFTED: ApplicationWorld["objects"] = [
  { kind: "Deployment", name: "web", status: "OutOfSync", health: "Healthy" },
];
const SHOP = withSource(null);
const BY_SHOP = about("deployment/web", {
  expected: {
    commit: { sha: COMMIT.v2, tree: null, repository: null, source: null },
    application: { namespace: "shop", name: "shop" },
  },
});
const SYNCED: Expect = {
  verdict: "proven",
  findings: {
    "spec-observed": "proven",
    "intended-commit": "proven",
    "synced-revision": "proven",
    "controller-health": "proven",
  },
};

export const CASES: Readonly<Record<string, Case>> = {
  ...CONFIG_CASES,
  "k8s-01": {
    seenIn: "krane#325",
    states: {
      "the status is of the old generation": web(
        { replicas: 3, fresh: null, next: "v2", old: [v1(...ready(3))], generation: 8, observed: 7 },
        {
          verdict: "progressing",
          findings: {
            "spec-observed": ["progressing", "generation-behind"],
            "rollout-complete": "progressing",
          },
        },
      ),
      "observed, one updated": web(
        { replicas: 3, fresh: v2("ready"), old: [v1("ready", "ready")], generation: 8 },
        {
          verdict: "progressing",
          findings: { "spec-observed": "proven", "rollout-complete": "progressing" },
        },
      ),
    },
    twin: web({ ...healthy(3), generation: 8 }, PROVEN),
  },
  "k8s-02": {
    seenIn: "kapp#448",
    states: {
      "Recreate, only the old ReplicaSet": web(
        {
          replicas: 1,
          fresh: null,
          next: "v2",
          old: [v1("ready")],
          spec: { strategy: { type: "Recreate" } },
        },
        {
          verdict: "progressing",
          findings: { "rollout-complete": ["progressing", "updating"], "old-gone": "progressing" },
        },
      ),
    },
    twin: web({ ...healthy(1), spec: { strategy: { type: "Recreate" } } }, PROVEN),
  },
  "k8s-03": {
    seenIn: "helm#3173, #8660",
    states: {
      "the new Pod is pending": web(
        {
          replicas: 1,
          fresh: v2("creating"),
          old: [v1()],
          spec: oneUnavailable,
        },
        {
          verdict: "progressing",
          findings: { "rollout-complete": ["progressing", "creating"], capacity: "progressing" },
        },
      ),
      "the new Pod crashes": web(
        { replicas: 1, fresh: v2("crash-loop"), old: [v1()] },
        {
          verdict: "refuted",
          findings: { "rollout-complete": ["refuted", "crash-loop"], capacity: "refuted" },
          says: /runs v2 and crashes again and again: container web ended with exit code 1, restarted 3 times/,
        },
      ),
    },
    twin: web({ ...healthy(1), spec: oneUnavailable }, PROVEN),
  },
  "k8s-04": {
    seenIn: "kustomize-controller#387",
    states: {
      "a custom resource without status": state(
        { "widgets.example.com.json": list([customResource(undefined)]) },
        BY_RULE,
        {
          verdict: "undetermined",
          findings: {
            "spec-observed": ["undetermined", "not-reported"],
            "reported-ready": ["undetermined", "not-reported"],
          },
          says: /no controller has reported/,
        },
      ),
    },
    twin: state(
      {
        "widgets.example.com.json": list([
          customResource({
            observedGeneration: 1,
            conditions: [{ type: "Ready", status: "True", reason: "Installed", message: "" }],
          }),
        ]),
      },
      BY_RULE,
      { verdict: "proven", findings: { "spec-observed": "proven", "reported-ready": "proven" } },
    ),
  },
  "k8s-05": {
    seenIn: "kargo#1411",
    states: {
      "its health is older than the sync": state(applicationFiles(synced({ reconciled: 1 })), SHOP, {
        verdict: "undetermined",
        findings: { "synced-revision": "proven", "controller-health": ["undetermined", "older-than-sync"] },
        says: /its health is older than the sync/,
      }),
      "and after it, it is Degraded": state(
        applicationFiles(synced({ reconciled: 9, health: "Degraded" })),
        SHOP,
        { verdict: "refuted", findings: { "controller-health": ["refuted", "degraded"] } },
      ),
      "its health is of the second in which the sync ended": state(
        applicationFiles(synced({ reconciled: 5 })),
        SHOP,
        { verdict: "undetermined", findings: { "controller-health": ["undetermined", "same-second"] } },
      ),
    },
    twin: state(applicationFiles(synced({ reconciled: 9 })), SHOP, SYNCED),
    twins: {
      "judged of what it brings about": state(
        { ...worldFiles(healthy(2)), ...applicationFiles(synced({})) },
        BY_SHOP,
        { ...PROVEN, findings: { ...PROVEN.findings, ...SYNCED.findings } },
      ),
    },
  },
  "k8s-06": {
    seenIn: "kargo#6357",
    states: {
      "Synced and Healthy, at the commit before": state(
        applicationFiles(synced({ aims: "main", compared: COMMIT.v1 })),
        SHOP,
        {
          verdict: "progressing",
          findings: {
            "intended-commit": ["progressing", "not-found-yet"],
            "synced-revision": ["progressing", "waiting-for"],
            "controller-health": "proven",
          },
        },
      ),
      "pinned to the commit before, which follows no branch": state(
        applicationFiles(synced({ aims: COMMIT.v1, compared: COMMIT.v1 })),
        SHOP,
        { verdict: "refuted", findings: { "intended-commit": ["refuted", "other-commit"] } },
      ),
      "there is no such branch, whose name stands where a commit would": state(
        applicationFiles(synced({ aims: "main", compared: "main", sync: "Unknown" })),
        SHOP,
        {
          verdict: "undetermined",
          findings: {
            "intended-commit": ["undetermined", "comparison-failed"],
            "synced-revision": ["undetermined", "comparison-failed"],
            "controller-health": ["undetermined", "comparison-failed"],
          },
        },
      ),
      "changed by hand since it was synced, and nothing heals it": state(
        applicationFiles(synced({ automated: { prune: true }, sync: "OutOfSync", objects: DRIFTED })),
        SHOP,
        {
          verdict: "refuted",
          findings: { "synced-revision": ["refuted", "out-of-sync"] },
          says: /selfHeal/,
        },
      ),
      "what is not declared any more is left, and nothing prunes it": state(
        applicationFiles(
          synced({
            automated: { selfHeal: true },
            sync: "OutOfSync",
            objects: [
              { kind: "Deployment", name: "web" },
              { kind: "Service", name: "web", status: "OutOfSync", surplus: true },
            ],
          }),
        ),
        SHOP,
        {
          verdict: "refuted",
          findings: { "synced-revision": ["refuted", "out-of-sync"] },
          says: /pruned/,
        },
      ),
      "several sources: a sync of other revisions failed": state(
        applicationFiles(
          synced({
            aims: "main",
            several: true,
            sync: "OutOfSync",
            objects: DRIFTED,
            operation: { phase: "Failed", revision: COMMIT.v1, finished: 5 },
          }),
        ),
        about("application/shop"),
        { verdict: "progressing", findings: { "synced-revision": ["progressing", "out-of-sync"] } },
      ),
    },
    twin: state(applicationFiles(synced({ aims: "main" })), SHOP, SYNCED),
    twins: {
      "changed by hand, and to be healed": state(
        applicationFiles(synced({ sync: "OutOfSync", objects: DRIFTED })),
        SHOP,
        { verdict: "progressing", findings: { "synced-revision": ["progressing", "out-of-sync"] } },
      ),
    },
  },
  "k8s-07": {
    seenIn: "argo-cd#13514",
    states: {
      "its only object is absent, and it reads Healthy": state(
        applicationFiles(
          synced({ objects: [{ kind: "Deployment", name: "web", status: "OutOfSync", health: "Missing" }] }),
        ),
        SHOP,
        {
          verdict: "refuted",
          findings: { "controller-health": ["refuted", "declared-absent"] },
          says: /Deployment shop\/web/,
        },
      ),
      "the Deployment is absent, and the Service is there": state(
        {
          ...applicationFiles(
            synced({
              objects: [
                { kind: "Deployment", name: "web", status: "OutOfSync" },
                { kind: "Service", name: "web", status: "Synced", health: "Healthy" },
              ],
            }),
          ),
          "deployments.json": list([]),
        },
        SHOP,
        { verdict: "refuted", findings: { "controller-health": ["refuted", "declared-absent"] } },
      ),
      "its status is of another spec: what that one declared says nothing of this one (V3)": state(
        applicationFiles(
          synced({
            objects: [{ kind: "Deployment", name: "web", status: "OutOfSync", health: "Missing" }],
            comparedTo: { path: "deploy/before" },
          }),
        ),
        SHOP,
        { verdict: "progressing", findings: { "controller-health": "progressing" } },
      ),
      "and where nobody looked for it, nothing says that it is there": state(
        applicationFiles(synced({ objects: [{ kind: "Deployment", name: "web", status: "OutOfSync" }] })),
        SHOP,
        { verdict: "undetermined", findings: { "controller-health": ["undetermined", "object-unknown"] } },
      ),
      "and another Application's word is none about it": state(
        {
          ...worldFiles(healthy(2)),
          ...applicationFiles(synced({ objects: [{ kind: "Service", name: "web" }] })),
        },
        BY_SHOP,
        { verdict: "refuted", findings: { "controller-health": ["refuted", "not-declared"] } },
      ),
      "there is no such Application": state(
        { ...worldFiles(healthy(2)), "applications.argoproj.io.json": list([]) },
        BY_SHOP,
        { verdict: "refuted", findings: { "synced-revision": ["refuted", "no-application"] } },
      ),
      "nobody read it": state(worldFiles(healthy(2)), BY_SHOP, {
        verdict: "undetermined",
        findings: { "synced-revision": ["undetermined", "missing"] },
      }),
      "a commit is expected, and no Application named": state(
        worldFiles(healthy(2)),
        about("deployment/web", {
          expected: { commit: { sha: COMMIT.v2, tree: null, repository: null, source: null } },
        }),
        { verdict: "undetermined", findings: { "synced-revision": ["undetermined", "not-asked"] } },
      ),
      "it declares nothing": state(applicationFiles(synced({ objects: [] })), SHOP, {
        verdict: "undetermined",
        findings: { "controller-health": ["undetermined", "vacuous"] },
      }),
    },
    twin: state(applicationFiles(synced({})), SHOP, SYNCED),
  },
  "k8s-08": {
    seenIn: "krane#288",
    states: {
      "two of six are updated": state(
        daemonFiles({
          desired: 6,
          pods: [
            ...Array(2).fill({ template: 2, state: "ready" }),
            ...Array(4).fill({ template: 1, state: "ready" }),
          ],
        }),
        about("daemonset/agent"),
        {
          verdict: "progressing",
          findings: { "rollout-complete": ["progressing", "updating"], "old-gone": "progressing" },
        },
      ),
      "no node matches": state(daemonFiles({ desired: 0, pods: [] }), about("daemonset/agent"), {
        verdict: "undetermined",
        findings: { "rollout-complete": ["undetermined", "vacuous"] },
      }),
      "nothing was observed": state(
        daemonFiles({
          desired: 0,
          pods: [],
          status: {
            currentNumberScheduled: 0,
            desiredNumberScheduled: 0,
            numberMisscheduled: 0,
            numberReady: 0,
          },
        }),
        about("daemonset/agent"),
        { verdict: "undetermined", findings: { "spec-observed": ["undetermined", "not-reported"] } },
      ),
    },
    twin: state(
      daemonFiles({ desired: 6, pods: Array(6).fill({ template: 2, state: "ready" }) }),
      about("daemonset/agent"),
      {
        verdict: "proven",
        findings: { "rollout-complete": "proven", "old-gone": "proven", capacity: "proven" },
      },
    ),
  },
  "k8s-09": {
    seenIn: "kubectl#1628, #1284",
    states: {
      "an old Pod still terminates": web(
        { replicas: 2, fresh: v2(...ready(2)), old: [v1("terminating")] },
        {
          verdict: "progressing",
          findings: { "rollout-complete": "proven", "old-gone": ["progressing", "terminating"] },
          says: /1 replica of v1 is terminating/,
        },
      ),
    },
    twin: web(healthy(2), PROVEN),
  },
  "k8s-11": {
    seenIn: "kubectl#962",
    states: {
      "Available is of the generation before": web(
        { replicas: 2, fresh: null, next: "v2", old: [v1(...ready(2))], generation: 5, observed: 4 },
        {
          verdict: "progressing",
          findings: {
            "spec-observed": "progressing",
            "rollout-complete": ["progressing", "waiting-for"],
            capacity: "progressing",
          },
        },
      ),
    },
    twin: web({ ...healthy(2), generation: 5 }, PROVEN),
  },
  "k8s-12": {
    seenIn: "argo-rollouts#3850",
    states: {
      "an analysis was inconclusive, and the status knows nothing of it any more": rollout(
        { ...promoted, analyses: ["Successful", "Inconclusive"] },
        {
          verdict: "undetermined",
          findings: {
            "rollout-complete": "proven",
            "reported-ready": ["undetermined", "child-not-done"],
          },
          says: /AnalysisRun shop\/web-\S+-1: status\.phase is Inconclusive/,
        },
      ),
      "the status says that it is inconclusive, and Healthy": rollout(
        {
          ...promoted,
          status: { canary: { currentBackgroundAnalysisRunStatus: { name: "a", status: "Inconclusive" } } },
        },
        {
          verdict: "undetermined",
          findings: { "reported-ready": ["undetermined", "reported-undetermined"] },
          says: /currentBackgroundAnalysisRunStatus\.status is Inconclusive/,
        },
      ),
      "AnalysisRuns were not asked for": state(
        without(rolloutFiles(promoted), "analysisruns.argoproj.io.json"),
        ROLLOUT,
        { verdict: "undetermined", findings: { "reported-ready": ["undetermined", "missing"] } },
      ),
    },
    twin: rollout(promoted, PROMOTED),
  },
  "k8s-13": {
    seenIn: "argo-cd PR #26274",
    states: {
      "able to scale, and not scaling": state(
        {
          "horizontalpodautoscalers.json": list([
            autoscaler({
              desiredReplicas: 3,
              currentReplicas: 3,
              conditions: [
                scalingCondition("AbleToScale", "True", "ReadyForNewScale", 100),
                scalingCondition("ScalingActive", "False", "FailedGetResourceMetric", 400),
              ],
            }),
          ]),
        },
        about("hpa/web"),
        {
          verdict: "undetermined",
          findings: { "reported-ready": ["undetermined", "autoscaler-unknown"] },
          says: /ScalingActive is False since 5m: FailedGetResourceMetric/,
        },
      ),
    },
    twin: state(
      {
        "horizontalpodautoscalers.json": list([
          autoscaler({
            desiredReplicas: 3,
            currentReplicas: 3,
            conditions: [
              scalingCondition("ScalingActive", "True", "ValidMetricFound", 400),
              scalingCondition("AbleToScale", "True", "ReadyForNewScale", 100),
            ],
          }),
        ]),
      },
      about("hpa/web"),
      { verdict: "proven", findings: { "reported-ready": "proven" } },
    ),
  },
  "k8s-14": {
    seenIn: "kubernetes#49637",
    states: {
      "the deadline is of the rollout before": web(
        {
          replicas: 2,
          fresh: v2("creating"),
          old: [v1(...ready(2))],
          progressing: progressing(
            "False",
            "ProgressDeadlineExceeded",
            `ReplicaSet "${setName("v1")}" has timed out progressing.`,
            500,
          ),
        },
        { verdict: "progressing", findings: { "rollout-complete": ["progressing", "creating"] } },
      ),
      "the deadline is of this rollout": web(
        {
          replicas: 2,
          fresh: v2("not-ready"),
          old: [v1(...ready(2))],
          progressing: progressing(
            "False",
            "ProgressDeadlineExceeded",
            `ReplicaSet "${setName("v2")}" has timed out progressing.`,
            690,
          ),
        },
        {
          verdict: "refuted",
          findings: { "rollout-complete": ["refuted", "progress-deadline-exceeded"], capacity: "proven" },
          says: /no progress within its deadline/,
        },
      ),
    },
    twin: web(healthy(2), PROVEN),
  },
  "k8s-15": {
    seenIn: "helm#31896",
    states: {
      "unschedulable for 20 seconds": state(
        worldFiles({ replicas: 2, fresh: v2("unschedulable"), old: [v1(...ready(2))] }),
        WEB,
        {
          verdict: "progressing",
          findings: { "rollout-complete": ["progressing", "unschedulable"] },
          says: /unschedulable since 20s \(0\/1 nodes are available: 1 Insufficient cpu\.\)/,
        },
        620,
      ),
    },
    twin: web(healthy(2), PROVEN),
  },
  "k8s-16": {
    seenIn: "argo-cd#28522",
    states: {
      "the metric is missing during a rollout": state(
        {
          ...worldFiles({ replicas: 2, fresh: v2("creating"), old: [v1(...ready(2))] }),
          "horizontalpodautoscalers.json": list([
            autoscaler({
              desiredReplicas: 2,
              currentReplicas: 2,
              conditions: [scalingCondition("ScalingActive", "False", "FailedGetResourceMetric", 640)],
            }),
          ]),
        },
        WEB,
        {
          verdict: "undetermined",
          findings: { "rollout-complete": "progressing", capacity: ["undetermined", "autoscaler-unknown"] },
          says: /cannot tell how many are wanted since 1m/,
        },
      ),
    },
    twin: state(
      {
        ...worldFiles(healthy(2)),
        "horizontalpodautoscalers.json": list([
          autoscaler({
            desiredReplicas: 2,
            currentReplicas: 2,
            conditions: [scalingCondition("ScalingActive", "True", "ValidMetricFound", 640)],
          }),
        ]),
      },
      WEB,
      PROVEN,
    ),
  },
  "k8s-17": {
    seenIn: "argo-rollouts#939",
    states: {
      "the abort was never cleared, and the update is the stable one": rollout(abortedYetPromoted, {
        verdict: "undetermined",
        findings: {
          "rollout-complete": ["proven", "complete"],
          "reported-ready": ["undetermined", "reported-undetermined"],
        },
        says: /3 new replicas run v2 .*status\.abort is true.*status\.stableRS is status\.currentPodHash.*RolloutAborted/,
      }),
      "... told by a condition alone": rollout(
        {
          ...promoted,
          status: {
            conditions: [
              {
                type: "Progressing",
                status: "False",
                reason: "RolloutAborted",
                message: "Rollout aborted update to revision 2",
                lastTransitionTime: at(640),
              },
            ],
          },
        },
        {
          verdict: "undetermined",
          findings: { "reported-ready": ["undetermined", "reported-undetermined"] },
        },
      ),
      "an abort that is one": rollout(aborted, {
        verdict: "refuted",
        findings: { "reported-ready": ["refuted", "reported-failed"], "rollout-complete": "progressing" },
        says: /the update failed, and it is not the stable one.*RolloutAborted/,
      }),
      "paused between two steps": rollout(paused, {
        verdict: "progressing",
        findings: { "reported-ready": ["progressing", "reported-progressing"], "old-gone": "progressing" },
      }),
    },
    // As a number, which Argo Rollouts writes after 1.8.
    twin: rollout({ ...promoted, observed: 7 }, PROMOTED),
  },
  "k8s-18": {
    seenIn: "flux2#4529",
    states: {
      "every read failed": state(
        {
          "deployments.json": failedAnswer(503, "the server is currently unable to handle the request"),
          "pods.json": failedAnswer(403, "pods is forbidden"),
        },
        WEB,
        {
          verdict: "undetermined",
          findings: { "spec-observed": ["undetermined", "not-read"] },
          says: /unable to handle the request/,
        },
      ),
      "only the Pods could not be read": state(
        { ...worldFiles(healthy(2)), "pods.json": failedAnswer(403, "pods is forbidden") },
        WEB,
        {
          verdict: "undetermined",
          findings: { "rollout-complete": "proven", "old-gone": ["undetermined", "missing"] },
          says: /pods is forbidden/,
        },
      ),
    },
    twin: web(healthy(2), PROVEN),
  },
  "k8s-19": {
    seenIn: "helm#32615",
    states: {
      "a Rollout's observed generation is of the one before, as a text": rollout(
        { ...promoted, observed: "6" },
        {
          verdict: "progressing",
          findings: {
            "spec-observed": ["progressing", "generation-behind"],
            "reported-ready": "progressing",
          },
        },
      ),
      "... is a text that is no number (a hash, as Argo Rollouts 0.9 wrote)": rollout(
        { ...promoted, observed: "6d5f4c7b9d" },
        {
          verdict: "undetermined",
          findings: { "spec-observed": ["undetermined", "missing"], "reported-ready": "undetermined" },
          says: /status\.observedGeneration is the text "6d5f4c7b9d"/,
        },
      ),
      "a Deployment's is a text": state(
        edited(
          worldFiles({ ...healthy(2), generation: 7 }),
          "deployments.json",
          ["status", "observedGeneration"],
          "7",
        ),
        WEB,
        {
          verdict: "undetermined",
          findings: { "spec-observed": ["undetermined", "missing"], "rollout-complete": "undetermined" },
          says: /status\.observedGeneration is the text "7", not a whole number/,
        },
      ),
    },
    twin: rollout({ ...promoted, observed: "7" }, PROMOTED),
  },
  "k8s-22": {
    seenIn: "kubedog#157",
    states: {
      "the backoff limit is reached": state(
        jobFiles({
          startTime: at(101),
          failed: 4,
          conditions: [
            jobCondition("Failed", "BackoffLimitExceeded", "Job has reached the specified backoff limit"),
          ],
        }),
        about("job/migrate"),
        {
          verdict: "refuted",
          findings: { "rollout-complete": ["refuted", "job-failed"] },
          says: /BackoffLimitExceeded/,
        },
      ),
    },
    twin: state(
      jobFiles({
        startTime: at(101),
        succeeded: 1,
        completionTime: at(200),
        conditions: [
          jobCondition("Complete", "CompletionsReached", "Reached expected number of succeeded pods"),
        ],
      }),
      about("job/migrate"),
      { verdict: "proven", findings: { "rollout-complete": "proven" } },
    ),
  },
  "k8s-23": {
    seenIn: "helm#3875",
    states: {
      "a quota forbids the new Pods": state(
        withSetCondition(
          worldFiles({ replicas: 3, fresh: v2(), old: [v1(...ready(3))] }),
          "v2",
          replicaFailure(QUOTA),
        ),
        WEB,
        {
          verdict: "refuted",
          findings: { "rollout-complete": ["refuted", "quota"], capacity: "proven" },
          says: /3 replicas of v1 serve; .*forbidden by a quota/,
        },
      ),
    },
    twin: web(healthy(3), PROVEN),
  },
  "k8s-26": {
    seenIn: "kubernetes#94698",
    states: {
      "a surplus container survived": state(
        edited(
          worldFiles(healthy(2)),
          "deployments.json",
          ["spec", "template", "spec", "containers"],
          [
            ...((templateOf("v2")["spec"] as JsonObject)["containers"] as JsonObject[]),
            { name: "debug", image: "debug:1" },
          ],
        ),
        about("deployment/web", { expected: { images: new Map([["web", digestOf("web:v2")]]) } }),
        { verdict: "refuted", findings: { artifact: ["refuted", "surplus-container"] }, says: /debug/ },
      ),
      "another image runs than was expected": state(
        worldFiles(healthy(2)),
        about("deployment/web", { expected: { images: new Map([["web", digestOf("web:v3")]]) } }),
        { verdict: "refuted", findings: { artifact: ["refuted", "other-image"] } },
      ),
    },
    twin: state(
      worldFiles(healthy(2)),
      about("deployment/web", { expected: { images: new Map([["web", digestOf("web:v2")]]) } }),
      { ...PROVEN, findings: { ...PROVEN.findings, artifact: "proven" } },
    ),
  },
  "k8s-28": {
    seenIn: "argo-cd#978",
    states: {
      "the commit is the one, and an image is set beside Git": state(
        applicationFiles(synced({ source: { kustomize: { images: ["web=registry.example/web:v3"] } } })),
        withSource({ path: "deploy/web" }),
        {
          verdict: "refuted",
          findings: { "intended-commit": "proven", "synced-revision": ["refuted", "other-source"] },
          says: /kustomize/,
        },
      ),
      "an override that was part of it is gone": state(
        applicationFiles(synced({})),
        withSource({ path: "deploy/web", helm: { parameters: [{ name: "image.tag", value: "v2" }] } }),
        { verdict: "refuted", findings: { "synced-revision": ["refuted", "other-source"] }, says: /helm/ },
      ),
    },
    twin: state(
      applicationFiles(synced({ source: { kustomize: { images: ["web=registry.example/web:v2"] } } })),
      withSource({ path: "deploy/web", kustomize: { images: ["web=registry.example/web:v2"] } }),
      SYNCED,
    ),
  },
  "k8s-31": {
    seenIn: "garden (by reading)",
    states: {
      "a DaemonSet with an empty status": state(
        daemonFiles({ desired: 0, pods: [], status: {} }),
        about("daemonset/agent"),
        {
          verdict: "undetermined",
          findings: { "spec-observed": ["undetermined", "not-reported"] },
          says: /no controller has reported/,
        },
      ),
    },
    twin: state(
      daemonFiles({ desired: 1, pods: [{ template: 2, state: "ready" }] }),
      about("daemonset/agent"),
      { verdict: "proven", findings: { "rollout-complete": "proven" } },
    ),
  },
  "k8s-33": {
    seenIn: "keptn (by reading)",
    states: {
      "another object has the name": state(
        worldFiles(healthy(2)),
        about("deployment/web", { expected: { uid: uidOf("Deployment", "web", 2) } }),
        {
          verdict: "undetermined",
          findings: {
            "spec-observed": ["undetermined", "object-replaced"],
            "rollout-complete": ["undetermined", "object-replaced"],
          },
        },
      ),
    },
    twin: state(
      worldFiles(healthy(2)),
      about("deployment/web", { expected: { uid: uidOf("Deployment", "web") } }),
      PROVEN,
    ),
  },
  "k8s-34": {
    seenIn: "kstatus (by reading)",
    states: {
      "a Pod that failed": state({ "pods.json": list([barePod("evicted")]) }, about("pod/alone"), {
        verdict: "refuted",
        findings: { "rollout-complete": ["refuted", "pod-failed"] },
        says: /Evicted: The node was low on resource: memory\./,
      }),
      "a budget that is not kept": state(
        {
          "poddisruptionbudgets.json": list([
            budget({ disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 2, expectedPods: 3 }),
          ]),
        },
        about("pdb/web"),
        { verdict: "refuted", findings: { "reported-ready": ["refuted", "below-budget"] } },
      ),
      "a budget of nothing": state(
        {
          "poddisruptionbudgets.json": list([
            budget({ disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 }),
          ]),
        },
        about("pdb/web"),
        { verdict: "undetermined", findings: { "reported-ready": ["undetermined", "vacuous"] } },
      ),
    },
    twin: state(
      {
        "poddisruptionbudgets.json": list([
          budget({ disruptionsAllowed: 1, currentHealthy: 3, desiredHealthy: 2, expectedPods: 3 }),
        ]),
      },
      about("pdb/web"),
      { verdict: "proven", findings: { "reported-ready": "proven" } },
    ),
    twins: {
      "a Pod that is ready": state({ "pods.json": list([barePod("ready")]) }, about("pod/alone"), {
        verdict: "proven",
        findings: { "rollout-complete": "proven" },
      }),
    },
  },
  "k8s-35": {
    seenIn: "k9s (by reading)",
    states: {
      "no Pod can be made at all": state(
        withSetCondition(
          edited(
            worldFiles({ replicas: 3, fresh: v2(), old: [] }),
            "deployments.json",
            ["status", "conditions"],
            [replicaFailure(QUOTA)],
          ),
          "v2",
          replicaFailure(QUOTA),
        ),
        WEB,
        { verdict: "refuted", findings: { "rollout-complete": ["refuted", "quota"], capacity: "refuted" } },
      ),
      "... seen from the Deployment alone": state(
        {
          "deployments.json": edited(
            worldFiles({ replicas: 3, fresh: null, old: [] }),
            "deployments.json",
            ["status", "conditions"],
            [replicaFailure(QUOTA)],
          )["deployments.json"] as JsonObject,
        },
        WEB,
        { verdict: "refuted", findings: { "rollout-complete": ["refuted", "quota"] } },
      ),
    },
    twin: web(healthy(3), PROVEN),
  },
};

/** Judged in test/scenarios/sweep.test.ts, each with a healthy twin: they are about many targets. */
export const SWEPT: readonly string[] = ["k8s-10", "k8s-32"];

/** Cases about when to look, which files cannot show: the scenario of a live cluster that tells each by its number. */
export const JUDGED_LIVE: Readonly<Record<string, string>> = {
  "k8s-20": "verify-watch.test.ts",
  "k8s-21": "verify-watch.test.ts",
};

/** Cases that need what this version does not judge yet: GitOps, config, recovery. */
export const NOT_JUDGED: Readonly<Record<string, string>> = {
  "k8s-25": "the preflight of a rollback",
  "k8s-27": "recovery",
};

function rollout(world: RolloutWorld, expect: Expect): State {
  return state(rolloutFiles(world), ROLLOUT, expect);
}

function without(files: Files, name: string): Files {
  const { [name]: _, ...others } = files;
  return others;
}

function failedAnswer(code: number, message: string): JsonObject {
  return { apiVersion: "v1", kind: "Status", metadata: {}, status: "Failure", message, code };
}

function withSetCondition(files: Files, version: string, condition: JsonObject): Files {
  const sets = files["replicasets.json"] as { items: JsonObject[] };
  const at = sets.items.findIndex(({ metadata }) => (metadata as JsonObject)["name"] === setName(version));
  return {
    ...files,
    "replicasets.json": changed(
      files["replicasets.json"] as JsonObject,
      ["items", at, "status", "conditions"],
      [condition],
    ),
  };
}
