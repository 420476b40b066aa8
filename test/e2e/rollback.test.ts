/**
 * Rollbacks on a real cluster: v2 does not come up, v1 is a recorded release whose config is immutable. Template and reference
 * come back as one; and each of the six refusals, with the thing that it is about really done to the cluster.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { deployment, describePod } from "./app.ts";
import { LAUNCHER, storyWith } from "./asfound.ts";
import { atRest } from "./at-rest.ts";
import { eventually } from "./eventually.ts";
import { type KubeObject, type Namespace, ownNamespace } from "./kubectl.ts";
import { has } from "./lack.ts";
import { rulesIn, somebody } from "./somebody.ts";

const story = storyWith("images");

let namespace: Namespace;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "asfound-rollback-"));
  if (has("images")) namespace = await ownNamespace();
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await namespace?.[Symbol.asyncDispose]();
});

interface Check {
  readonly check: string;
  readonly finding: string;
  readonly reason: string;
  readonly sentence: string;
  readonly todo: string | null;
}
interface Report {
  readonly decision: string;
  readonly statement: string;
  readonly checks: readonly Check[];
  readonly bystanders: readonly string[];
  readonly layers: Readonly<Record<string, unknown>> | null;
  readonly stack: string;
  readonly confirmed: boolean;
}
interface Ran {
  readonly exit: number;
  readonly out: string;
  readonly told: string;
}

/** A verb that asks the cluster. */
const asfound = (...words: readonly string[]): Promise<Ran> => bare(...words, "-n", namespace.name);

const bare = (...words: readonly string[]): Promise<Ran> =>
  new Promise((resolve) => {
    execFile(LAUNCHER, [...words], { cwd: folder, env: { ...process.env, CI: "" } }, (error, out, told) =>
      resolve({ exit: error === null ? 0 : Number(error.code), out, told }),
    );
  });

const reportOf = ({ exit, out, told }: Ran): Report & { readonly exit: number } => {
  if (!out.startsWith("{")) throw new Error(`exit ${exit}: ${out}${told}`);
  return { ...(JSON.parse(out) as Report), exit };
};

const plan = async (name: string, ...words: readonly string[]) =>
  reportOf(
    await asfound(
      "rollback",
      "plan",
      `deployment/${name}`,
      ...(words.length > 0 ? words : ["--to", "v1"]),
      "-o",
      "json",
    ),
  );

const configMap = (name: string, data: Readonly<Record<string, string>>, immutable = true): object => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name },
  data,
  ...(immutable ? { immutable: true } : {}),
});

/** Takes whether it is ready, and its text, from the ConfigMap. */
const taking = (name: string, from: string): object =>
  deployment(name, {
    replicas: 2,
    env: [
      { name: "CONFIG_FROM", value: "env:TEXT" },
      { name: "TEXT", valueFrom: { configMapKeyRef: { name: from, key: "text" } } },
      { name: "READY", valueFrom: { configMapKeyRef: { name: from, key: "ready" } } },
    ],
  });

const GOOD = { text: "v1", ready: "true" };
const BAD = { text: "v2", ready: "false" };

/** v1 is well and recorded; v2 does not come up. `immutable`: of v1's config. */
const broken = async (name: string, immutable = true): Promise<void> => {
  await namespace.apply(configMap(`${name}-v1`, GOOD, immutable), taking(name, `${name}-v1`));
  await atRest(namespace, name);
  const recorded = await eventually(async () => {
    const ran = await asfound("release", "record", `deployment/${name}`, "--name", "v1", "-o", "json");
    expect(ran.exit, ran.out + ran.told).toBe(0);
    return ran;
  });
  expect(recorded.out).toContain(`${name}-v1`);
  await namespace.apply(configMap(`${name}-v2`, BAD), taking(name, `${name}-v2`));
  await eventually(async () => {
    const pods = await namespace.list("pods", `app=${name}`);
    expect(pods.filter(({ status }) => status.containerStatuses?.[0]?.started === true).length).toBe(3);
  });
};

const of = (report: Report, name: string): Check =>
  report.checks.find(({ check }) => check === name) as Check;

const podsOf = (name: string): Promise<readonly KubeObject[]> => atRest(namespace, name);

