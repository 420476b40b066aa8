/** `verify --release`: a workload held to what was recorded of it, by the folder that holds the record. */
import { appendFileSync, chmodSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/domain/json.ts";
import type { ApiServer } from "../../src/testing/api-server/api-server.ts";
import { asfound, folder, type Ran } from "../faces/terminal.ts";
import { kubeconfigFile } from "../support/cluster.ts";
import { configMap, taking } from "../support/kubernetes/config.ts";
import { type Files, worldFiles } from "../support/kubernetes/deployment.ts";
import { at, changed, list, uidOf } from "../support/kubernetes/object.ts";
import { done } from "../support/kubernetes/rollouts.ts";
import { serverWith } from "../support/kubernetes/served.ts";

const CANARY = "canary-77aa-never-written";
const KUBE_SYSTEM = "0f0f0f0f-1111-4000-8000-000000000001";

const cluster = (uid: string): Files => ({
  "namespaces.json": list([
    {
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name: "kube-system", uid, creationTimestamp: at(1), resourceVersion: "1" },
    },
  ]),
});

const world = (more: Files = {}): Files => ({
  ...taking(worldFiles(done), () => ({
    container: {
      env: [
        { name: "MODE", valueFrom: { configMapKeyRef: { name: "settings", key: "MODE" } } },
        { name: "LITERAL", value: CANARY },
      ],
    },
  })),
  "configmaps.json": list([configMap("settings", { more: { immutable: true } })]),
  ...cluster(KUBE_SYSTEM),
  ...more,
});

const call = (server: ApiServer, cwd: string, ...words: readonly string[]): Promise<Ran> =>
  asfound({ cwd }, ...words, "--kubeconfig", kubeconfigFile(server.kubeconfig({ namespace: "shop" })));

/** A server with the workload, and where it was recorded as v1. */
const recorded = async (): Promise<{ readonly server: ApiServer; readonly cwd: string }> => {
  const server = await serverWith(world());
  const cwd = folder();
  const commit = "a".repeat(40);
  const ran = await call(
    server,
    cwd,
    "release",
    "record",
    "deployment/web",
    "--name",
    "v1",
    "--commit",
    commit,
  );
  expect(ran.code, ran.err).toBe(0);
  return { server, cwd };
};

interface Report {
  readonly verdict: string;
  readonly findings: readonly {
    readonly claim: string;
    readonly finding: string;
    readonly reason: string;
    readonly required: boolean;
  }[];
  readonly trust: { readonly limits: readonly string[] };
}
const reportIn = ({ out, err }: Ran): Report => {
  expect(out, err).not.toBe("");
  return JSON.parse(out);
};
const reasonOf = (report: Report, claim: string) => {
  const one = report.findings.find((its) => its.claim === claim);
  return one === undefined ? undefined : [one.finding, one.reason];
};

const place = (resource: string, name: string) => ({ resource, namespace: "shop", name });
const edit = (server: ApiServer, path: readonly (string | number)[], value: JsonObject[string]): void => {
  const there = server.get(place("deployments.apps", "web")) as JsonObject;
  server.put(place("deployments.apps", "web"), changed(there, path, value));
};

