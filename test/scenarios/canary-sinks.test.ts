/**
 * E5: one canary over every sink of a verdict. A secret of its own is planted in each place that can hold one, and then every byte
 * that was printed or written is searched: evidence, its replay and export, snapshots, releases, states that were proven, and the
 * standard streams of each output.
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { JsonObject, JsonValue } from "../../src/domain/json.ts";
import { asfound, folder } from "../faces/terminal.ts";
import { kubeconfigFile } from "../support/cluster.ts";
import { applicationFiles, COMMIT } from "../support/kubernetes/application.ts";
import { type Files, worldFiles } from "../support/kubernetes/deployment.ts";
import { changed } from "../support/kubernetes/object.ts";
import { done } from "../support/kubernetes/rollouts.ts";
import { serverWith } from "../support/kubernetes/served.ts";

/** Each is told apart in a failure. */
const CANARY = {
  literal: "canary-literal-5f1c",
  copy: "canary-copy-8a20",
  url: "canary-url-91be",
  helm: "canary-helm-c3d7",
  token: "canary-token-2e64",
} as const;

const COPY = "kubectl.kubernetes.io/last-applied-configuration";
const CONTAINER = ["spec", "template", "spec", "containers", 0];

const planted = (files: Files): Files => {
  const env = [{ name: "PASSWORD", value: CANARY.literal }];
  const args: JsonValue = [`--db=postgres://shop:${CANARY.url}@db/shop`];
  const into = (value: JsonObject, at: readonly (string | number)[]): JsonObject =>
    changed(changed(value, [...at, ...CONTAINER, "env"], env), [...at, ...CONTAINER, "args"], args);
  let deployments = into(files["deployments.json"] as JsonObject, ["items", 0]);
  deployments = changed(deployments, ["items", 0, "metadata", "annotations", COPY], CANARY.copy);
  let sets = files["replicasets.json"] as JsonObject;
  for (const [at] of (sets["items"] as readonly JsonObject[]).entries()) sets = into(sets, ["items", at]);
  const all = { ...files, ...applicationFiles({ compared: COMMIT.v2 }), "deployments.json": deployments };
  const named = Object.keys(all).find((name) => name.startsWith("applications"));
  if (named === undefined) throw new Error("there is no Application in the fixtures");
  const source = ["items", 0, "spec", "source"];
  let apps = changed(all[named as keyof typeof all] as JsonObject, [...source, "helm"], {
    parameters: [{ name: "password", value: CANARY.helm }],
    values: `password: ${CANARY.helm}`,
  });
  apps = changed(apps, [...source, "repoURL"], `https://shop:${CANARY.url}@git.example/shop.git`);
  return { ...all, "replicasets.json": sets, [named]: apps };
};

/** Every byte below a folder, by file. */
const below = (at: string): readonly (readonly [string, string])[] =>
  readdirSync(at).flatMap((name) => {
    const path = join(at, name);
    return statSync(path).isDirectory() ? below(path) : [[path, readFileSync(path, "latin1")] as const];
  });

const leaks = (texts: readonly (readonly [string, string])[]): readonly string[] =>
  texts.flatMap(([where, text]) =>
    Object.entries(CANARY).flatMap(([name, value]) => (text.includes(value) ? [`${where}: ${name}`] : [])),
  );

const OUTPUTS = ["table", "wide", "json", "yaml", "jsonl", "name", "junit", "sarif", "github", "markdown"];

it("E5: no canary is in anything that was written or printed", async () => {
  const cwd = folder();
  const rules = [{ apiGroups: ["*"], resources: ["*"], verbs: ["get", "list"] }];
  const users = [{ name: "reader", token: CANARY.token, rules }];
  const server = await serverWith(planted(worldFiles(done)), { users });
  const kubeconfig = kubeconfigFile(server.kubeconfig());
  expect(readFileSync(kubeconfig, "utf8")).toContain(CANARY.token);
  const asking = ["-n", "shop", "--kubeconfig", kubeconfig];
  const printed: (readonly [string, string])[] = [];
  const run = async (...words: readonly string[]) => {
    const ran = await asfound({ cwd }, ...words);
    printed.push([words.join(" "), `${ran.out}${ran.err}`]);
    return ran;
  };
  for (const output of OUTPUTS)
    await run(
      "verify",
      "deployment/web",
      ...asking,
      "--record",
      "--application",
      "argocd/shop",
      "-o",
      output,
    );
  await run("verify", "--all", ...asking, "--record", "-o", "json");
  const app = await run("verify", "application/shop", ...asking, "--record", "-o", "json");
  // The control of this one: it was there to be kept.
  expect(JSON.parse(app.out).target.uid).not.toBe(null);
  await run("verify", "deployment/web", ...asking, "--proven", "proven");
  await run("snapshot", "one", "deployment/web", ...asking);
  await run("snapshot", "many", "--all", ...asking);
  await run("release", "record", "deployment/web", ...asking);
  await run("evidence", "ls", "-o", "json");
  await run("evidence", "show", "latest", "-o", "json");
  await run("evidence", "replay", "1", "-o", "json");
  await run("evidence", "export", "1", "out");
  await run("evidence", "export", "1", "out.tar");
  const written = below(cwd);
  expect(readdirSync(join(cwd, ".asfound/evidence/runs")).length).toBe(OUTPUTS.length + 3);
  expect(written.some(([path]) => path.includes("/one/"))).toBe(true);
  expect(written.some(([path]) => path.includes("/proven/"))).toBe(true);
  expect(leaks(written)).toEqual([]);
  expect(leaks(printed)).toEqual([]);
});

it("control: the search finds what the server itself served", async () => {
  const text = JSON.stringify(planted(worldFiles(done)));
  expect(leaks([["served", text]]).map((one) => one.replace("served: ", ""))).toEqual([
    "literal",
    "copy",
    "url",
    "helm",
  ]);
});
