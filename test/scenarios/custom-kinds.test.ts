/** Kinds that are judged by declared rules, on a live server: found by discovery, in sweeps, watched, saved. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import type { PolicyRule } from "../../src/testing/api-server/access.ts";
import type { ApiServer } from "../../src/testing/api-server/api-server.ts";
import type { ServedResource } from "../../src/testing/api-server/resources.ts";
import { asfound, folder } from "../faces/terminal.ts";
import { apiServerFor, kubeconfigFile } from "../support/cluster.ts";
import { type Files, READ_AT } from "../support/kubernetes/deployment.ts";
import { at, list } from "../support/kubernetes/object.ts";
import { customResource } from "../support/kubernetes/others.ts";
import { ARGO_RESOURCES, aborted, paused, promoted, rolloutFiles } from "../support/kubernetes/rollout.ts";
import { clockAt, serve } from "../support/kubernetes/served.ts";

const serverWith = async (
  files: Files,
  resources: readonly ServedResource[] = ARGO_RESOURCES,
): Promise<ApiServer> => {
  const server = await apiServerFor({ clock: clockAt(READ_AT), resources });
  serve(server, files);
  return server;
};

/** Everyone who is signed in may read what the server serves (system:discovery). */
const DISCOVERY: readonly PolicyRule[] = [
  { nonResourceURLs: ["/api", "/apis", "/api/*", "/apis/*"], verbs: ["get"] },
];

const RULES = `apiVersion: asfound.dev/v1alpha1
kind: KindRules
rules:
  - group: example.com
    kind: Widget
    plural: widgets
    generation: { field: status.observedGeneration }
    ready: [{ condition: Ready }]
    progressing: [{ condition: Ready, is: "False" }]
`;

const asking = (server: ApiServer) => {
  const cwd = folder();
  writeFileSync(join(cwd, "rules.yaml"), RULES);
  const kubeconfig = kubeconfigFile(server.kubeconfig({ namespace: "shop" }));
  const run = (verb: string, ...words: readonly string[]) =>
    asfound({ cwd }, verb, ...words, "--kubeconfig", kubeconfig);
  return { cwd, run };
};

const requests = (server: ApiServer): readonly string[] =>
  server
    .log()
    .filter(({ verb }) => verb !== "discover")
    .map(({ verb, path }) => `${verb} ${path.replace(/\?.*$/, "")}`);

const CORE = "/api/v1/namespaces/shop";
const ARGO = "/apis/argoproj.io/v1alpha1/namespaces/shop";

it("a Rollout is found by discovery, and what its rule needs is listed once, between two looks at it", async () => {
  const server = await serverWith(rolloutFiles(promoted));
  const { run } = asking(server);
  const ran = await run("verify", "ro/web");
  expect(ran).toMatchObject({ code: 0, err: "" });
  expect(ran.out).toContain("3 new replicas run v2 and are ready.");
  const asked = requests(server);
  expect([asked[0], asked.at(-1)]).toEqual([`get ${ARGO}/rollouts/web`, `get ${ARGO}/rollouts/web`]);
  expect(asked.slice(1, -1).toSorted()).toEqual(
    [
      `list ${CORE}/events`,
      `list ${CORE}/pods`,
      `list ${CORE}/services`,
      `list ${ARGO}/analysisruns`,
      "list /apis/apps/v1/namespaces/shop/replicasets",
      "list /apis/autoscaling/v2/namespaces/shop/horizontalpodautoscalers",
      "list /apis/discovery.k8s.io/v1/namespaces/shop/endpointslices",
    ].toSorted(),
  );
});

it("R2: AnalysisRuns that the server does not serve are none that was read", async () => {
  const { "analysisruns.argoproj.io.json": _, ...files } = rolloutFiles(promoted);
  const server = await serverWith(
    files,
    ARGO_RESOURCES.filter(({ kind }) => kind !== "AnalysisRun"),
  );
  const ran = await asking(server).run("verify", "rollout/web");
  expect(ran).toMatchObject({ code: 20 });
  expect(ran.out).toContain('serves nothing that is called "analysisruns.argoproj.io"');
});

