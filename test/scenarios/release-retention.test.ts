/** `release retention`: what somebody names is never proposed, and without an answer nothing is. */
import { appendFileSync, chmodSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openReleases } from "../../src/adapters/system/releases.ts";
import type { JsonObject } from "../../src/domain/json.ts";
import { RESOURCES } from "../../src/domain/resource.ts";
import { HOLDERS } from "../../src/judge/release/retention.ts";
import type { PolicyRule } from "../../src/testing/api-server/access.ts";
import type { ApiServer } from "../../src/testing/api-server/api-server.ts";
import { API_SCHEMAS } from "../../src/wire/api/schemas.ts";
import { asfound, folder } from "../faces/terminal.ts";
import { kubeconfigFile } from "../support/cluster.ts";
import { type Files, setName, worldFiles } from "../support/kubernetes/deployment.ts";
import { changed, list, metadata } from "../support/kubernetes/object.ts";
import { serverWith } from "../support/kubernetes/served.ts";
import { configMap as released, storedRelease } from "../support/made-release.ts";

const configMap = (name: string, more: JsonObject = {}): JsonObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { ...metadata("ConfigMap", { name, created: 400 }), ...more },
  data: { a: "1" },
});
const secret = (name: string, type: string): JsonObject => ({
  apiVersion: "v1",
  kind: "Secret",
  metadata: metadata("Secret", { name, created: 400 }),
  type,
  data: { password: "Y2FuYXJ5LTExLW5ldmVy" },
});

/** Takes all of a ConfigMap by envFrom. */
const from = (name: string) => [{ configMapRef: { name } }];
const OWNED = { ownerReferences: [{ apiVersion: "v1", kind: "Widget", name: "w", uid: "u" }] };

const MAPS = [
  "present",
  "earlier",
  "oldest",
  "of-a-pod",
  "in-a-job",
  "in-a-cron-job",
  "of-a-set",
  "recorded",
  "nobody",
];

/** A Deployment that keeps two earlier ReplicaSets of at most two, each naming a ConfigMap of its own. */
const world = (limit = 2): Files => {
  const files = worldFiles({
    replicas: 2,
    fresh: { version: "v3", pods: ["ready", "ready"] },
    old: [
      { version: "v1", pods: [] },
      { version: "v2", pods: [] },
    ],
    spec: { revisionHistoryLimit: limit },
  });
  const taking = (name: string, path: readonly string[], of: (object: JsonObject) => string): JsonObject =>
    list(
      ((files[name] as JsonObject)["items"] as readonly JsonObject[]).map((object) =>
        changed(object, [...path, "containers", 0, "envFrom"], from(of(object))),
      ),
    );
  const bySet = ({ metadata: its }: JsonObject): string => {
    const { name } = its as { name: string };
    return name === setName("v1") ? "oldest" : name === setName("v2") ? "earlier" : "present";
  };
  const container = (name: string) => ({ containers: [{ name: "c", image: "i", envFrom: from(name) }] });
  const one = (kind: string, name: string, spec: JsonObject, more: JsonObject = {}): JsonObject => ({
    apiVersion: "batch/v1",
    kind,
    metadata: metadata(kind, { name, created: 500 }),
    spec,
    ...more,
  });
  const pod = { metadata: { labels: {} }, spec: container("of-a-pod") };
  return {
    ...files,
    "deployments.json": taking("deployments.json", ["spec", "template", "spec"], () => "present"),
    "replicasets.json": taking("replicasets.json", ["spec", "template", "spec"], bySet),
    "pods.json": list([
      ...(taking("pods.json", ["spec"], () => "present")["items"] as readonly JsonObject[]),
      { ...one("Pod", "alone", pod.spec), apiVersion: "v1", status: { phase: "Running" } },
      { ...one("Pod", "finished", container("nobody")), apiVersion: "v1", status: { phase: "Succeeded" } },
    ]),
    "jobs.batch.json": list([one("Job", "job", { template: { spec: container("in-a-job") } })]),
    "cronjobs.batch.json": list([
      one("CronJob", "cron", { jobTemplate: { spec: { template: { spec: container("in-a-cron-job") } } } }),
    ]),
    "controllerrevisions.apps.json": list([
      {
        ...one("ControllerRevision", "db-1", {}),
        apiVersion: "apps/v1",
        data: { spec: { template: { $patch: "replace", spec: container("of-a-set") } } },
        revision: 1,
      },
    ]),
    "configmaps.json": list([
      ...MAPS.map((name) => configMap(name)),
      configMap("kube-root-ca.crt"),
      configMap("owned", OWNED),
    ]),
    "secrets.json": list([secret("plain", "Opaque"), secret("tls", "kubernetes.io/tls")]),
  };
};

interface Report {
  readonly objects: readonly {
    readonly kind: string;
    readonly name: string;
    readonly proposed: boolean;
    readonly why: string;
    readonly holders: readonly { readonly by: string; readonly kind: string; readonly name: string }[];
  }[];
  readonly next: readonly { readonly name: string; readonly only: readonly JsonObject[] }[];
  readonly gone: readonly JsonObject[];
  readonly unread: readonly string[];
}

/** With a release that names `recorded`, and one thing that is gone. */
const cwdWith = async (namespace = "shop"): Promise<string> => {
  const cwd = folder();
  const { target } = storedRelease().release;
  const config = [released("recorded", { a: "1" }), released("long-gone", { a: "1" })];
  await openReleases(join(cwd, ".asfound/releases"), "").record(
    storedRelease({ name: "v0", config, target: { ...target, namespace } }),
  );
  return cwd;
};