story("the rollback brings template and reference back as one, and calls that no recovery yet", async () => {
  await broken("web");
  const before = await namespace.get("deployment", "web");
  const shown = await plan("web");
  expect([shown.exit, shown.decision], JSON.stringify(shown.checks)).toEqual([0, "proven"]);
  const ran = reportOf(
    await asfound(
      "rollback",
      "run",
      "deployment/web",
      "--to",
      "v1",
      "--yes",
      "--reason",
      "v2 is not ready",
      "-o",
      "json",
    ),
  );
  expect(ran.layers, ran.statement).toMatchObject({
    rollout: "proven",
    configBound: "proven",
    timeBomb: false,
  });
  expect(ran.exit).toBe(0);
  expect(ran.statement).toMatch(/confirmed it is once a replaced Pod has come up right/);
  const after = await namespace.get("deployment", "web");
  expect(after.metadata.uid).toBe(before.metadata.uid);
  expect(JSON.stringify(after.spec.template)).toContain("web-v1");
  for (const pod of await podsOf("web")) expect((await describePod(pod)).config.text).toBe("v1");
  // To where it is already there is nothing to write.
  const again = reportOf(
    await asfound("rollback", "run", "deployment/web", "--to", "v1", "--yes", "-o", "json"),
  );
  expect([again.exit, again.statement]).toEqual([0, expect.stringMatching(/^There was nothing to write/)]);
  // What only a replaced Pod shows.
  const drilled = reportOf(
    await asfound(
      ...["rollback", "run", "deployment/web", "--to", "v1", "--yes", "--drill"],
      ...["--allow-namespace", namespace.name, "-o", "json"],
    ),
  );
  expect([drilled.exit, drilled.confirmed], JSON.stringify(drilled)).toEqual([0, true]);
  expect(drilled.statement).toMatch(/confirmed: a replaced Pod came up right/);
  for (const pod of await podsOf("web")) expect((await describePod(pod)).config.text).toBe("v1");
  const shownAfter = await bare("history", "--stack", ran.stack, "-o", "json");
  expect(shownAfter.out).toContain("v2 is not ready");
});

story(
  "k8s-25: what v1 took was pruned: refused; with the release's own bytes it can be made again",
  async () => {
    await broken("gone");
    await namespace.run("delete", "configmap", "gone-v1");
    const refused = await plan("gone");
    expect([refused.exit, of(refused, "references").reason]).toEqual([23, "reference-missing"]);
    expect(of(refused, "references").todo).toContain("--restore-config");
    const run = await asfound("rollback", "run", "deployment/gone", "--to", "v1", "--yes", "-o", "json");
    expect(run.exit).toBe(23);
    expect(JSON.stringify((await namespace.get("deployment", "gone")).spec)).toContain("gone-v2");

    const restored = reportOf(
      await asfound(
        "rollback",
        "run",
        "deployment/gone",
        "--to",
        "v1",
        "--restore-config",
        "--yes",
        "--window",
        "60s",
        "-o",
        "json",
      ),
    );
    // The Pods of v1 that serve were given the object that is gone: by its identity this one is another (C4).
    expect(restored, JSON.stringify(restored)).toMatchObject({
      exit: 10,
      layers: { rollout: "proven", timeBomb: true },
    });
    expect(restored.statement).toMatch(/^Not recovered/);
    const made = (await namespace.get("configmap", "gone-v1")) as KubeObject & {
      immutable?: boolean;
      data?: object;
    };
    expect([made.immutable, made.data]).toEqual([true, GOOD]);
    // What the next Pod is given, it says itself.
    const [first] = await podsOf("gone");
    await namespace.run("delete", "pod", String(first?.metadata.name));
    for (const pod of await podsOf("gone")) expect((await describePod(pod)).config.text).toBe("v1");
  },
);

story(
  "other content, and an object made again with the same bytes: each refused for what it is",
  async () => {
    await broken("edited", false);
    await namespace.apply(configMap("edited-v1", { ...GOOD, text: "v1, edited" }, false));
    const edited = await plan("edited");
    expect([edited.exit, of(edited, "content").reason]).toEqual([23, "digest-differs"]);
    expect(of(edited, "content").sentence).toMatch(/text changed.*mutable/);

    await broken("again");
    await namespace.run("delete", "configmap", "again-v1");
    await namespace.apply(configMap("again-v1", GOOD));
    const again = await plan("again");
    expect([again.exit, of(again, "identity").reason, of(again, "content").finding]).toEqual([
      23,
      "recreated-object",
      "proven",
    ]);
  },
);

