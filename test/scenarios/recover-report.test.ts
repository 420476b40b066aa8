/** `recover report`: a recovery by Git, told from a real clone and saved states; Y1, Y2, Y4, hostile text, what is not known. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/domain/json.ts";
import type { GitRecoveryInput } from "../../src/wire/api/git-recovery-report.ts";
import { asfound, folder, type Ran } from "../faces/terminal.ts";
import { cloneOf, gitEnvironmentOfTests, type MadeRepository, madeRepository } from "../support/git.ts";
import { application } from "../support/kubernetes/application.ts";
import { byEnv, taking } from "../support/kubernetes/config.ts";
import { type Files, READ_AT, worldFiles } from "../support/kubernetes/deployment.ts";
import { at, list } from "../support/kubernetes/object.ts";
import { done as good } from "../support/kubernetes/rollouts.ts";

const config = (text: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: web }\ndata: { conf: ${text} }\n`;
const workload = (sum: string): string =>
  `apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: web }\nspec:\n  template:\n    metadata: { annotations: { checksum: ${sum} } }\n    spec: { containers: [{ name: web, image: web }] }\n`;

let made: MadeRepository;
let normal: string;
let failure: string;
let recovery: string;
let forward: string;
beforeAll(() => {
  made = madeRepository();
  normal = made.commit({
    "deploy/web/config.yaml": config("good"),
    "deploy/web/web.yaml": workload("a"),
    README: "1",
  });
  failure = made.commit(
    { "deploy/web/config.yaml": config("bad") },
    { message: "tune <script>alert(1)</script> | \u001b[31m`x`" },
  );
  recovery = made.revert(failure);
  forward = made.commit({ "deploy/web/config.yaml": config("better"), "deploy/web/web.yaml": workload("b") });
});

const save = (cwd: string, name: string, files: Files): void => {
  mkdirSync(join(cwd, name));
  for (const [file, value] of Object.entries(files))
    writeFileSync(join(cwd, name, file), JSON.stringify(value));
  writeFileSync(join(cwd, name, "snapshot.json"), JSON.stringify({ at: at(READ_AT) }));
};

const state = (compared: string, change: (app: JsonObject) => JsonObject = (app) => app): Files => ({
  ...worldFiles(good),
  "applications.argoproj.io.json": list([
    change(
      application({
        aims: "main",
        compared,
        operation: { phase: "Succeeded", revision: compared, finished: 5 },
      }),
    ),
  ]),
});

type Listed = { readonly items: JsonObject[] };
const podsWith = (change: (pod: JsonObject) => JsonObject): JsonObject => {
  const pods = structuredClone(worldFiles(good)["pods.json"]) as unknown as Listed;
  return { ...pods, items: pods.items.map(change) } as unknown as JsonObject;
};

/** The failing commit, and Pods that are none of those that run now. */
const otherPods = (): Files => ({
  ...state(failure),
  "pods.json": podsWith((pod) => {
    const { metadata } = pod as { readonly metadata: { readonly name: string; readonly uid: string } };
    return {
      ...pod,
      metadata: { ...metadata, name: `old-${metadata.name}`, uid: metadata.uid.replace(/....$/, "dead") },
    };
  }),
});

const run = async (
  files: Files,
  words: readonly string[] = [],
  { failed, clone = made }: { readonly failed?: Files; readonly clone?: MadeRepository } = {},
): Promise<Ran & { readonly cwd: string }> => {
  const cwd = folder();
  save(cwd, "now", files);
  if (failed !== undefined) save(cwd, "then", failed);
  const ran = await asfound(
    { cwd, environment: gitEnvironmentOfTests() },
    "recover",
    "report",
    "deployment/web",
    "-n",
    "shop",
    "--application",
    "shop/shop",
    "--from",
    "now",
    "--git",
    clone.folder,
    ...(words.includes("--normal") ? [] : ["--normal", normal]),
    ...(words.includes("--failure") ? [] : ["--failure", failure]),
    ...(words.includes("--recovery") ? [] : ["--recovery", recovery]),
    ...(failed === undefined ? [] : ["--failed", "then"]),
    ...words,
  );
  return { ...ran, cwd };
};

const report = (ran: Ran): GitRecoveryInput => {
  if (ran.out === "") throw new Error(ran.err);
  return JSON.parse(ran.out) as GitRecoveryInput;
};

