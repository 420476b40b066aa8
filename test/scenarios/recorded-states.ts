/**
 * States of a real cluster (the testbed's Kubernetes 1.34), so that no rule is tested on invented objects alone: what was done to it,
 * and what that has to be by the API's rules. Those up to `ingress-astray` were saved by hand, with `kubectl get -o json` or
 * `asfound snapshot`; the others are made and saved again by `npm run record` (test/e2e/recorded-states.ts, and those of a real
 * Argo CD 3.2.11, which begin with `app-`: test/e2e/delivered-states.ts).
 */
import type { ClaimName } from "../../src/domain/claim.ts";
import type { Judgement } from "../../src/domain/finding.ts";

export interface Recorded {
  /** What was done, and when it was saved. */
  readonly done: string;
  readonly verdict: Judgement;
  readonly findings: Partial<Record<ClaimName, readonly [Judgement, string]>>;
  readonly says: RegExp;
  readonly target?: string;
  /** The commit that is expected of the Application `shop`, whose namespace is not the target's. */
  readonly commit?: string;
  /** Container → digest that must be running. */
  readonly images?: Readonly<Record<string, string>>;
}

/** Equal contents, messages and dates have equal SHAs (test/e2e/git-repository.ts). */
const WEB = "6c12317c0fbb5b0ea1229548af81e39891063f5d";
const SHOP = "application/shop";
const SYNCED = {
  "intended-commit": ["proven", "found"],
  "synced-revision": ["proven", "synced"],
} as const;

