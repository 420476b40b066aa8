/**
 * Which config a process really has, by its own word, and what `config trace` says of it from times alone: never fresh where
 * the process has something else, and fresh where it can be told.
 */
import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect } from "vitest";
import { deployment, describePod, steer } from "./app.ts";
import { LAUNCHER, storyWith } from "./asfound.ts";
import { atRest } from "./at-rest.ts";
import { eventually } from "./eventually.ts";
import { type KubeObject, type Namespace, ownNamespace } from "./kubectl.ts";
import { has } from "./lack.ts";

const story = storyWith("images");

let namespace: Namespace;
beforeAll(async () => {
  if (has("images")) namespace = await ownNamespace();
});
afterAll(() => namespace?.[Symbol.asyncDispose]());

/** Beyond the margin that is given to the clocks. */
const WELL_AFTER_MS = 7_000;

const configMap = (name: string, text: string, more: object = {}): object => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name },
  data: { text },
  ...more,
});

/** The app, which reads its configuration once, when it starts. */
const byEnv = (name: string): object =>
  deployment(name, {
    env: [
      { name: "CONFIG_FROM", value: "env:TEXT" },
      { name: "TEXT", valueFrom: { configMapKeyRef: { name, key: "text" } } },
    ],
  });

interface Trace {
  readonly findings: readonly { readonly claim: string; readonly finding: string; readonly reason: string }[];
  readonly references: readonly {
    readonly pod: string;
    readonly delivery: string;
    readonly object: { readonly name: string };
    readonly state: string;
    readonly reason: string;
  }[];
}

interface Traced {
  readonly exit: number;
  /** By Pod; of the ConfigMap of that name alone. */
  readonly states: Readonly<Record<string, string>>;
  readonly findings: Readonly<Record<string, string>>;
}

const trace = (name: string): Promise<Traced> =>
  new Promise((resolve, reject) => {
    const words = ["config", "trace", `deployment/${name}`, "-n", namespace.name, "-o", "json"];
    execFile(LAUNCHER, words, { env: { ...process.env, CI: "" } }, (error, stdout, stderr) => {
      if (stdout === "") return reject(new Error(stderr));
      const { references, findings } = JSON.parse(stdout) as Trace;
      resolve({
        exit: error === null ? 0 : Number(error.code),
        states: Object.fromEntries(
          references.filter(({ object }) => object.name === name).map(({ pod, state }) => [pod, state]),
        ),
        findings: Object.fromEntries(
          findings.map(({ claim, finding, reason }) => [claim, `${finding} ${reason}`]),
        ),
      });
    });
  });

const running = async (name: string, count = 2): Promise<readonly KubeObject[]> => {
  const pods = await atRest(namespace, name);
  expect(pods).toHaveLength(count);
  return pods;
};

const textOf = async (pod: KubeObject): Promise<string> => (await describePod(pod)).config.text;

story("C1: one Pod has two configs, one after the other, and each start is judged by itself", async () => {
  await namespace.apply(configMap("env", "v1"), byEnv("env"));
  const [first, second] = (await running("env")) as [KubeObject, KubeObject];
  expect(await trace("env")).toMatchObject({
    exit: 0,
    states: { [first.metadata.name]: "fresh", [second.metadata.name]: "fresh" },
    findings: { "config-loaded": "proven loaded", "config-bound": "undetermined mutable" },
  });

  await sleep(WELL_AFTER_MS);
  await namespace.apply(configMap("env", "v2"));
  expect([await textOf(first), await textOf(second)]).toEqual(["v1", "v1"]);
  expect(await trace("env")).toMatchObject({
    exit: 20,
    states: { [first.metadata.name]: "not-knowable", [second.metadata.name]: "not-knowable" },
  });

  await sleep(WELL_AFTER_MS);
  // The kubelet starts the container again, in the same Pod.
  await steer(first, { exit: 1 }).catch(() => undefined);
  await eventually(async () => expect(await textOf(first)).toBe("v2"));
  expect(await textOf(second)).toBe("v1");
  // The kubelet tells of the new start some time after it.
  await eventually(async () =>
    expect(await trace("env")).toMatchObject({
      exit: 20,
      states: { [first.metadata.name]: "fresh", [second.metadata.name]: "not-knowable" },
    }),
  );
});

story("C4: an immutable object is a bond until somebody makes it again: then it is a time bomb", async () => {
  await namespace.apply(configMap("fixed", "v1", { immutable: true }), byEnv("fixed"));
  const [pod] = (await running("fixed")) as [KubeObject, KubeObject];
  expect(await trace("fixed")).toMatchObject({
    exit: 0,
    findings: { "config-loaded": "proven loaded", "config-bound": "proven immutable" },
  });
  await expect(namespace.apply(configMap("fixed", "v2", { immutable: true }))).rejects.toThrow(/immutable/);

  await sleep(WELL_AFTER_MS);
  await namespace.run("delete", "configmap", "fixed");
  expect(await trace("fixed")).toMatchObject({
    exit: 10,
    findings: { "config-bound": "refuted reference-missing" },
  });
  await namespace.apply(configMap("fixed", "v2", { immutable: true }));
  expect(await textOf(pod)).toBe("v1");
  expect(await trace("fixed")).toMatchObject({
    exit: 10,
    states: { [pod.metadata.name]: "will-change-on-restart" },
    findings: { "config-bound": "refuted time-bomb" },
  });

  // A Pod of this node may still be given the one that is gone, as long as another refers to it: so none of them is fresh.
  await namespace.run("delete", "pod", pod.metadata.name);
  const pods = await running("fixed");
  const { states } = await trace("fixed");
  for (const one of pods) expect([await textOf(one), states[one.metadata.name]]).not.toEqual(["v1", "fresh"]);

  // When none refers to it any more, it goes off.
  await namespace.run("scale", "deployment/fixed", "--replicas=0");
  await eventually(async () => expect(await namespace.list("pods", "app=fixed")).toEqual([]));
  await namespace.run("scale", "deployment/fixed", "--replicas=1");
  const [next] = (await running("fixed", 1)) as [KubeObject];
  expect(await textOf(next)).toBe("v2");
  expect(await trace("fixed")).toMatchObject({ exit: 0, states: { [next.metadata.name]: "fresh" } });
});

story("C2: files of a volume follow the object, and the process does not", async () => {
  const app = deployment("files", {
    replicas: 1,
    env: [{ name: "CONFIG_FROM", value: "file:/etc/app/text" }],
    volumes: [{ name: "config", mountPath: "/etc/app", source: { configMap: { name: "files" } } }],
  });
  await namespace.apply(configMap("files", "v1"), app);
  const [pod] = (await running("files", 1)) as [KubeObject];
  expect(await trace("files")).toMatchObject({ exit: 0, states: { [pod.metadata.name]: "fresh" } });

  await sleep(WELL_AFTER_MS);
  await namespace.apply(configMap("files", "v2"));
  expect(await trace("files")).toMatchObject({ exit: 30, states: { [pod.metadata.name]: "propagating" } });
  await eventually(async () => expect((await describePod(pod)).configNow.text).toBe("v2"));
  expect(await textOf(pod)).toBe("v1");
});
