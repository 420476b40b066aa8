/** `verify --git`: another commit with the same content counts as synced, as a real clone tells it, live and saved. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/domain/json.ts";
import type { ApiServer } from "../../src/testing/api-server/api-server.ts";
import { asfound, folder, type Ran } from "../faces/terminal.ts";
import { apiServerFor, kubeconfigFile } from "../support/cluster.ts";
import { cloneOf, gitEnvironmentOfTests, type MadeRepository, madeRepository } from "../support/git.ts";
import { application } from "../support/kubernetes/application.ts";
import { READ_AT, worldFiles } from "../support/kubernetes/deployment.ts";
import { done as good } from "../support/kubernetes/rollouts.ts";
import { clockAt, serve } from "../support/kubernetes/served.ts";

const PLACE = { resource: "applications.argoproj.io", namespace: "shop", name: "shop" } as const;

const MANIFEST = (version: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: web }\ndata: { version: ${version} }\n`;

let made: MadeRepository;
let normal: string;
let failure: string;
let recovery: string;
let elsewhere: string;
beforeAll(() => {
  made = madeRepository();
  normal = made.commit({ "deploy/web/app.yaml": MANIFEST("v1"), README: "1" });
  failure = made.commit({ "deploy/web/app.yaml": MANIFEST("v2") });
  recovery = made.revert(failure);
  elsewhere = made.commit({ README: "2" });
});

const cluster = async (
  compared: string,
  more: Partial<Parameters<typeof application>[0]> = {},
): Promise<ApiServer> => {
  const server = await apiServerFor({ clock: clockAt(READ_AT) });
  serve(server, worldFiles(good));
  server.put(
    PLACE,
    application({
      aims: "main",
      compared,
      operation: { phase: "Succeeded", revision: compared, finished: 5 },
      ...more,
    }),
  );
  return server;
};

const at = (server: ApiServer) => ["--kubeconfig", kubeconfigFile(server.kubeconfig({ namespace: "shop" }))];

const run = (...words: readonly string[]): Promise<Ran> =>
  asfound({ cwd: folder(), environment: gitEnvironmentOfTests() }, ...words);

const verify = (server: ApiServer, commit: string, ...words: readonly string[]): Promise<Ran> =>
  run(
    "verify",
    "application/shop",
    "--commit",
    commit,
    "--claims",
    "synced-revision",
    ...words,
    "-o",
    "json",
    ...at(server),
  );

interface Found {
  readonly claim: string;
  readonly finding: string;
  readonly reason: string;
  readonly sentence: string;
  readonly limits: readonly string[];
  readonly evidence: readonly string[];
}

const synced = ({ out, err }: Ran): Found => {
  if (out === "") throw new Error(err);
  const { findings } = JSON.parse(out) as { readonly findings: readonly Found[] };
  return findings.find(({ claim }) => claim === "synced-revision") as Found;
};

const told = (found: Found) => [found.finding, found.reason];

describe("Y1: verify --git", () => {
  it("the commit of a revert has the tree of the normal one: proven, and said; without a clone it is another commit", async () => {
    const server = await cluster(recovery);
    const found = synced(await verify(server, normal, "--git", made.folder));
    expect(told(found)).toEqual(["proven", "equal-tree"]);
    expect(found.sentence).toContain(
      `declared at ${recovery.slice(0, 10)}, whose tree is that of ${normal.slice(0, 10)}`,
    );
    expect(found.limits.join()).toContain("its history is not");
    expect(told(synced(await verify(server, normal)))).toEqual(["progressing", "waiting-for"]);
    expect(told(synced(await verify(server, failure, "--git", made.folder)))).toEqual([
      "progressing",
      "waiting-for",
    ]);
    expect(told(synced(await verify(server, recovery, "--git", made.folder)))).toEqual(["proven", "synced"]);
  });

  it("a commit that changed other folders only: proven by the path, for plain manifests alone", async () => {
    const found = synced(await verify(await cluster(elsewhere), normal, "--git", made.folder));
    expect(told(found)).toEqual(["proven", "equal-path"]);
    expect(found.sentence).toContain("the same stands at deploy/web");
    const kustomize = synced(
      await verify(await cluster(elsewhere, { sourceType: "Kustomize" }), normal, "--git", made.folder),
    );
    expect(told(kustomize)).toEqual(["progressing", "waiting-for"]);
    expect(kustomize.limits.join()).toContain("only of plain manifests");
  });

  it("a shallow clone that lacks the expected commit says so, and proves nothing", async () => {
    const shallow = cloneOf(made, "--depth=1");
    const found = synced(await verify(await cluster(elsewhere), normal, "--git", shallow.folder));
    expect(told(found)).toEqual(["progressing", "waiting-for"]);
    expect(found.limits.join()).toMatch(/not known: .*shallow clone/);
  });

  it("a tree that is declared beside the commit counts where the clone has only what was synced", async () => {
    const shallow = cloneOf(made, "--depth=2");
    const cwd = folder();
    const file = (tree: string) =>
      writeFileSync(
        join(cwd, "verification.yaml"),
        `apiVersion: asfound.dev/v1alpha1\nkind: Verification\ntarget: { kind: Application, name: shop, namespace: shop }\nexpect: { commit: ${normal}, tree: ${tree} }\nclaims: [synced-revision]\n`,
      );
    const judged = async (server: ApiServer) =>
      told(
        synced(
          await asfound(
            { cwd, environment: gitEnvironmentOfTests() },
            "verify",
            "-f",
            "verification.yaml",
            "--git",
            shallow.folder,
            "-o",
            "json",
            ...at(server),
          ),
        ),
      );
    file(made.tree(normal));
    expect(await judged(await cluster(recovery))).toEqual(["proven", "equal-tree"]);
    file(made.tree(failure));
    expect(await judged(await cluster(recovery))).toEqual(["progressing", "waiting-for"]);
  });

  it("what Git told is kept by snapshot, and judged the same without a clone", async () => {
    const server = await cluster(recovery);
    const cwd = folder();
    const context = { cwd, environment: gitEnvironmentOfTests() };
    writeFileSync(
      join(cwd, "verification.yaml"),
      `apiVersion: asfound.dev/v1alpha1\nkind: Verification\ntarget: { kind: Application, name: shop, namespace: shop }\nexpect: { commit: ${normal} }\nclaims: [synced-revision]\n`,
    );
    const saved = await asfound(
      context,
      "snapshot",
      "saved",
      "-f",
      "verification.yaml",
      "--git",
      made.folder,
      ...at(server),
    );
    expect([saved.code, saved.err]).toEqual([0, expect.anything()]);
    const words = ["verify", "-f", "verification.yaml", "--from", "saved", "-o", "json"];
    expect(told(synced(await asfound(context, ...words)))).toEqual(["proven", "equal-tree"]);
    const path = join(cwd, "saved", "git.json");
    const records = JSON.parse(readFileSync(path, "utf8")) as JsonObject[];
    expect(records.map(({ commit }) => commit)).toEqual([normal, recovery]);
    // Each of its words is needed (V1).
    writeFileSync(path, JSON.stringify(records.map(({ tree: _, ...rest }) => rest)));
    expect(told(synced(await asfound(context, ...words)))).toEqual(["progressing", "waiting-for"]);
    writeFileSync(path, JSON.stringify([{ commit: "main" }]));
    const broken = await asfound(context, ...words);
    expect([broken.code, broken.err]).toEqual([2, expect.stringContaining("does not say which commit")]);
  });

  it("a saved state is judged with a clone that is named later", async () => {
    const server = await cluster(recovery);
    const cwd = folder();
    const context = { cwd, environment: gitEnvironmentOfTests() };
    expect((await asfound(context, "snapshot", "saved", "application/shop", ...at(server))).code).toBe(0);
    const judged = await asfound(
      context,
      "verify",
      "application/shop",
      "-n",
      "shop",
      "--from",
      "saved",
      "--commit",
      normal,
      "--claims",
      "synced-revision",
      "--git",
      made.folder,
      "-o",
      "json",
    );
    expect(told(synced(judged))).toEqual(["proven", "equal-tree"]);
  });

  it("no repository there is refused before anything is asked", async () => {
    const server = await cluster(recovery);
    const ran = await verify(server, normal, "--git", folder());
    expect([ran.code, ran.out]).toEqual([2, ""]);
    expect(ran.err).toContain("--git:");
    expect(server.log()).toEqual([]);
  });
});
