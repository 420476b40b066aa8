/**
 * Config that is bound, on a real cluster: the filter's output is applied, an edit is refused by the API, other bytes are
 * another object and a rollout, and an undo brings back what was: by the app's own word. The same as a step, whose prune keeps
 * what an old ReplicaSet still names (k8s-25).
 */
import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { tempFolder } from "../support/temp-folder.ts";
import { deployment, describePod } from "./app.ts";
import { expectVerdict, LAUNCHER, storyWith, verify } from "./asfound.ts";
import { atRest } from "./at-rest.ts";
import { kubectl, type Namespace, ownNamespace } from "./kubectl.ts";
import { has } from "./lack.ts";

const story = storyWith("images");

let namespace: Namespace;
beforeAll(async () => {
  if (has("images")) namespace = await ownNamespace();
});
afterAll(() => namespace?.[Symbol.asyncDispose]());

interface Ran {
  readonly exit: number;
  readonly out: string;
  readonly told: string;
}

const asfound = (cwd: string, words: readonly string[], stdin = ""): Promise<Ran> =>
  new Promise((resolve) => {
    const child = execFile(LAUNCHER, words, { cwd, env: { ...process.env, CI: "" } }, (error, out, told) =>
      resolve({ exit: error === null ? 0 : Number(error.code), out, told }),
    );
    child.stdin?.end(stdin);
  });

/** The app takes its configuration from the environment, once. */
const reading = (name: string, config: string): object =>
  deployment(name, {
    env: [
      { name: "CONFIG_FROM", value: "env:TEXT" },
      { name: "TEXT", valueFrom: { configMapKeyRef: { name: config, key: "text" } } },
    ],
  });

/** What all Pods of the app that are there say they started with, once the rollout is over. */
const saidBy = async (name: string): Promise<readonly string[]> => {
  const said = await Promise.all((await atRest(namespace, name)).map(describePod));
  expect(said).toHaveLength(2);
  return [...new Set(said.map(({ config }) => config.text))];
};

const configMaps = async (base: string): Promise<readonly string[]> =>
  (await namespace.list("configmaps"))
    .map(({ metadata }) => metadata.name)
    .filter((name) => name.startsWith(`${base}-`))
    .sort();

story(
  "bound, applied, not to be edited; other bytes roll out, and an undo brings the config back",
  async () => {
    const cwd = tempFolder("config-bind");
    mkdirSync(join(cwd, "settings"));
    const release = async (text: string): Promise<Ran> => {
      writeFileSync(join(cwd, "settings", "text"), text);
      const words = ["config", "bind", "-f", "-", "--from-file", "settings=settings"];
      const bound = await asfound(cwd, words, JSON.stringify(reading("filtered", "settings")));
      expect(bound.exit, bound.told).toBe(0);
      await kubectl(["-n", namespace.name, "apply", "-f", "-"], bound.out);
      return bound;
    };
    await release("one");
    expect(await saidBy("filtered")).toEqual(["one"]);
    const [first = ""] = await configMaps("settings");
    await expect(
      namespace.run("patch", "configmap", first, "--type=merge", "-p", '{"data":{"text":"edited"}}'),
    ).rejects.toThrow(/immutable/);
    await release("two");
    expect(await saidBy("filtered")).toEqual(["two"]);
    expect(await configMaps("settings")).toHaveLength(2);
    const judged = await verify("deployment/filtered", "-n", namespace.name, "--claims", "config-bound");
    expectVerdict(judged, { verdict: "proven" });
    await namespace.run("rollout", "undo", "deployment/filtered");
    expect(await saidBy("filtered")).toEqual(["one"]);
    const again = await release("two");
    expect(await saidBy("filtered")).toEqual(["two"]);
    // What the cluster holds now can be bound as well, and is bound already.
    const live = await asfound(
      cwd,
      ["config", "bind", "-f", "-", "-n", namespace.name, "--from-live"],
      JSON.stringify(reading("filtered", first)),
    );
    expect([live.exit, live.told], again.out).toEqual([
      0,
      expect.stringContaining(`${first} is bound already`),
    ]);
  },
);

story("--from-live binds what a mutable object holds now", async () => {
  const cwd = tempFolder("config-bind");
  await namespace.apply({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "live" },
    data: { text: "as it is" },
  });
  const words = ["config", "bind", "-f", "-", "-n", namespace.name, "--from-live"];
  const bound = await asfound(cwd, words, JSON.stringify(reading("from-live", "live")));
  expect(bound.exit, bound.told).toBe(0);
  await kubectl(["-n", namespace.name, "apply", "-f", "-"], bound.out);
  expect(await saidBy("from-live")).toEqual(["as it is"]);
  expect(await configMaps("live")).toHaveLength(1);
  const denied = await asfound(
    cwd,
    [...words, "--kubeconfig", "/nowhere"],
    JSON.stringify(reading("x", "live")),
  );
  expect([denied.exit, denied.out]).toEqual([2, ""]);
});

