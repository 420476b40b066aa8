/** The laws hold for every rule that a file can say, and for Argo Rollouts in every state that is made here. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Evidence } from "../../src/domain/evidence.ts";
import type { JsonObject } from "../../src/domain/json.ts";
import { judge } from "../../src/judge/judge.ts";
import { READ_AT } from "../support/kubernetes/deployment.ts";
import { about, evidenceOf } from "../support/kubernetes/evidence.ts";
import type { PodState } from "../support/kubernetes/pod.ts";
import { promoted, type RolloutWorld, rolloutFiles } from "../support/kubernetes/rollout.ts";
import { evidenceFor, isDone, isFailed, type Made, made, questionFor, restsOn } from "./custom-rules.ts";
import * as laws from "./judge-laws.ts";

const seeds = fc.array(fc.nat(1_000), { minLength: 8, maxLength: 8 });

/** What is found is what is so. */
const truthful = (law: laws.Law, judgeIt: laws.Judge, one: Made): void => {
  const { findings } = judgeIt(evidenceFor(one.widget), questionFor(one.declared));
  const ready = findings.find(({ claim }) => claim === "reported-ready");
  const told = JSON.stringify([ready?.finding, ready?.reason, ready?.sentence]);
  law("O1", (ready?.finding === "proven") === isDone(one), `done is ${isDone(one)}: ${told}`);
  const cited = new Set(ready?.evidence.map(({ pointer }) => pointer));
  for (const pointer of isDone(one) ? restsOn(one) : [])
    law("V1", cited.has(pointer), `${pointer} is needed and not cited: ${told}`);
  law("O3", (ready?.finding === "refuted") === isFailed(one), `failed is ${isFailed(one)}: ${told}`);
};

describe("rules of any kind", () => {
  it("what is judged is what is so", () =>
    fc.assert(
      fc.property(made, (one) => {
        expect(laws.brokenBy((law) => truthful(law, judge, one))).toEqual([]);
      }),
      { numRuns: 3_000 },
    ));

  it("V1, V2, V3, V4, V7, V9: cited fields, types, order, another incarnation, time, limits", () =>
    fc.assert(
      fc.property(made, seeds, (one, order) => {
        const [evidence, question] = [evidenceFor(one.widget), questionFor(one.declared)];
        const broken = laws.brokenBy((law) => {
          laws.removingAnyCitedField(law, judge, evidence, question);
          laws.wrongTypes(law, judge, evidence, question);
          laws.anyOrder(law, judge, evidence, question, laws.shuffled(order));
          laws.otherIncarnation(law, judge, evidence, question);
          laws.timeAlone(law, judge, evidence, question);
          laws.limitsTold(law, judge, evidence, question);
        });
        expect(broken).toEqual([]);
      }),
      { numRuns: 500 },
    ));

  it("enough of them are done, failed, and neither, for this to mean something", () => {
    const seen = fc.sample(made, { numRuns: 2_000, seed: 7 });
    expect(seen.filter(isDone).length).toBeGreaterThan(50);
    expect(seen.filter(isFailed).length).toBeGreaterThan(50);
    expect(seen.filter((one) => !isDone(one) && !isFailed(one)).length).toBeGreaterThan(50);
  });
});

const podState = fc.constantFrom<PodState>("ready", "ready", "ready", "not-ready", "creating", "terminating");

const rolloutWorld: fc.Arbitrary<RolloutWorld> = fc
  .record({
    replicas: fc.integer({ min: 1, max: 3 }),
    fresh: fc.array(podState, { maxLength: 3 }),
    old: fc.array(podState, { maxLength: 2 }),
    // Not 7, which is what a text of another type becomes there: a Rollout's generation may be a number as well.
    generation: fc.integer({ min: 1, max: 6 }),
    behind: fc.constantFrom(0, 0, 0, 1),
    stable: fc.constantFrom("new" as const, "new" as const, "old" as const, null),
    phase: fc.constantFrom("Healthy" as const, "Healthy" as const, "Degraded" as const, "Paused" as const),
    analyses: fc.array(fc.constantFrom("Successful", "Successful", "Failed", "Inconclusive", "Running"), {
      maxLength: 2,
    }),
  })
  .map(({ behind, ...world }) => ({ ...world, observed: String(world.generation - behind) }));

const ROLLOUT = about("rollout/web");

