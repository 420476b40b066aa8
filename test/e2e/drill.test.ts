/** A drill on a real cluster: one Pod is replaced and what came is judged; what must not be drilled is not. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { deployment, service, untilServed } from "./app.ts";
import { LAUNCHER, storyWith } from "./asfound.ts";
import { atRest } from "./at-rest.ts";
import { eventually } from "./eventually.ts";
import { type KubeObject, type Namespace, ownNamespace } from "./kubectl.ts";
import { has } from "./lack.ts";
import { rulesIn, somebody } from "./somebody.ts";

const story = storyWith("images");

let namespace: Namespace;
const folders: string[] = [];
beforeAll(async () => {
  if (has("images")) namespace = await ownNamespace();
});
afterAll(async () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  await namespace?.[Symbol.asyncDispose]();
});

interface Drill {
  readonly pod: { readonly name: string; readonly uid: string } | null;
  readonly refused: { readonly reason: string; readonly sentence: string } | null;
  readonly rehearsed: { readonly what: string; readonly why: string | null } | null;
  readonly stack: string | null;
  readonly step: { readonly status: string; readonly reason: string } | null;
  readonly verdict: {
    readonly verdict: string;
    readonly findings: readonly {
      readonly claim: string;
      readonly finding: string;
      readonly sentence: string;
    }[];
  } | null;
  readonly disturbed: string | null;
}

interface Ran {
  readonly exit: number;
  readonly told: string;
  readonly report: Drill | null;
}

const folder = (): string => {
  const made = mkdtempSync(join(tmpdir(), "asfound-drill-"));
  folders.push(made);
  return made;
};

const asfound = (cwd: string, words: readonly string[]): Promise<Ran & { readonly out: string }> =>
  new Promise((resolve) => {
    execFile(LAUNCHER, words, { cwd, env: { ...process.env, CI: "" } }, (error, out, told) => {
      const exit = error === null ? 0 : Number(error.code);
      resolve({ exit, out, told, report: out.startsWith("{") ? (JSON.parse(out) as Drill) : null });
    });
  });

const drill = (cwd: string, name: string, ...words: readonly string[]): Promise<Ran> =>
  asfound(cwd, [
    ...["drill", name.includes("/") ? name : `deployment/${name}`, "-n", namespace.name],
    ...["--allow-namespace", namespace.name, "--yes", "--progress", "plain", "-o", "json", ...words],
  ]);

const running = async (name: string, count: number): Promise<readonly KubeObject[]> => {
  const pods = await atRest(namespace, name);
  expect(pods).toHaveLength(count);
  return pods;
};

const uids = (pods: readonly KubeObject[]): readonly string[] =>
  pods.map(({ metadata }) => metadata.uid).sort();

const configMap = (name: string, ready: string): object => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name },
  data: { ready },
});
const readyFrom = (name: string) => [
  { name: "READY", valueFrom: { configMapKeyRef: { name, key: "ready" } } },
];

story(
  "a Pod of two is replaced: proven, with the answer of that very Pod, and the one beside it is untouched",
  async () => {
    const cwd = folder();
    await namespace.apply(
      configMap("good", "true"),
      deployment("good", { env: readyFrom("good") }),
      service("good"),
    );
    const before = await running("good", 2);
    await untilServed(namespace, "good");
    const rehearsed = await drill(cwd, "good", "--dry-run");
    expect(rehearsed.report?.rehearsed, rehearsed.told).toEqual({ what: "remove", why: null });
    expect(rehearsed.exit).toBe(0);
    expect(uids(await running("good", 2))).toEqual(uids(before));
    const ran = await drill(cwd, "good", "--via", "pod", "--expect", "status=200");
    expect(
      [ran.exit, ran.report?.verdict?.verdict],
      `${ran.told}${JSON.stringify(ran.report, null, 1)}`,
    ).toEqual([0, "proven"]);
    const after = await running("good", 2);
    const kept = uids(before).filter((uid) => uids(after).includes(uid));
    expect(kept).toEqual(uids(before).filter((uid) => uid !== ran.report?.pod?.uid));
    const status = await asfound(cwd, ["status", "--stack", String(ran.report?.stack)]);
    expect([status.exit, status.out]).toEqual([0, expect.stringContaining("kubernetes-drill")]);
  },
);

story("a budget at zero refuses it before anything is called; one that allows it is counted", async () => {
  const cwd = folder();
  await namespace.apply(deployment("kept"), {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: { name: "kept" },
    spec: { minAvailable: 2, selector: { matchLabels: { app: "kept" } } },
  });
  const before = await running("kept", 2);
  await eventually(async () => {
    const { status } = await namespace.get("pdb", "kept");
    expect([status.currentHealthy, status.disruptionsAllowed]).toEqual([2, 0]);
  });
  const ran = await drill(cwd, "kept");
  expect([ran.exit, ran.report?.refused?.reason], ran.told).toEqual([23, "budget-at-zero"]);
  const deleted = await drill(cwd, "kept", "--delete");
  expect([deleted.exit, deleted.report?.refused?.reason], deleted.told).toEqual([23, "budget-at-zero"]);
  expect(uids(await running("kept", 2))).toEqual(uids(before));
});

story("a single replica is refused, and its Service is named; with --allow-gap it is drilled", async () => {
  const cwd = folder();
  await namespace.apply(deployment("single", { replicas: 1 }), service("single"));
  const before = await running("single", 1);
  const refused = await drill(cwd, "single");
  expect([refused.exit, refused.report?.refused?.reason], refused.told).toEqual([23, "last-ready"]);
  expect(refused.told).toContain("--allow-gap");
  expect(uids(await running("single", 1))).toEqual(uids(before));
  const ran = await drill(cwd, "single", "--allow-gap");
  expect(ran.exit, `${ran.told}${JSON.stringify(ran.report, null, 1)}`).toBe(0);
  expect(uids(await running("single", 1))).not.toEqual(uids(before));
});

story("what comes in its place answers 503: refuted, within the window", async () => {
  const cwd = folder();
  await namespace.apply(configMap("bad", "true"), deployment("bad", { env: readyFrom("bad") }));
  await running("bad", 2);
  await namespace.apply(configMap("bad", "false"));
  const ran = await drill(cwd, "bad", "--window", "60s");
  const told = `${ran.told}${JSON.stringify(ran.report, null, 1)}`;
  expect([ran.exit, ran.report?.verdict?.verdict, ran.report?.step?.status], told).toEqual([
    10,
    "refuted",
    "error",
  ]);
  expect(ran.report?.step?.reason, told).toContain("answers 503");
  // A workload that is not at rest is not drilled on.
  const again = await drill(cwd, "bad");
  expect([again.exit, again.report?.refused?.reason], again.told).toEqual([23, "not-at-rest"]);
});

story("a drill that a reply refuted is not made complete by a look that asks for none", async () => {
  const cwd = folder();
  await namespace.apply(configMap("told", "true"), deployment("told", { env: readyFrom("told") }));
  await running("told", 2);
  const ran = await drill(cwd, "told", "--via", "pod", "--expect", "json:$.version=9.9.9", "--window", "60s");
  const told = `${ran.told}${JSON.stringify(ran.report, null, 1)}`;
  expect([ran.exit, ran.report?.step?.status], told).toEqual([10, "error"]);
  const stack = String(ran.report?.stack);
  await running("told", 2);
  const settled = await asfound(cwd, ["reconcile", "--stack", stack, "--yes"]);
  expect(settled.exit, settled.told).not.toBe(0);
  const { out } = await asfound(cwd, ["status", "--stack", stack, "-o", "json"]);
  const [step] = (JSON.parse(out) as { readonly steps: readonly { status: string; reason: string }[] }).steps;
  expect(step?.status, out).not.toBe("complete");
});

story("two drills at once: one is refused, and one Pod goes", async () => {
  const cwd = folder();
  // The first is at work until long after the other has begun.
  await namespace.apply(slowly("twice", 3));
  const before = await running("twice", 3);
  const both = await Promise.all([drill(cwd, "twice"), drill(cwd, "twice")]);
  expect(both.map(({ exit }) => exit).sort(), both.map(({ told }) => told).join("\n")).toEqual([0, 23]);
  const after = uids(await running("twice", 3));
  expect(uids(before).filter((uid) => after.includes(uid))).toHaveLength(2);
});

/** What comes is ready after a while only, so that there is time for somebody else. */
const slowly = (name: string, replicas = 2): object => {
  const made = deployment(name, { replicas }) as {
    spec: { template: { spec: { containers: { readinessProbe: object }[] } } };
  };
  for (const one of made.spec.template.spec.containers)
    one.readinessProbe = { ...one.readinessProbe, initialDelaySeconds: 30 };
  return made;
};

