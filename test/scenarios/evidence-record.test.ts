/**
 * `verify --record`: what is told is judged from what is kept, and is kept before it is told; where it cannot be made durable the
 * verdict stands, and that it was not kept is heard.
 */
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/domain/json.ts";
import type { ApiServer } from "../../src/testing/api-server/api-server.ts";
import { asfound, folder } from "../faces/terminal.ts";
import { kubeconfigFile } from "../support/cluster.ts";
import { type World, worldFiles } from "../support/kubernetes/deployment.ts";
import { begun, done } from "../support/kubernetes/rollouts.ts";
import { serverWith } from "../support/kubernetes/served.ts";

const crashing = { ...begun, fresh: { version: "v2", pods: ["crash-loop"] } } as World;

const asking = (server: ApiServer): readonly string[] => [
  "-n",
  "shop",
  "-o",
  "json",
  "--kubeconfig",
  kubeconfigFile(server.kubeconfig()),
];

const runsIn = (cwd: string, place = ".asfound/evidence"): readonly string[] =>
  existsSync(join(cwd, place, "runs")) ? readdirSync(join(cwd, place, "runs")).sort() : [];

const fileOf = (cwd: string, run: string, file: string): JsonObject =>
  JSON.parse(readFileSync(join(cwd, ".asfound/evidence/runs", run, file), "utf8")) as JsonObject;

/** Findings without where they were read. */
const findingsOf = (report: JsonObject): unknown =>
  (report["findings"] as readonly JsonObject[]).map(({ evidence, missing, ...rest }) => rest);

