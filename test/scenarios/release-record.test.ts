/** `release record`: only what is proven, whole, and as the containers were given it; and nothing that is never written. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import type { JsonObject } from "../../src/domain/json.ts";
import type { PolicyRule } from "../../src/testing/api-server/access.ts";
import type { ApiServer } from "../../src/testing/api-server/api-server.ts";
import { API_SCHEMAS } from "../../src/wire/api/schemas.ts";
import { asfound, folder, type Ran } from "../faces/terminal.ts";
import { kubeconfigFile } from "../support/cluster.ts";
import { taking } from "../support/kubernetes/config.ts";
import { type Files, setName, worldFiles } from "../support/kubernetes/deployment.ts";
import { at, changed, list, metadata, uidOf } from "../support/kubernetes/object.ts";
import { daemonFiles, statefulFiles } from "../support/kubernetes/others.ts";
import { digestOf } from "../support/kubernetes/pod.ts";
import { begun, done } from "../support/kubernetes/rollouts.ts";
import { serverWith } from "../support/kubernetes/served.ts";

const CANARY = "canary-5d21-never-written";

const configMap = (name: string, data: JsonObject, more: JsonObject = {}): JsonObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: metadata("ConfigMap", { name, created: 400 }),
  data,
  ...more,
});
const KUBE_SYSTEM = "0f0f0f0f-1111-4000-8000-000000000001";

const secret: JsonObject = {
  apiVersion: "v1",
  kind: "Secret",
  metadata: metadata("Secret", { name: "token", created: 400 }),
  type: "Opaque",
  data: { password: Buffer.from(CANARY).toString("base64") },
};

const ENV: readonly JsonObject[] = [
  { name: "MODE", valueFrom: { configMapKeyRef: { name: "settings", key: "MODE" } } },
  { name: "LITERAL", value: CANARY },
  { name: "PASSWORD", valueFrom: { secretKeyRef: { name: "token", key: "password" } } },
  { name: "MORE", valueFrom: { configMapKeyRef: { name: "perhaps", key: "x", optional: true } } },
];

/** What verify may read: ConfigMaps and no Secrets. */
const ROLE: { readonly rules: readonly PolicyRule[] } = parse(
  readFileSync(new URL("../../docs/rbac/verify-only.yaml", import.meta.url), "utf8"),
);

const SETTINGS = configMap("settings", { MODE: "fast", "app.conf": "a=1\n" });

/** A finished rollout whose container takes something from each of these. */
const worldWith = (maps: readonly JsonObject[] = [SETTINGS], env = ENV, world = done): Files => {
  return {
    ...taking(worldFiles(world), () => ({ container: { env: [...env] } })),
    "configmaps.json": list(maps),
    "secrets.json": list([secret]),
    "namespaces.json": list([
      {
        apiVersion: "v1",
        kind: "Namespace",
        metadata: { name: "kube-system", uid: KUBE_SYSTEM, creationTimestamp: at(1), resourceVersion: "1" },
      },
    ]),
  };
};

const put = (server: ApiServer, object: JsonObject): void => {
  const { name } = object["metadata"] as { name: string };
  server.put({ resource: "configmaps", namespace: "shop", name }, object);
};

const record = (server: ApiServer, cwd: string, ...words: readonly string[]): Promise<Ran> =>
  asfound(
    { cwd },
    "release",
    "record",
    "deployment/web",
    ...words,
    "--kubeconfig",
    kubeconfigFile(server.kubeconfig({ namespace: "shop" })),
  );

interface Document {
  readonly id: string;
  readonly name: string | null;
  readonly config: readonly { readonly name: string; readonly digest: string; readonly kind: string }[];
  readonly removed: readonly { readonly pointer: string; readonly digest: string }[];
  readonly limits: readonly string[];
  readonly keyId: string | null;
}

