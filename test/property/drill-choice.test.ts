/**
 * Which Pod a drill takes, over drawn rollouts: only one that is Ready, of the template that is to run and not terminating;
 * never the last one unless that is allowed; of a workload at rest; the same one whatever the order of what was read (V2).
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Evidence } from "../../src/domain/evidence.ts";
import type { JsonObject } from "../../src/domain/json.ts";
import type { Case } from "../../src/judge/case.ts";
import { Collection } from "../../src/judge/collection.ts";
import { type Choice, chooseFor } from "../../src/judge/drill/choice.ts";
import { judge } from "../../src/judge/judge.ts";
import { rulesOf } from "../../src/judge/rules.ts";
import { about, evidenceOf } from "../support/kubernetes/evidence.ts";
import { list } from "../support/kubernetes/object.ts";
import { isReadyState } from "../support/kubernetes/pod.ts";
import { shuffled } from "./judge-laws.ts";
import { filesOf, JUDGED_AT, type Shape, shape, truthOf } from "./judge-worlds.ts";

const NODES = list([
  {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name: "node-1" },
    status: { conditions: [{ type: "Ready", status: "True" }] },
  },
]);

/** As a server would list them: with a resourceVersion each. */
const versioned = (objects: JsonObject): JsonObject => ({
  ...objects,
  items: (objects["items"] as readonly JsonObject[]).map((one, at) => ({
    ...one,
    metadata: { ...(one["metadata"] as JsonObject), resourceVersion: String(at + 1) },
  })),
});

const evidence = (made: Shape): Evidence => {
  const files = filesOf(made);
  return evidenceOf(
    {
      ...files,
      "pods.json": versioned(files["pods.json"] as JsonObject),
      "nodes.json": NODES,
      "poddisruptionbudgets.policy.json": list([]),
    },
    JUDGED_AT,
  );
};

type Choose = (
  evidence: Evidence,
  how: { readonly allowGap: boolean; readonly isAtRestAsked: boolean },
) => Choice;

const choose: Choose = (given, { allowGap, isAtRestAsked }) => {
  const question = about("deployment/web");
  const { target, findings } = judge(given, question);
  if (target === null) throw new Error("there is no target");
  const its: Case = {
    target,
    expected: question.expected,
    collection: new Collection(given),
    at: given.at,
    before: new Map(findings.map((one) => [one.claim, one])),
  };
  const population = rulesOf(question).of(target)?.population?.(its);
  const asked = ["spec-observed", "rollout-complete", "old-gone", "capacity"];
  const before = isAtRestAsked ? findings.filter(({ claim }) => asked.includes(claim)) : [];
  return chooseFor({ given: its, population, before }, { by: "evict", allowGap });
};

/** What is chosen against what is so; empty: all of it holds. */
const untrue = (
  chooseIt: Choose,
  made: Shape,
  allowGap: boolean,
  isAtRestAsked: boolean,
): readonly string[] => {
  const given = evidence(made);
  const choice = chooseIt(given, { allowGap, isAtRestAsked });
  const truth = truthOf(made);
  if (choice.kind === "refused") {
    const isDrillable = truth.complete && made.observed === "this" && truth.freshReady > 1 && !made.paused;
    return isDrillable &&
      made.condition === "usual" &&
      truth.oldTerminating === 0 &&
      made.fresh?.pods.every(isReadyState)
      ? [`nothing speaks against it, and it is refused: ${choice.sentence}`]
      : [];
  }
  const pod = given.objects.find(({ uid }) => uid === choice.pod.uid);
  if (pod === undefined) return ["it is none that was read"];
  const { metadata, status } = pod.raw as unknown as {
    metadata: { deletionTimestamp?: string; ownerReferences: { uid: string }[] };
    status: { conditions: { type: string; status: string }[] };
  };
  const isReady = status.conditions.some(({ type, status: is }) => type === "Ready" && is === "True");
  const sets = given.objects.filter(({ kind }) => kind === "ReplicaSet");
  const set = sets.find(({ uid }) => uid === metadata.ownerReferences[0]?.uid);
  const image = JSON.stringify(set?.raw["spec"]).includes('"web:v2"');
  return [
    ...(isReady ? [] : ["it is not Ready"]),
    ...(metadata.deletionTimestamp === undefined ? [] : ["it is terminating"]),
    ...(image ? [] : ["it is of another template"]),
    ...(truth.freshReady > 1 || allowGap ? [] : ["it is the last ready one"]),
    ...(isAtRestAsked && !truth.complete ? ["the workload is not at rest"] : []),
    ...(choice.beside.some(({ uid }) => uid === choice.pod.uid) ? ["it stands beside itself"] : []),
  ];
};

const numRuns = 1_000;

describe("which Pod a drill takes", () => {
  it("is ready capacity of the template that is to run, and not the last", () =>
    fc.assert(
      fc.property(shape, fc.boolean(), fc.boolean(), (made, allowGap, isAtRestAsked) => {
        expect(untrue(choose, made, allowGap, isAtRestAsked)).toEqual([]);
      }),
      { numRuns },
    ));

  it("V2: is the same in whatever order things were read", () =>
    fc.assert(
      fc.property(shape, fc.array(fc.nat(1_000), { minLength: 8, maxLength: 8 }), (made, seeds) => {
        const given = evidence(made);
        const how = { allowGap: true, isAtRestAsked: false };
        const shuffle = shuffled(seeds);
        const moved = { ...given, objects: shuffle(given.objects), asked: shuffle(given.asked) };
        expect(choose(moved, how)).toEqual(choose(given, how));
      }),
      { numRuns: 300 },
    ));
});

const changing =
  (kind: string, change: (raw: Record<string, Record<string, unknown>>) => void): Choose =>
  (given, how) =>
    choose(
      {
        ...given,
        objects: given.objects.map((seen) => {
          if (seen.kind !== kind) return seen;
          const raw = structuredClone(seen.raw) as unknown as Record<string, Record<string, unknown>>;
          change(raw);
          return { ...seen, raw: raw as unknown as JsonObject };
        }),
      },
      how,
    );

const MUTANTS: Readonly<Record<string, Choose>> = {
  "every Pod is Ready": changing("Pod", (raw) => {
    for (const one of (raw["status"]?.["conditions"] ?? []) as Record<string, unknown>[])
      one["status"] = "True";
  }),
  "a terminating Pod is there": changing("Pod", (raw) => {
    delete raw["metadata"]?.["deletionTimestamp"];
    for (const one of (raw["status"]?.["conditions"] ?? []) as Record<string, unknown>[])
      one["status"] = "True";
  }),
  "a gap is always allowed": (given, how) => choose(given, { ...how, allowGap: true }),
  "what is under way is at rest": (given, how) => choose(given, { ...how, isAtRestAsked: false }),
};

describe("mutant", () => {
  it.each(Object.entries(MUTANTS))("%s: caught", (_, broken) => {
    const { failed } = fc.check(
      fc.property(
        shape,
        fc.boolean(),
        fc.boolean(),
        (made, allowGap, isAtRestAsked) => untrue(broken, made, allowGap, isAtRestAsked).length === 0,
      ),
      { numRuns, endOnFailure: true, seed: 3 },
    );
    expect(failed).toBe(true);
  });
});
