/** Every command line that the README and the guides mark as run is run, and what they say was printed is printed. */
import { spawnSync } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { appOf, argoController, SHOP } from "../support/argo.ts";
import { apiServerFor, kubeconfigFile } from "../support/cluster.ts";
import { atRest, drillTown } from "../support/drill-town.ts";
import { notRunWithout } from "../support/not-run.ts";
import { blocksOf, ROOT, readPage, runPage } from "./literate.ts";

/** http-provider.md and cluster.md are held to the code by tests in test/contract. */
const PAGES = [
  "README.md",
  "docs/guide/stack-file.md",
  "docs/guide/exec-provider.md",
  "docs/guide/statuses-and-recovery.md",
  "docs/guide/ledger.md",
  "docs/guide/library.md",
  "docs/guide/write-a-provider.md",
  "docs/guide/verify.md",
  "docs/guide/sweeps.md",
  "docs/guide/custom-kinds.md",
  "docs/guide/gitops.md",
  "docs/guide/config.md",
  "docs/guide/releases.md",
  "docs/guide/recovery.md",
  "docs/guide/config-bind.md",
  "docs/guide/rollback.md",
  "docs/guide/evidence.md",
  "docs/guide/evidence-verify.md",
  "docs/guide/gate.md",
];

/** Some of the examples are written in it. */
const python = spawnSync("python3", ["--version"]).status === 0;

const IN_PYTHON = new Set(["docs/guide/exec-provider.md", "docs/guide/write-a-provider.md"]);

describe("pages are true", () => {
  it.for(PAGES)("%s", { timeout: 600_000 }, async (name, context) => {
    if (IN_PYTHON.has(name)) notRunWithout(context, python ? null : "there is no python3 here");
    const page = await readPage(name);
    const told = await runPage(name, page);
    expect(told.untrue).toEqual([]);
    expect(told.ran).toBe(blocksOf(page).filter(({ words }) => words.includes("run")).length);
    expect(told.ran).toBeGreaterThan(1);
  });

  it("docs/guide/argocd-provider.md", { timeout: 600_000 }, async () => {
    const server = await apiServerFor();
    server.put(SHOP, appOf({}));
    argoController(server);
    const page = await readPage("docs/guide/argocd-provider.md");
    const told = await runPage("argocd-provider.md", page, {
      KUBECONFIG: kubeconfigFile(server.kubeconfig()),
    });
    expect(told).toEqual({ ran: 4, untrue: [] });
    expect(server.get(SHOP)).toMatchObject({ spec: { source: { targetRevision: "main" } } });
  });

  it("docs/guide/kubernetes-provider.md", { timeout: 600_000 }, async () => {
    const server = await apiServerFor();
    const page = await readPage("docs/guide/kubernetes-provider.md");
    const told = await runPage("kubernetes-provider.md", page, {
      KUBECONFIG: kubeconfigFile(server.kubeconfig()),
    });
    expect(told).toEqual({ ran: 5, untrue: [] });
    expect(
      server
        .log()
        .filter(({ effect }) => effect?.what === "deleted")
        .map(({ effect }) => effect?.name),
    ).toEqual(["limits", "settings", expect.stringMatching(/^asfound-/)]);
  });

  it("docs/guide/recorder.md", { timeout: 600_000 }, async () => {
    const server = await apiServerFor();
    server.put({ resource: "configmaps", namespace: "shop", name: "settings" }, { data: { MODE: "fast" } });
    const page = await readPage("docs/guide/recorder.md");
    const told = await runPage("recorder.md", page, { KUBECONFIG: kubeconfigFile(server.kubeconfig()) });
    expect(told).toEqual({ ran: 5, untrue: [] });
  });

  it("docs/guide/drill.md", { timeout: 600_000 }, async () => {
    const town = await drillTown({ ...atRest(2), service: true });
    const page = await readPage("docs/guide/drill.md");
    const told = await runPage("drill.md", page, { KUBECONFIG: town.kubeconfig });
    expect(told).toEqual({ ran: 4, untrue: [] });
    expect(town.removed()).toHaveLength(1);
  });

  it("every guide is among them", async () => {
    const guides = (await readdir(join(ROOT, "docs", "guide"))).filter((name) => name.endsWith(".md"));
    const looked = [
      ...PAGES.map((page) => page.split("/").at(-1)),
      "http-provider.md",
      "cluster.md",
      "kubernetes-provider.md",
      "argocd-provider.md",
      "recorder.md",
      "drill.md",
    ];
    expect(guides.filter((name) => !looked.includes(name))).toEqual([]);
  });
});

describe("control: a page that is not true is caught", () => {
  const page = (...lines: string[]): string => lines.join("\n");

  it("by its exit code", async () => {
    const told = await runPage("x.md", page("```sh run", "exit 3", "```"));
    expect(told.untrue).toEqual([expect.stringContaining("x.md:1: exit 0 was promised, and it was 3")]);
  });

  it("by what was printed, in its order", async () => {
    const printing = ["```sh run", "echo one two; echo three", "```", "```text output"];
    expect((await runPage("x.md", page(...printing, "one … two", "three", "```"))).untrue).toEqual([]);
    const told = await runPage("x.md", page(...printing, "three", "one", "```"));
    expect(told.untrue).toEqual([expect.stringContaining("x.md:4: not printed: one")]);
  });
});
