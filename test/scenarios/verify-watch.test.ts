/** `verify --watch`: what ends it, what it says on the way, and what it never takes for the object that it began with. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { JsonObject } from "../../src/domain/json.ts";
import type { ApiServer } from "../../src/testing/api-server/api-server.ts";
import { HOUSE } from "../canary/tree.ts";
import { asfound, folder, type Ran } from "../faces/terminal.ts";
import { kubeconfigFile } from "../support/cluster.ts";
import {
  type Files,
  progressing,
  READ_AT,
  setName,
  type World,
  worldFiles,
} from "../support/kubernetes/deployment.ts";
import { changed, uidOf } from "../support/kubernetes/object.ts";
import { jobCondition, jobFiles } from "../support/kubernetes/others.ts";
import { begun, crashing, done } from "../support/kubernetes/rollouts.ts";
import { clockAt, serve, serverWith } from "../support/kubernetes/served.ts";

const WEB = { resource: "deployments.apps", namespace: "shop", name: "web" };

/** Does one thing after the other, each when the server is next asked to watch the target (its Pods are watched beside it). */
const whenWatched = (server: ApiServer, ...acts: readonly (() => void)[]): void => {
  let next = 0;
  onTestFinished(
    server.onAsked(({ verb, resource }) => {
      if (verb !== "watch" || resource === "pods") return;
      acts[next]?.();
      next += 1;
    }),
  );
};

const watch = (server: ApiServer, ...words: readonly string[]): Promise<Ran> =>
  asfound(
    { cwd: folder() },
    "verify",
    words[0]?.includes("/") === true ? (words[0] as string) : "deployment/web",
    ...words.filter((word) => !word.includes("/")),
    "--watch",
    "--kubeconfig",
    kubeconfigFile(server.kubeconfig({ namespace: "shop" })),
    "-o",
    "json",
  );
const linesOf = ({ err }: Ran): readonly string[] =>
  err
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.replace(/^\s*\S+\s+/, ""));

describe("an end", () => {
  it("proven: at the look that shows it, with one line for each thing that was waited for", async () => {
    const server = await serverWith(worldFiles(begun));
    whenWatched(server, () => serve(server, worldFiles(done), worldFiles(begun)));
    const ran = await watch(server);
    const report = JSON.parse(ran.out);
    expect({ code: ran.code, verdict: report.verdict, ended: report.window.ended }).toEqual({
      code: 0,
      verdict: "proven",
      ended: false,
    });
    const lines = linesOf(ran);
    expect(lines.filter((line) => line.startsWith("rollout-complete: progressing"))).toHaveLength(1);
    expect(lines.filter((line) => line.startsWith("rollout-complete: proven"))).toHaveLength(1);
    expect(lines).toEqual([...new Set(lines)]);
    expect(lines.join("\n")).toContain("its readiness answers 503");
    expect(lines.join("\n")).not.toContain("spec-observed");
  });

  it("V4: the window's end while it goes on is 30, and no failure; an age that grows is no news", async () => {
    // Each time that the server is asked for it, ten seconds are over.
    let asked = 0;
    const clock = {
      ...clockAt(READ_AT),
      now: () => {
        asked += 1;
        return clockAt(READ_AT + 10 * asked).now();
      },
    };
    const server = await serverWith(worldFiles(begun), { clock });
    const ran = await watch(server, "--window", "1s");
    const report = JSON.parse(ran.out);
    expect({ code: ran.code, verdict: report.verdict, ended: report.window.ended }).toEqual({
      code: 30,
      verdict: "progressing",
      ended: true,
    });
    const looks = server.log().filter(({ resource, verb }) => resource === "pods" && verb === "list").length;
    expect([2, 3]).toContain(looks);
    expect(linesOf(ran).map((line) => line.split(":")[0])).toEqual(["rollout-complete", "old-gone"]);
  });

  it("a deadline that is over, and a failed Job", async () => {
    const over = progressing(
      "False",
      "ProgressDeadlineExceeded",
      `ReplicaSet "${setName("v2")}" has timed out progressing.`,
      690,
    );
    const server = await serverWith(worldFiles({ ...begun, progressing: over }));
    expect(await watch(server)).toMatchObject({ code: 10 });
    const job = jobFiles(
      {
        startTime: "2026-11-30T03:01:41Z",
        failed: 1,
        conditions: [jobCondition("Failed", "BackoffLimitExceeded", "it failed")],
      },
      [],
    );
    const [object] = (job["jobs.json"] as { items: readonly { metadata: { name: string } }[] }).items;
    expect(await watch(await serverWith(job), `job/${object?.metadata.name}`)).toMatchObject({ code: 10 });
  });

  it("--fail-fast ends at the first refuted claim; without it the window goes on", async () => {
    const server = await serverWith(worldFiles(crashing));
    const fast = await watch(server, "--fail-fast");
    expect({ code: fast.code, ended: JSON.parse(fast.out).window.ended }).toEqual({ code: 10, ended: false });
    const slow = await watch(server, "--window", "1s");
    expect({ code: slow.code, ended: JSON.parse(slow.out).window.ended }).toEqual({ code: 10, ended: true });
    // What is refuted may still come right.
    whenWatched(server, () => serve(server, worldFiles(done), worldFiles(crashing)));
    expect(await watch(server)).toMatchObject({ code: 0 });
  });

  it("a kind that the server does not serve ends it at once", async () => {
    const ran = await watch(await serverWith(worldFiles(done)), "frobnicator/web");
    expect({ code: ran.code, ended: JSON.parse(ran.out).window.ended }).toEqual({ code: 20, ended: false });
  });
});

