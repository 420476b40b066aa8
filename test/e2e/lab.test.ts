/**
 * The labs on a real cluster, as a person runs them: each step is as it is told, by asfound's word and by that of the real
 * kubectl, and nothing is left afterwards. They are stories (a), (b) and (c) of config and recovery; (d) is in config.test.ts
 * and recovery.test.ts. Of deliveries, Argo CD and the Git server are those of the testbed.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect } from "vitest";
import { ARGOCD_NAMESPACE } from "../../testbed/place.ts";
import { imageReference } from "./app.ts";
import { LAUNCHER, storyWith } from "./asfound.ts";
import { repository } from "./git-repository.ts";
import { kubectl } from "./kubectl.ts";
import { has } from "./lack.ts";
import { testbed } from "./testbed.ts";

const story = storyWith("images");
const delivered = storyWith("testbed");

beforeAll(async () => {
  if (has("testbed")) await testbed("start", "argocd");
});

interface Step {
  readonly title: string;
  readonly missed: readonly string[];
  readonly saw: readonly { readonly what: string; readonly value: string }[];
  readonly kubectl: { readonly done: boolean } | null;
  readonly asfound: {
    readonly verdict: string;
    readonly findings: readonly { readonly claim: string; readonly finding: string }[];
  } | null;
}
interface Report {
  readonly namespace: string;
  readonly ended: string | null;
  readonly steps: readonly Step[];
  readonly removal: { readonly removed: boolean };
  readonly delivery: { readonly application: string } | null;
}

const run = async (
  ...words: readonly string[]
): Promise<{ readonly exit: number; readonly report: Report }> => {
  const cwd = mkdtempSync(join(tmpdir(), "asfound-lab-"));
  const context = (await kubectl(["config", "current-context"])).trim();
  const all = [
    ...words,
    "--yes",
    "--context",
    context,
    "--image",
    imageReference("nginx", ":1"),
    "-o",
    "json",
  ];
  try {
    return await new Promise((resolve, reject) => {
      execFile(
        LAUNCHER,
        all,
        { cwd, env: { ...process.env, CI: "" }, maxBuffer: 64 << 20 },
        (error, stdout, stderr) =>
          stdout === ""
            ? reject(new Error(stderr))
            : resolve({
                exit: error === null ? 0 : Number(error.code),
                report: JSON.parse(stdout) as Report,
              }),
      );
    });
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
};

const found = ({ asfound }: Step, claim: string): string | undefined =>
  asfound?.findings.find((one) => one.claim === claim)?.finding;
const shortly = ({ steps }: Report, claim: string) =>
  steps.map((step) => [step.kubectl === null ? null : step.kubectl.done, found(step, claim)]);

story(
  "(a), (b): a rollback that is green is refuted by a drill, and one that is bound is proven",
  async () => {
    const { exit, report } = await run("lab", "rollback-config");
    expect(report.steps.flatMap(({ title, missed }) => missed.map((one) => `${title}: ${one}`))).toEqual([]);
    expect([exit, report.ended, report.removal.removed]).toEqual([0, null, true]);
    expect(shortly(report, "config-bound")).toEqual([
      [true, "undetermined"],
      [false, "refuted"],
      // Green, and refuted: this is what the lab is for.
      [true, "refuted"],
      [false, "refuted"],
      [true, "proven"],
      [null, undefined],
      [false, "proven"],
      [true, "proven"],
    ]);
    expect(report.steps.map(({ asfound }) => asfound?.verdict)).toEqual([
      "undetermined",
      "refuted",
      "refuted",
      "refuted",
      "proven",
      undefined,
      "progressing",
      "proven",
    ]);
    expect(await kubectl(["get", "namespace", report.namespace, "--ignore-not-found"])).toBe("");
  },
);

story(
  "(c): a fix reaches the object, and neither file nor process, until the template is changed",
  async () => {
    const { exit, report } = await run("lab", "stale-process");
    expect(report.steps.flatMap(({ title, missed }) => missed.map((one) => `${title}: ${one}`))).toEqual([]);
    expect([exit, report.ended, report.removal.removed]).toEqual([0, null, true]);
    // Green all the way, from the 500 to the 200.
    expect(shortly(report, "response")).toEqual([
      [true, "refuted"],
      [true, "refuted"],
      [true, "refuted"],
      [true, "refuted"],
      [true, "proven"],
    ]);
  },
);

delivered(
  "Synced and not served: an old Pod answers of one Deployment, and nobody of the other",
  async () => {
    using own = await repository(`lab-${process.pid}`);
    const main = await own.commit("nothing yet", { "README.md": "a lab's repository" });
    const { exit, report } = await run("lab", "synced-not-served", "--repository", own.url);
    expect(report.steps.flatMap(({ title, missed }) => missed.map((one) => `${title}: ${one}`))).toEqual([]);
    expect([exit, report.ended, report.removal.removed]).toEqual([0, null, true]);
    const claims = [
      "synced-revision",
      "controller-health",
      "rollout-complete",
      "endpoints-ready",
      "response",
    ];
    expect(
      report.steps.map((step) => [step.kubectl?.done, ...claims.map((one) => found(step, one))]),
    ).toEqual([
      [true, "proven", "proven", "proven", "proven", "proven"],
      // Of the same word of the controller, one serves and one does not.
      [false, "proven", "progressing", "progressing", "proven", "proven"],
      [false, "proven", "progressing", "progressing", "progressing", "undetermined"],
      [false, "proven", "refuted", "refuted", "proven", "proven"],
      [false, "proven", "refuted", "refuted", "refuted", "undetermined"],
    ]);
    expect(report.delivery?.application).toBe(`${ARGOCD_NAMESPACE}/${report.namespace}`);
    // What was there is as it was, and what was made is gone.
    expect(await own.branches()).toEqual({ "refs/heads/main": main });
    for (const kind of ["namespace", "application"])
      expect(
        await kubectl(["-n", ARGOCD_NAMESPACE, "get", kind, report.namespace, "--ignore-not-found"]),
      ).toBe("");
  },
);

delivered("git revert is proven, a pin does not follow, and a live edit is undone", async () => {
  using own = await repository(`lab-revert-${process.pid}`);
  const main = await own.commit("nothing yet", { "README.md": "a lab's repository" });
  const { exit, report } = await run("lab", "git-recovery", "--repository", own.url);
  expect(report.steps.flatMap(({ title, missed }) => missed.map((one) => `${title}: ${one}`))).toEqual([]);
  expect([exit, report.ended, report.removal.removed]).toEqual([0, null, true]);
  const claims = ["intended-commit", "synced-revision", "rollout-complete", "response"];
  expect(report.steps.map((step) => claims.map((one) => found(step, one)))).toEqual([
    ["proven", "proven", "proven", "proven"],
    ["proven", "proven", "progressing", "proven"],
    ["proven", "proven", "proven", "proven"],
    // What was pinned is there and answers; it is not what was committed last.
    ["refuted", "refuted", "proven", "proven"],
    ["proven", "proven", "proven", "proven"],
  ]);
  expect(report.steps.map(({ asfound }) => asfound?.verdict)).toEqual([
    "proven",
    "progressing",
    "proven",
    "refuted",
    "proven",
  ]);
  const seen = (at: number, what: string) => report.steps[at]?.saw.find((one) => one.what === what)?.value;
  const [normal, failure, recovery] = ["normal", "failure", "recovery"].map((role) =>
    /^commit ([0-9a-f]{40}), tree ([0-9a-f]{40})$/.exec(seen(2, role) ?? ""),
  );
  expect(new Set([normal?.[1], failure?.[1], recovery?.[1]]).size).toBe(3);
  expect(recovery?.[2]).toBe(normal?.[2]);
  expect(recovery?.[2]).not.toBe(failure?.[2]);
  expect(report.steps[4]?.saw.filter(({ what }) => what.startsWith("template"))).toEqual([
    { what: "template declared, before the edit", value: "readiness at /readyz" },
    { what: "template as edited", value: "readiness at /" },
    { what: "template now", value: "readiness at /readyz" },
  ]);
  expect(await own.branches()).toEqual({ "refs/heads/main": main });
  for (const kind of ["namespace", "application"])
    expect(await kubectl(["-n", ARGOCD_NAMESPACE, "get", kind, report.namespace, "--ignore-not-found"])).toBe(
      "",
    );
});

story(
  "--keep leaves it, the real kubectl says what the report says, and destroy --stack removes it",
  async () => {
    const cwd = mkdtempSync(join(tmpdir(), "asfound-lab-"));
    const context = (await kubectl(["config", "current-context"])).trim();
    const asfound = (...words: readonly string[]) =>
      new Promise<string>((resolve, reject) => {
        execFile(
          LAUNCHER,
          words,
          { cwd, env: { ...process.env, CI: "" }, maxBuffer: 64 << 20 },
          (_error, stdout, stderr) => (stdout === "" ? reject(new Error(stderr)) : resolve(stdout)),
        );
      });
    const words = [
      "--yes",
      "--context",
      context,
      "--image",
      imageReference("nginx", ":1"),
      "--keep",
      "-o",
      "json",
    ];
    const report = JSON.parse(await asfound("lab", "rollback-config", ...words)) as Report & {
      readonly stack: string;
    };
    const status = (name: string): Promise<string> =>
      kubectl(["-n", report.namespace, "rollout", "status", `deployment/${name}`, "--watch=false"]);
    expect(await status("bound")).toMatch(/successfully rolled out/);
    expect(await status("loose")).toMatch(/^Waiting.*1 of 2 updated replicas are available/);
    await asfound("destroy", "--stack", report.stack, "--yes", "-o", "json");
    expect(await kubectl(["get", "namespace", report.namespace, "--ignore-not-found"])).toBe("");
    rmSync(cwd, { recursive: true, force: true });
  },
);
