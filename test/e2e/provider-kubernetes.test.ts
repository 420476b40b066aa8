/**
 * Steps of manifests on a real cluster, by the real command: applied, drifted, updated, pruned, held by a finalizer, destroyed;
 * a kind of the step's own; a ledger that is lost; and a kill in the middle of an apply.
 */
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { tempFolder } from "../support/temp-folder.ts";
import { deployment } from "./app.ts";
import { LAUNCHER, storyWith } from "./asfound.ts";
import { eventually } from "./eventually.ts";
import { kubectl, type Namespace, ownNamespace } from "./kubectl.ts";
import { LACK } from "./lack.ts";

const story = storyWith();
const rollout = storyWith("images");

let namespace: Namespace;
beforeAll(async () => {
  if (LACK === null) namespace = await ownNamespace();
});
afterAll(() => namespace?.[Symbol.asyncDispose]());

interface Ran {
  readonly exit: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly told: string;
}

interface Running {
  readonly ended: Promise<Ran>;
  /** Resolves when it has said that. */
  said(what: string): Promise<void>;
}

interface Step {
  readonly cwd: string;
  write(...objects: readonly object[]): void;
  asfound(...words: readonly string[]): Promise<Ran>;
  start(...words: readonly string[]): Running;
  killedAt(point: string, ...words: readonly string[]): Promise<Ran>;
  status(): Promise<{
    readonly status: string;
    readonly reason: string;
    readonly identity: { readonly id: string };
    readonly outputs: {
      readonly objects: readonly {
        readonly kind: string;
        readonly name: string;
        readonly uid: string | null;
      }[];
    };
  }>;
}

const config = (name: string, value: string, more: object = {}): object => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, ...more },
  data: { colour: value },
});

const start = (cwd: string, words: readonly string[], more: NodeJS.ProcessEnv = {}): Running => {
  // The ledger stays beside the file, which CI would not keep.
  const child = spawn(LAUNCHER, words, { cwd, env: { ...process.env, CI: "", ...more } });
  child.stdin.end();
  let told = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      told += text;
    });
  const ended = new Promise<Ran>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (exit, signal) => resolve({ exit, signal, told }));
  });
  return {
    ended,
    said: (what) =>
      eventually(async () => {
        if (told.includes(what)) return;
        expect([child.exitCode, told]).toEqual([null, expect.stringContaining(what)]);
      }),
  };
};
const run = (cwd: string, words: readonly string[], more: NodeJS.ProcessEnv = {}): Promise<Ran> =>
  start(cwd, words, more).ended;

const stepOf = (name: string, fields: readonly string[] = [], withFields: readonly string[] = []): Step => {
  const cwd = tempFolder("provider-kubernetes");
  mkdirSync(join(cwd, "k8s"));
  const stack = [
    "apiVersion: asfound.dev/v1alpha1",
    "kind: Stack",
    `metadata: { name: ${name} }`,
    "steps:",
    "  web:",
    "    uses: kubernetes",
    "    settle: 1s",
    ...fields.map((field) => `    ${field}`),
    "    with:",
    "      manifests: k8s",
    `      namespace: ${namespace.name}`,
    ...withFields.map((field) => `      ${field}`),
  ];
  writeFileSync(join(cwd, "asfound.yaml"), `${stack.join("\n")}\n`);
  return {
    cwd,
    write: (...objects) =>
      writeFileSync(
        join(cwd, "k8s", "all.json"),
        JSON.stringify({ apiVersion: "v1", kind: "List", items: objects }),
      ),
    asfound: (...words) => run(cwd, words),
    start: (...words) => start(cwd, words),
    killedAt: (point, ...words) => run(cwd, words, { ASFOUND_CRASH_AT: point }),
    status: async () => {
      const { told } = await run(cwd, ["status", "-o", "json"]);
      return JSON.parse(told).steps[0];
    },
  };
};

const APPLY = ["apply", "--yes", "--progress", "plain"] as const;
const DESTROY = ["destroy", "--yes", "--progress", "plain"] as const;

const expectExit = (ran: Ran, exit: number): void => expect(ran.exit, ran.told).toBe(exit);

