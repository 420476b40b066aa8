/** The laws that hold for every kind, and what is true of generated states of each. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { judge } from "../../src/judge/judge.ts";
import { KINDS as RULES } from "../../src/judge/kinds.ts";
import { COMMIT } from "../support/kubernetes/application.ts";
import { READ_AT } from "../support/kubernetes/deployment.ts";
import { evidenceOf } from "../support/kubernetes/evidence.ts";
import { at } from "../support/kubernetes/object.ts";
import { KINDS } from "./judge-kinds.ts";
import * as laws from "./judge-laws.ts";
import { askedOf, type Made } from "./made.ts";

const truthful = (law: laws.Law, judgeIt: laws.Judge, made: Made, target: string): void => {
  const { files, truth, finding, reason } = made;
  const { findings } = judgeIt(evidenceOf(files, READ_AT), askedOf(target, made));
  const told = JSON.stringify(findings.map((one) => [one.claim, one.finding, one.reason, one.sentence]));
  for (const [claim, holds] of Object.entries(truth)) {
    const found = findings.find((one) => one.claim === claim);
    law("V8", (found?.finding === "proven") === holds, `${claim} is ${holds ? "" : "not "}so: ${told}`);
  }
  if (finding === undefined) return;
  const found = findings.find((one) => one.claim === finding[0]);
  law("V8", found?.finding === finding[1], `${finding[0]} is ${finding[1]}: ${told}`);
  law("V8", reason === undefined || found?.reason === reason, `${finding[0]} because of ${reason}: ${told}`);
};

const seeds = fc.array(fc.nat(1_000), { minLength: 8, maxLength: 8 });

describe.each(Object.entries(KINDS))("%s", (_, { target, made }) => {
  const holds = (check: (law: laws.Law, made: Made, order: readonly number[]) => void, numRuns: number) =>
    fc.assert(
      fc.property(made, seeds, (one, order) => {
        expect(laws.brokenBy((law) => check(law, one, order))).toEqual([]);
      }),
      { numRuns },
    );

  it("what is judged is what is so", () => holds((law, one) => truthful(law, judge, one, target), 1_000));
  it("V1, V7: without a cited field, or with one of another type, nothing is proven", () =>
    holds((law, one) => {
      const evidence = evidenceOf(one.files, READ_AT);
      const question = askedOf(target, one);
      laws.removingAnyCitedField(law, judge, evidence, question);
      laws.wrongTypes(law, judge, evidence, question);
    }, 200));
  it("V2, V3, V4, V9: order, another incarnation, time, limits", () =>
    holds((law, one, order) => {
      const evidence = evidenceOf(one.files, READ_AT);
      const question = askedOf(target, one);
      laws.anyOrder(law, judge, evidence, question, laws.shuffled(order));
      laws.otherIncarnation(law, judge, evidence, question);
      laws.timeAlone(law, judge, evidence, question);
      laws.limitsTold(law, judge, evidence, question);
    }, 200));
});

it("every kind that has rules is here; Deployments have a test of their own (judge.test.ts)", () => {
  const elsewhere = ["Deployment"];
  expect(RULES.map(({ resource }) => resource.kind).sort()).toEqual(
    [...Object.keys(KINDS), ...elsewhere].sort(),
  );
});

it("control: a judge that takes every Pod for updated is caught", () => {
  const broken: laws.Judge = (evidence, question) =>
    judge(
      {
        ...evidence,
        objects: evidence.objects.map((seen) => ({
          ...seen,
          raw: JSON.parse(JSON.stringify(seen.raw).replaceAll("db-old", "db-new")),
        })),
      },
      question,
    );
  const { target, made } = KINDS["StatefulSet"] as (typeof KINDS)[string];
  const found = fc.check(
    fc.property(made, (one) => laws.brokenBy((law) => truthful(law, broken, one, target)).length === 0),
    { numRuns: 500, endOnFailure: true, seed: 5 },
  );
  expect(found.failed).toBe(true);
});

it("control: a judge for which every claim waits for its first Pod is caught", () => {
  const broken: laws.Judge = (evidence, question) =>
    judge(
      {
        ...evidence,
        objects: evidence.objects.map((seen) =>
          seen.kind === "StorageClass"
            ? { ...seen, raw: { ...seen.raw, volumeBindingMode: "WaitForFirstConsumer" } }
            : seen,
        ),
      },
      question,
    );
  const { target, made } = KINDS["PersistentVolumeClaim"] as (typeof KINDS)[string];
  const found = fc.check(
    fc.property(made, (one) => laws.brokenBy((law) => truthful(law, broken, one, target)).length === 0),
    { numRuns: 500, endOnFailure: true, seed: 5 },
  );
  expect(found.failed).toBe(true);
});

/** Evidence in which a part of each object of these kinds is changed. */
const changing =
  (kinds: readonly string[], change: (text: string) => string): laws.Judge =>
  (evidence, question) =>
    judge(
      {
        ...evidence,
        objects: evidence.objects.map((seen) =>
          kinds.includes(seen.kind) ? { ...seen, raw: JSON.parse(change(JSON.stringify(seen.raw))) } : seen,
        ),
      },
      question,
    );

