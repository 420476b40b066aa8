/** evidence ls, show, replay and export: what was recorded, told, judged again and handed on, and never what was not recorded. */
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/domain/json.ts";
import { differencesOf } from "../../src/runtime/replayed.ts";
import type { ApiServer } from "../../src/testing/api-server/api-server.ts";
import { asfound, folder } from "../faces/terminal.ts";
import { kubeconfigFile } from "../support/cluster.ts";
import { type World, worldFiles } from "../support/kubernetes/deployment.ts";
import { begun, done } from "../support/kubernetes/rollouts.ts";
import { serverWith } from "../support/kubernetes/served.ts";

const record = async (cwd: string, server: ApiServer, target = "deployment/web"): Promise<JsonObject> => {
  const kubeconfig = kubeconfigFile(server.kubeconfig());
  const words = ["verify", target, "-n", "shop", "-o", "json", "--record", "--kubeconfig", kubeconfig];
  return JSON.parse((await asfound({ cwd }, ...words)).out) as JsonObject;
};

const recorded = async (world: World = done) => {
  const cwd = folder();
  const server = await serverWith(worldFiles(world));
  const report = await record(cwd, server);
  const { run } = report["recorded"] as { readonly run: string };
  return { cwd, server, report, run, at: join(cwd, ".asfound/evidence/runs", run) };
};

const evidence = (cwd: string, ...words: readonly string[]) => asfound({ cwd }, "evidence", ...words);

describe("E2: replay", () => {
  it.each([
    ["proven", done],
    ["progressing", begun],
  ] as const)(
    "judges a %s one again from its bytes to the same, asks no cluster, and names the old run",
    async (verdict, world) => {
      const { cwd, server, report, run } = await recorded(world);
      const before = server.log().length;
      const ran = await evidence(cwd, "replay", run, "-o", "json");
      expect(server.log()).toHaveLength(before);
      const told = JSON.parse(ran.out);
      expect(told.of).toMatchObject({ run, sequence: 1, verdict });
      expect(told.differs).toEqual([]);
      expect([ran.code, told.report.verdict]).toEqual([report["exit"], verdict]);
      expect(told.report.findings).toEqual(report["findings"]);
      expect(told.report.trust.limits.at(-1)).toContain("what is there now it does not tell");
      const mine = JSON.parse(
        readFileSync(join(cwd, ".asfound/evidence/runs", told.report.recorded.run, "statement.json"), "utf8"),
      );
      expect(mine.predicate).toMatchObject({ verb: "evidence replay", replays: { run }, sequence: 2 });
    },
  );

  it("a server that is gone makes no difference: nothing is opened", async () => {
    const { cwd, server, run } = await recorded();
    await server.close();
    const ran = await asfound(
      { cwd, environment: { KUBECONFIG: "/nowhere/at/all" } },
      "evidence",
      "replay",
      run,
    );
    expect([ran.code, ran.err]).toEqual([0, ""]);
    expect(ran.out).toContain("Nothing differs from what was said then.");
  });

  it.each(["snapshot/pods.json", "report.json", "question.json", "statement.json"])(
    "%s that was altered is not judged again",
    async (file) => {
      const { cwd, at, run } = await recorded();
      chmodSync(join(at, file), 0o600);
      writeFileSync(join(at, file), readFileSync(join(at, file), "utf8").replace("web", "wob"));
      const ran = await evidence(cwd, "replay", run);
      expect([ran.code, ran.out]).toEqual([23, ""]);
      expect(ran.err).toContain(file);
      expect(readdirSync(join(cwd, ".asfound/evidence/runs"))).toEqual([run]);
    },
  );

  it("one that was never finished is not judged again, and a replay has nothing of its own", async () => {
    const { cwd, at, run } = await recorded();
    const again = JSON.parse((await evidence(cwd, "replay", run, "-o", "json")).out);
    const twice = await evidence(cwd, "replay", again.report.recorded.run);
    expect([twice.code, twice.err]).toEqual([23, expect.stringContaining(`replay ${run}`)]);
    rmSync(join(at, "statement.sha256"), { force: true });
    const unfinished = await evidence(cwd, "replay", run);
    expect([unfinished.code, unfinished.out]).toEqual([23, ""]);
  });

  it("control: rules that come to another finding are told, finding by finding", async () => {
    const { report } = await recorded();
    const other = JSON.parse(JSON.stringify(report).replace('"finding":"proven"', '"finding":"refuted"'));
    expect(differencesOf(report, other)).toMatchObject([
      { what: "finding", was: expect.stringContaining("proven"), is: expect.stringContaining("refuted") },
    ]);
    expect(differencesOf(report, report)).toEqual([]);
  });
});