const colour = async (name: string): Promise<string> =>
  namespace.run("get", "configmap", name, "-o", "jsonpath={.data.colour}");
const names = async (): Promise<readonly string[]> =>
  (await namespace.list("configmaps")).map(({ metadata }) => metadata.name);
const uidOf = async (name: string): Promise<string> => (await namespace.get("configmap", name)).metadata.uid;

story("applied, drifted, updated and pruned by name, destroyed", async () => {
  const step = stepOf("life");
  step.write(config("life-a", "blue"), config("life-b", "blue"));
  expectExit(await step.asfound(...APPLY), 0);
  const { outputs } = await step.status();
  expect(outputs.objects.map(({ name, uid }) => [name, uid])).toEqual([
    ["life-a", await uidOf("life-a")],
    ["life-b", await uidOf("life-b")],
  ]);
  await namespace.run("patch", "configmap", "life-a", "--type=merge", "-p", '{"data":{"colour":"crimson"}}');
  const drifted = await step.asfound("reconcile", "--yes");
  expectExit(drifted, 10);
  expect(drifted.told).toContain(".data.colour");
  expect(drifted.told).toMatch(/kubectl-patch/);
  expect(drifted.told).not.toContain("crimson");
  const conflict = await step.asfound(...APPLY);
  expectExit(conflict, 10);
  expect(conflict.told).toContain("'force: true' would take that field over");
  await namespace.run("patch", "configmap", "life-a", "--type=merge", "-p", '{"data":{"colour":"blue"}}');
  const before = await uidOf("life-a");
  step.write(config("life-a", "green"), config("life-c", "green"));
  const contested = await step.asfound(...APPLY);
  expectExit(contested, 10);
  const file = join(step.cwd, "asfound.yaml");
  writeFileSync(file, `${readFileSync(file, "utf8")}      force: true\n`);
  expectExit(await step.asfound(...APPLY), 0);
  expect([await colour("life-a"), await uidOf("life-a")]).toEqual(["green", before]);
  expect(await names()).not.toContain("life-b");
  expectExit(await step.asfound(...DESTROY), 0);
  expect((await names()).filter((name) => name.startsWith("life-"))).toEqual([]);
  expect((await step.status()).status).toBe("destroyed");
});

rollout("complete only when its confirm is proven: one judge with verify", async () => {
  const step = stepOf("rollout", ["window: 400s", "confirm: [rollout-complete, old-gone, capacity]"]);
  step.write(deployment("rollout"));
  const ran = await step.asfound(...APPLY);
  expectExit(ran, 0);
  expect(ran.told).toContain("complete");
  expectExit(await step.asfound(...DESTROY), 0);
});

story(
  "a finalizer holds what is destroyed: it is named while it is waited for, and destroyed only once it is gone",
  async () => {
    const step = stepOf("held", ["deadline: 400s"]);
    step.write(config("held", "blue", { finalizers: ["example.com/hold"] }));
    expectExit(await step.asfound(...APPLY), 0);
    const destroying = step.start(...DESTROY);
    await eventually(async () => {
      const since = await namespace.run(
        "get",
        "configmap",
        "held",
        "-o",
        "jsonpath={.metadata.deletionTimestamp}",
      );
      expect(since).not.toBe("");
      expect((await step.status()).status).toBe("destroying");
    });
    await destroying.said("held by example.com/hold");
    await namespace.run(
      "patch",
      "configmap",
      "held",
      "--type=json",
      "-p",
      '[{"op":"remove","path":"/metadata/finalizers"}]',
    );
    const ran = await destroying.ended;
    expectExit(ran, 0);
    expect(ran.told).toContain("held by example.com/hold");
    expect(await names()).not.toContain("held");
  },
);

