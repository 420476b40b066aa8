/** Y2, Y4, Y5: what a recovery's report may say, by what was shown. */
import { describe, expect, it } from "vitest";
import type { Finding, Judgement } from "../domain/finding.ts";
import { type Course, type Drilled, type Looked, recoveryOf } from "./recover.ts";

const finding = (claim: Finding["claim"], found: Judgement, required = true): Finding => ({
  layer: "pods",
  claim,
  finding: found,
  reason: "told",
  sentence: `${claim} as told`,
  evidence: [],
  missing: [],
  limits: [],
  required,
});
const looked = (...findings: readonly Finding[]): Looked => ({
  report: {
    findings,
    verdict: "proven",
    statement: "2 replicas serve.",
    window: { from: 0, to: 1, ended: true },
    target: {
      apiVersion: "apps/v1",
      kind: "Deployment",
      namespace: "shop",
      name: "web",
      uid: "u",
      generation: 1,
      resourceVersion: "1",
      source: null,
    },
  } as unknown as Looked["report"],
  pods: [],
});
const ran = (found: Judgement): Drilled => ({
  kind: "ran",
  exit: found === "proven" ? 0 : 10,
  finding: finding("pod-replaced", found),
  why: "",
});
const course = (drill: Drilled, recovery: Looked | null, more: Partial<Course["plan"]> = {}): Course => {
  const failure = looked(finding("capacity", "refuted"));
  const plan = {
    report: failure.report,
    target: null,
    to: { text: "release v1", release: "rel_1", revision: null },
    checks: [],
    changes: null,
    config: [],
    templateIsThere: false,
    bystanders: [],
    ...more,
  } as unknown as Course["plan"];
  const rollback = { exit: 0, statement: "rolled back", wrote: true } as const;
  return { plan, failure, rollback, drill, recovery, after: null, stack: "recovery-web-0" };
};
const right = looked(finding("rollout-complete", "proven"), finding("config-loaded", "proven"));

describe("Y2: confirmed only by a Pod that was replaced and came up right", () => {
  it.each([
    ["drilled, and right", ran("proven"), right, "proven", 0],
    ["not drilled", { kind: "not-asked" } as const, right, "undetermined", 20],
    ["the drill was refused", { kind: "refused", why: "a budget" } as const, right, "undetermined", 20],
    ["the replacement is wrong", ran("refuted"), right, "refuted", 10],
    ["the drill shows nothing", ran("undetermined"), right, "undetermined", 10],
    [
      "config is refuted, whatever came up",
      ran("proven"),
      looked(finding("config-bound", "refuted", false)),
      "refuted",
      10,
    ],
    [
      "a bystander was touched",
      ran("proven"),
      looked(finding("bystanders-unchanged", "refuted")),
      "refuted",
      10,
    ],
    ["the rollback did not come through", { kind: "not-asked" } as const, null, "undetermined", 20],
  ])("%s", (_what, drill, recovery, verdict, exit) => {
    const report = recoveryOf(course(drill, recovery));
    expect([report.verdict, report.exit]).toEqual([verdict, exit]);
    expect(report.statement.startsWith("Recovered")).toBe(verdict === "proven");
  });
});

it("Y4, Y5: first aid, what was not restored and what remains are told, also of a proven one", () => {
  const report = recoveryOf(course(ran("proven"), right));
  expect(report.firstAid).toEqual([
    "the template was written in the cluster",
    "one Pod was replaced on purpose, by the drill",
  ]);
  expect(report.notRestored).toHaveLength(1);
  expect(report.remaining).toEqual([
    "the permanent fix, where what this is made from still holds what failed",
  ]);
  expect(recoveryOf(course({ kind: "not-asked" }, right)).remaining[0]).toContain("a drill");
});