describe("a verdict about one", () => {
  it.each([
    ["proven", done],
    ["progressing", begun],
    ["refuted", crashing],
  ])(
    "that is %s is recorded, told with its run, and judged again from the run by hand",
    async (verdict, world) => {
      const cwd = folder();
      const server = await serverWith(worldFiles(world));
      const words = ["verify", "deployment/web", ...asking(server)];
      const plain = await asfound({ cwd }, ...words);
      const ran = await asfound({ cwd }, ...words, "--record");
      const told = JSON.parse(ran.out) as JsonObject;
      expect(ran.code).toBe(plain.code);
      expect(told["verdict"]).toBe(verdict);
      expect(findingsOf(told)).toEqual(findingsOf(JSON.parse(plain.out) as JsonObject));
      const [run = "", ...others] = runsIn(cwd);
      expect(others).toEqual([]);
      expect(told["recorded"]).toMatchObject({
        run,
        sequence: 1,
        place: ".asfound/evidence",
        trust: { tier: "T0" },
        fault: null,
      });
      const report = fileOf(cwd, run, "report.json");
      const { recorded: _, ...said } = told;
      expect(report).toEqual(said);
      execFileSync("sha256sum", ["--quiet", "--strict", "-c", "SHA256SUMS"], {
        cwd: join(cwd, ".asfound/evidence/runs", run),
      });
      const at = join(".asfound/evidence/runs", run, "snapshot");
      const again = await asfound(
        { cwd },
        "verify",
        "deployment/web",
        "-n",
        "shop",
        "-o",
        "json",
        "--from",
        at,
      );
      expect(JSON.parse(again.out).findings).toEqual(report["findings"]);
      expect(fileOf(cwd, run, "statement.json")).toMatchObject({
        predicate: {
          verb: "verify",
          verdict,
          target: { kind: "Deployment", name: "web", namespace: "shop" },
        },
      });
    },
  );

  it("every file that a finding cites is in the run", async () => {
    const cwd = folder();
    const server = await serverWith(worldFiles(done));
    const ran = await asfound({ cwd }, "verify", "deployment/web", ...asking(server), "--record");
    const [run = ""] = runsIn(cwd);
    const cited = (
      JSON.parse(ran.out).findings as readonly { readonly evidence: readonly string[] }[]
    ).flatMap(({ evidence }) => evidence.map((one) => one.split("#")[0]));
    const there = readdirSync(join(cwd, ".asfound/evidence/runs", run, "snapshot"));
    expect(cited.length).toBeGreaterThan(5);
    for (const file of new Set(cited)) expect(there).toContain(file);
  });

  it.each([
    ["deployment/none", "refuted", "not-there"],
    ["foos/none", "undetermined", undefined],
  ])("%s, which is not there, is evidence too", async (target, verdict, reason) => {
    const cwd = folder();
    const server = await serverWith(worldFiles(done));
    const words = ["verify", target, ...asking(server)];
    const plain = await asfound({ cwd }, ...words);
    const ran = await asfound({ cwd }, ...words, "--record");
    expect([ran.code, JSON.parse(ran.out).verdict]).toEqual([plain.code, verdict]);
    if (reason !== undefined) expect(JSON.parse(ran.out).findings[0].reason).toBe(reason);
    const [run = ""] = runsIn(cwd);
    expect(readdirSync(join(cwd, ".asfound/evidence/runs", run, "snapshot"))).toEqual(["snapshot.json"]);
  });

  it("a list that may not be read is kept as that (R2)", async () => {
    const rules = [{ apiGroups: ["*"], resources: ["deployments", "replicasets"], verbs: ["get", "list"] }];
    const users = [{ name: "few", token: "few-token", rules }];
    const server = await serverWith(worldFiles(done), { users });
    const cwd = folder();
    const ran = await asfound({ cwd }, "verify", "deployment/web", ...asking(server), "--record");
    expect(ran.code).toBe(20);
    expect(ran.out).toContain("the right to list pods in namespace shop is missing");
    expect(runsIn(cwd)).toHaveLength(1);
  });

  it("of a watch the last look is kept, with how long it looked", async () => {
    const cwd = folder();
    const server = await serverWith(worldFiles(begun));
    const watch = ["--watch", "--window", "1s", "--progress", "plain"];
    const ran = await asfound({ cwd }, "verify", "deployment/web", ...asking(server), "--record", ...watch);
    const [run = ""] = runsIn(cwd);
    const report = fileOf(cwd, run, "report.json");
    expect([ran.code, report["verdict"]]).toEqual([30, "progressing"]);
    expect(report["window"]).toEqual(JSON.parse(ran.out).window);
    expect(report["window"]).toMatchObject({ ended: true });
    const { target } = fileOf(cwd, run, "question.json")["asked"] as JsonObject;
    const { expected } = fileOf(cwd, run, "question.json")["asked"] as JsonObject;
    expect(target).toMatchObject({ name: "web", namespace: "shop" });
    expect((expected as JsonObject)["uid"]).toBe((report["target"] as JsonObject)["uid"]);
  });
});

describe("many", () => {
  it("a sweep is one run, with whole lists", async () => {
    const cwd = folder();
    const server = await serverWith(worldFiles(crashing));
    const words = ["verify", "--all", ...asking(server)];
    const plain = JSON.parse((await asfound({ cwd }, ...words)).out) as JsonObject;
    const ran = await asfound({ cwd }, ...words, "--record");
    const told = JSON.parse(ran.out) as JsonObject;
    const [run = ""] = runsIn(cwd);
    expect(ran.code).toBe(10);
    expect(told["recorded"]).toMatchObject({ run });
    const items = (list: JsonObject) => (list["items"] as readonly JsonObject[]).map(findingsOf);
    expect(items(told)).toEqual(items(plain));
    expect(told["counts"]).toEqual(plain["counts"]);
    expect(fileOf(cwd, run, "report.json")).toMatchObject({ kind: "VerdictList", verdict: "refuted" });
    expect(readdirSync(join(cwd, ".asfound/evidence/runs", run, "snapshot"))).toContain("pods.json");
  });
});

