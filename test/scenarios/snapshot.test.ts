/** `snapshot`: what is kept is judged to the same findings, and holds nothing that is never written. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { JsonObject } from "../../src/domain/json.ts";
import type { ApiServer } from "../../src/testing/api-server/api-server.ts";
import { asfound, folder } from "../faces/terminal.ts";
import { kubeconfigFile } from "../support/cluster.ts";
import { type Files, type World, worldFiles } from "../support/kubernetes/deployment.ts";
import { changed } from "../support/kubernetes/object.ts";
import { begun, done } from "../support/kubernetes/rollouts.ts";
import { serverWith } from "../support/kubernetes/served.ts";

const CANARY = "canary-b7f2-never-written";
const COPY = "kubectl.kubernetes.io/last-applied-configuration";

/** With a literal in the template, in its ReplicaSet and in what kubectl copied. */
const withSecrets = (files: Files, inSet = CANARY): Files => {
  const env = (value: string) => [
    { name: "PASSWORD", value },
    { name: "FROM", valueFrom: { secretKeyRef: { name: "s", key: "k" } } },
  ];
  const template = ["spec", "template", "spec", "containers", 0, "env"];
  let deployments = changed(files["deployments.json"] as JsonObject, ["items", 0, ...template], env(CANARY));
  deployments = changed(deployments, ["items", 0, "metadata", "annotations", COPY], `{"x":"${CANARY}"}`);
  const sets = changed(files["replicasets.json"] as JsonObject, ["items", 1, ...template], env(inSet));
  return { ...files, "deployments.json": deployments, "replicasets.json": sets };
};

const textIn = (cwd: string): string =>
  readdirSync(join(cwd, "kept"))
    .map((name) => readFileSync(join(cwd, "kept", name), "utf8"))
    .join("\n");

const take = async (server: ApiServer, target = "deployment/web") => {
  const cwd = folder();
  const kubeconfig = kubeconfigFile(server.kubeconfig());
  const asked = [target, "-n", "shop", "-o", "json"];
  const live = await asfound({ cwd }, "verify", ...asked, "--kubeconfig", kubeconfig);
  const taken = await asfound({ cwd }, "snapshot", "kept", target, "-n", "shop", "--kubeconfig", kubeconfig);
  const judged = await asfound({ cwd }, "verify", ...asked, "--from", "kept");
  return { cwd, live, taken, judged };
};
/** Findings without where they were read. */
const findingsOf = (out: string): unknown =>
  (JSON.parse(out).findings as readonly JsonObject[]).map(({ evidence, missing, ...rest }) => rest);

it.each([
  ["proven", done],
  ["progressing", begun],
  ["refuted", { ...begun, fresh: { version: "v2", pods: ["crash-loop"] } } as World],
])("a rollout that is %s is judged to the same findings, and no secret is kept", async (verdict, world) => {
  const { cwd, live, taken, judged } = await take(await serverWith(withSecrets(worldFiles(world))));
  expect(taken).toMatchObject({ code: 0, out: "8 files were written to kept\n" });
  expect(taken.err).toContain("asfound verify deployment/web -n shop --from kept");
  expect(JSON.parse(judged.out).verdict).toBe(verdict);
  expect(findingsOf(judged.out)).toEqual(findingsOf(live.out));
  expect(judged.code).toBe(live.code);
  const text = textIn(cwd);
  expect(text).not.toContain(CANARY);
  expect(text).toContain('"secretKeyRef"');
  const { at, removed } = JSON.parse(readFileSync(join(cwd, "kept/snapshot.json"), "utf8"));
  expect(at).toBe("2026-11-30T03:11:40.000Z");
  expect(removed).toContainEqual({
    file: "deployments.apps.json",
    pointer: "/spec/template/spec/containers/0/env/0/value",
  });
  expect(removed).toContainEqual({
    file: "deployments.apps.json",
    pointer: `/metadata/annotations/${COPY.replace("/", "~1")}`,
  });
});

it("two templates that differ in a literal alone still differ", async () => {
  const files = withSecrets(worldFiles(done), "another");
  const { live, judged } = await take(await serverWith(files));
  expect(JSON.parse(live.out).verdict).not.toBe("proven");
  expect(findingsOf(judged.out)).toEqual(findingsOf(live.out));
});

it("R2: a list that may not be read is kept as that, never as an empty one", async () => {
  const rules = [
    {
      apiGroups: ["*"],
      resources: ["deployments", "replicasets", "events", "services"],
      verbs: ["get", "list"],
    },
    { apiGroups: ["*"], resources: ["endpointslices", "horizontalpodautoscalers"], verbs: ["list"] },
  ];
  const server = await serverWith(worldFiles(done), { users: [{ name: "few", token: "few-token", rules }] });
  const { taken, judged, live } = await take(server);
  expect(taken.code).toBe(20);
  expect(taken.err).toContain("the right to list pods in namespace shop is missing");
  const of = (out: string) =>
    (JSON.parse(out).findings as readonly JsonObject[]).map(({ claim, finding }) => [claim, finding]);
  expect(of(judged.out)).toEqual(of(live.out));
  expect(judged.out).toContain("the right to list pods in namespace shop is missing");
});

it("what is not there leaves no folder, and a folder with something in it is left as it is", async () => {
  const server = await serverWith(worldFiles(done));
  const cwd = folder({ "full/x": "mine" });
  const words = ["deployment/web", "-n", "shop", "--kubeconfig", kubeconfigFile(server.kubeconfig())];
  const none = await asfound({ cwd }, "snapshot", "kept", "deployment/none", ...words.slice(1));
  expect(none).toMatchObject({ code: 23, out: "" });
  expect(none.err).toContain("nothing was written: there is no Deployment shop/none");
  expect(readdirSync(cwd)).toEqual(["full"]);
  const full = await asfound({ cwd }, "snapshot", "full", ...words);
  expect(full).toMatchObject({ code: 2, out: "" });
  expect(full.err).toContain("full: it is not empty, and nothing is written over");
  expect(readdirSync(join(cwd, "full"))).toEqual(["x"]);
  await asfound({ cwd }, "snapshot", "kept", ...words);
  expect(statSync(join(cwd, "kept")).mode & 0o777).toBe(0o700);
  expect(statSync(join(cwd, "kept/pods.json")).mode & 0o777).toBe(0o444);
});