describe("on the way", () => {
  it("V3: deleted and made again: said, and the other object is never taken for it", async () => {
    const server = await serverWith(worldFiles(begun));
    const [web] = (worldFiles(done)["deployments.json"] as { items: readonly JsonObject[] }).items;
    const other = changed(web as JsonObject, ["metadata", "uid"], uidOf("Deployment", "web", 2));
    whenWatched(server, () => server.put(WEB, other));
    const ran = await watch(server);
    const report = JSON.parse(ran.out);
    expect({ code: ran.code, verdict: report.verdict }).toEqual({ code: 20, verdict: "undetermined" });
    const says = `it was deleted and made again while it was watched: its UID was ${uidOf("Deployment", "web")}, and is ${uidOf("Deployment", "web", 2)}`;
    expect(ran.err).toContain(says);
    expect(report.trust.limits).toContain(says);
    expect(report.findings[0].reason).toBe("object-replaced");
  });

  it("another spec: said, and the new one is judged", async () => {
    const server = await serverWith(worldFiles(begun));
    whenWatched(server, () => serve(server, worldFiles({ ...done, generation: 3 }), worldFiles(begun)));
    const ran = await watch(server);
    expect(ran.code).toBe(0);
    expect(ran.err).toContain("its spec was changed while it was watched: generation 2, then 3");
  });

  it("an API server that restarts: survived and said", async () => {
    const server = await serverWith(worldFiles(begun));
    let away: Promise<void> = Promise.resolve();
    whenWatched(server, () => {
      away = server
        .refuse()
        .then(() => new Promise((resolve) => setTimeout(resolve, 1_500)))
        .then(async () => {
          serve(server, worldFiles(done), worldFiles(begun));
          await server.accept();
        });
    });
    const ran = await watch(server);
    await away;
    expect(ran.code).toBe(0);
    expect(ran.err).toContain("spec-observed: undetermined: Deployment shop/web could not be read");
    expect(ran.err).toMatch(/the target could not be read for \S+ while it was watched/);
    expect(JSON.parse(ran.out).trust.limits.join("\n")).toMatch(/the target could not be read for/);
  });

  it("without the right to watch it looks again after a while", async () => {
    const server = await serverWith(worldFiles(begun), {
      users: [
        {
          name: "reader",
          token: "reader-token",
          rules: [{ apiGroups: ["*"], resources: ["*"], verbs: ["get", "list"] }],
        },
      ],
    });
    whenWatched(server, () => serve(server, worldFiles(done), worldFiles(begun)));
    expect(await watch(server, "--window", "2s")).toMatchObject({ code: 0 });
    const denied = server.log().filter(({ verb, status }) => verb === "watch" && status === 403);
    expect(denied.map(({ resource }) => resource).sort()).toEqual(["deployments", "pods"]);
  });
});

