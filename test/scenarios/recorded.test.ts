/**
 * States of a real cluster (the testbed's Kubernetes 1.34), saved with `kubectl get -o json` or `asfound snapshot` and cut to the objects of one
 * workload: so that no rule is tested on invented objects alone. What each has to be follows from what was done to it.
 */
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { savedEvidence } from "../../src/adapters/system/saved-evidence.ts";
import { verifySaved } from "../../src/compose/verify.ts";
import type { ClaimName } from "../../src/domain/claim.ts";
import type { Judgement } from "../../src/domain/finding.ts";
import { judge } from "../../src/judge/judge.ts";
import * as laws from "../property/judge-laws.ts";
import { about } from "../support/kubernetes/evidence.ts";

const FOLDER = fileURLToPath(new URL("../fixtures/kubernetes/recorded/", import.meta.url));

interface Recorded {
  /** What was done, and when it was saved. */
  readonly done: string;
  readonly verdict: Judgement;
  readonly findings: Partial<Record<ClaimName, readonly [Judgement, string]>>;
  readonly says: RegExp;
  readonly target?: string;
}

const STATES: Readonly<Record<string, Recorded>> = {
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
};

describe.each(Object.entries(STATES))("%s", (name, { done, verdict, findings, says, target }) => {
  it(done, async () => {
    const report = await verifySaved(
      { from: `${FOLDER}${name}`, at: null, baseline: null, cwd: "/" },
      about(target ?? "deployment/web"),
    );
    if ("kind" in report) throw new Error(JSON.stringify(report));
    const found = report.findings.map((one) => [one.claim, one.finding, one.reason]);
    for (const [claim, [finding, reason]] of Object.entries(findings))
      expect(found).toContainEqual([claim, finding, reason]);
    expect(report.verdict).toBe(verdict);
    expect(report.statement).toMatch(says);
  });
});

describe.each(Object.entries(STATES))("the laws hold for it: %s", (name, { target }) => {
  it("V1, V2, V3, V4, V5, V7, V9", async () => {
    const collected = await savedEvidence({ path: `${FOLDER}${name}`, named: name, at: null }).collect();
    if ("faults" in collected) throw new Error(JSON.stringify(collected.faults));
    const { evidence } = collected;
    const question = about(target ?? "deployment/web");
    const broken = laws.brokenBy((law) => {
      laws.removingAnyCitedField(law, judge, evidence, question);
      laws.wrongTypes(law, judge, evidence, question);
      laws.anyOrder(law, judge, evidence, question, laws.shuffled([3, 1, 4, 1, 5, 9, 2, 6]));
      laws.otherIncarnation(law, judge, evidence, question);
      laws.timeAlone(law, judge, evidence, question);
      laws.notAsked(law, judge, evidence, question);
      laws.limitsTold(law, judge, evidence, question);
    });
    expect(broken).toEqual([]);
  });
});

it("every recorded state is judged", () => {
  expect(readdirSync(FOLDER).sort()).toEqual(Object.keys(STATES).sort());
});