describe("saved files", () => {
  const saved = (): string => {
    const files = Object.entries(worldFiles(done)).map(([name, value]) => [
      `saved/${name}`,
      `${JSON.stringify(value)}\n`,
    ]);
    return folder(Object.fromEntries(files));
  };

  it("are kept byte for byte as they were read", async () => {
    const cwd = saved();
    const words = ["verify", "deployment/web", "-n", "shop", "-o", "json", "--from", "saved"];
    const plain = await asfound({ cwd }, ...words);
    const ran = await asfound({ cwd }, ...words, "--record");
    expect(findingsOf(JSON.parse(ran.out))).toEqual(findingsOf(JSON.parse(plain.out)));
    const [run = ""] = runsIn(cwd);
    for (const name of readdirSync(join(cwd, "saved")))
      expect(readFileSync(join(cwd, ".asfound/evidence/runs", run, "snapshot", name), "utf8")).toBe(
        readFileSync(join(cwd, "saved", name), "utf8"),
      );
    expect(fileOf(cwd, run, "question.json")).toMatchObject({ from: "saved", renamed: [], removed: [] });
  });

  it("E5: but not what is never written; where that was is told, and names that no checksum file takes are mapped", async () => {
    const cwd = saved();
    writeFileSync(
      join(cwd, "saved/a secret, of mine.yaml"),
      "# canary-comment\napiVersion: v1\nkind: Secret\nmetadata: { name: s, namespace: shop }\ndata: { k: Y2FuYXJ5 }\n",
    );
    const words = ["verify", "deployment/web", "-n", "shop", "-o", "json", "--from", "saved", "--record"];
    const ran = await asfound({ cwd }, ...words);
    expect(ran.code).toBe(0);
    const [run = ""] = runsIn(cwd);
    const question = fileOf(cwd, run, "question.json");
    expect(question["renamed"]).toEqual([{ kept: "saved-1.json", was: "a secret, of mine.yaml" }]);
    expect(question["removed"]).toEqual([{ file: "snapshot/saved-1.json", pointer: "/data/k" }]);
    const text = readFileSync(join(cwd, ".asfound/evidence/runs", run, "snapshot/saved-1.json"), "utf8");
    expect(text).not.toMatch(/canary|Y2FuYXJ5/);
  });
});

describe("that it was not kept", () => {
  it("22: the verdict is told all the same, refuted or proven, and no run is there", async () => {
    for (const [world, verdict] of [
      [done, "proven"],
      [crashing, "refuted"],
    ] as const) {
      const cwd = folder();
      const server = await serverWith(worldFiles(world));
      // A file where the folder has to be.
      mkdirSync(join(cwd, ".asfound"));
      writeFileSync(join(cwd, ".asfound/evidence"), "");
      const ran = await asfound({ cwd }, "verify", "deployment/web", ...asking(server), "--record");
      expect(ran.code).toBe(22);
      expect(ran.err).toContain("the verdict was not recorded as evidence");
      expect(JSON.parse(ran.out)).toMatchObject({ verdict, exit: 22, recorded: { run: null } });
    }
  });

  it("22: a place that cannot be written any more between two runs", async () => {
    const cwd = folder();
    const server = await serverWith(worldFiles(done));
    const words = ["verify", "deployment/web", ...asking(server), "--record"];
    expect((await asfound({ cwd }, ...words)).code).toBe(0);
    const runs = join(cwd, ".asfound/evidence/runs");
    chmodSync(runs, 0o500);
    try {
      // Whoever is root may write all the same; then there is nothing to see.
      if (process.getuid?.() === 0) return;
      const ran = await asfound({ cwd }, ...words);
      expect([ran.code, runsIn(cwd)]).toEqual([22, runsIn(cwd).slice(0, 1)]);
    } finally {
      chmodSync(runs, 0o700);
    }
  });

  it("2: a key that cannot be used, and --signing-key without a recording, before anything is asked", async () => {
    const cwd = folder({ "not-a-key": "hello" });
    const server = await serverWith(worldFiles(done));
    const words = ["verify", "deployment/web", ...asking(server)];
    const bad = await asfound({ cwd }, ...words, "--record", "--signing-key", "not-a-key");
    const alone = await asfound({ cwd }, ...words, "--signing-key", "not-a-key");
    expect([bad.code, alone.code, server.log().length]).toEqual([2, 2, 0]);
    expect(alone.err).toContain("--signing-key signs a run of evidence");
  });
});
