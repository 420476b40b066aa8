/** Why a Pod or a claim waits, on a real cluster: a node, a volume, a startup probe, a sidecar; by one look and by a watch. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { appReference, deployment } from "./app.ts";
import { seenBoth, storyWith, type Wanted } from "./asfound.ts";
import { atRest } from "./at-rest.ts";
import { eventually } from "./eventually.ts";
import { kubectl, type Namespace, ownNamespace } from "./kubectl.ts";
import { has, LACK } from "./lack.ts";

const story = storyWith("images");
/** With a class of its own, which belongs to no namespace. */
const classStory = storyWith("testbed");
/** With a registry of the test's own, on the node's loopback address, which containerd asks in the clear. */
const registryStory = storyWith("testbed");
/** Of what runs no Pod. */
const bareStory = storyWith();
const CLASS = `waits-${crypto.randomUUID().slice(0, 8)}`;

let here: Namespace;
beforeAll(async () => {
  if (LACK !== null) return;
  here = await ownNamespace();
  if (has("testbed"))
    await kubectl(
      ["apply", "-f", "-"],
      JSON.stringify({
        apiVersion: "storage.k8s.io/v1",
        kind: "StorageClass",
        metadata: { name: CLASS },
        provisioner: "nobody.test/csi",
        volumeBindingMode: "WaitForFirstConsumer",
      }),
    );
});
afterAll(async () => {
  if (LACK !== null) return;
  await here?.[Symbol.asyncDispose]();
  if (has("testbed")) await kubectl(["delete", "storageclass", CLASS, "--ignore-not-found"]);
});

const seen = (target: string, wanted: Wanted): Promise<void> => seenBoth([target, "-n", here.name], wanted);

const claim = (name: string, storageClassName: string): object => ({
  apiVersion: "v1",
  kind: "PersistentVolumeClaim",
  metadata: { name },
  spec: { accessModes: ["ReadWriteOnce"], storageClassName, resources: { requests: { storage: "1Mi" } } },
});

// biome-ignore lint/suspicious/noExplicitAny: a manifest, whose shape is the API's.
type Manifest = any;

/** One replica whose Pods are changed by `change`. */
const changed = (name: string, change: (pod: Manifest) => void): object => {
  const made: Manifest = deployment(name, { replicas: 1 });
  change(made.spec.template.spec);
  return made;
};

/** Until that was said of it; others say other things of the same, and before. */
const events = async (reason: string, name: RegExp, saying: RegExp): Promise<void> => {
  await eventually(async () => {
    const all = (await here.list("events")) as unknown as readonly Manifest[];
    const said = all.filter((one) => one.reason === reason && name.test(one.involvedObject.name));
    expect(said.map(({ message }) => message).join("\n")).toMatch(saying);
  });
};
/** The scheduler says why a Pod has no node by an event, and by a condition of it. */
const unscheduled = async (name: string, why: RegExp): Promise<void> => {
  await events("FailedScheduling", new RegExp(`^${name}`), why);
  await eventually(async () => {
    const [pod] = await here.list("pods", `app=${name}`);
    const scheduled = pod?.status.conditions?.find(({ type }: Manifest) => type === "PodScheduled");
    expect(scheduled).toMatchObject({ status: "False", message: expect.stringMatching(why) });
  });
};

describe("a claim", () => {
  classStory("whose class waits for its first Pod is under way, and that is normal", async () => {
    await here.apply(claim("patient", CLASS));
    await events("WaitForFirstConsumer", /^patient$/, /./);
    await seen("pvc/patient", {
      verdict: "progressing",
      findings: { "reported-ready": ["progressing", "waits-for-consumer"] },
    });
  });
  bareStory("that nothing provisions, with no volume of its class free, is refuted", async () => {
    await here.apply(claim("hopeless", "no-such-class"));
    await seen("pvc/hopeless", {
      verdict: "refuted",
      findings: { "reported-ready": ["refuted", "never-bound"] },
      says: /there is no StorageClass no-such-class/,
    });
  });
});