it.each<[string, string, laws.Judge]>([
  [
    "Gateway",
    "takes a condition for one of this generation, whatever it says",
    changing(["Gateway"], (text) => text.replaceAll('"observedGeneration":2', '"observedGeneration":3')),
  ],
  [
    "HTTPRoute",
    "takes a condition for one of this generation, whatever it says",
    changing(["HTTPRoute"], (text) => text.replaceAll('"observedGeneration":2', '"observedGeneration":3')),
  ],
  [
    "HTTPRoute",
    "takes any controller's word for that of the parent's class",
    changing(["HTTPRoute"], (text) =>
      text.replaceAll("example.com/another", "traefik.io/gateway-controller"),
    ),
  ],
  [
    "GRPCRoute",
    "does not ask whether the parent is programmed",
    changing(["Gateway"], (text) => text.replaceAll('"status":"False"', '"status":"True"')),
  ],
  [
    "Ingress",
    "leads to a Service of another name",
    changing(["Ingress"], (text) => text.replaceAll('"nowhere"', '"web"')),
  ],
  [
    "Application",
    "takes an older word for one after the sync",
    changing(["Application"], (text) =>
      text.replaceAll(`"finishedAt":"${at(5)}"`, `"finishedAt":"${at(0)}"`),
    ),
  ],
  [
    "Application",
    "calls what is there the whole",
    changing(["Application"], (text) => text.replaceAll('"Missing"', '"Healthy"')),
  ],
  [
    "Application",
    "takes a comparison with another commit for one with this",
    changing(["Application"], (text) => text.replaceAll(COMMIT.v1, COMMIT.v2)),
  ],
  [
    "Application",
    "takes any two trees for one (Y1)",
    changing(["GitCommit"], (text) => text.replaceAll("a".repeat(40), "b".repeat(40))),
  ],
  [
    "Application",
    "takes an equal folder for all that a commit declares (Y1)",
    changing(["Application"], (text) => text.replaceAll('"Kustomize"', '"Directory"')),
  ],
  [
    "Application",
    "follows a link out of what was compared (Y1)",
    changing(["GitCommit"], (text) => text.replaceAll('"selfContained":false', '"selfContained":true')),
  ],
  [
    "Application",
    "does not ask what was compared",
    changing(["Application"], (text) => text.replaceAll("deploy/before", "deploy/web")),
  ],
])("control, %s: a judge that %s is caught", (kind, _, broken) => {
  const { target, made } = KINDS[kind] as (typeof KINDS)[string];
  const found = fc.check(
    fc.property(made, (one) => laws.brokenBy((law) => truthful(law, broken, one, target)).length === 0),
    { numRuns: 1_000, endOnFailure: true, seed: 5 },
  );
  expect(found.failed).toBe(true);
});