/** By the Pods and the status that were made. */
const truthfulRollout = (law: laws.Law, judgeIt: laws.Judge, world: RolloutWorld): void => {
  const { findings } = judgeIt(evidenceOf(rolloutFiles(world), READ_AT), ROLLOUT);
  const proven = (claim: string): boolean =>
    findings.some((one) => one.claim === claim && one.finding === "proven");
  const told = JSON.stringify(findings.map(({ claim, finding, reason }) => [claim, finding, reason]));
  const isNow = world.observed === String(world.generation);
  const counted = (pods: readonly PodState[]) => pods.filter((pod) => pod !== "terminating");
  const ready = counted(world.fresh).filter((pod) => pod === "ready").length;
  const whole =
    isNow &&
    counted(world.fresh).length === world.replicas &&
    ready === world.replicas &&
    counted(world.old).length === 0;
  law("V8", proven("rollout-complete") === whole, `complete is ${whole}: ${told}`);
  law(
    "O2",
    proven("old-gone") === (world.old.length === 0),
    `old gone is ${world.old.length === 0}: ${told}`,
  );
  const done =
    isNow &&
    world.phase === "Healthy" &&
    world.stable === "new" &&
    world.analyses.every((phase) => phase === "Successful" || phase === "Failed");
  law("O1", proven("reported-ready") === done, `done is ${done}: ${told}`);
};

describe("Argo Rollouts", () => {
  it("what is judged is what is so", () =>
    fc.assert(
      fc.property(rolloutWorld, (world) => {
        expect(laws.brokenBy((law) => truthfulRollout(law, judge, world))).toEqual([]);
      }),
      { numRuns: 1_000 },
    ));

  it("V1, V2, V3, V4, V5, V7, V9", () =>
    fc.assert(
      fc.property(
        fc.oneof(rolloutWorld, fc.constant({ ...promoted, generation: 5, observed: "5" })),
        seeds,
        (world, order) => {
          const evidence = evidenceOf(rolloutFiles(world), READ_AT);
          const broken = laws.brokenBy((law) => {
            laws.removingAnyCitedField(law, judge, evidence, ROLLOUT);
            laws.wrongTypes(law, judge, evidence, ROLLOUT);
            laws.anyOrder(law, judge, evidence, ROLLOUT, laws.shuffled(order));
            laws.otherIncarnation(law, judge, evidence, ROLLOUT);
            laws.timeAlone(law, judge, evidence, ROLLOUT);
            laws.notAsked(law, judge, evidence, ROLLOUT);
            laws.limitsTold(law, judge, evidence, ROLLOUT);
          });
          expect(broken).toEqual([]);
        },
      ),
      { numRuns: 200 },
    ));

  it("V8: counters that say complete never overrule the Pods", () =>
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 0, max: 2 }),
        fc.integer({ min: 1, max: 3 }),
        (replicas, few, others) => {
          const ready = (count: number): readonly PodState[] => Array(count).fill("ready");
          const fresh = Math.min(few, replicas - 1);
          const counters = { replicas, updatedReplicas: replicas, availableReplicas: replicas };
          const world = { ...promoted, replicas, fresh: ready(fresh), old: ready(others), status: counters };
          const { findings } = judge(evidenceOf(rolloutFiles(world), READ_AT), ROLLOUT);
          expect(findings.find(({ claim }) => claim === "rollout-complete")).toMatchObject({
            finding: "undetermined",
            reason: "contradiction",
          });
        },
      ),
    ));

  it("V5: AnalysisRuns that were not asked for are not none", () => {
    const evidence = evidenceOf(rolloutFiles({ ...promoted, analyses: [] }), READ_AT);
    const unasked = {
      ...evidence,
      asked: evidence.asked.filter(({ resource }) => resource !== "analysisruns"),
    };
    const ready = (of: Evidence) =>
      judge(of, ROLLOUT).findings.find(({ claim }) => claim === "reported-ready")?.finding;
    expect([ready(evidence), ready(unasked)]).toEqual(["proven", "undetermined"]);
  });
});

type Loose = { [key: string]: Loose } & { conditions?: Loose[] };

const eachObject =
  (kind: string, change: (raw: Loose) => void): laws.Judge =>
  (evidence, question) =>
    judge(
      {
        ...evidence,
        objects: evidence.objects.map((seen) => {
          if (seen.kind !== kind) return seen;
          const raw = structuredClone(seen.raw) as unknown as Loose;
          change(raw);
          return { ...seen, raw: raw as unknown as JsonObject };
        }),
      },
      question,
    );

