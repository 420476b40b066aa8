/**
 * recover on a real cluster, over a ConfigMap that was edited in place: config and template come back as one unit, a replaced Pod
 * comes up right, a bystander is left alone, and the report has it side by side.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { deployment, service, untilServed } from "./app.ts";
import { LAUNCHER, storyWith } from "./asfound.ts";
import { eventually } from "./eventually.ts";
import { type Namespace, ownNamespace } from "./kubectl.ts";

/** In a namespace of its own: two of them would be among each other's bystanders. */
const story = (name: string, test: (namespace: Namespace) => Promise<void>): void =>
  storyWith("images")(name, async () => {
    await using namespace = await ownNamespace();
    await test(namespace);
  });

let cwd: string;
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), "asfound-recover-"));
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

interface Ran {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}
const asfoundIn = (namespace: Namespace, ...words: readonly string[]): Promise<Ran> =>
  new Promise((resolve) => {
    const all = [...words, "-n", namespace.name];
    execFile(
      LAUNCHER,
      all,
      { cwd, env: { ...process.env, CI: "" }, maxBuffer: 64 << 20 },
      (error, out, err) => resolve({ exit: error === null ? 0 : Number(error.code), out, err }),
    );
  });

const settings = (ready: boolean): object => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "settings" },
  data: { READY: String(ready) },
});
const app = (version: string): object =>
  deployment("web", {
    env: [
      { name: "READY", valueFrom: { configMapKeyRef: { name: "settings", key: "READY" } } },
      { name: "VERSION", value: version },
    ],
  });

interface Report {
  readonly verdict: string;
  readonly statement: string;
  readonly sides: readonly {
    readonly side: string;
    readonly verdict: string | null;
    readonly config: readonly { readonly sha256: string | null }[];
    readonly pods: readonly { readonly uid: string; readonly ready: boolean }[];
  }[];
  readonly drill: { readonly ran: boolean; readonly says: string };
  readonly bystanders: { readonly finding: string; readonly sentence: string } | null;
  readonly findings: readonly {
    readonly claim: string;
    readonly finding: string;
    readonly sentence: string;
  }[];
  readonly notRestored: readonly string[];
  readonly firstAid: readonly string[];
  readonly remaining: readonly string[];
}

const failing = async (namespace: Namespace): Promise<void> => {
  await namespace.apply(settings(false), app("v2"));
  await eventually(async () => {
    const pods = await namespace.list("pods", "app=web");
    const unready = pods.filter(
      ({ status }) => status.phase === "Running" && status.containerStatuses?.[0]?.ready === false,
    );
    const serving = pods.filter(({ status }) => status.containerStatuses?.[0]?.ready === true);
    expect([pods.length, serving.length, unready.length]).toEqual([3, 2, 1]);
  });
};

