/**
 * Rollouts on a real cluster as `verify` tells them, each seen by a fresh look and by a watch. What each has to be follows
 * from what was done to it, and that the cluster is there is asked of kubectl, never of asfound.
 */
import { afterAll, beforeAll, describe, expect } from "vitest";
import { appReference, deployment, service, steer } from "./app.ts";
import { expectVerdict, seenBoth, startVerify, storyWith, verify, type Wanted } from "./asfound.ts";
import { atRest, readyBehind } from "./at-rest.ts";
import { eventually } from "./eventually.ts";
import { type KubeObject, type Namespace, ownNamespace } from "./kubectl.ts";
import { LACK } from "./lack.ts";
import { privateImage, privateRegistryLogin, pullSecret } from "./private-registry.ts";

const story = storyWith("images");
const testbedStory = storyWith("testbed");
/** Of what runs no Pod. */
const bareStory = storyWith();

let namespace: Namespace;
beforeAll(async () => {
  if (LACK === null) namespace = await ownNamespace();
});
afterAll(() => namespace?.[Symbol.asyncDispose]());

interface Change {
  readonly tag?: string;
  readonly env?: readonly object[];
  /** Fields that are other than usual: of the Deployment's spec, of its Pods' and of their container. */
  readonly spec?: object;
  readonly pod?: object;
  readonly container?: object;
}

/** Two Pods; one more may come, and none may go before it is ready. */
const careful = (name: string, { tag = ":1.0.0", env = [], spec, pod, container }: Change = {}): object => {
  // biome-ignore lint/suspicious/noExplicitAny: a manifest, whose shape is the API's.
  const manifest: any = deployment(name, { image: appReference(tag), env });
  Object.assign(manifest.spec, { strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } }, spec);
  Object.assign(manifest.spec.template.spec, pod);
  Object.assign(manifest.spec.template.spec.containers[0], container);
  return manifest;
};
const not = (name: string): object => ({ name, value: "false" });
const set = (name: string, value: string): object => ({ name, value });

const inNamespace = (words: readonly string[]): readonly string[] => [...words, "-n", namespace.name];
const podsOf = (name: string): Promise<readonly KubeObject[]> => namespace.list("pods", `app=${name}`);
const isGoing = ({ metadata }: KubeObject): boolean => "deletionTimestamp" in metadata;
const imageOf = ({ spec }: KubeObject): string => spec.containers[0].image;
/** The Pods of that tag which are not about to go. */
const podsRunning = async (name: string, tag: string): Promise<readonly KubeObject[]> =>
  (await podsOf(name)).filter((pod) => imageOf(pod).endsWith(tag) && !isGoing(pod));
const containerOf = (pod: KubeObject | undefined) => pod?.status.containerStatuses?.[0];

const seen = (target: string, wanted: Wanted): Promise<void> => seenBoth(inNamespace([target]), wanted);

/** Version 1 of it with a Service, rolled out. */
const begun = async (name: string, change: Change = {}): Promise<void> => {
  await namespace.apply(careful(name, change), service(name));
  await atRest(namespace, name);
};
const changed = (name: string, change: Change): Promise<void> =>
  namespace.apply(careful(name, { tag: ":2.0.0", ...change }));