const retention = async (server: ApiServer, cwd: string, ...words: readonly string[]) => {
  const kubeconfig = kubeconfigFile(server.kubeconfig({ namespace: "shop" }));
  const ran = await asfound(
    { cwd },
    "release",
    "retention",
    "--kubeconfig",
    kubeconfig,
    "-o",
    "json",
    ...words,
  );
  const report: Report = JSON.parse(ran.out);
  expect(API_SCHEMAS["retention-report"]?.safeParse(report).error).toBe(undefined);
  return {
    ...ran,
    report,
    proposed: report.objects.flatMap(({ proposed, name }) => (proposed ? [name] : [])),
  };
};

describe("who names it", () => {
  it("each way of naming an object keeps it; what nobody names is proposed, and no object is touched", async () => {
    const server = await serverWith(world());
    const { code, report, proposed } = await retention(server, await cwdWith());
    expect({ code, proposed }).toEqual({ code: 0, proposed: ["nobody"] });
    const by = Object.fromEntries(
      report.objects.map(({ name, holders }) => [name, holders.map((one) => `${one.by} ${one.kind}`).join()]),
    );
    expect(by).toEqual({
      present: "runs Pod,runs Pod,declares Deployment,keeps ReplicaSet",
      earlier: "keeps ReplicaSet",
      oldest: "keeps ReplicaSet",
      "of-a-pod": "runs Pod",
      "in-a-job": "declares Job",
      "in-a-cron-job": "declares CronJob",
      "of-a-set": "keeps ControllerRevision",
      recorded: "records Release",
      nobody: "",
      owned: "",
      "kube-root-ca.crt": "",
    });
    expect(report.objects.find(({ name }) => name === "owned")?.why).toBe(
      "it belongs to Widget w, with which it goes",
    );
    expect(server.log().some(({ path }) => path.includes("secrets"))).toBe(false);
    expect(server.log().every(({ verb }) => verb === "list" || verb === "get")).toBe(true);
  });

  it("control: without its release, the object that only it named is proposed", async () => {
    const server = await serverWith(world());
    expect((await retention(server, folder())).proposed).toEqual(["nobody", "recorded"]);
    expect((await retention(server, await cwdWith("elsewhere"))).proposed).toEqual(["nobody", "recorded"]);
  });

  it("Secrets only where asked, by type; no value of one is shown", async () => {
    const server = await serverWith(world());
    const { proposed, out, report } = await retention(server, await cwdWith(), "--secrets");
    expect(proposed).toEqual(["nobody", "plain"]);
    expect(report.objects.find(({ name }) => name === "tls")?.why).toContain("kubernetes.io/tls");
    expect(out).not.toContain("Y2FuYXJ5");
  });
});

describe("what is about to be lost", () => {
  it("the oldest ReplicaSet goes next where the limit is reached, with the config that only it names", async () => {
    const { report } = await retention(await serverWith(world(2)), await cwdWith());
    expect(report.next).toEqual([
      {
        of: "Deployment web",
        kind: "ReplicaSet",
        name: setName("v1"),
        number: 1,
        kept: 2,
        limit: 2,
        only: [{ kind: "ConfigMap", name: "oldest" }],
      },
    ]);
    expect(report.gone).toEqual([
      { kind: "ConfigMap", name: "long-gone", release: expect.stringMatching(/^v0 \(rel_/) },
    ]);
  });

  it("control: below the limit none goes", async () => {
    expect((await retention(await serverWith(world(3)), folder())).report.next).toEqual([]);
  });

  it("with a limit of 0 the present one goes", async () => {
    const { report } = await retention(await serverWith(world(0)), folder());
    expect(report.next.map(({ name }) => name)).toEqual([setName("v1")]);
  });
});

describe("R2: without an answer nothing is proposed", () => {
  it.each([...HOLDERS, "ConfigMap"] as const)("%s", async (kind) => {
    const { plural } = RESOURCES[kind];
    const rules: readonly PolicyRule[] = [
      { apiGroups: ["*"], resources: ALL.filter((resource) => resource !== plural), verbs: ["get", "list"] },
      { nonResourceURLs: ["*"], verbs: ["get"] },
    ];
    const server = await serverWith(world(), { users: [{ name: "reader", token: "reader-token", rules }] });
    const { code, proposed, report } = await retention(server, await cwdWith());
    expect({ code, proposed }).toEqual({ code: 20, proposed: [] });
    expect(report.unread).toEqual([expect.stringContaining(plural)]);
  });

  it("nor where a release is not as it was recorded: what it names is not known", async () => {
    const cwd = await cwdWith();
    const store = join(cwd, ".asfound/releases");
    const target = readdirSync(store).find((name) => name.startsWith("deployment")) ?? "";
    const id = readdirSync(join(store, target)).find((name) => name.startsWith("rel_")) ?? "";
    const file = join(store, target, id, "release.json");
    chmodSync(file, 0o644);
    appendFileSync(file, " ");
    const { code, proposed, report } = await retention(await serverWith(world()), cwd);
    expect({ code, proposed }).toEqual({ code: 20, proposed: [] });
    expect(report.unread[0]).toContain(`release ${id}`);
  });
});

const ALL = [...HOLDERS, "ConfigMap", "Secret"].map(
  (kind) => RESOURCES[kind as keyof typeof RESOURCES].plural,
);