describe("rights", () => {
  const roleIn = (name: string): readonly PolicyRule[] =>
    parse(readFileSync(new URL(`../../docs/rbac/${name}.yaml`, import.meta.url), "utf8")).rules;
  const argoRights = roleIn("verify-argo-rollouts");
  const judgedWith = async (rules: readonly PolicyRule[]) => {
    const token = "of-verify-alone";
    const server = await apiServerFor({
      clock: clockAt(READ_AT),
      resources: ARGO_RESOURCES,
      users: [{ name: "verify", token, rules: [...rules, ...DISCOVERY] }],
    });
    serve(server, rolloutFiles(promoted));
    const kubeconfig = kubeconfigFile(server.kubeconfig({ namespace: "shop", user: "verify" }));
    return asfound({ cwd: folder() }, "verify", "rollout/web", "--kubeconfig", kubeconfig);
  };

  it("what docs/rbac allows is enough", async () => {
    expect(await judgedWith([...roleIn("verify-only"), ...argoRights])).toMatchObject({ code: 0, err: "" });
  });

  it("one that is missing is named, and makes it undetermined", async () => {
    const without = argoRights.filter(({ resources }) => resources?.includes("analysisruns") !== true);
    const ran = await judgedWith([...roleIn("verify-only"), ...without]);
    expect(ran).toMatchObject({ code: 20 });
    expect(ran.out).toContain("the right to list analysisruns.argoproj.io");
  });
});

it("in a sweep, when asked for; of all workloads only what asfound knows by itself is taken in", async () => {
  const server = await serverWith({ ...rolloutFiles(aborted), "deployments.json": list([]) });
  const { run } = asking(server);
  const swept = await run("verify", "rollouts,deployments", "-A", "-o", "json");
  expect(swept).toMatchObject({ code: 10 });
  const report = JSON.parse(swept.out);
  expect(report.items.map((one: { target: { kind: string } }) => one.target.kind)).toEqual(["Rollout"]);
  const all = JSON.parse((await run("verify", "-A", "-o", "json")).out);
  expect(all.items.map((one: { target: { kind: string } }) => one.target.kind)).not.toContain("Rollout");
});

it("watched: what is paused is waited for, and ends proven when it is promoted", async () => {
  const server = await serverWith(rolloutFiles(paused));
  let watched = 0;
  onTestFinished(
    server.onAsked(({ verb }) => {
      if (verb !== "watch") return;
      watched += 1;
      if (watched === 1) serve(server, rolloutFiles(promoted), rolloutFiles(paused));
    }),
  );
  const ran = await asking(server).run("verify", "rollout/web", "--watch", "-o", "json");
  const report = JSON.parse(ran.out);
  expect({ code: ran.code, verdict: report.verdict }).toEqual({ code: 0, verdict: "proven" });
  expect(ran.err).toContain("reported-ready: progressing: status.phase is Paused: CanaryPauseStep");
});

it("what is saved of it is judged to the same findings", async () => {
  const server = await serverWith(rolloutFiles(aborted));
  const { cwd, run } = asking(server);
  const findings = (out: string) =>
    JSON.parse(out).findings.map((one: Record<string, unknown>) => [
      one["claim"],
      one["finding"],
      one["sentence"],
    ]);
  const live = await run("verify", "rollout/web", "-o", "json");
  expect(await run("snapshot", "kept", "rollout/web")).toMatchObject({ code: 0 });
  const kept = await asfound({ cwd }, "verify", "rollout/web", "-n", "shop", "--from", "kept", "-o", "json");
  expect([kept.code, findings(kept.out)]).toEqual([live.code, findings(live.out)]);
});

it("by a file: live, watched until it is ready, and asked for nothing beside itself", async () => {
  const widget = (status: string, observedGeneration: number): Files => ({
    "widgets.example.com.json": list([
      customResource(
        {
          observedGeneration,
          conditions: [{ type: "Ready", status, reason: "Said", message: "", lastTransitionTime: at(600) }],
        },
        2,
      ),
    ]),
  });
  const server = await serverWith(widget("True", 1));
  const { run } = asking(server);
  const by = ["wd/one", "--rules", "rules.yaml"];
  // O1: it was ready in the generation before.
  expect(await run("verify", ...by)).toMatchObject({ code: 30 });
  expect(requests(server)).toEqual(["get /apis/example.com/v1/namespaces/shop/widgets/one"]);
  onTestFinished(
    server.onAsked(({ verb }) => {
      if (verb === "watch") serve(server, widget("True", 2));
    }),
  );
  const ran = await run("verify", ...by, "--watch");
  expect(ran).toMatchObject({ code: 0 });
  expect(ran.out).toContain("its controller reports it done: Ready is True (Said).");
  const snapshot = await run("snapshot", "kept", ...by);
  expect(snapshot).toMatchObject({ code: 0 });
  expect(snapshot.err).toContain("asfound verify wd/one -n shop --rules rules.yaml --from kept");
});