story(
  "somebody changes the workload while it is drilled: it stops, says so, and proves nothing",
  async () => {
    const cwd = folder();
    await namespace.apply(slowly("moved"));
    const before = uids(await running("moved", 2));
    const ran = drill(cwd, "moved");
    await eventually(async () => {
      const now = uids(await namespace.list("pods", "app=moved"));
      expect(now.some((uid) => !before.includes(uid))).toBe(true);
    });
    await namespace.run("set", "env", "deployment/moved", "MORE=1");
    const { exit, report, told } = await ran;
    expect([exit, report?.disturbed], told).toEqual([
      20,
      expect.stringContaining("was changed while it was drilled"),
    ]);
    expect(report?.step?.status).toBe("unconfirmed");
  },
);

story(
  "a StatefulSet: the highest ordinal goes, and under its name another Pod comes, which is told from it by UID",
  async () => {
    const cwd = folder();
    const made = deployment("db") as { spec: object };
    await namespace.apply({ ...made, kind: "StatefulSet", spec: { ...made.spec, serviceName: "db" } });
    const ready = (): Promise<readonly KubeObject[]> => atRest(namespace, "db", "statefulset");
    const before = await ready();
    const ran = await drill(cwd, "statefulset/db");
    const told = `${ran.told}${JSON.stringify(ran.report, null, 1)}`;
    expect([ran.exit, ran.report?.pod?.name], told).toEqual([0, "db-1"]);
    const after = await ready();
    const uidOf = (pods: readonly KubeObject[], name: string) =>
      pods.find(({ metadata }) => metadata.name === name)?.metadata.uid;
    expect(uidOf(after, "db-0")).toBe(uidOf(before, "db-0"));
    expect(uidOf(after, "db-1")).not.toBe(uidOf(before, "db-1"));
  },
);

story(
  "with the role of docs/rbac/drill.yaml a drill works; without the right to evict nothing is called",
  async () => {
    const cwd = folder();
    await namespace.apply(deployment("ruled"), service("ruled"));
    const before = uids(await running("ruled", 2));
    const rules = rulesIn("drill.yaml");
    const less = rules.filter(({ resources }) => !resources.includes("pods/eviction"));
    const refused = await drill(cwd, "ruled", "--kubeconfig", await somebody(namespace, "no-driller", less));
    expect(refused.exit, refused.told).toBe(23);
    expect(JSON.stringify(refused.report)).toContain("cannot create resource");
    expect(uids(await running("ruled", 2))).toEqual(before);
    const ran = await drill(cwd, "ruled", "--kubeconfig", await somebody(namespace, "driller", rules));
    expect(ran.exit, `${ran.told}${JSON.stringify(ran.report, null, 1)}`).toBe(0);
    expect(JSON.stringify(ran.report)).toContain("nodes were not read");
  },
);
