/** `as-released` holds a workload to what was recorded, literals that no record keeps among it, and rests on each field that it cites. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Evidence } from "../../src/domain/evidence.ts";
import type { Finding } from "../../src/domain/finding.ts";
import type { JsonValue } from "../../src/domain/json.ts";
import type { Question } from "../../src/domain/question.ts";
import { judge } from "../../src/judge/judge.ts";
import { brokenBy, type Law, without } from "./judge-laws.ts";
import { asking, DEEDS, nowOf, type Released, recordOf, released, reversed } from "./released-worlds.ts";

type JudgeRelease = (now: Evidence, question: Question) => Finding;

const found: JudgeRelease = (now, question) => {
  const { findings } = judge(now, question);
  const one = findings.find(({ claim }) => claim === "as-released") ?? findings[0];
  if (one === undefined) throw new Error("nothing is judged");
  return one;
};

const isRight = (judgeIt: JudgeRelease, one: Released): boolean =>
  judgeIt(nowOf(one), asking(one)).finding === DEEDS[one.deed][one.isDigested ? "literal" : "whole"];

const restsOnEach = (
  law: Law,
  judgeIt: JudgeRelease,
  one: Released,
  change: (value: JsonValue) => JsonValue | undefined,
): void => {
  const now = nowOf(one);
  const question = asking(one);
  const its = judgeIt(now, question);
  law("V1", its.evidence.length > 0, "it cites nothing");
  for (const cited of its.evidence) {
    const left = judgeIt(without(law, now, cited, change), question);
    law("V1", left.finding !== "proven", `proven without ${cited.evidence}#${cited.pointer}`);
  }
};

const otherType = (value: JsonValue): JsonValue => (typeof value === "number" ? "here" : 7);

describe("as-released", () => {
  it("is proven if and only if it is what was recorded, as far as that can be known", () =>
    fc.assert(
      fc.property(released, (one) => isRight(found, one)),
      { numRuns: 200 },
    ));

  it("V1, V7: without any one field that it cites, or with one of another type, it is not proven", () =>
    fc.assert(
      fc.property(released, (one) => {
        expect(brokenBy((law) => restsOnEach(law, found, one, () => undefined))).toEqual([]);
        expect(brokenBy((law) => restsOnEach(law, found, one, otherType))).toEqual([]);
      }),
      { numRuns: 100 },
    ));

  it("V2: in whatever order all of it was read", () =>
    fc.assert(
      fc.property(released, (one) => {
        const question = asking(one);
        expect(found(reversed(nowOf(one)), question)).toEqual(found(nowOf(one), question));
      }),
      { numRuns: 50 },
    ));

  it("says of a literal where it stands, and never what it is", () => {
    const { reason, sentence } = found(
      ...both({ kind: "Deployment", deed: "another literal", isDigested: true }),
    );
    expect(reason).toBe("other-literals");
    expect(sentence).toContain("spec.template.spec.containers[name=web].env[name=MODE].value");
    expect(sentence).not.toMatch(/slow|fast/);
  });

  it("V5, V7: no release, and a kind that has none, are no answer", () => {
    const [now, question] = both({ kind: "Deployment", deed: "nothing", isDigested: false });
    const none = { ...question, expected: { ...question.expected, release: null } };
    expect(found(now, none)).toMatchObject({ finding: "undetermined", reason: "vacuous" });
    const pod = String(now.objects.find(({ kind }) => kind === "Pod")?.name);
    expect(found(now, { ...question, kind: "pod", name: pod })).toMatchObject({
      finding: "undetermined",
      reason: "no-rule",
    });
  });

  it("what the record says that it cannot be held to is judged, and does not count unless it is asked for", () => {
    const [now, question] = both({ kind: "Deployment", deed: "another image", isDigested: false });
    const release = {
      ...recordOf({ kind: "Deployment", deed: "nothing", isDigested: false }),
      notCounted: ["as-released"] as const,
    };
    const usual = judge(now, { ...question, claims: null, expected: { ...question.expected, release } });
    expect(usual.findings.find(({ claim }) => claim === "as-released")).toMatchObject({ required: false });
    const asked = judge(now, { ...question, expected: { ...question.expected, release } });
    expect(asked.findings.find(({ claim }) => claim === "as-released")).toMatchObject({ required: true });
  });
});

const both = (one: Released): readonly [Evidence, Question] => [nowOf(one), asking(one)];

/** Broken judges, which the properties have to catch. */
const asked =
  (
    change: (
      release: NonNullable<Question["expected"]["release"]>,
      now: Evidence,
    ) => Partial<NonNullable<Question["expected"]["release"]>>,
  ): JudgeRelease =>
  (now, question) => {
    const { release } = question.expected;
    if (release === null) return found(now, question);
    return found(now, {
      ...question,
      expected: { ...question.expected, release: { ...release, ...change(release, now) } },
    });
  };

const MUTANTS: Readonly<Record<string, JudgeRelease>> = {
  "a literal that is not kept is taken for the same": (now, question) => {
    const one = found(now, question);
    return one.reason === "other-literals" || one.reason === "not-kept" ? { ...one, finding: "proven" } : one;
  },
  "another workload of the name is taken for it": asked((_, now) => ({
    uid: String(now.objects.find(({ kind }) => kind === "Deployment" || kind === "StatefulSet")?.uid),
  })),
  "what holds the template is found by its name": asked(({ revision }, now) => ({
    revision:
      revision === null
        ? null
        : { ...revision, uid: String(now.objects.find(({ name }) => name === revision.name)?.uid) },
  })),
  "a digest of the record is held against the value": asked(() => ({ removed: new Set() })),
};

describe("mutant", () => {
  it.each(Object.keys(MUTANTS))("%s: caught", (name) => {
    const { failed } = fc.check(
      fc.property(released, (one) => isRight(MUTANTS[name] as JudgeRelease, one)),
      { numRuns: 300, seed: 5, endOnFailure: true },
    );
    expect(failed).toBe(true);
  });

  it("a cited field that is not needed: caught by V1", () => {
    const kind: JudgeRelease = (now, question) => ({ ...found(now, question), finding: "proven" });
    const one: Released = { kind: "StatefulSet", deed: "nothing", isDigested: true };
    expect(brokenBy((law) => restsOnEach(law, kind, one, () => undefined)).length).toBeGreaterThan(0);
  });
});