describe("verify --release", () => {
  it("the workload that was recorded is proven; its name need not be said, and what is expected is told with its trust", async () => {
    const { server, cwd } = await recorded();
    const ran = await call(server, cwd, "verify", "--release", "v1", "-o", "json");
    expect(ran.code, ran.out + ran.err).toBe(0);
    const report = reportIn(ran);
    const required = report.findings.filter((one) => one.required).map(({ claim }) => claim);
    expect(required).toEqual(
      expect.arrayContaining([
        "as-released",
        "rollout-complete",
        "artifact",
        "config-loaded",
        "config-bound",
      ]),
    );
    expect(report.trust.limits[0]).toMatch(
      /^what is expected is release v1 \(rel_\S+\) of Deployment shop\/web, proven at \S+, made from commit a{40} as whoever recorded it said; its files in \.asfound\/releases agree with their SHA256SUMS, and that nobody rewrote both is this host's word \(T0\)$/,
    );
    expect(ran.out).not.toContain(CANARY);
    expect((await call(server, cwd, "verify", "deploy/web", "-n", "shop", "--release", "v1")).code).toBe(0);
  });

  it("what differs from the record is refuted: config, an image, a literal, another incarnation", async () => {
    const { server, cwd } = await recorded();
    const judged = async () => reportIn(await call(server, cwd, "verify", "--release", "v1", "-o", "json"));
    edit(server, ["spec", "template", "spec", "containers", 0, "env", 1, "value"], "another");
    expect(reasonOf(await judged(), "as-released")).toEqual(["refuted", "other-literals"]);
    edit(server, ["spec", "template", "spec", "containers", 0, "env", 1, "value"], CANARY);
    expect(reasonOf(await judged(), "as-released")).toEqual(["proven", "same-template"]);
    server.put(place("configmaps", "settings"), configMap("settings", { data: { MODE: "slow" } }));
    expect(reasonOf(await judged(), "config-bound")?.[0]).toBe("refuted");
    edit(server, ["metadata", "uid"], uidOf("Deployment", "web", 2));
    expect(reasonOf(await judged(), "as-released")).toEqual(["refuted", "other-incarnation"]);
  });

  it("the image of an init container is told by its own status", async () => {
    const files = world();
    const init = { name: "migrate", image: "migrate:1" };
    const digest = `sha256:${"3".repeat(64)}`;
    const withInit = (file: string, path: readonly string[]) =>
      list(
        ((files[file] as JsonObject)["items"] as readonly JsonObject[]).map((one) =>
          changed(one, [...path, "initContainers"], [init]),
        ),
      );
    const status = {
      name: "migrate",
      imageID: `reg/migrate@${digest}`,
      state: { terminated: { exitCode: 0 } },
    };
    const pods = (withInit("pods.json", ["spec"])["items"] as readonly JsonObject[]).map((one) =>
      changed(one, ["status", "initContainerStatuses"], [status]),
    );
    const server = await serverWith({
      ...files,
      "deployments.json": withInit("deployments.json", ["spec", "template", "spec"]),
      "replicasets.json": withInit("replicasets.json", ["spec", "template", "spec"]),
      "pods.json": list(pods),
    });
    const cwd = folder();
    expect((await call(server, cwd, "release", "record", "deployment/web", "--name", "v1")).code).toBe(0);
    const judged = async () => reportIn(await call(server, cwd, "verify", "--release", "v1", "-o", "json"));
    expect(reasonOf(await judged(), "artifact")).toEqual(["proven", "expected-images"]);
    const [pod] = pods;
    const { name } = (pod as JsonObject)["metadata"] as { readonly name: string };
    const other = { ...status, imageID: `reg/migrate@sha256:${"4".repeat(64)}` };
    server.put(place("pods", name), changed(pod as JsonObject, ["status", "initContainerStatuses"], [other]));
    expect(reasonOf(await judged(), "artifact")).toEqual(["refuted", "other-image"]);
  });

  it("--releases and ASFOUND_RELEASES say where it is", async () => {
    const { server, cwd } = await recorded();
    const elsewhere = join(cwd, ".asfound", "releases");
    expect((await call(server, folder(), "verify", "--release", "v1", "--releases", elsewhere)).code).toBe(0);
    expect(await call(server, folder(), "verify", "--release", "v1")).toMatchObject({
      code: 2,
      err: expect.stringContaining("there is no release v1 in .asfound/releases"),
    });
  });

  it("of another cluster it is refused: names are no content there", async () => {
    const { cwd } = await recorded();
    const other = await serverWith(world(cluster("0f0f0f0f-2222-4000-8000-000000000001")));
    const ran = await call(other, cwd, "verify", "--release", "v1");
    expect(ran).toMatchObject({ code: 2, out: "" });
    expect(ran.err).toMatch(
      /release v1 \(rel_\S+\) is of another cluster: its kube-system has UID 0f0f0f0f-1111/,
    );
  });

  it("control: of the same cluster by another address it is judged", async () => {
    const { cwd } = await recorded();
    expect((await call(await serverWith(world()), cwd, "verify", "--release", "v1")).code).toBe(0);
  });

  it("an altered one is refused with its file, and nothing is asked", async () => {
    const { server, cwd } = await recorded();
    const store = join(cwd, ".asfound", "releases");
    const target = String(readdirSync(store).find((name) => name.startsWith("deployment")));
    const id = String(readdirSync(join(store, target)).find((name) => name.startsWith("rel_")));
    const file = join(store, target, id, "release.json");
    chmodSync(file, 0o644);
    appendFileSync(file, " ");
    let asked = 0;
    server.onAsked(() => {
      asked += 1;
    });
    for (const [named, code] of [
      [id, 1],
      ["v1", 2],
    ] as const) {
      const ran = await call(server, cwd, "verify", "--release", named);
      expect(ran).toMatchObject({
        code,
        out: "",
        err: expect.stringContaining("release.json is not as it was recorded"),
      });
      expect(ran.err).toContain(id);
    }
    expect(asked).toBe(0);
  });

  it.each([
    [["deployment/other", "-n", "shop", "--release", "v1"], /no release v1 of Deployment shop\/other/],
    [
      ["deployment/other", "--release", "v1"],
      /release v1 \(rel_\S+\) is of Deployment shop\/web, and not of deployment other/,
    ],
    [["sts/web", "--release", "v1"], /is of Deployment shop\/web, and not of sts web/],
    [["--release", "v1", "-n", "other"], /v1 is of namespace shop, and -n says other/],
    [["--release", "v1", "--image", `web=sha256:${"1".repeat(64)}`], /--image says what the release says/],
    [["--release", "v1", "--commit", "b".repeat(40)], /--commit says what the release says/],
    [["--release", "v1", "-A"], /-A selects targets, and --release is of one workload/],
    [["deployment/web", "--releases", "there"], /--releases says where the release of --release is/],
  ])("refuses %j", async (words, sentence) => {
    const { server, cwd } = await recorded();
    const ran = await call(server, cwd, "verify", ...words);
    expect(ran).toMatchObject({ code: 2, out: "" });
    expect(ran.err).toMatch(sentence);
  });
});