export const STATES: Readonly<Record<string, Recorded>> = {
  complete: {
    done: "a Deployment of two, made 15 s ago",
    verdict: "proven",
    findings: {
      "rollout-complete": ["proven", "complete"],
      "endpoints-ready": ["proven", "endpoints-ready"],
    },
    says: /^2 new replicas run 1\.0\.0 and serve\.$/,
  },
  "image-pull": {
    done: "an image that the registry does not have, 6 s later",
    verdict: "refuted",
    findings: {
      "rollout-complete": ["refuted", "image-not-found"],
      "old-gone": ["refuted", "old-runs"],
      capacity: ["proven", "available"],
    },
    says: /^1 new replica runs 9\.9\.9 and cannot pull the image .*app:9\.9\.9.* 2 replicas of 1\.0\.0 serve\.$/,
  },
  undone: {
    done: "undone 5 s ago: the first ReplicaSet again, older than any condition",
    verdict: "proven",
    findings: { "rollout-complete": ["proven", "complete"], "old-gone": ["proven", "gone"] },
    says: /^2 new replicas run 1\.0\.0 and serve\.$/,
  },
  "crash-loop": {
    done: "a command that does not exist, 12 s later",
    verdict: "refuted",
    findings: { "rollout-complete": ["refuted", "crash-loop"], capacity: ["proven", "available"] },
    says: /crashes again and again: container web ended with exit code 128 \(StartError\), restarted once; 2 replicas of revision 3 serve\.$/,
  },
  "readiness-fails": {
    done: "a readiness probe to a port where nobody listens, 6 s later",
    verdict: "progressing",
    findings: { "rollout-complete": ["progressing", "readiness-probe"], capacity: ["proven", "available"] },
    says: /^1 new replica runs 1\.1\.0 and is not ready since 9s: its readiness probe fails .*connection refused.* 2 replicas of 2\.0\.0 serve\.$/,
  },
  "deadline-over": {
    done: "the same 12 s later, with a progress deadline of 10 s",
    verdict: "refuted",
    findings: {
      "rollout-complete": ["refuted", "progress-deadline-exceeded"],
      capacity: ["proven", "available"],
    },
    says: /2 replicas of 2\.0\.0 serve; the rollout made no progress within its deadline\.$/,
  },
  "undone-after-deadline": {
    done: "undone a moment ago",
    verdict: "proven",
    findings: { "rollout-complete": ["proven", "complete"], "old-gone": ["proven", "gone"] },
    says: /^2 new replicas run 2\.0\.0 and serve\.$/,
  },
  paused: {
    done: "paused, and a new image set",
    verdict: "refuted",
    findings: { "rollout-complete": ["refuted", "paused"], capacity: ["proven", "available"] },
    says: /^no new replica runs the new template; 2 replicas of 2\.0\.0 serve; the rollout is paused\.$/,
  },
  "controller-a-step-behind": {
    done: "resumed: the Deployment was read before its last old Pod was gone, the Pods after",
    verdict: "progressing",
    findings: {
      "rollout-complete": ["progressing", "old-pending-termination"],
      "old-gone": ["proven", "gone"],
    },
    says: /1 of another template is still counted/,
  },
  "lost-readiness": {
    done: "complete, and then one Pod told to answer 503",
    verdict: "refuted",
    findings: {
      "rollout-complete": ["proven", "completed-before"],
      capacity: ["refuted", "readiness-probe"],
      "endpoints-ready": ["proven", "endpoints-ready"],
    },
    says: /^2 new replicas run 2\.0\.0, 1 of them ready: Pod web-\S+ is not ready since 6s: its readiness answers 503/,
  },
  quota: {
    done: "a quota as large as what runs, and a new image",
    verdict: "refuted",
    findings: { "rollout-complete": ["refuted", "quota"], capacity: ["proven", "available"] },
    says: /2 replicas of 2\.0\.0 serve; .*forbidden by a quota: .*exceeded quota: few/,
  },
  "old-terminates": {
    done: "replaced, while the old Pods sleep in their preStop hook",
    verdict: "progressing",
    findings: { "rollout-complete": ["proven", "complete"], "old-gone": ["progressing", "terminating"] },
    says: /^2 new replicas run 2\.0\.0 and serve; 2 replicas of 1\.0\.0 are terminating\.$/,
  },
  partition: {
    done: "a StatefulSet of two with a new image and partition 1",
    target: "statefulset/db",
    verdict: "proven",
    findings: {
      "rollout-complete": ["proven", "complete-to-partition"],
      "old-gone": ["proven", "gone"],
      capacity: ["proven", "available"],
    },
    says: /^1 new replica runs 2\.0\.0 and is ready; 1 replica is held back by the partition\.$/,
  },
  "sidecar-unready": {
    done: "a native sidecar whose readiness answers 503, 12 s later",
    target: "deployment/escorted",
    verdict: "progressing",
    findings: { "rollout-complete": ["progressing", "readiness-probe"] },
    says: /^1 new replica runs 1\.0\.0 and is not ready since \d+s: its sidecar proxy's readiness answers 503 /,
  },
  "claim-waits": {
    done: "a claim whose class waits for its first Pod, and no Pod",
    target: "pvc/data",
    verdict: "progressing",
    findings: { "reported-ready": ["progressing", "waits-for-consumer"] },
    says: /which is normal until a Pod that uses it has a node to run on/,
  },
  "gateway-unheard": {
    done: "a Gateway whose class is of a controller that nobody runs",
    target: "gateway/unheard",
    verdict: "undetermined",
    findings: {
      "spec-observed": ["undetermined", "not-reported"],
      "reported-ready": ["undetermined", "not-reported"],
    },
    says: /no controller has reported on it: Accepted is as the API server made it \(Pending\)/,
  },
  "route-across": {
    done: "an HTTPRoute of a Gateway in another namespace, with Traefik",
    target: "httproute/web",
    verdict: "proven",
    findings: {
      "spec-observed": ["proven", "observed"],
      "reported-ready": ["proven", "accepted"],
      "endpoints-ready": ["proven", "endpoints-ready"],
    },
    says: /accepted, with all that it refers to, by Gateway infra\/front; Service web has 2 ready endpoints of 2\.$/,
  },
  "route-ungranted": {
    done: "one whose Service is in another namespace, without a ReferenceGrant or a Pod",
    target: "httproute/ungranted",
    verdict: "refuted",
    findings: {
      "reported-ready": ["refuted", "refs-not-resolved"],
      "endpoints-ready": ["refuted", "no-ready-endpoint"],
    },
    says: /RefNotPermitted: .*missing ReferenceGrant\); Service infra\/away has 0 ready endpoints of 0\.$/,
  },
  "ingress-astray": {
    done: "an Ingress with an address, whose Service is not there",
    target: "ingress/astray",
    verdict: "refuted",
    findings: {
      "reported-ready": ["proven", "address-published"],
      "endpoints-ready": ["refuted", "no-service"],
    },
    says: /^there is no Service shop\/nowhere, which it leads to; a controller has published /,
  },
  "oom-killed": {
    done: "more memory than its limit taken, until it was killed twice",
    verdict: "refuted",
    findings: {
      "rollout-complete": ["refuted", "crash-loop"],
      "old-gone": ["refuted", "old-runs"],
      "endpoints-ready": ["proven", "endpoints-ready"],
    },
    says: /exit code 137 \(OOMKilled\).*; 2 replicas of 1\.0\.0 serve\.$/,
  },
  "limit-range": {
    done: "a new template whose limit is above what the LimitRange allows",
    verdict: "refuted",
    findings: { "rollout-complete": ["refuted", "limit-range"], capacity: ["proven", "available"] },
    says: /2 replicas of 1\.0\.0 serve; .*forbidden by a LimitRange: .*maximum memory usage per Container is 64Mi, but limit is 128Mi/,
  },
  "quota-from-the-start": {
    done: "a first rollout where the quota allows no Pod",
    verdict: "refuted",
    findings: {
      "rollout-complete": ["refuted", "quota"],
      capacity: ["refuted", "unavailable"],
      "endpoints-ready": ["refuted", "no-ready-endpoint"],
    },
    says: /exceeded quota: none/,
  },
  "job-failed": {
    done: "a Job whose Pod ended with 4, and that does not try again",
    target: "job/web",
    verdict: "refuted",
    findings: { "rollout-complete": ["refuted", "job-failed"] },
    says: /BackoffLimitExceeded/,
  },
  "job-complete": {
    done: "the same with 0: its twin",
    target: "job/web",
    verdict: "proven",
    findings: { "rollout-complete": ["proven", "complete"] },
    says: /is complete/,
  },
  "daemonset-on-no-node": {
    done: "a node selector that no node meets",
    target: "daemonset/web",
    verdict: "undetermined",
    findings: { "rollout-complete": ["undetermined", "vacuous"] },
    says: /no (Pod|node)/,
  },
  "daemonset-on-delete": {
    done: "a new template, which OnDelete brings to no Pod by itself",
    target: "daemonset/web",
    verdict: "refuted",
    findings: { "rollout-complete": ["refuted", "on-delete"], "old-gone": ["refuted", "old-runs"] },
    says: /the strategy OnDelete replaces no Pod by itself/,
  },
  "daemonset-complete": {
    done: "a new template on each node: the twin of both",
    target: "daemonset/web",
    verdict: "proven",
    findings: { "rollout-complete": ["proven", "complete"], "old-gone": ["proven", "gone"] },
    says: /^1 new replica runs 2\.0\.0 and serves\.$/,
  },
  "recreate-midway": {
    done: "strategy Recreate, while the old Pods run their last minute: no new one is begun",
    verdict: "progressing",
    findings: {
      "rollout-complete": ["progressing", "updating"],
      "old-gone": ["progressing", "terminating"],
      capacity: ["progressing", "waiting-for"],
    },
    says: /^no new replica runs the new template; 2 replicas of 1\.0\.0 are terminating\.$/,
  },
  "recreate-complete": {
    done: "the same when it is over: its twin",
    verdict: "proven",
    findings: { "rollout-complete": ["proven", "complete"], "old-gone": ["proven", "gone"] },
    says: /^2 new replicas run 2\.0\.0 and serve\.$/,
  },
  "service-without-endpoints": {
    done: "a Service whose selector matches no Pod",
    target: "service/web",
    verdict: "refuted",
    findings: { "endpoints-ready": ["refuted", "no-ready-endpoint"] },
    says: /0 ready endpoints of 0/,
  },
  "service-ready": {
    done: "a Service over two ready Pods: its twin",
    target: "service/web",
    verdict: "proven",
    findings: { "endpoints-ready": ["proven", "endpoints-ready"] },
    says: /2 ready endpoints of 2/,
  },
  unschedulable: {
    done: "a new Pod that asks for more CPU than the node has, a moment ago: another node may still come",
    verdict: "progressing",
    findings: {
      "rollout-complete": ["progressing", "unschedulable"],
      "old-gone": ["progressing", "waiting-for"],
      capacity: ["proven", "available"],
    },
    says: /is unschedulable since \d+s \(0\/1 nodes are available: 1 Insufficient cpu\..*2 replicas of 1\.0\.0 serve\.$/,
  },
  "statefulset-stuck-above-partition": {
    done: "an image that the registry does not have, at the one ordinal that the partition lets go",
    target: "statefulset/web",
    verdict: "refuted",
    findings: {
      "rollout-complete": ["refuted", "image-not-found"],
      capacity: ["refuted", "image-not-found"],
    },
    says: /^1 new replica runs 9\.9\.9 and cannot pull the image .*1 replica is held back by the partition\.$/,
  },
  "statefulset-complete": {
    done: "a new template at every ordinal: its twin",
    target: "statefulset/web",
    verdict: "proven",
    findings: { "rollout-complete": ["proven", "complete"], "old-gone": ["proven", "gone"] },
    says: /^2 new replicas run 2\.0\.0 and serve\.$/,
  },
  "crash-loop-exit-code": {
    done: "a new version that ends with 3, again and again",
    verdict: "refuted",
    findings: { "rollout-complete": ["refuted", "crash-loop"], capacity: ["proven", "available"] },
    says: /exit code 3, restarted \d+ times; 2 replicas of 1\.0\.0 serve\.$/,
  },
  "init-container-fails": {
    done: "an init container that ends with 7, again and again",
    verdict: "refuted",
    findings: { "rollout-complete": ["refuted", "crash-loop"], capacity: ["proven", "available"] },
    says: /init container migrate ended with exit code 7.*; 2 replicas of 1\.0\.0 serve\.$/,
  },
  "private-registry-without-login": {
    done: "an image of a registry that answers 401 to whoever does not log in",
    verdict: "refuted",
    findings: {
      "rollout-complete": ["refuted", "image-denied"],
      "old-gone": ["refuted", "old-runs"],
      capacity: ["proven", "available"],
    },
    says: /cannot pull the image private\.registry\.example\/app:2\.0\.0.*401 Unauthorized.*; 2 replicas of 1\.0\.0 serve\.$/,
  },
  "private-registry-with-login": {
    done: "the same with a pull secret: its twin, with the digest that was pushed",
    verdict: "proven",
    images: { app: "sha256:4b9ad23fa5f6f379670fc78f6cf99de78de2646ecaf46d8315ff0a43811d9383" },
    findings: { "rollout-complete": ["proven", "complete"], artifact: ["proven", "expected-images"] },
    says: /^2 new replicas run 2\.0\.0 and serve\.$/,
  },
  "tag-moved-under-one-pod": {
    done: "one template, whose tag was moved before one of its two Pods was replaced",
    verdict: "refuted",
    images: { app: "sha256:826e260be8fb5374c329d84ac8582f58897ff040a8672dcaee6660d030da8c26" },
    findings: { "rollout-complete": ["proven", "complete"], artifact: ["refuted", "other-image"] },
    says: /sha256:/,
  },
  "app-synced": {
    done: "a commit with two of nginx and a Service, synced by itself",
    verdict: "proven",
    commit: WEB,
    findings: {
      "intended-commit": ["proven", "found"],
      "synced-revision": ["proven", "synced"],
      "controller-health": ["proven", "healthy"],
      "rollout-complete": ["proven", "complete"],
      response: ["proven", "as-expected"],
    },
    says: /^2 new replicas run 1 and serve\.$/,
  },
  "app-unready-rolling": {
    done: "a commit whose readiness is asked where nginx answers 404, with old Pods that stay meanwhile",
    verdict: "progressing",
    commit: "627875d59ef8a9004c48933ff72aaa57692d31fd",
    findings: {
      ...SYNCED,
      "controller-health": ["progressing", "progressing"],
      "rollout-complete": ["progressing", "readiness-probe"],
      "old-gone": ["progressing", "waiting-for"],
      "endpoints-ready": ["proven", "endpoints-ready"],
      response: ["proven", "as-expected"],
    },
    says: /^1 new replica runs revision 2 and is not ready.* answers 404.*; 2 replicas of revision 1 serve\.$/,
  },
  "app-degraded-rolling": {
    done: "the same after the progress deadline: Synced and Degraded, and old Pods answer 200",
    verdict: "refuted",
    commit: "a530a22029bd195a17321b22fdb895fc6f90cd82",
    findings: {
      ...SYNCED,
      "controller-health": ["refuted", "degraded"],
      "rollout-complete": ["refuted", "progress-deadline-exceeded"],
      "old-gone": ["refuted", "old-runs"],
      capacity: ["proven", "available"],
      "endpoints-ready": ["proven", "endpoints-ready"],
      response: ["proven", "as-expected"],
    },
    says: /^1 new replica runs revision 2 and is not ready.* answers 404.*; 2 replicas of revision 1 serve\.$/,
  },
  "app-degraded-recreate": {
    done: "the same with Recreate and one replica: Synced and Degraded, and nobody answers",
    verdict: "refuted",
    commit: "97f7ab1ee28a80d675c0764b68c361404d6ecfdf",
    findings: {
      ...SYNCED,
      "controller-health": ["refuted", "degraded"],
      "rollout-complete": ["refuted", "progress-deadline-exceeded"],
      "old-gone": ["proven", "gone"],
      capacity: ["refuted", "readiness-probe"],
      "endpoints-ready": ["refuted", "no-ready-endpoint"],
      response: ["undetermined", "no-reply"],
    },
    says: /^1 new replica runs 1 and is not ready.* answers 404/,
  },
  "app-reverted": {
    done: "git revert of a commit that was Degraded: another SHA, the tree before it",
    verdict: "proven",
    commit: "9b6fff192bcb7e2500afcf1b2b30b33d5ae26d8b",
    findings: {
      ...SYNCED,
      "controller-health": ["proven", "healthy"],
      "rollout-complete": ["proven", "complete"],
      "old-gone": ["proven", "gone"],
      response: ["proven", "as-expected"],
    },
    says: /^2 new replicas run 1 and serve\.$/,
  },
  "app-pinned-behind": {
    done: "an Application that is pinned to a commit, and a newer one on the branch",
    verdict: "refuted",
    target: SHOP,
    commit: "53b9da0f78",
    findings: {
      "intended-commit": ["refuted", "other-commit"],
      "synced-revision": ["refuted", "other-commit"],
      "controller-health": ["proven", "healthy"],
    },
    says: /^it is pinned to commit 6c12317c0f, and 53b9da0f78 is expected; a pinned Application follows no branch\.$/,
  },
  "app-sync-failed": {
    done: "a commit with a ConfigMap that the API server refuses",
    verdict: "refuted",
    target: SHOP,
    commit: "0e415b569193566db474a5c6fc1175b3a081da02",
    findings: {
      "intended-commit": ["proven", "found"],
      "synced-revision": ["refuted", "sync-failed"],
      "controller-health": ["refuted", "declared-absent"],
    },
    says: /its sync failed: .*cannot be handled as a ConfigMap/,
  },
  "app-fixed-without-sync": {
    done: "that ConfigMap taken out again: Synced, without a sync, and the last one stays Failed",
    verdict: "proven",
    target: SHOP,
    commit: "fbea26b45e9eee56938132dd98ce4e60993cac10",
    findings: { ...SYNCED, "controller-health": ["proven", "healthy"] },
    says: /where its controller found commit fbea26b45e\.$/,
  },
  "app-drifted": {
    done: "scaled by hand, automated without selfHeal: nothing brings it back",
    verdict: "refuted",
    target: SHOP,
    commit: WEB,
    findings: {
      "intended-commit": ["proven", "found"],
      "synced-revision": ["refuted", "out-of-sync"],
      "controller-health": ["proven", "healthy"],
    },
    says: /what changed since is not healed automatically \(selfHeal\)/,
  },
  "app-never-synced": {
    done: "an Application that was written, and that nothing syncs",
    verdict: "refuted",
    target: SHOP,
    commit: WEB,
    findings: {
      "intended-commit": ["proven", "found"],
      "synced-revision": ["refuted", "out-of-sync"],
      "controller-health": ["refuted", "declared-absent"],
    },
    says: /nothing syncs it, as it is not synced automatically/,
  },
  "app-without-branch": {
    done: "an Application of a branch that is not there: Unknown, and called Healthy",
    verdict: "undetermined",
    target: SHOP,
    commit: WEB,
    findings: {
      "spec-observed": ["undetermined", "comparison-failed"],
      "intended-commit": ["undetermined", "comparison-failed"],
      "synced-revision": ["undetermined", "comparison-failed"],
      "controller-health": ["undetermined", "comparison-failed"],
    },
    says: /cannot tell whether the cluster agrees with what is declared \(Unknown\): .*unable to resolve 'release' to a commit SHA/,
  },
};