describe("a Deployment", () => {
  story("that is rolled out well is proven, and a watch that began before it sees it through", async () => {
    await begun("good");
    await changed("good", {});
    const watching = startVerify(inNamespace(["deployment/good", "--watch", "--window", "400s"]));
    const wanted: Wanted = {
      verdict: "proven",
      findings: {
        "rollout-complete": ["proven", "complete"],
        "old-gone": ["proven", "gone"],
        "endpoints-ready": ["proven", "endpoints-ready"],
      },
      says: /^2 new replicas run 2\.0\.0 and serve\.$/,
    };
    const watched = await watching.ended;
    expectVerdict(watched, wanted);
    // It did not wait for the rest of its window.
    expect(watched.report.window.ended).toBe(false);
    expectVerdict(await verify(...inNamespace(["deployment/good"])), wanted);
  });

  story("whose new Pod loses its readiness while two old ones serve: both are said", async () => {
    await begun("unready");
    // It is never available: it is told to fail before it has been ready for as long as it takes.
    await changed("unready", { spec: { minReadySeconds: 500 } });
    const [pod] = await eventually(async () => {
      const pods = await podsRunning("unready", ":2.0.0");
      expect(containerOf(pods[0])?.ready).toBe(true);
      return pods;
    });
    await steer(pod!, { ready: false });
    await eventually(async () =>
      expect(containerOf((await podsRunning("unready", ":2.0.0"))[0])?.ready).toBe(false),
    );
    // The kubelet tells of the probe by an event, a moment after the Pod's condition.
    await eventually(async () =>
      expect(
        await namespace.run("get", "events", "--field-selector", `involvedObject.name=${pod?.metadata.name}`),
      ).toMatch(/statuscode: 503/),
    );
    await seen("deployment/unready", {
      verdict: "progressing",
      findings: {
        "rollout-complete": ["progressing", "readiness-probe"],
        "old-gone": ["progressing", "waiting-for"],
        "endpoints-ready": ["proven", "endpoints-ready"],
      },
      says: /^1 new replica runs 2\.0\.0 and is not ready since \d+s: its readiness answers 503.*; 2 replicas of 1\.0\.0 serve\.$/,
    });
  });

  story("of strategy Recreate has no new Pod before the old ones are gone", async () => {
    const recreate: Change = {
      env: [set("SHUTDOWN_MS", "60000")],
      spec: { strategy: { type: "Recreate" } },
      pod: { terminationGracePeriodSeconds: 90 },
    };
    await begun("recreated", recreate);
    await changed("recreated", recreate);
    await eventually(async () => expect((await podsOf("recreated")).map(isGoing)).toEqual([true, true]));
    const watching = startVerify(inNamespace(["deployment/recreated", "--watch", "--window", "400s"]));
    const during = await verify(...inNamespace(["deployment/recreated"]));
    expect(["progressing", "refuted"]).toContain(during.report.verdict);
    expect(during.report.findings.find(({ claim }) => claim === "rollout-complete")?.finding).toBe(
      "progressing",
    );
    expect(during.report.statement).toMatch(/2 replicas of 1\.0\.0 are terminating/);
    expectVerdict(await watching.ended, {
      verdict: "proven",
      says: /^2 new replicas run 2\.0\.0 and serve\.$/,
    });
  });

  story("whose new Pods end again and again is refuted, with the exit code", async () => {
    await begun("crashing");
    await changed("crashing", { env: [set("EXIT_AFTER_MS", "50"), set("EXIT_CODE", "3")] });
    await eventually(async () => {
      const [pod] = await podsRunning("crashing", ":2.0.0");
      expect(containerOf(pod)?.state.waiting?.reason).toBe("CrashLoopBackOff");
      // By then it is left alone for 40 s and more, which both looks fit into.
      expect(containerOf(pod)?.restartCount).toBeGreaterThan(2);
    });
    await seen("deployment/crashing", {
      verdict: "refuted",
      findings: { "rollout-complete": ["refuted", "crash-loop"], capacity: ["proven", "available"] },
      says: /exit code 3.*2 replicas of 1\.0\.0 serve\.$/,
    });
  });

  story(
    "whose new Pods need more memory than they may have is refuted, and it is said that they were killed",
    async () => {
      await begun("greedy");
      await changed("greedy", {
        spec: { minReadySeconds: 500 },
        container: { resources: { limits: { memory: "48Mi" } } },
      });
      await eventually(async () => {
        const [pod] = await podsRunning("greedy", ":2.0.0");
        const container = containerOf(pod);
        // It is killed in the middle of its answer.
        if (container?.state.running !== undefined)
          await steer(pod!, { allocateMiB: 256 }).catch(() => undefined);
        expect(container?.state.waiting?.reason).toBe("CrashLoopBackOff");
        expect(container?.lastState.terminated?.reason).toBe("OOMKilled");
        // By then it is left alone for 40 s and more, which both looks fit into.
        expect(container?.restartCount).toBeGreaterThan(2);
      });
      await seen("deployment/greedy", {
        verdict: "refuted",
        findings: { "rollout-complete": ["refuted", "crash-loop"] },
        says: /OOMKilled|memory/,
      });
    },
  );

  story("of an image that the registry does not have is refuted, with its name", async () => {
    await begun("imageless");
    await changed("imageless", { tag: ":9.9.9" });
    await eventually(async () => {
      const [pod] = await podsRunning("imageless", ":9.9.9");
      expect(containerOf(pod)?.state.waiting?.reason).toMatch(/^(ErrImagePull|ImagePullBackOff)$/);
    });
    await seen("deployment/imageless", {
      verdict: "refuted",
      findings: { "rollout-complete": ["refuted", "image-not-found"], capacity: ["proven", "available"] },
      says: /cannot pull the image .*app:9\.9\.9.*; 2 replicas of 1\.0\.0 serve\.$/,
    });
  });

  testbedStory(
    "whose image is behind a login that nobody gave is refuted, with what the registry answered",
    async () => {
      await privateRegistryLogin();
      await begun("private");
      await changed("private", { container: { image: privateImage(":2.0.0") } });
      await eventually(async () => {
        const [pod] = await podsRunning("private", ":2.0.0");
        expect(containerOf(pod)?.state.waiting?.reason).toMatch(/^(ErrImagePull|ImagePullBackOff)$/);
        // What the registry answered is told by an event, when the container's own word is only that it is tried again.
        expect(
          await namespace.run(
            "get",
            "events",
            "--field-selector",
            `involvedObject.name=${pod?.metadata.name}`,
          ),
        ).toMatch(/401 Unauthorized/);
      });
      await seen("deployment/private", {
        verdict: "refuted",
        findings: { "rollout-complete": ["refuted", "image-denied"], capacity: ["proven", "available"] },
        says: /cannot pull the image .*app:2\.0\.0.*refuses it.*; 2 replicas of 1\.0\.0 serve\.$/,
      });
      // A twin: with the login the same image is pulled, and is the release.
      await namespace.apply(await pullSecret("login"));
      await changed("private", {
        container: { image: privateImage(":2.0.0") },
        pod: { imagePullSecrets: [{ name: "login" }] },
      });
      await atRest(namespace, "private");
      await seen("deployment/private", {
        verdict: "proven",
        says: /^2 new replicas run 2\.0\.0 and serve\.$/,
      });
    },
  );

  story("whose new Pod fits on no node is progressing, and says for how long and why", async () => {
    await begun("homeless");
    await changed("homeless", { container: { resources: { requests: { cpu: "900000" } } } });
    await eventually(async () => {
      const [pod] = await podsRunning("homeless", ":2.0.0");
      const conditions: readonly { readonly reason?: string }[] = pod?.status.conditions ?? [];
      expect(conditions.map(({ reason }) => reason)).toContain("Unschedulable");
    });
    await seen("deployment/homeless", {
      verdict: "progressing",
      findings: {
        "rollout-complete": ["progressing", "unschedulable"],
        "old-gone": ["progressing", "waiting-for"],
        capacity: ["proven", "available"],
      },
      says: /^1 new replica runs 2\.0\.0 and is unschedulable since \d+s \(0\/\d+ nodes? (is|are) available: .*Insufficient cpu.*; 2 replicas of 1\.0\.0 serve\.$/,
    });
  });

  story("that is paused with a new template is refuted, and says so", async () => {
    await begun("paused");
    await changed("paused", { spec: { paused: true } });
    await eventually(async () => {
      const { metadata, status } = await namespace.get("deployment", "paused");
      expect(status.observedGeneration).toBe(metadata.generation);
    });
    await seen("deployment/paused", {
      verdict: "refuted",
      findings: { "rollout-complete": ["refuted", "paused"], capacity: ["proven", "available"] },
      says: /2 replicas of 1\.0\.0 serve; the rollout is paused\.$/,
    });
  });

  story(
    "whose progress deadline is over is refuted, and a watch need not wait for its own window",
    async () => {
      await begun("late");
      await changed("late", {
        env: [not("READY")],
        spec: { progressDeadlineSeconds: 3 },
      });
      const started = startVerify(inNamespace(["deployment/late", "--watch", "--window", "400s"]));
      const wanted: Wanted = {
        verdict: "refuted",
        findings: {
          "rollout-complete": ["refuted", "progress-deadline-exceeded"],
          capacity: ["proven", "available"],
        },
        says: /2 replicas of 1\.0\.0 serve; the rollout made no progress within its deadline\.$/,
      };
      const watched = await started.ended;
      expectVerdict(watched, wanted);
      expect(watched.report.window.ended).toBe(false);
      expectVerdict(await verify(...inNamespace(["deployment/late"])), wanted);
      // The deadline's condition is of the rollout before, as soon as it is undone.
      await namespace.run("rollout", "undo", "deployment/late");
      await atRest(namespace, "late");
      await seen("deployment/late", {
        verdict: "proven",
        findings: { "rollout-complete": ["proven", "complete"] },
      });
    },
  );

  story("that takes longer than the window is progressing (30), never refuted", async () => {
    await begun("slow");
    await changed("slow", { env: [set("STARTUP_MS", "600000")], container: { livenessProbe: null } });
    const { exit, report } = await verify(...inNamespace(["deployment/slow", "--watch", "--window", "3s"]));
    expect([exit, report.verdict, report.window.ended], report.statement).toEqual([30, "progressing", true]);
    expectVerdict(await verify(...inNamespace(["deployment/slow"])), {
      verdict: "progressing",
      findings: { capacity: ["proven", "available"] },
      says: /2 replicas of 1\.0\.0 serve\.$/,
    });
  });

  story("that is deleted and made again in the middle of a watch is not taken for itself", async () => {
    await begun("replaced");
    const before = (await namespace.get("deployment", "replaced")).metadata.uid;
    // Nothing can be proven of it, so that the watch goes on.
    await changed("replaced", { env: [not("READY")] });
    const watching = startVerify(inNamespace(["deployment/replaced", "--watch", "--window", "400s"]));
    // It has looked once, so it knows which one it is about.
    await Promise.race([
      new Promise((resolve) => watching.child.stderr.once("data", resolve)),
      watching.ended.then(({ told }) => {
        throw new Error(`the watch ended by itself: ${told}`);
      }),
    ]);
    await namespace.run("delete", "deployment/replaced");
    await namespace.apply(careful("replaced", { tag: ":2.0.0" }));
    const { exit, report, told } = await watching.ended;
    const after = (await namespace.get("deployment", "replaced")).metadata.uid;
    expect(after).not.toBe(before);
    expect([exit, report.verdict], told).toEqual([20, "undetermined"]);
    expect(report.statement + told).toContain(before);
    // A twin: a look that begins now knows of no other, and judges what is there.
    await atRest(namespace, "replaced");
    await seen("deployment/replaced", { verdict: "proven" });
    expectVerdict(await verify(...inNamespace(["deployment/replaced", "--uid", before])), {
      verdict: "undetermined",
    });
  });

  story("whose old Pod still runs its last seconds is complete, and the old is not gone", async () => {
    const patient: Change = {
      env: [set("SHUTDOWN_MS", "60000")],
      pod: { terminationGracePeriodSeconds: 90 },
    };
    await begun("lingering", patient);
    await changed("lingering", patient);
    await namespace.run("rollout", "status", "deployment/lingering", "--timeout=240s");
    // New Pods alone serve: what is on its way out may have endpoints for a moment.
    await eventually(async () => {
      const fresh = (await podsRunning("lingering", ":2.0.0")).map(({ metadata }) => metadata.uid).sort();
      expect(fresh).toHaveLength(2);
      expect(await readyBehind(namespace, "lingering")).toEqual(fresh);
    });
    const wanted: Wanted = {
      verdict: "progressing",
      findings: { "rollout-complete": ["proven", "complete"], "old-gone": ["progressing", "terminating"] },
      says: /^2 new replicas run 2\.0\.0 and serve; \d replicas? of 1\.0\.0 (is|are) terminating\.$/,
    };
    expectVerdict(await verify(...inNamespace(["deployment/lingering"])), wanted);
    expectVerdict(await verify(...inNamespace(["deployment/lingering", "--watch", "--window", "400s"])), {
      verdict: "proven",
    });
  });

  bareStory("of no Pods proves nothing, unless none are expected", async () => {
    await namespace.apply(careful("empty", { spec: { replicas: 0 } }), service("empty"));
    await atRest(namespace, "empty");
    await eventually(async () =>
      expect(await namespace.list("endpointslices", "kubernetes.io/service-name=empty")).toHaveLength(1),
    );
    await seen("deployment/empty", {
      verdict: "undetermined",
      findings: { "rollout-complete": ["undetermined", "vacuous"] },
    });
    expectVerdict(await verify(...inNamespace(["deployment/empty", "--replicas", "0"])), {
      verdict: "proven",
    });
    await seen("service/empty", {
      verdict: "refuted",
      findings: { "endpoints-ready": ["refuted", "no-ready-endpoint"] },
    });
  });

  bareStory("that is not there is refuted", async () => {
    await seen("deployment/nobody", { verdict: "refuted" });
  });
});