describe("what a look shows", () => {
  const eventsOf = ({ err }: Ran): readonly JsonObject[] =>
    err
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
  const looks = (ran: Ran) => eventsOf(ran).filter(({ kind }) => kind === "looked");

  it("each look by itself: what it read is waited for until a look has read otherwise", async () => {
    const server = await serverWith(worldFiles(begun));
    whenWatched(
      server,
      () => serve(server, worldFiles(crashing), worldFiles(begun)),
      () => serve(server, worldFiles(done), worldFiles(crashing)),
    );
    const ran = await watch(server, "--progress", "json");
    const report = JSON.parse(ran.out);
    expect({ code: ran.code, verdict: report.verdict }).toEqual({ code: 0, verdict: "proven" });
    expect(eventsOf(ran)[0]).toMatchObject({ kind: "ProgressStream" });
    expect(
      looks(ran).map(({ subject, verdict, waits }) => [
        subject,
        verdict,
        (waits as JsonObject[]).map(
          ({ what, finding }) => `${finding} ${String(what).replace(/-\w+-\w+$/, "")}`,
        ),
      ]),
    ).toEqual([
      [
        "Deployment shop/web",
        "progressing",
        ["progressing rollout-complete", "progressing old-gone", "progressing Pod web"],
      ],
      ["Deployment shop/web", "refuted", ["refuted rollout-complete", "refuted old-gone", "refuted Pod web"]],
      ["Deployment shop/web", "proven", []],
    ]);
    const [first, second] = looks(ran);
    expect(String(first?.["statement"])).toContain("its readiness answers 503");
    expect(JSON.stringify(second?.["waits"])).toContain("crashes again and again");
    expect(Number(first?.["windowLeftMs"])).toBeGreaterThan(Number(second?.["windowLeftMs"]));
    expect(looks(ran).at(-1)?.["at"]).toBe(report.window.to);
  });

  it("a server that cannot be read is what is waited for, and nothing of the look before", async () => {
    const server = await serverWith(worldFiles(begun));
    let away: Promise<void> = Promise.resolve();
    whenWatched(server, () => {
      away = server.refuse();
    });
    const ran = await watch(server, "--window", "2s", "--progress", "json");
    await away;
    expect(ran.code).toBe(20);
    const [first, second] = looks(ran);
    expect(first).toMatchObject({ verdict: "progressing" });
    expect(second).toMatchObject({ verdict: "undetermined", waits: [{ what: "spec-observed" }] });
    expect(JSON.stringify(second)).not.toContain("503");
  });

  it("--progress quiet says nothing on the way, and --progress plain only what is new", async () => {
    const server = await serverWith(worldFiles(begun));
    const quiet = await watch(server, "--window", "1s", "--progress", "quiet");
    expect({ code: quiet.code, err: quiet.err }).toEqual({ code: 30, err: "" });
    const plain = await watch(server, "--window", "1s", "--progress", "plain");
    expect(linesOf(plain).map((line) => line.split(":")[0])).toEqual(["rollout-complete", "old-gone"]);
  });
});

