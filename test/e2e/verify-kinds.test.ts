/** Other kinds than Deployments on a real cluster, and what a namespace forbids, as `verify` tells them: by one look and by a watch. */
import { afterAll, beforeAll, describe, expect } from "vitest";
import { appReference, deployment, service } from "./app.ts";
import { expectVerdict, seenBoth, storyWith, verify, type Wanted } from "./asfound.ts";
import { atRest } from "./at-rest.ts";
import { eventually } from "./eventually.ts";
import { type Namespace, ownNamespace } from "./kubectl.ts";
import { LACK } from "./lack.ts";

const story = storyWith("images");
/** Of what runs no Pod. */
const bareStory = storyWith();

let free: Namespace;
let limited: Namespace;
let ranged: Namespace;
beforeAll(async () => {
  if (LACK === null)
    [free, limited, ranged] = await Promise.all([ownNamespace(), ownNamespace(), ownNamespace()]);
});
afterAll(async () => {
  for (const one of [free, limited, ranged]) await one?.[Symbol.asyncDispose]();
});

const seen = (namespace: Namespace, target: string, wanted: Wanted): Promise<void> =>
  seenBoth([target, "-n", namespace.name], wanted);

// biome-ignore lint/suspicious/noExplicitAny: a manifest, whose shape is the API's.
type Manifest = any;

const templateOf = (name: string, tag: string): Manifest =>
  (deployment(name, { image: appReference(tag) }) as Manifest).spec.template;

const statefulSet = (name: string, tag: string, partition: number): object => ({
  apiVersion: "apps/v1",
  kind: "StatefulSet",
  metadata: { name },
  spec: {
    serviceName: name,
    replicas: 2,
    podManagementPolicy: "Parallel",
    updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition } },
    selector: { matchLabels: { app: name } },
    template: templateOf(name, tag),
  },
});

const daemonSet = (name: string, tag: string, spec: object = {}, pod: object = {}): object => {
  const template = templateOf(name, tag);
  Object.assign(template.spec, pod);
  return {
    apiVersion: "apps/v1",
    kind: "DaemonSet",
    metadata: { name },
    spec: { selector: { matchLabels: { app: name } }, template, ...spec },
  };
};

const job = (name: string, code: number): object => ({
  apiVersion: "batch/v1",
  kind: "Job",
  metadata: { name },
  spec: {
    backoffLimit: 1,
    template: {
      spec: {
        restartPolicy: "Never",
        containers: [{ name: "app", image: appReference(":1.0.0"), args: ["exit", String(code)] }],
      },
    },
  },
});

describe("a StatefulSet", () => {
  story(
    "is judged at the ordinals that its partition lets go, and those it holds back are said",
    async () => {
      await free.apply(statefulSet("db", ":1.0.0", 0), service("db"));
      await atRest(free, "db", "statefulset");
      await seen(free, "statefulset/db", {
        verdict: "proven",
        says: /^2 new replicas run 1\.0\.0 and serve\.$/,
      });
      await free.apply(statefulSet("db", ":2.0.0", 1));
      await atRest(free, "db", "statefulset");
      await seen(free, "statefulset/db", {
        verdict: "proven",
        findings: { "rollout-complete": ["proven", "complete-to-partition"], "old-gone": ["proven", "gone"] },
        says: /^1 new replica runs 2\.0\.0 and serves; 1 replica is held back by the partition\.$/,
      });
    },
  );
});