story(
  "a kind of the step's own: the CustomResourceDefinition is established before its object is applied",
  async () => {
    const group = `${namespace.name}.example.com`;
    const step = stepOf("kinds");
    step.write(
      { apiVersion: `${group}/v1`, kind: "Lamp", metadata: { name: "one" }, spec: { colour: "blue" } },
      {
        apiVersion: "apiextensions.k8s.io/v1",
        kind: "CustomResourceDefinition",
        metadata: { name: `lamps.${group}` },
        spec: {
          group,
          scope: "Namespaced",
          names: { plural: "lamps", singular: "lamp", kind: "Lamp" },
          versions: [
            {
              name: "v1",
              served: true,
              storage: true,
              schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
            },
          ],
        },
      },
    );
    expectExit(await step.asfound(...APPLY), 0);
    expect(await namespace.run("get", `lamps.${group}`, "-o", "name")).toContain("one");
    expectExit(await step.asfound(...APPLY), 0);
    expectExit(await step.asfound(...DESTROY), 0);
    await expect(kubectl(["get", "crd", `lamps.${group}`])).rejects.toThrow(/not found/i);
  },
);

story("a Namespace and what goes into it, in one step", async () => {
  const name = `${namespace.name}-own`;
  const step = stepOf("spaces");
  const inside = { ...config("inside", "blue"), metadata: { name: "inside", namespace: name } };
  step.write(inside, { apiVersion: "v1", kind: "Namespace", metadata: { name } });
  expectExit(await step.asfound(...APPLY), 0);
  expectExit(await step.asfound(...DESTROY), 0);
  await expect(kubectl(["get", "namespace", name])).rejects.toThrow(/not found/i);
});

story("the server refuses one of two objects: nothing is changed", async () => {
  const step = stepOf("refused");
  step.write(config("refused-a", "blue"), {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "refused-b" },
    spec: { ports: [{ port: 99_999 }] },
  });
  const ran = await step.asfound(...APPLY);
  expectExit(ran, 10);
  expect(ran.told).toContain("nothing was changed");
  expect(await names()).not.toContain("refused-a");
});

story("a namespace that is being deleted: refused, and nothing is changed", async () => {
  const name = `${namespace.name}-leaving`;
  await kubectl(["create", "namespace", name]);
  await kubectl(["-n", name, "create", "configmap", "held"]);
  await kubectl([
    "-n",
    name,
    "patch",
    "configmap",
    "held",
    "-p",
    '{"metadata":{"finalizers":["example.com/hold"]}}',
  ]);
  await kubectl(["delete", "namespace", name, "--wait=false"]);
  const step = stepOf("leaving");
  step.write({ ...config("inside", "blue"), metadata: { name: "inside", namespace: name } });
  const ran = await step.asfound(...APPLY);
  expectExit(ran, 10);
  expect(ran.told).toContain("being terminated");
  await kubectl([
    "-n",
    name,
    "patch",
    "configmap",
    "held",
    "--type=json",
    "-p",
    '[{"op":"remove","path":"/metadata/finalizers"}]',
  ]);
});

story(
  "the ledger is lost: imported by the name of its inventory, the step is whole again, and can be destroyed",
  async () => {
    const step = stepOf("lost");
    step.write(config("lost-a", "blue"), config("lost-b", "blue"));
    expectExit(await step.asfound(...APPLY), 0);
    const { identity } = await step.status();
    rmSync(join(step.cwd, ".asfound"), { recursive: true });
    const refused = await step.asfound(...APPLY);
    expectExit(refused, 23);
    rmSync(join(step.cwd, "asfound.lock"));
    expectExit(
      await step.asfound("import", "web", "--id", identity.id, "--reason", "the ledger was lost", "--yes"),
      0,
    );
    expectExit(await step.asfound("reconcile", "--yes"), 0);
    expect((await step.status()).outputs.objects.map(({ uid }) => uid)).toEqual([
      await uidOf("lost-a"),
      await uidOf("lost-b"),
    ]);
    step.write(config("lost-a", "green"));
    expectExit(await step.asfound(...APPLY), 0);
    expect(await names()).not.toContain("lost-b");
    expectExit(await step.asfound(...DESTROY), 0);
    expect((await names()).filter((name) => name.startsWith("lost-"))).toEqual([]);
  },
);