/** What readers of YAML have made something else of. */
const BYTES: Readonly<Record<string, string | Uint8Array>> = {
  yes: "yes",
  on: "on",
  n: "n",
  "1": "1_000",
  "0x1f": "0x1f",
  "12.5e3": "12:30:45",
  date: "2001-12-14",
  empty: "",
  "line-break": "\n",
  lines: "a\n\nb\n\n\n",
  "no-end": "a\nb",
  indented: "  two\n one\n",
  tabs: "\tone\n\ttwo\n",
  windows: "a\r\nb\r\n",
  spaces: "trailing  \n  \n",
  hash: "a # b\n# c\n",
  marks: "---\n...\n--- a\n",
  separators: "a\u2028b\u2029c\u0085d\n",
  bom: "\ufeffa\nb\n",
  quotes: `"'\\x"\n`,
  emoji: "🙂é\n",
  null: "null",
  tilde: "~",
  nul: "a\u0000b\n",
  del: "a\u007fb\u009fc\n",
  binary: new Uint8Array([0xff, 0x00, 0xfe]),
};

story("the bytes that the cluster holds are those of the files, by the digest of stock tools", async () => {
  const cwd = tempFolder("config-bind");
  mkdirSync(join(cwd, "odd"));
  for (const [key, bytes] of Object.entries(BYTES)) writeFileSync(join(cwd, "odd", key), bytes);
  const pod =
    "apiVersion: v1\nkind: Pod\nmetadata: { name: odd }\nspec: { containers: [{ name: a, envFrom: [{ configMapRef: { name: odd } }] }] }\n";
  const bound = await asfound(cwd, ["config", "bind", "-f", "-", "--from-file", "odd=odd"], pod);
  expect(bound.exit, bound.told).toBe(0);
  await kubectl(
    ["-n", namespace.name, "apply", "-f", "-"],
    bound.out.slice(0, bound.out.lastIndexOf("---\n")),
  );
  const [name = ""] = await configMaps("odd");
  const { data, binaryData } = (await namespace.get("configmap", name)) as unknown as Readonly<
    Record<"data" | "binaryData", Readonly<Record<string, string>>>
  >;
  const base64 = (bytes: string | Uint8Array): string => Buffer.from(bytes as string).toString("base64");
  const held = {
    ...binaryData,
    ...Object.fromEntries(Object.entries(data).map(([key, value]) => [key, base64(value)])),
  };
  expect(held).toEqual(Object.fromEntries(Object.entries(BYTES).map(([key, bytes]) => [key, base64(bytes)])));
  const sums = execFileSync("sh", ["-c", "LC_ALL=C; export LC_ALL; sha256sum * | sha256sum"], {
    cwd: join(cwd, "odd"),
    encoding: "utf8",
  });
  expect(name).toBe(`odd-${sums.slice(0, 10)}`);
});

story(
  "as a step: a version that an old ReplicaSet names is kept, and goes when nothing names it",
  async () => {
    const cwd = tempFolder("config-bind");
    mkdirSync(join(cwd, "conf"));
    writeFileSync(join(cwd, "web.json"), JSON.stringify(reading("stepped", "stepped")));
    const stack = [
      "apiVersion: asfound.dev/v1alpha1",
      "kind: Stack",
      "metadata: { name: bound }",
      "steps:",
      "  web:",
      "    uses: kubernetes",
      "    settle: 1s",
      "    window: 240s",
      "    confirm: [rollout-complete]",
      "    with:",
      "      manifests: web.json",
      `      namespace: ${namespace.name}`,
      "      bind: { sources: [{ name: stepped, folder: conf }] }",
    ];
    writeFileSync(join(cwd, "asfound.yaml"), `${stack.join("\n")}\n`);
    const apply = async (text: string): Promise<string> => {
      writeFileSync(join(cwd, "conf", "text"), text);
      const ran = await asfound(cwd, ["apply", "--yes", "--progress", "plain"]);
      expect(ran.exit, ran.out + ran.told).toBe(0);
      return ran.out + ran.told;
    };
    await apply("one");
    expect(await saidBy("stepped")).toEqual(["one"]);
    const [first = ""] = await configMaps("stepped");
    writeFileSync(join(cwd, "conf", "text"), "two");
    const planned = await asfound(cwd, ["plan"]);
    expect(planned.out).toMatch(
      new RegExp(`ConfigMap .*${first}: .*\\n.*kept for rollback: ReplicaSet stepped-`),
    );
    expect(await apply("two")).toMatch(/kept for rollback: ReplicaSet stepped-\w+ refers to it/);
    expect(await saidBy("stepped")).toEqual(["two"]);
    expect(await configMaps("stepped")).toHaveLength(2);
    // It is no drift that it is still there.
    const looked = await asfound(cwd, ["reconcile", "--yes"]);
    expect(looked.exit, looked.out + looked.told).toBe(0);
    await namespace.run("rollout", "undo", "deployment/stepped");
    expect(await saidBy("stepped")).toEqual(["one"]);
    await namespace.run("rollout", "undo", "deployment/stepped");
    expect(await saidBy("stepped")).toEqual(["two"]);
    const old = (await namespace.list("replicasets", "app=stepped")).filter(
      ({ spec }) => spec.replicas === 0,
    );
    await namespace.run("delete", "replicaset", ...old.map(({ metadata }) => metadata.name));
    await atRest(namespace, "stepped");
    // kubectl's undo took the fields over.
    writeFileSync(join(cwd, "asfound.yaml"), `${stack.join("\n")}\n      force: true\n`);
    await apply("three");
    expect(await saidBy("stepped")).toEqual(["three"]);
    const left = await configMaps("stepped");
    expect(left).not.toContain(first);
    expect(left).toHaveLength(2);
    const destroyed = await asfound(cwd, ["destroy", "--yes", "--progress", "plain"]);
    expect(destroyed.exit, destroyed.out + destroyed.told).toBe(0);
    expect(await configMaps("stepped")).toEqual([]);
  },
);
