/** The laws of judging hold over generated states, and each has a broken judge that it catches. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { judge } from "../../src/judge/judge.ts";
import { about, evidenceOf } from "../support/kubernetes/evidence.ts";
import { digestOf } from "../support/kubernetes/pod.ts";
import * as laws from "./judge-laws.ts";
import { MUTANTS } from "./judge-mutants.ts";
import { filesOf, JUDGED_AT, type Shape, shape } from "./judge-worlds.ts";
import { rolloutLaws } from "./rollout-laws.ts";

const QUESTION = about("deployment/web");
const evidence = (made: Shape) => evidenceOf(filesOf(made), JUDGED_AT);

type Check = (law: laws.Law, judgeIt: laws.Judge, made: Shape, seeds: readonly number[]) => void;

const CHECKS: Readonly<Record<string, Check>> = {
  "V1: removing any field that a proven finding cites never leaves it proven": (law, judgeIt, made) =>
    laws.removingAnyCitedField(law, judgeIt, evidence(made), QUESTION),
  "V2: order never matters": (law, judgeIt, made, seeds) =>
    laws.anyOrder(law, judgeIt, evidence(made), QUESTION, laws.shuffled(seeds)),
  "V3: evidence of another incarnation counts as missing": (law, judgeIt, made) =>
    laws.otherIncarnation(law, judgeIt, evidence(made), QUESTION),
  "V4: time alone refutes nothing": (law, judgeIt, made) =>
    laws.timeAlone(law, judgeIt, evidence(made), QUESTION),
  "V5: what was not asked for is never empty": (law, judgeIt, made) =>
    laws.notAsked(law, judgeIt, evidence(made), QUESTION),
  "V7: a field of another type proves nothing": (law, judgeIt, made) =>
    laws.wrongTypes(law, judgeIt, evidence(made), QUESTION),
  "V9: a proof says what it does not tell": (law, judgeIt, made) =>
    laws.limitsTold(law, judgeIt, evidence(made), QUESTION),
  "V5, V8, O1, O2, O3, O4, O5, O6, O7: what is judged is what is so": rolloutLaws,
};

const seeds = fc.array(fc.nat(1_000), { minLength: 8, maxLength: 8 });

describe("Deployment", () => {
  for (const [name, check] of Object.entries(CHECKS))
    it(name, () =>
      fc.assert(
        fc.property(shape, seeds, (made, order) => {
          expect(laws.brokenBy((law) => check(law, judge, made, order))).toEqual([]);
        }),
        { numRuns: name.startsWith("V1") || name.startsWith("V7") ? 150 : 1_000 },
      ),
    );
});

describe("artifact", () => {
  const question = about("deployment/web", { expected: { images: new Map([["web", digestOf("web:v2")]]) } });
  it("V1, V7: every image that it rests on is needed", () =>
    fc.assert(
      fc.property(shape, (made) => {
        const broken = laws.brokenBy((law) => {
          laws.removingAnyCitedField(law, judge, evidence(made), question);
          laws.wrongTypes(law, judge, evidence(made), question);
        });
        expect(broken).toEqual([]);
      }),
      { numRuns: 100 },
    ));
  it("is proven if and only if every Pod of the template that is there runs the digest", () =>
    fc.assert(
      fc.property(shape, (made) => {
        const pods = made.fresh === null ? [] : made.fresh.pods.filter((state) => state !== "evicted");
        const pulled = pods.every((state) =>
          ["ready", "not-ready", "crash-loop", "out-of-memory", "terminating"].includes(state),
        );
        const found = judge(evidence(made), question).findings.find(({ claim }) => claim === "artifact");
        expect([found?.finding === "proven", found?.sentence]).toEqual([
          pods.length > 0 && pulled,
          found?.sentence,
        ]);
      }),
    ));
});

describe("mutant", () => {
  for (const [name, [number, broken]] of Object.entries(MUTANTS))
    it(`${name}: caught by ${number}`, () => {
      const checks = Object.entries(CHECKS).filter(([told]) => told.split(":")[0]?.includes(number));
      const caught = checks.some(
        ([, check]) =>
          fc.check(
            fc.property(
              shape,
              seeds,
              (made, order) =>
                !laws
                  .brokenBy((law) => check(law, broken, made, order))
                  .some((one) => one.startsWith(number)),
            ),
            { numRuns: 1_000, endOnFailure: true, seed: 5 },
          ).failed,
      );
      expect(caught).toBe(true);
    });

  it("there is one for each law", () => {
    expect(new Set(Object.values(MUTANTS).map(([number]) => number))).toEqual(new Set(laws.LAW_NUMBERS));
  });
});
