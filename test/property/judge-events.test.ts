/** Events are hints: they name reasons, and no finding is another one for them (they are dropped after an hour). */
import fc from "fast-check";
import { expect, it } from "vitest";
import type { JsonObject } from "../../src/domain/json.ts";
import type { Question } from "../../src/domain/question.ts";
import { judge } from "../../src/judge/judge.ts";
import type { Files } from "../support/kubernetes/deployment.ts";
import { said } from "../support/kubernetes/events.ts";
import { about, evidenceOf } from "../support/kubernetes/evidence.ts";
import { list } from "../support/kubernetes/object.ts";
import { KINDS } from "./judge-kinds.ts";
import { type Judge, shuffled } from "./judge-laws.ts";
import { filesOf, JUDGED_AT, shape } from "./judge-worlds.ts";

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

/** Events about the Pods of a state, in place of those it has. */
const withEvents = (files: Files, events: readonly Drawn[]): Files => {
  const pods = files["pods.json"]?.["items"] as
    | readonly { readonly metadata: { name: string } }[]
    | undefined;
  const written = events.flatMap(({ of, says: [reason, message], last }, number): JsonObject[] => {
    const pod = pods?.[of];
    return pod === undefined
      ? []
      : [said({ name: pod.metadata.name, reason, message, first: 100, last }, number)];
  });
  return { ...files, "events.json": list(written) };
};

const judgements = (judgeIt: Judge, files: Files, question: Question): string => {
  const { verdict, findings } = judgeIt(evidenceOf(files, JUDGED_AT), question);
  return JSON.stringify([verdict, findings.map(({ claim, finding }) => [claim, finding])]);
};

/** States of a kind, with events of their own or without any. */
const SUBJECTS: Readonly<Record<string, { readonly target: string; readonly made: fc.Arbitrary<Files> }>> = {
  Deployment: { target: "deployment/web", made: shape.map(filesOf) },
  ...Object.fromEntries(
    ["StatefulSet", "DaemonSet", "ReplicaSet", "Job", "CronJob", "Pod", "PersistentVolumeClaim"].map(
      (kind) => {
        const { target, made } = KINDS[kind] as (typeof KINDS)[string];
        return [kind, { target, made: made.map(({ files }) => files) }];
      },
    ),
  ),
};

const sameWithout = (judgeIt: Judge, kind: string) => {
  const { target, made } = SUBJECTS[kind] as (typeof SUBJECTS)[string];
  const question = about(target);
  return fc.property(made, drawn, (files, events) => {
    const none = judgements(judgeIt, withEvents(files, []), question);
    expect(judgements(judgeIt, withEvents(files, events), question)).toBe(none);
    if (files["events.json"] !== undefined) expect(judgements(judgeIt, files, question)).toBe(none);
  });
};

it.each(Object.keys(SUBJECTS))("no finding about a %s rests on an event", (kind) =>
  fc.assert(sameWithout(judge, kind), { numRuns: 2_000 }),
);

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
  expect(
    fc.check(sameWithout(hopeless, "Deployment"), { numRuns: 1_000, endOnFailure: true, seed: 5 }).failed,
  ).toBe(true);
});

it("the order of events never matters, nor for what is said", () =>
  fc.assert(
    fc.property(
      shape,
      drawn,
      fc.array(fc.nat(1_000), { minLength: 8, maxLength: 8 }),
      (made, events, seeds) => {
        const told = (files: Files) => {
          const { findings, statement } = judge(evidenceOf(files, JUDGED_AT), about("deployment/web"));
          return [statement, findings.map(({ sentence, reason }) => [reason, sentence])];
        };
        const files = withEvents(filesOf(made), events);
        const { items } = files["events.json"] as { readonly items: readonly JsonObject[] };
        expect(told({ ...files, "events.json": list(shuffled(seeds)(items)) })).toEqual(told(files));
      },
    ),
    { numRuns: 300 },
  ));