describe("a Pod", () => {
  story("that no node can take is unschedulable, and nothing is promised of an autoscaler", async () => {
    await here.apply(
      changed("homeless", (pod) => {
        pod.nodeSelector = { nobody: "has-it" };
      }),
    );
    await unscheduled("homeless", /node/);
    await seen("deployment/homeless", {
      verdict: "progressing",
      findings: { "rollout-complete": ["progressing", "unschedulable"] },
      says: /is unschedulable since .*; no autoscaler has spoken of it/,
    });
  });
  story("whose claim is not there has its reason", async () => {
    await here.apply(
      changed("volumeless", (pod) => {
        pod.volumes = [{ name: "data", persistentVolumeClaim: { claimName: "no-such-claim" } }];
      }),
    );
    await unscheduled("volumeless", /no-such-claim/);
    await seen("deployment/volumeless", {
      verdict: "progressing",
      findings: { "rollout-complete": ["progressing", "volume-unbound"] },
      says: /no-such-claim/,
    });
  });
  story("whose startup probe is answered 503 says which, and since when", async () => {
    await here.apply(
      changed("slow", (pod) => {
        pod.containers[0].env.push({ name: "READY", value: "false" });
        pod.containers[0].startupProbe = {
          httpGet: { path: "/readyz", port: 8080 },
          failureThreshold: 1_000,
          periodSeconds: 1,
          timeoutSeconds: 10,
        };
      }),
    );
    await events("Unhealthy", /^slow/, /^Startup probe failed: .*statuscode: 503/);
    // The kubelet tells of the probe before it tells that the container runs.
    await eventually(async () => {
      const [pod] = await here.list("pods", "app=slow");
      const [status] = pod?.status.containerStatuses ?? [];
      expect([status?.started, Object.keys(status?.state ?? {})]).toEqual([false, ["running"]]);
    });
    await seen("deployment/slow", {
      verdict: "progressing",
      findings: { "rollout-complete": ["progressing", "startup-probe"] },
      says: /has not started yet, and runs since \d+.*: its startup probe \(GET \/readyz on port 8080\) answers 503 \(.*; after 1000 failures 1s apart it is restarted/,
    });
  });
  const withSidecar = (name: string, sidecar: object): object =>
    changed(name, (pod) => {
      pod.initContainers = [
        {
          name: "proxy",
          image: appReference(":1.0.0"),
          restartPolicy: "Always",
          env: [{ name: "PORT", value: "8081" }],
          ...sidecar,
        },
      ];
    });
  const readiness = {
    httpGet: { path: "/readyz", port: 8081 },
    periodSeconds: 1,
    failureThreshold: 1,
    timeoutSeconds: 10,
  };
  story("whose native sidecar is not ready is not either, and the sidecar is named", async () => {
    const unready = {
      readinessProbe: readiness,
      env: [
        { name: "PORT", value: "8081" },
        { name: "READY", value: "false" },
      ],
    };
    await here.apply(withSidecar("escorted", unready));
    await events("Unhealthy", /^escorted/, /^Readiness probe failed: .*statuscode: 503/);
    // The kubelet tells of the probe before it tells that the sidecar runs.
    await eventually(async () => {
      const [pod] = await here.list("pods", "app=escorted");
      expect(pod?.status.containerStatuses?.[0]?.ready).toBe(true);
      expect(pod?.status.initContainerStatuses?.[0]).toMatchObject({ started: true, ready: false });
    });
    await seen("deployment/escorted", {
      verdict: "progressing",
      findings: { "rollout-complete": ["progressing", "readiness-probe"] },
      says: /its sidecar proxy's readiness answers 503/,
    });
  });
  story("whose native sidecar is ready is proven: twin of the one above", async () => {
    await here.apply(withSidecar("accompanied", { readinessProbe: readiness }));
    await atRest(here, "accompanied");
    await seen("deployment/accompanied", { verdict: "proven" });
  });
  story("whose native sidecar crashes again and again is refuted, by the sidecar", async () => {
    await here.apply(withSidecar("forsaken", { args: ["exit", "3"] }));
    await eventually(async () => {
      const [pod] = await here.list("pods", "app=forsaken");
      const status = pod?.status.initContainerStatuses?.[0];
      expect(status?.state.waiting?.reason).toBe("CrashLoopBackOff");
      // By then it is left alone for 40 s and more, which both looks fit into.
      expect(status.restartCount).toBeGreaterThan(2);
    });
    await seen("deployment/forsaken", {
      verdict: "refuted",
      findings: { "rollout-complete": ["refuted", "crash-loop"] },
      says: /sidecar proxy ended with exit code 3/,
    });
  });
});

/** Refuses what is `private/…`, has no time for `limited/…`, and has nothing else either. */
const REFUSALS: Readonly<
  Record<string, readonly [status: number, code: string, headers: Record<string, string>]>
> = {
  private: [401, "UNAUTHORIZED", { "www-authenticate": 'Basic realm="registry"' }],
  limited: [429, "TOOMANYREQUESTS", { "retry-after": "600" }],
};
const registry = createServer(({ url = "" }, reply) => {
  const [status, code, headers] = REFUSALS[url.split("/")[2] ?? ""] ?? [404, "MANIFEST_UNKNOWN", {}];
  reply.writeHead(url === "/v2/" ? 200 : status, { "content-type": "application/json", ...headers });
  reply.end(JSON.stringify({ errors: [{ code, message: "as it says" }] }));
});
afterAll(() => registry.close());

describe("an image", () => {
  let port: Promise<number> | undefined;
  const listening = (): Promise<number> =>
    (port ??= new Promise((resolve) =>
      registry.listen(0, "127.0.0.1", () => resolve((registry.address() as AddressInfo).port)),
    ));
  /** Until that is what the registry answered last: on a busy machine a pull may fail for want of time before. */
  const stuck = async (name: string, answered: RegExp): Promise<void> => {
    await here.apply(
      deployment(name, { image: `localhost:${await listening()}/${name}/app:1`, replicas: 1 }),
    );
    await eventually(async () => {
      const [pod] = await here.list("pods", `app=${name}`);
      const { waiting } = pod?.status.containerStatuses?.[0].state ?? {};
      expect(`${waiting?.reason}: ${waiting?.message}`).toMatch(/^(ErrImagePull|ImagePullBackOff): /);
      expect(waiting?.message).toMatch(answered);
    });
  };
  registryStory(
    "that its registry gives to nobody without credentials is refuted, and told from one it lacks",
    async () => {
      await stuck("private", /401 Unauthorized/);
      await seen("deployment/private", {
        verdict: "refuted",
        findings: { "rollout-complete": ["refuted", "image-denied"] },
        says: /as the registry refuses it .*: (ErrImagePull|ImagePullBackOff) /,
      });
    },
  );
  registryStory("that it does not have is refuted: twin of the one above", async () => {
    await stuck("absent", /not found/);
    await seen("deployment/absent", {
      verdict: "refuted",
      findings: { "rollout-complete": ["refuted", "image-not-found"] },
    });
  });
  registryStory("that it gives later is waited for: a rate limit is no failure of the rollout", async () => {
    await stuck("limited", /429 Too Many Requests/);
    await seen("deployment/limited", {
      verdict: "progressing",
      findings: { "rollout-complete": ["progressing", "image-rate-limited"] },
      says: /as the registry's rate limit is reached: (ErrImagePull|ImagePullBackOff) /,
    });
  });
});
