/**
 * Releases of a real workload: recorded when it is proven, config and all; an edit in place makes half the same release; the
 * cluster's own words for revision and images; and no value of a Secret in any file.
 */
import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { deployment } from "./app.ts";
import { LAUNCHER, storyWith } from "./asfound.ts";
import { eventually } from "./eventually.ts";
import { type KubeObject, type Namespace, ownNamespace } from "./kubectl.ts";
import { has } from "./lack.ts";

const story = storyWith("images");
const CANARY = "canary-91c2-never-written";

let namespace: Namespace;
let cwd: string;
beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), "asfound-releases-"));
  if (has("images")) namespace = await ownNamespace();
});
afterAll(async () => {
  rmSync(cwd, { recursive: true, force: true });
  await namespace?.[Symbol.asyncDispose]();
});

const configMap = (name: string, text: string): object => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name },
  data: { text, "notes.txt": "one\ntwo\n" },
});
const SECRET = {
  apiVersion: "v1",
  kind: "Secret",
  metadata: { name: "token" },
  stringData: { value: CANARY },
};

const ENV = [
  { name: "CONFIG_FROM", value: "env:TEXT" },
  { name: "LITERAL", value: CANARY },
  { name: "TEXT", valueFrom: { configMapKeyRef: { name: "settings", key: "text" } } },
  { name: "TOKEN", valueFrom: { secretKeyRef: { name: "token", key: "value" } } },
];

interface Ran {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}

const asfound = (...words: readonly string[]): Promise<Ran> =>
  new Promise((resolve) => {
    execFile(LAUNCHER, words, { cwd, env: { ...process.env, CI: "" } }, (error, out, err) =>
      resolve({ exit: error === null ? 0 : Number(error.code), out, err }),
    );
  });

const record = async (name: string) => {
  const words = ["deployment/web", "-n", namespace.name, "--name", name, "--window", "5m"];
  const ran = await asfound("release", "record", ...words, "--secrets", "-o", "json");
  expect(ran).toMatchObject({ exit: 0 });
  return JSON.parse(ran.out);
};

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

story("v1 and v2 of a workload whose config is edited in place are half the same release", async () => {
  await namespace.apply(configMap("settings", "v1"), SECRET, deployment("web", { env: ENV }));
  const first = await record("v1");

  const [set] = (await namespace.list("replicasets", "app=web")) as [KubeObject];
  expect(first.revision).toMatchObject({ name: set.metadata.name, uid: set.metadata.uid });
  const pods = await namespace.list("pods", "app=web");
  const ids = pods.map(({ status }) => status.containerStatuses?.[0]?.imageID?.replace(/^.*@/, ""));
  expect(first.images).toMatchObject([{ container: "app", digests: [...new Set(ids)] }]);
  expect(first.cluster.uid).toMatch(/^[0-9a-f-]{36}$/);

  const again = await asfound("release", "record", "deployment/web", "-n", namespace.name, "--secrets");
  expect(again).toMatchObject({ exit: 0, err: expect.stringContaining("already recorded as v1") });

  await namespace.apply(configMap("settings", "v2"));
  await namespace.run("rollout", "restart", "deployment/web");
  const second = await record("v2");
  expect(second.images).toEqual(first.images);
  const diff = await asfound("release", "diff", "v1", "v2", "-o", "json");
  expect(diff.exit).toBe(0);
  const told = JSON.parse(diff.out);
  expect(told.statement).toContain("the same images with other config are half the same release");
  expect(told.template.map(({ path }: { path: string }) => path)).toEqual([
    'metadata.annotations["kubectl.kubernetes.io/restartedAt"]',
  ]);
  expect(told.config).toMatchObject([
    {
      name: "settings",
      compared: "differs",
      recreated: false,
      keys: [{ key: "text", compared: "differs", lines: { left: 0 } }],
    },
    { kind: "Secret", name: "token", compared: "same" },
  ]);

  // C3 and the files, by stock tools.
  const sums = filesIn(cwd).find((file) => file.includes(first.id) && file.endsWith("SHA256SUMS")) ?? "";
  const folder = join(sums, "..");
  execFileSync("sh", ["-c", "sha256sum --strict --quiet -c SHA256SUMS"], { cwd: folder });
  const printed = execFileSync("sh", ["-c", "LC_ALL=C sha256sum * | sha256sum"], {
    cwd: join(folder, "config", "settings"),
  });
  expect(first.config[0].digest).toBe(String(printed).slice(0, 64));
  expect(readFileSync(join(folder, "config", "settings", "text"), "utf8")).toBe("v1");

  // C6, E5.
  const all = [...filesIn(cwd).map((file) => readFileSync(file, "latin1")), diff.out, again.out].join("\n");
  expect(all).toContain("settings");
  expect(all.includes(CANARY) || all.includes(Buffer.from(CANARY).toString("base64"))).toBe(false);

  // A release's Verification file holds while it runs, and the other one's is refuted.
  for (const [name, exit] of [
    ["v2", 0],
    ["v1", 10],
  ] as const) {
    const file = join(cwd, `${name}.yaml`);
    writeFileSync(file, (await asfound("release", "show", name, "-o", "verification")).out);
    await eventually(async () => {
      const verified = await asfound("verify", "-f", file, "--secrets");
      expect([name, verified.exit], verified.out).toEqual([name, exit]);
    });
  }

  // What ReplicaSets and releases name is kept.
  await namespace.apply(configMap("left-over", "x"));
  const kept = await asfound("release", "retention", "-n", namespace.name, "-o", "name");
  expect(kept).toMatchObject({ exit: 0, out: "configmap/left-over\n" });
});