describe("when it looks", () => {
  /** The rollout is over, and the controller has not yet said so of this generation. */
  const behind: World = { ...done, generation: 7, observed: 6 };
  const silent = async (files: Files): Promise<ApiServer> => {
    const server = await serverWith(files);
    server.setFaults([{ verb: "watch", fault: { do: "hang" } }]);
    return server;
  };

  it("k8s-20: a watch that tells of no change: it reads again before its window ends, and says which version it judged", async () => {
    const server = await silent(worldFiles(behind));
    whenWatched(server, () => serve(server, worldFiles({ ...behind, observed: 7 }), worldFiles(behind)));
    const ran = await watch(server, "--window", "2s");
    const report = JSON.parse(ran.out);
    expect({ code: ran.code, verdict: report.verdict }, ran.err).toEqual({ code: 0, verdict: "proven" });
    const metadata = server.get(WEB)?.["metadata"] as JsonObject;
    const observed = report.findings.find(({ claim }: JsonObject) => claim === "spec-observed");
    expect(JSON.stringify(observed.evidence)).toContain(`(resourceVersion ${metadata["resourceVersion"]})`);
  });

  it("k8s-20, its twin: a controller that stays behind is not taken for one that is done", async () => {
    const server = await silent(worldFiles(behind));
    const ran = await watch(server, "--window", "2s");
    expect({ code: ran.code, verdict: JSON.parse(ran.out).verdict }, ran.err).toEqual({
      code: 30,
      verdict: "progressing",
    });
    expect(server.log().filter(({ verb }) => verb === "watch").length).toBeGreaterThan(0);
  });

  it("k8s-21: what is done already is proven by the present: no event is waited for", async () => {
    const server = await silent(worldFiles(done));
    const ran = await watch(server, "--window", "60s");
    const report = JSON.parse(ran.out);
    expect({ code: ran.code, verdict: report.verdict, ended: report.window.ended }, ran.err).toEqual({
      code: 0,
      verdict: "proven",
      ended: false,
    });
    expect(server.log().filter(({ verb }) => verb === "watch")).toEqual([]);
  });
});

describe("a signal", () => {
  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("%s ends it at once, without a verdict", async (signal, code) => {
    const server = await serverWith(worldFiles(begun));
    const kubeconfig = kubeconfigFile(server.kubeconfig({ namespace: "shop" }));
    const words = ["verify", "deployment/web", "--watch", "--kubeconfig", kubeconfig];
    const cwd = folder();
    const child = spawn(join(HOUSE, "bin/asfound"), words, {
      cwd,
      env: { PATH: process.env["PATH"] ?? "", HOME: cwd },
      stdio: ["ignore", "pipe", "pipe"],
    });
    whenWatched(server, () => child.kill(signal));
    let out = "";
    let err = "";
    child.stdout.on("data", (bytes) => (out += bytes));
    child.stderr.on("data", (bytes) => (err += bytes));
    const ended = await new Promise((resolve) => child.once("close", resolve));
    expect({ ended, out }).toEqual({ ended: code, out: "" });
    expect(err).toContain(`ended by ${signal} before there was a verdict`);
  });
});

describe("flags that do not go together are refused in one sentence", () => {
  it.each([
    [["--window", "1m"], "--window needs --watch"],
    [["--fail-fast"], "--fail-fast needs --watch"],
    [["--at", "2026-11-30T03:00:00Z"], "--at is for saved files"],
    [["--from", ".", "--watch"], "--watch is about asking a cluster, and --from judges files"],
    [["--from", ".", "--context", "x"], "--context is about asking a cluster"],
    [["--kubeconfig", "none"], "there is no kubeconfig"],
  ])("%j", async (words, says) => {
    const ran = await asfound({ cwd: folder() }, "verify", "deploy/web", ...words);
    expect({ code: ran.code, out: ran.out }).toEqual({ code: 2, out: "" });
    expect(ran.err).toContain(says);
    expect(ran.err.trimEnd().split("\n")).toHaveLength(1);
  });
});