story(
  "config and template come back as one unit, a drill proves it, and nobody else was touched",
  async (namespace) => {
    const asfound = (...words: readonly string[]) => asfoundIn(namespace, ...words);
    await namespace.apply(settings(true), app("v1"), service("web"), deployment("other"), service("other"));
    await untilServed(namespace, "web");
    await untilServed(namespace, "other");
    // What was written within 5 s of a start may have been written after it.
    const recorded = await asfound(
      "release",
      "record",
      "deployment/web",
      "--name",
      "v1",
      "--irreversible",
      "orders that v2 took",
    );
    expect([recorded.exit, recorded.err]).toEqual([0, expect.stringContaining("v1")]);
    await failing(namespace);

    const words = [
      "recover",
      "deployment/web",
      "--to",
      "v1",
      "--restore-config",
      "--accept-irreversible",
      "--yes",
      "--window",
      "90s",
    ];
    const planned = await asfound(...words, "--dry-run", "-o", "json");
    expect([planned.exit, JSON.parse(planned.out).kind]).toEqual([0, "RollbackPlan"]);
    const others = ["--bystander-via", "deployment/other=service"];
    const drill = ["--drill", "--allow-namespace", namespace.name, "--via", "pod", ...others];
    const ran = await asfound(...words, ...drill, "--report", "report.md", "-o", "json");
    expect(ran.out, ran.err).not.toBe("");
    const report = JSON.parse(ran.out) as Report;
    const told = JSON.stringify([report.statement, report.findings, report.drill], null, 1);
    const [normal, failure, recovery] = report.sides;
    expect(failure?.verdict, told).not.toBe("proven");
    expect(report.drill.ran, told).toBe(true);
    expect(report.drill.says, told).toMatch(/^proven/);
    expect(report.bystanders?.finding, told).toBe("proven");
    expect(report.bystanders?.sentence, told).toMatch(/; 1 answer as expected, 1 of them before too$/);
    // A ConfigMap that can be edited again binds nothing, and of the Pod that ran through it all times do not tell what it holds.
    const found = Object.fromEntries(report.findings.map(({ claim, finding }) => [claim, finding]));
    expect(found, told).toMatchObject({
      "rollout-complete": "proven",
      "config-loaded": "undetermined",
      "config-bound": "undetermined",
      response: "proven",
      "pod-replaced": "proven",
    });
    expect([ran.exit, report.verdict], told).toEqual([20, "undetermined"]);
    expect(failure?.config).not.toEqual(normal?.config);
    expect(recovery?.config).toEqual(normal?.config);
    expect(failure?.pods.length).toBe(3);
    expect(recovery?.pods.map(({ ready }) => ready)).toEqual([true, true]);
    expect(report.notRestored[0]).toBe("orders that v2 took");
    expect(report.firstAid.join("\n")).toContain("ConfigMap settings was written in the cluster");
    const page = readFileSync(join(cwd, "report.md"), "utf8");
    expect(page).toMatch(/\| Normal \|[\s\S]*\| Failure \|[\s\S]*\| Recovery \|/);
    expect((await asfound(...words, ...drill, "--report", "report.md")).exit).toBe(2);
  },
);

const bound = (name: string, ready: boolean): object => ({
  ...settings(ready),
  metadata: { name },
  immutable: true,
});
const boundApp = (version: string): object =>
  deployment("bound", {
    env: [
      { name: "READY", valueFrom: { configMapKeyRef: { name: `bound-${version}`, key: "READY" } } },
      { name: "VERSION", value: version },
    ],
  });

story(
  "with immutable config it is proven: the template alone goes back, and names what it had",
  async (namespace) => {
    const asfound = (...words: readonly string[]) => asfoundIn(namespace, ...words);
    await namespace.apply(bound("bound-v1", true), boundApp("v1"), service("bound"));
    await untilServed(namespace, "bound");
    const recorded = await asfound("release", "record", "deployment/bound", "--name", "first");
    expect([recorded.exit, recorded.err]).toEqual([0, expect.stringContaining("first")]);
    await namespace.apply(bound("bound-v2", false), boundApp("v2"));
    await eventually(async () => {
      const pods = await namespace.list("pods", "app=bound");
      const ready = pods.filter(({ status }) => status.containerStatuses?.[0]?.ready === true);
      const started = pods.filter(({ status }) => status.containerStatuses?.[0]?.started === true);
      expect([pods.length, ready.length, started.length]).toEqual([3, 2, 3]);
    });
    const words = [
      "recover",
      "deployment/bound",
      "--to",
      "first",
      "--yes",
      "--window",
      "240s",
      "--via",
      "pod",
      "-o",
      "json",
    ];
    const ran = await asfound(...words, "--drill", "--allow-namespace", namespace.name);
    expect(ran.out, ran.err).not.toBe("");
    const report = JSON.parse(ran.out) as Report;
    const told = JSON.stringify([report.statement, report.drill, report.bystanders], null, 1);
    expect(report.drill.ran, told).toBe(true);
    const beside = report.findings.filter(({ claim }) => claim !== "bystanders-unchanged");
    expect(
      beside.filter(({ finding }) => finding !== "proven"),
      told,
    ).toEqual([]);
  },
);