story("killed in the middle of an apply: what was made is known, and the rest is made once", async () => {
  const step = stepOf("killed");
  step.write(config("killed-a", "blue"), config("killed-b", "blue"), config("killed-c", "blue"));
  const died = await step.killedAt("identity-durable:2", ...APPLY);
  expect([died.signal, (await names()).filter((name) => name.startsWith("killed-"))]).toEqual([
    "SIGKILL",
    ["killed-a"],
  ]);
  const first = await uidOf("killed-a");
  expectExit(await step.asfound("status"), 21);
  await step.asfound("reconcile", "--yes");
  const resumed = await step.asfound("resume", "--yes");
  expectExit(resumed, 0);
  expect(await uidOf("killed-a")).toBe(first);
  expect((await names()).filter((name) => name.startsWith("killed-"))).toHaveLength(3);
  expectExit(await step.asfound(...DESTROY), 0);
});

story(
  "a plan tells what the server would change, by kubectl's own kustomize, and changes nothing",
  async () => {
    const step = stepOf("previewed");
    const file = join(step.cwd, "asfound.yaml");
    writeFileSync(file, readFileSync(file, "utf8").replace("manifests: k8s", "kustomize: k8s"));
    writeFileSync(
      join(step.cwd, "k8s", "kustomization.yaml"),
      "namePrefix: previewed-\nresources: [all.json]\n",
    );
    const object = (replicas: number): object => {
      const made = deployment("web") as { readonly spec: object };
      return { ...made, spec: { ...made.spec, replicas } };
    };
    step.write(object(0));
    const first = await step.asfound("plan");
    expectExit(first, 0);
    expect(first.told).toContain(`Deployment ${namespace.name}/previewed-web: would be created`);
    expectExit(await step.asfound(...APPLY), 0);
    const same = await step.asfound("plan");
    expect(same.told).toContain("nothing to do");
    const { metadata } = await namespace.get("deployment", "previewed-web");
    step.write(object(1));
    const second = await step.asfound("plan");
    expect(second.told).toContain(".spec.replicas: 0 → 1");
    expect((await namespace.get("deployment", "previewed-web")).metadata.generation).toBe(
      metadata.generation,
    );
    expectExit(await step.asfound(...DESTROY), 0);
  },
);

story("its inventory is deleted by somebody: destroy goes by the UIDs in the ledger", async () => {
  const step = stepOf("forgotten");
  step.write(config("forgotten-a", "blue"), config("forgotten-b", "blue"));
  expectExit(await step.asfound(...APPLY), 0);
  await namespace.run("delete", "configmap", (await step.status()).identity.id);
  expectExit(await step.asfound(...DESTROY), 0);
  expect((await names()).filter((name) => name.startsWith("forgotten-"))).toEqual([]);
});

story("deleted and made again by somebody: neither changed nor destroyed", async () => {
  const step = stepOf("remade");
  step.write(config("remade", "blue"));
  expectExit(await step.asfound(...APPLY), 0);
  const copy = JSON.parse(await namespace.run("get", "configmap", "remade", "-o", "json"));
  await namespace.run("delete", "configmap", "remade");
  const { uid: _uid, resourceVersion: _version, managedFields: _fields, ...metadata } = copy.metadata;
  await namespace.apply({ ...copy, metadata });
  step.write(config("remade", "green"));
  const ran = await step.asfound(...APPLY);
  expectExit(ran, 10);
  expect(ran.told.replace(/\s+/g, " ")).toContain("somebody made it again");
  expectExit(await step.asfound(...DESTROY), 0);
  expect(await colour("remade")).toBe("blue");
});

story(
  "what leaves the manifests is held by a finalizer: the update waits, and is done once it is gone",
  async () => {
    const step = stepOf("pruned");
    step.write(config("pruned-a", "blue"), config("pruned-b", "blue", { finalizers: ["example.com/hold"] }));
    expectExit(await step.asfound(...APPLY), 0);
    step.write(config("pruned-a", "blue"));
    const applying = step.start(...APPLY);
    await applying.said("held by example.com/hold");
    await namespace.run(
      "patch",
      "configmap",
      "pruned-b",
      "--type=json",
      "-p",
      '[{"op":"remove","path":"/metadata/finalizers"}]',
    );
    const ran = await applying.ended;
    expectExit(ran, 0);
    expect(ran.told).toContain("held by example.com/hold");
    expectExit(await step.asfound(...DESTROY), 0);
  },
);
