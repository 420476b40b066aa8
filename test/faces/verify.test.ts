/** `verify` on the command line: exit codes, every output, and text from a cluster that means no good. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { JsonObject } from "../../src/domain/json.ts";
import { API_SCHEMAS } from "../../src/wire/api/schemas.ts";
import { type Files, type World, worldFiles } from "../support/kubernetes/deployment.ts";
import { changed, uidOf } from "../support/kubernetes/object.ts";
import { crashing, done as good, begun as seed } from "../support/kubernetes/rollouts.ts";
import { asfound, folder } from "./terminal.ts";

const saved = (files: Files): string => {
  const cwd = folder();
  for (const [name, value] of Object.entries(files)) writeFileSync(join(cwd, name), JSON.stringify(value));
  return cwd;
};
const verify = (world: World, ...flags: readonly string[]) =>
  asfound(
    { cwd: saved(worldFiles(world)) },
    "verify",
    "deployment/web",
    "-n",
    "shop",
    "--from",
    ".",
    ...flags,
  );

/** The state of the seed: one new replica answers 503, two old ones serve. */

const HOSTILE = "\x1b[2J\x1b]0;owned\x07 a\nFAKE\r\x1b[1A \u202egnp.exe \u009b31m\n::error::made up";

describe("exit code", () => {
  it.each([
    [0, "proven", good],
    [10, "refuted", crashing],
    [20, "undetermined", { ...good, replicas: 0, fresh: { version: "v2", pods: [] } }],
    [30, "progressing", seed],
  ] as const)("%i: %s", async (code, verdict, world) => {
    const ran = await verify(world, "-o", "json");
    const report = JSON.parse(ran.out);
    expect(API_SCHEMAS["verdict-report"]?.safeParse(report).error).toBe(undefined);
    expect({ code: ran.code, verdict: report.verdict, exit: report.exit }).toEqual({
      code,
      verdict,
      exit: code,
    });
  });

  it("20 where nothing of it was read, 10 where it is not among what was listed", async () => {
    const cwd = saved(worldFiles(good));
    const words = (target: string) => ["verify", target, "-n", "shop", "--from", "pods.json"] as const;
    expect(await asfound({ cwd }, ...words("deploy/web"))).toMatchObject({ code: 20 });
    const gone = await asfound({ cwd }, "verify", "deploy/other", "-n", "shop", "--from", ".");
    expect(gone).toMatchObject({ code: 10 });
    expect(gone.out).toContain("there is no Deployment shop/other: it is not among those that were listed");
  });

  it.each<[string, readonly string[], RegExp]>([
    ["no cluster to ask", ["deploy/web"], /no cluster is configured: .*--kubeconfig/],
    ["no kind", ["web", "--from", "."], /"web" does not name what to verify: write KIND\/NAME/],
    [
      "a time that is none",
      ["deploy/web", "--from", ".", "--at", "noon"],
      /--at must be a time as Kubernetes writes it/,
    ],
    [
      "a claim that is none",
      ["deploy/web", "--from", ".", "--claims", "healthy"],
      /--claims must be claims out of spec-observed, /,
    ],
    [
      "an image without a digest",
      ["deploy/web", "--from", ".", "--image", "web=web:v2"],
      /--image must be CONTAINER=sha256:DIGEST/,
    ],
    [
      "a path that is not there",
      ["deploy/web", "--from", "gone"],
      /gone: it cannot be read: there is no such file or folder/,
    ],
  ])("2: %s", async (_, words, wanted) => {
    const ran = await asfound({ cwd: saved(worldFiles(good)) }, "verify", ...words);
    expect({ code: ran.code, out: ran.out }).toEqual({ code: 2, out: "" });
    expect(ran.err).toMatch(wanted);
    expect(ran.err.split("\n")).toHaveLength(2);
  });
});

describe("what is asked of it", () => {
  it("O6: the statement of the seed", async () => {
    const { out } = await verify(seed);
    expect(out).toContain(
      "1 new replica runs v2 and is not ready since 1m40s: its readiness answers 503 (12 times, for 1m); 2 replicas of v1 serve.",
    );
    expect(out).toContain("Not offered:\n  deploying the same again");
  });

  it("a zero, a UID, a number, and exactly the claims that count", async () => {
    const none: World = { ...good, replicas: 0, fresh: { version: "v2", pods: [] } };
    const zero = await verify(none, "--replicas", "0", "--claims", "rollout-complete,capacity");
    expect(zero).toMatchObject({ code: 0 });
    expect(await verify(good, "--replicas", "3")).toMatchObject({ code: 10 });
    expect(await verify(good, "--uid", uidOf("Deployment", "web", 2))).toMatchObject({ code: 20 });
    expect(await verify(seed, "--claims", "capacity")).toMatchObject({ code: 0 });
    // A refuted one is never hidden by a choice of claims.
    expect(await verify(crashing, "--claims", "capacity")).toMatchObject({ code: 10 });
    expect(await verify(good, "--since", "3")).toMatchObject({ code: 20 });
    expect(await verify(good, "--claims", "absent")).toMatchObject({ code: 10 });
  });

  it("--at dates the ages", async () => {
    expect((await verify(seed, "--at", "2026-11-30T03:20:00Z")).out).toContain("not ready since 10m");
  });
});

describe("output", () => {
  it("YAML is the JSON, lines are the findings, a name is a name", async () => {
    const json = JSON.parse((await verify(seed, "-o", "json")).out);
    expect(parse((await verify(seed, "-o", "yaml")).out)).toEqual(json);
    const [head, ...lines] = (await verify(seed, "-o", "jsonl")).out.trim().split("\n");
    expect(JSON.parse(String(head))).toMatchObject({ kind: "VerdictReportStream" });
    expect(lines.map((line) => JSON.parse(line))).toEqual(json.findings);
    expect((await verify(seed, "-o", "name")).out).toBe("deployment/web\n");
  });

  it("wide names the evidence by file and pointer, and what the findings do not tell", async () => {
    const { out } = await verify(good, "-o", "wide");
    expect(out).toContain("rollout-complete: deployments.json#/items/0/status/updatedReplicas");
    expect(out).toContain("it does not tell which release they run: old Pods count too");
  });

  it("text from the cluster is neutral in every output", async () => {
    const files = worldFiles(crashing);
    const pods = files["pods.json"] as JsonObject;
    const index = (pods["items"] as JsonObject[]).findIndex((one) =>
      JSON.stringify(one).includes("CrashLoopBackOff"),
    );
    const status = ["items", index, "status", "containerStatuses", 0];
    let evil = changed(pods, [...status, "state", "waiting"], {
      reason: "ImagePullBackOff",
      message: HOSTILE,
    });
    evil = changed(evil, [...status, "image"], HOSTILE);
    evil = changed(evil, ["items", index, "metadata", "annotations"], { long: "x".repeat(1_000_000) });
    const cwd = saved({ ...files, "pods.json": evil });
    for (const output of ["table", "wide", "json", "yaml", "jsonl"]) {
      const { out, code } = await asfound(
        { cwd },
        "verify",
        "deploy/web",
        "-n",
        "shop",
        "--from",
        ".",
        "-o",
        output,
      );
      expect(code).toBe(10);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
      expect(out).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
      expect(out).not.toMatch(/^::error/m);
      expect(out.length).toBeLessThan(60_000);
    }
  });
});