const releaseIn = ({ out, err }: Ran): Document => {
  expect(out, err).not.toBe("");
  const document: Document = JSON.parse(out);
  expect(API_SCHEMAS["release"]?.safeParse(document).error).toBe(undefined);
  return document;
};

const STORE = [".asfound", "releases"] as const;
const foldersIn = (cwd: string): readonly string[] => {
  const store = join(cwd, ...STORE);
  if (!existsSync(store)) return [];
  return readdirSync(store, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) =>
      readdirSync(join(store, name))
        .filter((one) => !one.startsWith(".lock"))
        .map((one) => join(store, name, one)),
    );
};
const textOf = (path: string): string =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
    .join("\n");

/** While it goes on. */
const whenAsked = (
  server: ApiServer,
  is: (entry: { readonly verb: string; readonly path: string }) => boolean,
  act: (times: number) => void,
): void => {
  let times = 0;
  onTestFinished(
    server.onAsked((entry) => {
      if (!is(entry)) return;
      times += 1;
      act(times);
    }),
  );
};

describe("a workload that is proven", () => {
  it("is recorded whole: template, images as they ran, config with its bytes, the ReplicaSet that holds it", async () => {
    const server = await serverWith(worldWith());
    const cwd = folder();
    const commit = "a".repeat(40);
    const ran = await record(
      server,
      cwd,
      ...["--name", "v1", "--commit", commit, "--irreversible", "mails were sent", "-o", "json"],
    );
    expect(ran).toMatchObject({
      code: 0,
      err: expect.stringMatching(/^asfound: Recorded as v1 \(rel_\S+\) in \.asfound\/releases\.\n$/),
    });
    expect(releaseIn(ran)).toMatchObject({
      name: "v1",
      cluster: { uid: KUBE_SYSTEM },
      target: { apiVersion: "apps/v1", kind: "Deployment", namespace: "shop", name: "web", generation: 2 },
      revision: {
        kind: "ReplicaSet",
        name: setName("v2"),
        uid: uidOf("ReplicaSet", setName("v2")),
        number: 2,
      },
      images: [{ container: "web", image: "web:v2", digests: [digestOf("web:v2")] }],
      injected: [],
      config: [
        {
          kind: "ConfigMap",
          name: "settings",
          uid: uidOf("ConfigMap", "settings"),
          immutable: false,
          // printf fast > MODE; printf 'a=1\n' > app.conf; sha256sum MODE app.conf | sha256sum
          digest: "d204e956999758b773cf538028a111e5fe3d7ffe3dc5a323c6d30ef87944569e",
        },
      ],
      unheld: [
        { kind: "ConfigMap", name: "perhaps", reason: "absent" },
        { kind: "Secret", name: "token", reason: "not-asked" },
      ],
      source: { commit, tree: null },
      irreversible: ["mails were sent"],
    });
    const [path = "", ...others] = foldersIn(cwd);
    expect(others).toEqual([]);
    expect(readFileSync(join(path, "config", "settings", "app.conf"), "utf8")).toBe("a=1\n");
    expect(JSON.parse(readFileSync(join(path, "report.json"), "utf8"))).toMatchObject({
      kind: "VerdictReport",
      verdict: "proven",
    });
    expect(server.log().some(({ path: asked }) => asked.includes("/secrets"))).toBe(false);
    expect(server.log().every(({ effect }) => effect === undefined || effect === null)).toBe(true);
  });

  it("C6, E5: no value of a Secret and no literal of env is in any file; with --secrets a keyed digest is", async () => {
    const server = await serverWith(worldWith());
    const cwd = folder();
    const ran = await record(server, cwd, "--secrets", "-o", "json");
    const release = releaseIn(ran);
    expect(release.config.map(({ kind, name }) => `${kind}/${name}`)).toEqual([
      "ConfigMap/settings",
      "Secret/token",
    ]);
    expect(release.removed.map(({ pointer }) => pointer)).toEqual(["/spec/containers/0/env/1/value"]);
    expect(release.keyId).toMatch(/^[0-9a-f]{16}$/);
    expect(release.limits.join("\n")).toContain("1 literal value is not in the template");
    const all = `${textOf(cwd)}${ran.out}${ran.err}`;
    const encoded = Buffer.from(CANARY).toString("base64");
    expect(all).toContain("settings");
    expect(all.includes(CANARY) || all.includes(encoded)).toBe(false);
    const plain = execFileSync("sh", ["-c", `printf ${CANARY} | sha256sum`])
      .toString()
      .slice(0, 64);
    expect(all).not.toContain(plain);
  });

  it("again: the same release is there already, and nothing is written; other config is another release", async () => {
    const server = await serverWith(worldWith());
    const cwd = folder();
    const first = releaseIn(await record(server, cwd, "--name", "v1", "-o", "json"));
    const again = await record(server, cwd, "-o", "json");
    expect(again.err).toContain(`already recorded as v1 (${first.id})`);
    expect(releaseIn(again)).toEqual(first);
    expect(foldersIn(cwd)).toHaveLength(1);
    put(server, configMap("settings", { MODE: "slow" }));
    const taken = await record(server, cwd, "--name", "v1");
    expect(taken).toMatchObject({ code: 23, out: "", err: expect.stringContaining("choose another name") });
    expect(releaseIn(await record(server, cwd, "--name", "v2", "-o", "json"))).toMatchObject({ name: "v2" });
    expect(foldersIn(cwd)).toHaveLength(2);
  });

  it("a container start that is not shown fresh is a limit of the record, not a refusal", async () => {
    const server = await serverWith(worldWith());
    const { limits } = releaseIn(await record(server, folder(), "-o", "json"));
    expect(limits[0]).toMatch(
      /^that every container was given the config recorded here is not shown \(config-loaded: /,
    );
  });
});

it("the rights of verify are enough; without the one to read kube-system the cluster is known by its address", async () => {
  const server = await serverWith(worldWith(), {
    users: [{ name: "reader", token: "reader-token", rules: ROLE.rules }],
  });
  const { limits } = releaseIn(await record(server, folder(), "-o", "json"));
  expect(limits.join()).toContain("the cluster is known by its address alone");
  // Control: an administrator's record does not say so.
  const all = releaseIn(await record(await serverWith(worldWith()), folder(), "-o", "json"));
  expect(all.limits.join()).not.toContain("by its address alone");
});

describe("each kind's own", () => {
  const revision = (
    owner: "StatefulSet" | "DaemonSet",
    of: string,
    name: string,
    template: JsonObject,
    number: number,
  ) => ({
    apiVersion: "apps/v1",
    kind: "ControllerRevision",
    metadata: metadata("ControllerRevision", {
      name,
      created: 90,
      owner: { apiVersion: "apps/v1", kind: owner, name: of, uid: uidOf(owner, of) },
    }),
    revision: number,
    data: { spec: { template: { $patch: "replace", ...template } } },
  });
  const templateIn = (files: Files, file: string): JsonObject => {
    const [first] = (files[file] as { items: readonly JsonObject[] }).items;
    return (first as unknown as { spec: { template: JsonObject } }).spec.template;
  };
  const recording = async (files: Files, target: string): Promise<Ran> => {
    const server = await serverWith(files);
    const words = ["--kubeconfig", kubeconfigFile(server.kubeconfig({ namespace: "shop" })), "-o", "json"];
    return asfound({ cwd: folder() }, "release", "record", target, ...words);
  };
  const recordOf = async (files: Files, target: string) => releaseIn(await recording(files, target));

  it("a StatefulSet is held by a ControllerRevision; Pods below its partition are said to be no part of it", async () => {
    const files = statefulFiles({
      pods: [
        { revision: "old", state: "ready" },
        { revision: "new", state: "ready" },
      ],
      replicas: 2,
      partition: 1,
      closed: false,
    });
    const template = templateIn(files, "statefulsets.json");
    const other = changed(template, ["spec", "containers", 0, "image"], "db:1");
    const revisions = [
      revision("StatefulSet", "db", "db-old", other, 3),
      revision("StatefulSet", "db", "db-new", template, 2),
    ];
    const release = await recordOf({ ...files, "controllerrevisions.apps.json": list(revisions) }, "sts/db");
    expect(release).toMatchObject({
      revision: { kind: "ControllerRevision", name: "db-new", number: 2 },
      images: [{ container: "web", image: "db:2", digests: [digestOf("db:2")] }],
    });
    expect(release.limits).toContain(
      "1 Pod is held at another revision (partition), which is no part of this release",
    );
  });

  it("a DaemonSet whose revision was not found says so; with a tag that moved it is two releases at once, and none", async () => {
    const files = daemonFiles({
      desired: 2,
      pods: [
        { template: 2, state: "ready" },
        { template: 2, state: "ready" },
      ],
    });
    const release = await recordOf(files, "ds/agent");
    expect(release).toMatchObject({
      revision: null,
      images: [{ container: "web", digests: [digestOf("agent:2")] }],
    });
    expect(release.limits.join()).toContain("which revision of the cluster holds this template is not known");
    const pods = (files["pods.json"] as { items: readonly JsonObject[] }).items;
    const moved = pods.map((pod, at) =>
      at === 0
        ? pod
        : changed(pod, ["status", "containerStatuses", 0, "imageID"], `r@sha256:${"0".repeat(64)}`),
    );
    const mixed = await recording({ ...files, "pods.json": list(moved) }, "ds/agent");
    expect([mixed.code, mixed.out]).toEqual([10, ""]);
    expect(mixed.err).toContain("nothing was recorded");
    expect(mixed.err).toContain("one template, two imageIDs");
  });

  it("a container that something adds to every Pod is told apart", async () => {
    const files = worldWith([SETTINGS], []);
    const pods = (files["pods.json"] as { items: readonly JsonObject[] }).items;
    const meshed = pods.map((pod) =>
      changed(pod, ["spec", "containers", 1], { name: "mesh", image: "mesh:1" }),
    );
    expect(await recordOf({ ...files, "pods.json": list(meshed) }, "deployment/web")).toMatchObject({
      injected: ["mesh"],
      images: [{ container: "web" }],
    });
  });
});

describe("saved files", () => {
  it("are recorded with what limits them; a value that was removed before is of a key that nobody knows", async () => {
    const server = await serverWith(worldWith([], [{ name: "LITERAL", value: CANARY }]));
    const cwd = folder();
    const kubeconfig = kubeconfigFile(server.kubeconfig({ namespace: "shop" }));
    await asfound({ cwd }, "snapshot", "kept", "deployment/web", "--kubeconfig", kubeconfig);
    const words = ["deployment/web", "-n", "shop", "--from", "kept", "--name", "saved", "-o", "json"];
    const saved = releaseIn(await asfound({ cwd }, "release", "record", ...words));
    expect(saved.removed).toEqual([{ pointer: "/spec/containers/0/env/0/value", digest: "of another key" }]);
    expect(saved.limits.join()).toContain("recorded from saved files");
    await record(server, cwd, "--name", "live");
    const diff = await asfound({ cwd }, "release", "diff", "saved", "live");
    expect(diff.code).toBe(20);
    expect(diff.out).toMatch(/open +spec\.containers\[name=web\]\.env\[name=LITERAL\]\.value/);
  });

  it("that hold no ConfigMaps are no release of what names one", async () => {
    const server = await serverWith(worldWith());
    const cwd = folder();
    const kubeconfig = kubeconfigFile(server.kubeconfig({ namespace: "shop" }));
    await asfound({ cwd }, "snapshot", "kept", "deployment/web", "--kubeconfig", kubeconfig);
    const ran = await asfound({ cwd }, "release", "record", "deployment/web", "-n", "shop", "--from", "kept");
    expect(ran).toMatchObject({ code: 23, out: "" });
    expect(ran.err).toContain("ConfigMap perhaps is not among what was read");
  });
});

describe("nothing is recorded", () => {
  const refused = async (server: ApiServer, exit: number, why: string, ...words: readonly string[]) => {
    const cwd = folder();
    const ran = await record(server, cwd, ...words);
    expect(ran).toMatchObject({ code: exit, out: "", err: expect.stringContaining(why) });
    expect(ran.err).toContain("nothing was recorded");
    expect(foldersIn(cwd)).toEqual([]);
  };

  it("of what is not proven: the verdict's exit, and what to ask next", async () => {
    const server = await serverWith(worldWith([SETTINGS], ENV, begun));
    await refused(server, 30, "asfound verify deployment/web");
  });

  it("where config that a container needs is not there (C5), or lacks the key", async () => {
    await refused(await serverWith(worldWith([])), 23, "there is no ConfigMap settings");
    const keyless = await serverWith(worldWith([configMap("settings", { OTHER: "x" })]));
    await refused(keyless, 23, "ConfigMap settings has no key MODE");
  });

  const isMaps = ({ verb, path }: { readonly verb: string; readonly path: string }): boolean =>
    verb === "list" && path.includes("/configmaps");

  it("where config changed between the two readings, though the workload's generation did not", async () => {
    const server = await serverWith(worldWith());
    whenAsked(server, isMaps, (times) => {
      if (times === 2) put(server, configMap("settings", { MODE: "slow" }));
    });
    await refused(server, 23, "ConfigMap settings changed while it was read");
  });

  it("where it was made again under its name (C4)", async () => {
    const server = await serverWith(worldWith());
    const again = changed(SETTINGS, ["metadata", "uid"], "made-again");
    whenAsked(server, isMaps, (times) => {
      if (times === 2) put(server, again);
    });
    await refused(server, 23, "ConfigMap settings changed while it was read");
  });

  it("control: what changes before the first reading, or elsewhere, is in nobody's way", async () => {
    const server = await serverWith(worldWith());
    whenAsked(server, isMaps, (times) => {
      if (times === 1) put(server, configMap("settings", { MODE: "slow" }));
      put(server, configMap("other", { a: String(times) }));
    });
    const release = releaseIn(await record(server, folder(), "-o", "json"));
    // printf slow > MODE; sha256sum MODE | sha256sum
    expect(release.config).toMatchObject([
      { name: "settings", digest: "ddd5d1add96333d1ce13b2d471b97f48f0283853acff6ae90a4deb638f488796" },
    ]);
  });

  it("where the workload itself moved on after its verdict", async () => {
    const server = await serverWith(worldWith());
    whenAsked(server, isMaps, (times) => {
      if (times !== 2) return;
      const place = { resource: "deployments.apps", namespace: "shop", name: "web" };
      server.put(place, changed(server.get(place) as JsonObject, ["metadata", "generation"], 3));
    });
    await refused(server, 23, "it changed while it was read");
  });

  it("R2: where a Secret that was asked for may not be read", async () => {
    const server = await serverWith(worldWith(), {
      users: [{ name: "reader", token: "reader-token", rules: ROLE.rules }],
    });
    await refused(server, 23, "Secret token could not be read: ", "--secrets");
  });

  it("of a kind that has no releases", async () => {
    const server = await serverWith(worldWith());
    const ran = await asfound(
      { cwd: folder() },
      ...["release", "record", "service/web", "--kubeconfig"],
      kubeconfigFile(server.kubeconfig({ namespace: "shop" })),
    );
    expect(ran).toMatchObject({ code: 23, out: "" });
    expect(ran.err).toContain(
      "a release is of a Deployment, StatefulSet and DaemonSet, and this is a Service",
    );
  });
});
