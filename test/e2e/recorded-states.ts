/**
 * States of a real cluster that `npm run record` makes, each in a namespace of its own, and saves as test/fixtures/kubernetes/recorded.
 * What each has to be is in test/scenarios/recorded-states.ts; that it is there is asked of the API server, never of asfound.
 */
import assert from "node:assert/strict";
import { appReference, deployment, service, steer } from "./app.ts";
import { eventually } from "./eventually.ts";
import type { KubeObject, Namespace } from "./kubectl.ts";
import { privateImage, privateRegistryLogin, pullSecret } from "./private-registry.ts";
import { testbed } from "./testbed.ts";

// biome-ignore lint/suspicious/noExplicitAny: a manifest, whose shape is the API's.
type Manifest = any;

/** Every target is named `web`. */
export interface Made {
  readonly kind: "deployment" | "statefulset" | "daemonset" | "job" | "service";
  make(namespace: Namespace): Promise<void>;
}

interface Change {
  readonly env?: Readonly<Record<string, string>>;
  readonly image?: string;
  readonly spec?: object;
  readonly pod?: object;
  readonly container?: object;
}

/** Two Pods; one more may come, and none may go before it is ready. */
const web = (
  tag: string,
  { env = {}, image = appReference(tag), spec, pod, container }: Change = {},
): Manifest => {
  const variables = Object.entries(env).map(([name, value]) => ({ name, value }));
  const manifest: Manifest = deployment("web", { image, env: variables });
  Object.assign(manifest.spec, { strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } }, spec);
  Object.assign(manifest.spec.template.spec, pod);
  Object.assign(manifest.spec.template.spec.containers[0], container);
  return manifest;
};

const another = (kind: string, tag: string, spec: object, change: Change = {}): Manifest => {
  const { metadata, spec: its } = web(tag, change);
  return {
    apiVersion: "apps/v1",
    kind,
    metadata,
    spec: { selector: its.selector, template: its.template, ...spec },
  };
};
const statefulSet = (tag: string, partition: number): Manifest =>
  another("StatefulSet", tag, {
    serviceName: "web",
    replicas: 2,
    podManagementPolicy: "Parallel",
    updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition } },
  });
const job = (code: number): Manifest => ({
  apiVersion: "batch/v1",
  kind: "Job",
  metadata: { name: "web" },
  spec: {
    backoffLimit: 0,
    template: {
      spec: {
        restartPolicy: "Never",
        containers: [{ name: "app", image: appReference(":1.0.0"), args: ["exit", String(code)] }],
      },
    },
  },
});

const podsOf = (namespace: Namespace): Promise<readonly KubeObject[]> => namespace.list("pods");
const isGoing = ({ metadata }: KubeObject): boolean => "deletionTimestamp" in metadata;
const statusesOf = ({ status }: KubeObject): readonly Manifest[] => [
  ...(status.initContainerStatuses ?? []),
  ...(status.containerStatuses ?? []),
];

const rolledOut = (namespace: Namespace, target = "deployment/web"): Promise<string> =>
  namespace.run("rollout", "status", target, "--timeout=90s");
/** Version 1 with its Service, and then what changes. */
const changed = async (namespace: Namespace, before: Manifest, after: Manifest): Promise<void> => {
  await namespace.apply(before, service("web"));
  await rolledOut(namespace, `${before.kind}/web`);
  await gone(namespace);
  await namespace.apply(after);
};
const gone = (namespace: Namespace): Promise<void> =>
  eventually(async () => assert.deepEqual((await podsOf(namespace)).filter(isGoing), []));
const waitsFor = (namespace: Namespace, reason: RegExp): Promise<void> =>
  eventually(async () => {
    const statuses = (await podsOf(namespace)).flatMap(statusesOf);
    assert.match(statuses.map(({ state }) => state.waiting?.reason ?? "").join(), reason);
  });
/** It waits for half a minute then, and is still seen to wait when it is saved. */
const crashedTwice = (namespace: Namespace): Promise<void> =>
  eventually(async () => {
    const crashed = (await podsOf(namespace))
      .flatMap(statusesOf)
      .filter(({ restartCount }) => restartCount > 1);
    assert.equal(crashed[0]?.state.waiting?.reason, "CrashLoopBackOff");
  });