describe("a DaemonSet", () => {
  story("is proven when each node runs the new template", async () => {
    await free.apply(daemonSet("agent", ":1.0.0"));
    await atRest(free, "agent", "daemonset");
    await free.apply(daemonSet("agent", ":2.0.0"));
    await atRest(free, "agent", "daemonset");
    await seen(free, "daemonset/agent", {
      verdict: "proven",
      says: /^\d+ new replicas? runs? 2\.0\.0 and (is|are) ready\.$/,
    });
  });

  story("of OnDelete with another template is refuted: it replaces no Pod by itself", async () => {
    const onDelete = { updateStrategy: { type: "OnDelete" } };
    await free.apply(daemonSet("asked", ":1.0.0", onDelete));
    expect((await atRest(free, "asked", "daemonset")).length).toBeGreaterThan(0);
    await free.apply(daemonSet("asked", ":2.0.0", onDelete));
    await eventually(async () => {
      const { metadata, status } = await free.get("daemonset", "asked");
      expect(status.observedGeneration).toBe(metadata.generation);
    });
    await seen(free, "daemonset/asked", {
      verdict: "refuted",
      findings: { "rollout-complete": ["refuted", "on-delete"] },
    });
  });

  bareStory("whose selector matches no node proves nothing", async () => {
    await free.apply(daemonSet("nowhere", ":1.0.0", {}, { nodeSelector: { nobody: "has-it" } }));
    await eventually(async () => {
      const { metadata, status } = await free.get("daemonset", "nowhere");
      expect(status.observedGeneration).toBe(metadata.generation);
    });
    await seen(free, "daemonset/nowhere", {
      verdict: "undetermined",
      findings: { "rollout-complete": ["undetermined", "vacuous"] },
    });
  });
});

describe("a Job", () => {
  story("that ended well is proven", async () => {
    await free.apply(job("good", 0));
    await free.run("wait", "--for=condition=Complete", "job/good", "--timeout=240s");
    await seen(free, "job/good", { verdict: "proven" });
  });

  story("that gave up is refuted, which ends a watch: it does not try again", async () => {
    await free.apply(job("bad", 4));
    await free.run("wait", "--for=condition=Failed", "job/bad", "--timeout=240s");
    const wanted: Wanted = { verdict: "refuted", says: /BackoffLimitExceeded|backoff limit/i };
    expectVerdict(await verify("job/bad", "-n", free.name), wanted);
    const watched = await verify("job/bad", "-n", free.name, "--watch", "--window", "60s");
    expectVerdict(watched, wanted);
    expect(watched.report.window.ended).toBe(false);
  });
});

describe("a Service", () => {
  bareStory("whose selector matches no Pod has no endpoints: refuted", async () => {
    await free.apply(service("lonely"));
    await eventually(async () =>
      expect(await free.list("endpointslices", "kubernetes.io/service-name=lonely")).toHaveLength(1),
    );
    await seen(free, "service/lonely", {
      verdict: "refuted",
      findings: { "endpoints-ready": ["refuted", "no-ready-endpoint"] },
    });
  });
});

describe("a namespace", () => {
  story(
    "whose quota is full refuses the new Pods: refuted by the quota, and the old ones serve",
    async () => {
      await limited.apply(deployment("web"), service("web"));
      await atRest(limited, "web");
      await limited.apply({
        apiVersion: "v1",
        kind: "ResourceQuota",
        metadata: { name: "few" },
        spec: { hard: { pods: "2" } },
      });
      await eventually(async () =>
        expect((await limited.get("resourcequota", "few")).status.used?.pods).toBe("2"),
      );
      const next: Manifest = deployment("web", { image: appReference(":2.0.0") });
      next.spec.strategy = { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } };
      await limited.apply(next);
      await eventually(async () => {
        const { status } = await limited.get("deployment", "web");
        expect(
          status.conditions.find(({ type }: { type: string }) => type === "ReplicaFailure")?.status,
        ).toBe("True");
      });
      await seen(limited, "deployment/web", {
        verdict: "refuted",
        findings: { "rollout-complete": ["refuted", "quota"], capacity: ["proven", "available"] },
        says: /exceeded quota: few/,
      });
    },
  );

  bareStory("whose LimitRange refuses the new Pods: refuted by it", async () => {
    await ranged.apply({
      apiVersion: "v1",
      kind: "LimitRange",
      metadata: { name: "small" },
      spec: { limits: [{ type: "Container", max: { memory: "64Mi" }, default: { memory: "64Mi" } }] },
    });
    const large: Manifest = deployment("web");
    large.spec.template.spec.containers[0].resources = { limits: { memory: "128Mi" } };
    await ranged.apply(large);
    await eventually(async () => {
      const { status } = await ranged.get("deployment", "web");
      expect(status.conditions?.find(({ type }: { type: string }) => type === "ReplicaFailure")?.status).toBe(
        "True",
      );
    });
    await seen(ranged, "deployment/web", {
      verdict: "refuted",
      findings: { "rollout-complete": ["refuted", "limit-range"] },
      says: /maximum memory usage per Container is 64Mi/,
    });
  });
});