story("a GitOps owner, a surplus container, a budget at zero", async () => {
  await broken("owned");
  await namespace.run("label", "deployment", "owned", "argocd.argoproj.io/instance=shop");
  const owned = await plan("owned");
  expect([owned.exit, of(owned, "owner").reason]).toEqual([23, "self-heal"]);
  await namespace.run("label", "deployment", "owned", "argocd.argoproj.io/instance-");

  const side = [{ name: "debug", image: "debug:1" }];
  const patch = { spec: { template: { spec: { containers: side } } } };
  await namespace.run("patch", "deployment", "owned", "--patch", JSON.stringify(patch));
  const surplus = await plan("owned");
  expect([surplus.exit, of(surplus, "surplus").reason]).toEqual([23, "surplus-container"]);
  expect(of(surplus, "surplus").sentence).toContain("container debug");

  await namespace.apply({
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: { name: "owned" },
    spec: { minAvailable: 3, selector: { matchLabels: { app: "owned" } } },
  });
  const budget = await eventually(async () => {
    const report = await plan("owned");
    expect(of(report, "disruption-budget").finding).toBe("refuted");
    return report;
  });
  expect([budget.exit, of(budget, "disruption-budget").reason]).toEqual([23, "no-disruption-allowed"]);
  // By a revision's number, beside the same obstacles.
  const numbered = await plan("owned", "--to-revision", "1");
  expect([numbered.exit, of(numbered, "target").reason]).toEqual([23, "revision-kept"]);
});

/** The same app as a workload of another kind, which its ControllerRevisions keep. */
const another = (kind: "StatefulSet" | "DaemonSet", name: string, from: string): object => {
  const made = taking(name, from) as { readonly spec: { readonly replicas: number } };
  const { replicas, ...spec } = made.spec;
  // A DaemonSet has no rollout strategy of a Deployment's, and one Pod a node.
  return { ...made, kind, spec: kind === "StatefulSet" ? { ...spec, replicas, serviceName: name } : spec };
};

for (const kind of ["StatefulSet", "DaemonSet"] as const) {
  const plural = kind.toLowerCase() as "statefulset" | "daemonset";
  const name = kind === "StatefulSet" ? "db" : "agent";
  story(
    `${kind}: template and reference come back as one, by what its ControllerRevisions keep`,
    async () => {
      await namespace.apply(configMap(`${name}-v1`, GOOD), another(kind, name, `${name}-v1`));
      await atRest(namespace, name, plural);
      await eventually(async () => {
        const ran = await asfound("release", "record", `${plural}/${name}`, "--name", "v1", "-o", "json");
        expect(ran.exit, ran.out + ran.told).toBe(0);
      });
      const WELL = { ...GOOD, text: "v2" };
      await namespace.apply(configMap(`${name}-v2`, WELL), another(kind, name, `${name}-v2`));
      await atRest(namespace, name, plural);
      const before = await namespace.get(plural, name);
      const ran = reportOf(
        await asfound(
          ...[
            "rollback",
            "run",
            `${plural}/${name}`,
            "--to",
            "v1",
            "--yes",
            "--window",
            "240s",
            "-o",
            "json",
          ],
        ),
      );
      expect([ran.exit, ran.layers], JSON.stringify(ran)).toMatchObject([
        0,
        { rollout: "proven", timeBomb: false },
      ]);
      const after = await namespace.get(plural, name);
      expect(after.metadata.uid).toBe(before.metadata.uid);
      const pods = await atRest(namespace, name, plural);
      expect(pods.length).toBeGreaterThan(0);
      for (const pod of pods) expect((await describePod(pod)).config.text).toBe("v1");
      const held = await asfound("verify", "--release", "v1", `${plural}/${name}`, "-o", "json");
      expect(held.exit, held.out + held.told).toBe(0);
      expect(held.out).toContain('"as-released"');
    },
  );
}

story(
  "with the role of docs/rbac/rollback.yaml a rollback makes config again and writes the template",
  async () => {
    await broken("ruled");
    await namespace.run("delete", "configmap", "ruled-v1");
    const ran = reportOf(
      await asfound(
        ...[
          "rollback",
          "run",
          "deployment/ruled",
          "--to",
          "v1",
          "--restore-config",
          "--yes",
          "--window",
          "60s",
        ],
        ...["--kubeconfig", await somebody(namespace, "keeper", rulesIn("rollback.yaml")), "-o", "json"],
      ),
    );
    expect(ran.layers, JSON.stringify(ran)).toMatchObject({ rollout: "proven" });
    expect(JSON.stringify((await namespace.get("deployment", "ruled")).spec)).toContain("ruled-v1");
  },
);