const observed = (namespace: Namespace, kind: string): Promise<void> =>
  eventually(async () => {
    const { metadata, status } = await namespace.get(kind, "web");
    assert.equal(status.observedGeneration, metadata.generation);
  });
const refused = (namespace: Namespace): Promise<void> =>
  eventually(async () => {
    const { status } = await namespace.get("deployment", "web");
    const failure = status.conditions?.find(({ type }: { type: string }) => type === "ReplicaFailure");
    assert.equal(failure?.status, "True");
  });

const push = async (version: string, tag: string): Promise<string> =>
  (await testbed("push", version, tag)).stdout.trim();

export const MADE: Readonly<Record<string, Made>> = {
  "oom-killed": {
    kind: "deployment",
    make: async (namespace) => {
      const small = { resources: { limits: { memory: "48Mi" } } };
      await changed(
        namespace,
        web(":1.0.0"),
        web(":2.0.0", { spec: { minReadySeconds: 500 }, container: small }),
      );
      await eventually(async () => {
        const pods = (await podsOf(namespace)).filter(({ spec }) =>
          spec.containers[0].image.endsWith(":2.0.0"),
        );
        const [container] = pods.flatMap(statusesOf);
        // It is killed in the middle of its answer.
        if (container?.state.running !== undefined)
          await steer(pods[0]!, { allocateMiB: 256 }).catch(() => undefined);
        assert.equal(container?.state.waiting?.reason, "CrashLoopBackOff");
        assert.equal(container?.lastState.terminated?.reason, "OOMKilled");
      });
    },
  },
  "limit-range": {
    kind: "deployment",
    make: async (namespace) => {
      const small = { type: "Container", max: { memory: "64Mi" }, default: { memory: "64Mi" } };
      await namespace.apply({
        apiVersion: "v1",
        kind: "LimitRange",
        metadata: { name: "small" },
        spec: { limits: [small] },
      });
      await changed(
        namespace,
        web(":1.0.0"),
        web(":2.0.0", { container: { resources: { limits: { memory: "128Mi" } } } }),
      );
      await refused(namespace);
    },
  },
  "quota-from-the-start": {
    kind: "deployment",
    make: async (namespace) => {
      await namespace.apply({
        apiVersion: "v1",
        kind: "ResourceQuota",
        metadata: { name: "none" },
        spec: { hard: { pods: "0" } },
      });
      await eventually(async () =>
        assert.equal((await namespace.get("resourcequota", "none")).status.hard?.pods, "0"),
      );
      await namespace.apply(web(":1.0.0"), service("web"));
      await refused(namespace);
    },
  },
  "job-failed": {
    kind: "job",
    make: async (namespace) => {
      await namespace.apply(job(4));
      await namespace.run("wait", "--for=condition=Failed", "job/web", "--timeout=90s");
    },
  },
  "job-complete": {
    kind: "job",
    make: async (namespace) => {
      await namespace.apply(job(0));
      await namespace.run("wait", "--for=condition=Complete", "job/web", "--timeout=90s");
    },
  },
  "daemonset-on-no-node": {
    kind: "daemonset",
    make: async (namespace) => {
      await namespace.apply(
        another("DaemonSet", ":1.0.0", {}, { pod: { nodeSelector: { nobody: "has-it" } } }),
      );
      await observed(namespace, "daemonset");
    },
  },
  "daemonset-on-delete": {
    kind: "daemonset",
    make: async (namespace) => {
      const onDelete = { updateStrategy: { type: "OnDelete" } };
      await namespace.apply(another("DaemonSet", ":1.0.0", onDelete));
      await eventually(async () =>
        assert.equal((await namespace.get("daemonset", "web")).status.numberReady, 1),
      );
      await namespace.apply(another("DaemonSet", ":2.0.0", onDelete));
      await observed(namespace, "daemonset");
    },
  },
  "daemonset-complete": {
    kind: "daemonset",
    make: async (namespace) => {
      await changed(namespace, another("DaemonSet", ":1.0.0", {}), another("DaemonSet", ":2.0.0", {}));
      await rolledOut(namespace, "daemonset/web");
      await gone(namespace);
    },
  },
  "recreate-midway": {
    kind: "deployment",
    make: async (namespace) => {
      const slowly: Change = {
        env: { SHUTDOWN_MS: "60000" },
        spec: { strategy: { type: "Recreate", rollingUpdate: null } },
        pod: { terminationGracePeriodSeconds: 90 },
      };
      await changed(namespace, web(":1.0.0", slowly), web(":2.0.0", slowly));
      await eventually(async () => {
        const pods = await podsOf(namespace);
        assert.equal(pods.length, 2);
        assert(pods.every(isGoing));
      });
      await observed(namespace, "deployment");
    },
  },
  "recreate-complete": {
    kind: "deployment",
    make: async (namespace) => {
      const recreate: Change = { spec: { strategy: { type: "Recreate", rollingUpdate: null } } };
      await changed(namespace, web(":1.0.0", recreate), web(":2.0.0", recreate));
      await rolledOut(namespace);
      await gone(namespace);
    },
  },
  "service-without-endpoints": {
    kind: "service",
    make: async (namespace) => {
      await namespace.apply(service("web"));
      await eventually(async () =>
        assert.equal((await namespace.list("endpointslices", "kubernetes.io/service-name=web")).length, 1),
      );
    },
  },
  "service-ready": {
    kind: "service",
    make: async (namespace) => {
      await namespace.apply(web(":1.0.0"), service("web"));
      await rolledOut(namespace);
    },
  },
  unschedulable: {
    kind: "deployment",
    make: async (namespace) => {
      const huge = { resources: { requests: { cpu: "900" } } };
      await changed(namespace, web(":1.0.0"), web(":2.0.0", { container: huge }));
      await eventually(async () => {
        const conditions = (await podsOf(namespace)).flatMap(({ status }) => status.conditions ?? []);
        assert(conditions.some(({ reason }: Manifest) => reason === "Unschedulable"));
      });
    },
  },
  "statefulset-stuck-above-partition": {
    kind: "statefulset",
    make: async (namespace) => {
      await changed(namespace, statefulSet(":1.0.0", 0), statefulSet(":9.9.9", 1));
      await waitsFor(namespace, /ErrImagePull|ImagePullBackOff/);
    },
  },
  "statefulset-complete": {
    kind: "statefulset",
    make: async (namespace) => {
      await changed(namespace, statefulSet(":1.0.0", 0), statefulSet(":2.0.0", 0));
      await rolledOut(namespace, "statefulset/web");
    },
  },
  "crash-loop-exit-code": {
    kind: "deployment",
    make: async (namespace) => {
      await changed(
        namespace,
        web(":1.0.0"),
        web(":2.0.0", { env: { EXIT_AFTER_MS: "50", EXIT_CODE: "3" } }),
      );
      await crashedTwice(namespace);
    },
  },
  "init-container-fails": {
    kind: "deployment",
    make: async (namespace) => {
      const migrate = { name: "migrate", image: appReference(":1.0.0"), args: ["exit", "7"] };
      await changed(namespace, web(":1.0.0"), web(":2.0.0", { pod: { initContainers: [migrate] } }));
      await crashedTwice(namespace);
    },
  },
  "private-registry-without-login": {
    kind: "deployment",
    make: async (namespace) => {
      await privateRegistryLogin();
      await changed(namespace, web(":1.0.0"), web(":2.0.0", { image: privateImage(":2.0.0") }));
      await waitsFor(namespace, /ErrImagePull|ImagePullBackOff/);
    },
  },
  "private-registry-with-login": {
    kind: "deployment",
    make: async (namespace) => {
      await namespace.apply(await pullSecret("login"));
      const pod = { imagePullSecrets: [{ name: "login" }] };
      await changed(namespace, web(":1.0.0"), web(":2.0.0", { image: privateImage(":2.0.0"), pod }));
      await rolledOut(namespace);
      await gone(namespace);
    },
  },
  "tag-moved-under-one-pod": {
    kind: "deployment",
    make: async (namespace) => {
      await push("5.0.0", "recorded");
      await namespace.apply(web(":recorded"), service("web"));
      await rolledOut(namespace);
      await push("6.0.0", "recorded");
      const [pod] = await podsOf(namespace);
      await namespace.run("delete", "pod", String(pod?.metadata.name));
      await eventually(async () =>
        assert.equal((await namespace.get("deployment", "web")).status.readyReplicas, 2),
      );
      await gone(namespace);
    },
  },
};