const eachCondition = (change: (one: Record<string, unknown>, raw: Loose) => void): laws.Judge =>
  eachObject("Widget", (raw) => {
    for (const one of raw["status"]?.conditions ?? []) change(one as Record<string, unknown>, raw);
  });

const put = (at: Loose | undefined, field: string, value: unknown): void => {
  if (at !== undefined) (at as Record<string, unknown>)[field] = value;
};

/** Judges that break one law, and what has to catch them. */
const MUTANTS: Readonly<Record<string, readonly [laws.LawNumber, laws.Judge, "rule" | "rollout" | "cited"]>> =
  {
    "any status is of this generation": [
      "O1",
      eachObject("Widget", (raw) =>
        put(raw["status"], "observedGeneration", raw["metadata"]?.["generation"]),
      ),
      "rule",
    ],
    "a condition is of this generation, whatever it says": [
      "O1",
      eachCondition((one, raw) => {
        if ("observedGeneration" in one) one["observedGeneration"] = raw["metadata"]?.["generation"];
      }),
      "rule",
    ],
    "an Unknown condition is as good as True": [
      "O1",
      eachCondition((one) => {
        if (one["status"] === "Unknown") one["status"] = "True";
      }),
      "rule",
    ],
    "an Unknown condition is as good as False": [
      "O1",
      eachCondition((one) => {
        if (one["status"] === "Unknown") one["status"] = "False";
      }),
      "rule",
    ],
    "a condition that speaks against it is not looked at": [
      "O1",
      (evidence, question) =>
        judge(evidence, {
          ...question,
          rules: (question.rules ?? []).map((rule) => ({
            ...rule,
            failed: [],
            undetermined: [],
            progressing: [],
          })),
        }),
      "rule",
    ],
    "one that is ready is enough": [
      "O1",
      (evidence, question) =>
        judge(evidence, {
          ...question,
          rules: (question.rules ?? []).map((rule) => ({ ...rule, ready: [rule.ready[0]] })),
        }),
      "rule",
    ],
    "a condition that was needed is not cited": [
      "V1",
      (evidence, question) => {
        const judged = judge(evidence, question);
        return {
          ...judged,
          findings: judged.findings.map((one) => ({
            ...one,
            evidence: one.evidence.filter(({ pointer }) => !pointer.includes("/conditions/")),
          })),
        };
      },
      "rule",
    ],
    "nothing that was needed is cited": [
      "V1",
      (evidence, question) => {
        const judged = judge(evidence, question);
        return { ...judged, findings: judged.findings.map((one) => ({ ...one, evidence: [] })) };
      },
      "cited",
    ],
    "something that decides nothing is cited": [
      "V1",
      (evidence, question) => {
        const judged = judge(evidence, question);
        const [first] = evidence.objects;
        const idle = {
          evidence: String(first?.source.evidence),
          pointer: `${first?.source.pointer}/spec/size`,
        };
        return {
          ...judged,
          findings: judged.findings.map((one) => ({ ...one, evidence: [...one.evidence, idle] })),
        };
      },
      "cited",
    ],
    "an inconclusive analysis passes": [
      "O1",
      eachObject("AnalysisRun", (raw) => put(raw["status"], "phase", "Successful")),
      "rollout",
    ],
    "an update that is not stable yet is": [
      "O1",
      eachObject("Rollout", (raw) => put(raw["status"], "stableRS", raw["status"]?.["currentPodHash"])),
      "rollout",
    ],
    "every Pod is of the new version": [
      "O2",
      eachObject("Pod", (raw) =>
        put(raw["metadata"]?.["labels"], "rollouts-pod-template-hash", "6d5f4c7b9d"),
      ),
      "rollout",
    ],
  };

describe("control: a broken judge is caught", () => {
  it.each(Object.entries(MUTANTS))("%s", (_, [number, broken, how]) => {
    const caught = (check: (law: laws.Law) => void): boolean =>
      laws.brokenBy(check).some((text) => text.startsWith(`${number}: `));
    const isCaught = (one: Made): boolean =>
      caught((law) =>
        how === "rule"
          ? truthful(law, broken, one)
          : laws.removingAnyCitedField(law, broken, evidenceFor(one.widget), questionFor(one.declared)),
      );
    const options = { numRuns: 5_000, endOnFailure: true };
    const found =
      how === "rollout"
        ? fc.check(
            fc.property(rolloutWorld, (world) => !caught((law) => truthfulRollout(law, broken, world))),
            options,
          )
        : fc.check(
            fc.property(made, (one) => !isCaught(one)),
            options,
          );
    expect(found.failed).toBe(true);
  });
});