describe("recover report", () => {
  it("a revert is the normal tree again: proven, config-only told, both timelines there", async () => {
    const ran = await run(state(recovery), ["-o", "json"], { failed: otherPods() });
    const told = report(ran);
    expect([ran.code, told.verdict, told.content.equal]).toEqual([0, "proven", "tree"]);
    expect(told.statement).toMatch(/^Recovered by Git: .*its tree is that of the normal commit/);
    expect([told.changes.failing.kind, told.changes.recovering.kind]).toEqual(["config-only", "config-only"]);
    expect(told.changes.failing.objects).toEqual([
      { object: "ConfigMap web", what: "what it holds changed" },
    ]);
    expect(told.saysItReverts).toBe(true);
    expect(told.lineage).toEqual({ failureAfterNormal: "after it", recoveryAfterFailure: "after it" });
    expect(told.timeline.git.map(({ commit, role }) => [commit, role])).toEqual([
      [normal, "normal"],
      [failure, "failure"],
      [recovery, "recovery"],
    ]);
    expect(told.commits.map(({ parents }) => parents)).toEqual([[], [normal], [failure]]);
    expect(told.timeline.cluster.some(({ what }) => /^Pod shop\/.* was created \(UID /.test(what))).toBe(
      true,
    );
    expect(told.timeline.cluster.some(({ what }) => what.includes("a sync of Application shop/shop"))).toBe(
      true,
    );
  });

  type Kept = readonly [Files, Files | undefined];
  const recreated = (): Files => {
    const then = structuredClone(otherPods()) as Record<string, JsonObject>;
    const [web] = (then["deployments.json"] as unknown as Listed).items;
    (web?.["metadata"] as { uid: string }).uid = "22222222-2222-4000-8000-000000000002";
    return then;
  };
  const takingConfig = (): Files => ({
    ...state(recovery),
    ...taking(worldFiles(good), () => byEnv("web")),
  });

  it.each([
    ["nothing was kept of the failure", (): Kept => [state(recovery), undefined], "nothing was kept"],
    [
      "the Pods are those of the failure",
      (): Kept => [state(recovery), state(failure)],
      "no Pod of it has come up",
    ],
    ["the workload is another object", (): Kept => [state(recovery), recreated()], "another object"],
    [
      "nobody knows what they were given",
      (): Kept => [takingConfig(), otherPods()],
      "its processes were given is not shown",
    ],
  ] as const)("Y2: %s: not confirmed, however right it looks", async (_, kept, why) => {
    const [files, failed] = kept();
    const ran = await run(files, ["-o", "json"], failed === undefined ? {} : { failed });
    const told = report(ran);
    expect([ran.code, told.verdict]).toEqual([20, "undetermined"]);
    expect(told.statement).toMatch(/^Not confirmed: /);
    expect(told.statement).toContain(why);
  });

  it("Y1: it is judged by the declared commit and its tree, whichever SHA came first", async () => {
    // What was synced is the failing one: the first new SHA that came.
    const first = report(await run(state(failure), ["-o", "json"]));
    expect(first.verdict).not.toBe("proven");
    expect(first.permanent.join()).toContain("not shown");
    // The normal commit itself has the recovery's tree.
    const back = report(await run(state(normal), ["-o", "json"]));
    expect(back.findings.find(({ claim }) => claim === "synced-revision")).toMatchObject({
      finding: "proven",
      reason: "equal-tree",
    });
    // Control: declared to be the recovery, the failing commit is not the normal content.
    const declared = report(await run(state(failure), ["--recovery", failure, "-o", "json"]));
    expect(declared.content).toEqual({
      equal: "no",
      differs: [{ path: "config.yaml", how: "changed" }],
      why: null,
    });
  });

  it("a fix forward is no return: which paths differ, and that templates changed", async () => {
    const told = report(await run(state(forward), ["--recovery", forward, "-o", "json"]));
    expect([told.verdict, told.content.equal]).toEqual(["undetermined", "no"]);
    expect(told.content.differs.map(({ path }) => path)).toEqual(["config.yaml", "web.yaml"]);
    expect(told.changes.recovering.kind).toBe("config-and-template");
    expect(told.saysItReverts).toBe(false);
    expect(told.timeline.git).toHaveLength(4);
  });

  it("what Helm or Kustomize makes of it is not known; nor what a shallow clone lacks", async () => {
    const kustomize = (app: JsonObject) => ({
      ...app,
      status: { ...(app["status"] as JsonObject), sourceType: "Kustomize" },
    });
    expect(report(await run(state(recovery, kustomize), ["-o", "json"])).changes.failing).toMatchObject({
      kind: "unknown",
      why: expect.stringContaining("Kustomize"),
    });
    const shallow = cloneOf(made, "--depth=2");
    const told = report(await run(state(recovery), ["-o", "json"], { clone: shallow }));
    expect(told.content).toMatchObject({ equal: "unknown", why: expect.stringContaining("shallow clone") });
    expect(told.changes.failing).toMatchObject({ kind: "unknown" });
    expect(told.lineage.failureAfterNormal).toMatch(/^not known: .*shallow clone/);
    expect(told.commits[0]).toMatchObject({ tree: null, why: expect.stringContaining("shallow clone") });
  });

  it("Y4: a deleted Pod and an edit that self-heal undid are first aid, and the commit is the fix", async () => {
    const pods = worldFiles(good)["pods.json"] as unknown as { items: JsonObject[] };
    const [pod] = pods.items;
    const gone = structuredClone(pod) as { metadata: { name: string; uid: string } };
    gone.metadata.name = "web-gone";
    gone.metadata.uid = "11111111-2222-4000-8000-000000000001";
    const deployments = structuredClone(worldFiles(good)["deployments.json"]) as unknown as {
      items: {
        spec: { template: { spec: { terminationGracePeriodSeconds?: number } } };
        metadata: { managedFields?: unknown };
      }[];
    };
    const [web] = deployments.items;
    if (web === undefined) throw new Error("no Deployment");
    web.spec.template.spec.terminationGracePeriodSeconds = 7;
    web.metadata.managedFields = [
      {
        manager: "kubectl-edit",
        operation: "Update",
        time: at(1),
        fieldsV1: { "f:spec": { "f:template": { "f:spec": { "f:terminationGracePeriodSeconds": {} } } } },
      },
    ];
    const failed: Files = {
      ...state(failure),
      "pods.json": {
        ...worldFiles(good)["pods.json"],
        items: [...pods.items, gone],
      } as unknown as JsonObject,
      "deployments.json": deployments as unknown as JsonObject,
    };
    const told = report(await run(state(recovery), ["-o", "json"], { failed }));
    expect(told.firstAid.join("\n")).toMatch(
      /terminationGracePeriodSeconds was edited live by kubectl-edit at .*; it holds something else now/,
    );
    expect(told.firstAid.join("\n")).toContain("undoes live edits by itself (selfHeal)");
    expect(told.firstAid.join("\n")).toContain(
      "Pod web-gone (UID 11111111-2222-4000-8000-000000000001) of the failure is gone",
    );
    expect(told.permanent.join()).toContain(`commit ${recovery.slice(0, 10)} is synced`);
    expect(told.identity.every((line) => line.includes("is the same object"))).toBe(true);
    // Control: without the failure's state none of it is told, and that is said.
    const alone = report(await run(state(recovery), ["-o", "json"]));
    expect([alone.firstAid, alone.limits.join()]).toEqual([[], expect.stringContaining("--failed")]);
  });

  it("Markdown, HTML and JSON into files; what a commit's message holds is text and nothing else", async () => {
    for (const [file, holds] of [
      ["report.md", "## The three commits"],
      ["report.html", "<h2>The three commits</h2>"],
      ["report.json", '"kind": "GitRecoveryReport"'],
    ] as const) {
      const ran = await run(state(recovery), [
        "--report",
        file,
        "-o",
        file.replace("report.", "").replace("md", "markdown"),
      ]);
      const text = readFileSync(join(ran.cwd, file), "utf8");
      expect([ran.code, text]).toEqual([20, ran.out]);
      expect(text).toContain(holds);
      expect(text).not.toContain("\u001b");
      if (file === "report.html") {
        expect(text).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
        expect(text).not.toMatch(/<script|<img|<link|javascript:/i);
        expect(text).toContain("default-src 'none'");
      }
    }
    const page = await run(state(recovery));
    expect(page.out).toContain("Git's timeline");
    expect(page.out).not.toContain("\u001b");
  });

  it.each([
    [["--recovery", "nowhere"], "--recovery nowhere: it holds no commit of that name"],
    [["--recovery", "--output=x"], "--recovery"],
    [["--context", "x"], "--context"],
  ])("%j is refused with a reason", async (words, why) => {
    const ran = await run(state(recovery), words);
    expect([ran.code, ran.out]).toEqual([2, ""]);
    expect(ran.err).toContain(why);
  });
});