describe("expect.release in a Verification file", () => {
  const file = (cwd: string, expected: string): string => {
    const text = `apiVersion: asfound.dev/v1alpha1\nkind: Verification\ntarget: { kind: Deployment, name: web, namespace: shop }\nexpect: ${expected}\n`;
    writeFileSync(join(cwd, "v.yaml"), text);
    return "v.yaml";
  };

  it("is judged like --release, beside what else the file expects", async () => {
    const { server, cwd } = await recorded();
    const ran = await call(
      server,
      cwd,
      "verify",
      "-f",
      file(cwd, "{ release: v1, replicas: 9 }"),
      "-o",
      "json",
    );
    const report = reportIn(ran);
    expect(reasonOf(report, "as-released")).toEqual(["proven", "same-template"]);
    expect(report.verdict).not.toBe("proven");
    expect(reasonOf(report, "capacity")?.[0]).not.toBe("proven");
  });

  it.each([
    [
      `{ release: v1, config: { settings: { sha256: "${"1".repeat(64)}" } } }`,
      /v\.yaml:4:\d+: expect\.config.* is what the release says/,
    ],
    ["{ release: v9 }", /there is no release v9 of Deployment shop\/web/],
  ])("refuses %s", async (expected, sentence) => {
    const { server, cwd } = await recorded();
    const ran = await call(server, cwd, "verify", "-f", file(cwd, expected));
    expect(ran).toMatchObject({ code: 2, out: "" });
    expect(ran.err).toMatch(sentence);
  });
});
