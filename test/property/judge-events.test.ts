/** Events are hints: they name reasons, and no finding is another one for them (they are dropped after an hour). */
import fc from "fast-check";
import { expect, it } from "vitest";
import type { JsonObject } from "../../src/domain/json.ts";
import { judge } from "../../src/judge/judge.ts";
import { said } from "../support/kubernetes/events.ts";
import { about, evidenceOf } from "../support/kubernetes/evidence.ts";
import { list } from "../support/kubernetes/object.ts";
import { type Judge, shuffled } from "./judge-laws.ts";
import { filesOf, JUDGED_AT, type Shape, shape } from "./judge-worlds.ts";

const QUESTION = about("deployment/web");

/** What kubelet, scheduler, controllers and autoscalers write. */
const SAID: readonly (readonly [reason: string, message: string])[] = [
  ["Unhealthy", "Readiness probe failed: HTTP probe failed with statuscode: 503"],
  ["Unhealthy", "Startup probe failed: HTTP probe failed with statuscode: 500"],
  ["Killing", "Container web failed liveness probe, will be restarted"],
  ["Failed", 'Failed to pull image "web:v2": 429 Too Many Requests'],
  ["Failed", 'Failed to pull image "web:v2": web:v2: not found'],
  ["TriggeredScaleUp", "pod triggered scale-up: [{pool-1 1->2 (max: 10)}]"],
  ["NotTriggerScaleUp", "pod didn't trigger scale-up: 2 max node group size reached"],
  ["Nominated", "Pod should schedule on: nodeclaim/default-x7k2q"],
  ["FailedMount", 'MountVolume.SetUp failed for volume "c": configmap "app" not found'],
  ["constructor", "__proto__"],
];

const drawn = fc.array(
  fc.record({ of: fc.nat(7), says: fc.constantFrom(...SAID), last: fc.integer({ min: 100, max: 700 }) }),
  { maxLength: 6 },
);

interface Drawn {
  readonly of: number;
  readonly says: readonly [reason: string, message: string];
  readonly last: number;
}

const judgements = (judgeIt: Judge, made: Shape, events: readonly Drawn[]): string => {
  const files = filesOf(made);
  const { items } = files["pods.json"] as {
    readonly items: readonly { readonly metadata: { name: string } }[];
  };
  const written = events.flatMap(({ of, says: [reason, message], last }, number): JsonObject[] => {
    const pod = items[of];
    return pod === undefined
      ? []
      : [said({ name: pod.metadata.name, reason, message, first: 100, last }, number)];
  });
  const { verdict, findings } = judgeIt(
    evidenceOf({ ...files, "events.json": list(written) }, JUDGED_AT),
    QUESTION,
  );
  return JSON.stringify([verdict, findings.map(({ claim, finding }) => [claim, finding])]);
};

const sameWithout = (judgeIt: Judge) =>
  fc.property(shape, drawn, (made, events) => {
    expect(judgements(judgeIt, made, events)).toBe(judgements(judgeIt, made, []));
  });

it("no finding rests on an event", () => fc.assert(sameWithout(judge), { numRuns: 500 }));

it("control: a judge that gives up where an autoscaler asks for no node is caught", () => {
  const hopeless: Judge = (evidence, question) => {
    const judged = judge(evidence, question);
    return JSON.stringify(evidence.objects).includes("NotTriggerScaleUp")
      ? {
          ...judged,
          findings: judged.findings.map((one) =>
            one.reason === "unschedulable" ? { ...one, finding: "refuted" } : one,
          ),
        }
      : judged;
  };
  expect(fc.check(sameWithout(hopeless), { numRuns: 1_000, endOnFailure: true, seed: 5 }).failed).toBe(true);
});

it("the order of events never matters", () =>
  fc.assert(
    fc.property(
      shape,
      drawn,
      fc.array(fc.nat(1_000), { minLength: 8, maxLength: 8 }),
      (made, events, seeds) => {
        expect(judgements(judge, made, shuffled(seeds)(events))).toBe(judgements(judge, made, events));
      },
    ),
    { numRuns: 200 },
  ));