describe("ls and show", () => {
  it("the newest last, of one target, by verdict, so many; the report as it was said", async () => {
    const { cwd, server, run, report } = await recorded();
    await record(cwd, server, "deployment/none");
    const all = JSON.parse((await evidence(cwd, "ls", "-o", "json")).out);
    expect(all.items.map(({ sequence }: JsonObject) => sequence)).toEqual([1, 2]);
    expect(all.items[0]).toMatchObject({ state: "whole", run, verdict: "proven", trust: { tier: "T0" } });
    const of = async (...words: readonly string[]) =>
      (await evidence(cwd, "ls", "-o", "name", ...words)).out.trim().split("\n");
    expect(await of("deployment/web")).toEqual([run]);
    expect(await of("--verdict", "proven")).toEqual([run]);
    expect(await of("--limit", "1")).not.toContain(run);
    expect((await of("-n", "nowhere")).join("")).toBe("");
    const shown = JSON.parse((await evidence(cwd, "show", run, "-o", "json")).out);
    const { recorded: _, ...said } = report;
    expect(shown.report).toEqual(said);
    expect(shown.previous).toBe(null);
    expect(shown.next.run).toBe(all.items[1].run);
    expect(shown.files.map(({ path }: JsonObject) => path)).toContain("snapshot/pods.json");
    const page = await evidence(cwd, "show", "1");
    expect(page.out).toContain("whoever can write where this is kept can make all of it anew");
  });

  it("2: no such run, with nothing made; 20: a slot that is not as asfound writes it", async () => {
    const cwd = folder();
    expect((await evidence(cwd, "show", "latest")).code).toBe(2);
    expect((await evidence(cwd, "ls")).code).toBe(0);
    expect(readdirSync(cwd)).toEqual([]);
    const { cwd: there, at } = await recorded();
    chmodSync(join(at, "statement.json"), 0o600);
    writeFileSync(join(at, "statement.json"), "{}");
    const listed = await evidence(there, "ls");
    expect([listed.code, listed.out]).toEqual([20, expect.stringContaining("not as asfound writes it")]);
  });
});

describe("export", () => {
  it("a folder that its own script checks with stock tools; the same run gives the same archive; nothing is written over", async () => {
    const { cwd, run } = await recorded();
    expect((await evidence(cwd, "export", run, "out")).code).toBe(0);
    expect(readdirSync(join(cwd, "out")).sort()).toEqual(["README.txt", "check.sh", run].sort());
    const checked = spawnSync("sh", ["check.sh", run], { cwd: join(cwd, "out"), encoding: "utf8" });
    expect([checked.status, checked.stdout]).toEqual([0, expect.stringContaining("as recorded")]);
    for (const name of ["a.tar", "b.tar"]) expect((await evidence(cwd, "export", run, name)).code).toBe(0);
    expect(readFileSync(join(cwd, "a.tar"))).toEqual(readFileSync(join(cwd, "b.tar")));
    execFileSync("tar", ["-xf", "a.tar"], { cwd });
    const unpacked = join(cwd, `evidence-${run}`);
    expect(spawnSync("sh", ["check.sh", run], { cwd: unpacked }).status).toBe(0);
    expect((await evidence(cwd, "export", run, "out")).code).toBe(2);
    expect((await evidence(cwd, "export", run, "a.tar")).code).toBe(2);
  });

  it("control: what was altered is not handed on, and the script of a copy that is altered says so", async () => {
    const { cwd, at, run } = await recorded();
    await evidence(cwd, "export", run, "out");
    const file = join("snapshot", "pods.json");
    for (const copy of [join(cwd, "out", run, file), join(at, file)]) {
      chmodSync(copy, 0o600);
      writeFileSync(copy, `${readFileSync(copy, "utf8")} `);
    }
    expect(spawnSync("sh", ["check.sh", run], { cwd: join(cwd, "out") }).status).toBe(10);
    expect((await evidence(cwd, "export", run, "other")).code).toBe(23);
  });
});
