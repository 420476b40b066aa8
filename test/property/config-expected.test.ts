/**
 * What was given, against what is expected of the object by its digest, over the same drawn timelines as without: proven only
 * where the bytes that it took are the expected ones, refuted only where the object held something else when they were taken.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { configDigest } from "../../src/domain/config-digest.ts";
import type { Finding } from "../../src/domain/finding.ts";
import type { JsonObject } from "../../src/domain/json.ts";
import type { Question } from "../../src/domain/question.ts";
import { judge } from "../../src/judge/judge.ts";
import { READ_AT } from "../support/kubernetes/deployment.ts";
import { about } from "../support/kubernetes/evidence.ts";
import { dataAt, keysTaken, type Life, life, readBetween, worldOf } from "./config-worlds.ts";
import * as laws from "./judge-laws.ts";

/** What is expected: one of the contents that there can be. */
const expectation = fc.record({ KEY: fc.constantFrom("a", "b", "c"), OTHER: fc.constantFrom("x", "a", "b") });

const digestOf = (data: JsonObject): string => String(configDigest({ data }));

const asking = (data: JsonObject): Question =>
  about("deployment/web", {
    expected: { config: new Map([["settings", { sha256: digestOf(data), version: "v7" }]]) },
  });

/** What is so, and what may be said of it; empty: all of it holds. */
const untrue = (judgeIt: laws.Judge, drawn: Life, expected: JsonObject): readonly string[] => {
  const { findings } = judgeIt(worldOf(drawn), asking(expected));
  const of = (claim: string) => findings.find((one) => one.claim === claim) as Finding;
  const [loaded, bound] = [of("config-loaded"), of("config-bound")];
  const now = dataAt(drawn, READ_AT);
  const holds = now !== null && digestOf(now) === digestOf(expected);
  const [from, to] = readBetween(drawn);
  const given = Array.from({ length: to - from + 1 }, (_, at) => dataAt(drawn, from + at));
  const taken = keysTaken(drawn);
  const isSame = given.every((data) => data !== null && taken.every((key) => data[key] === expected[key]));
  const wasOther = given.every((data) => data === null || digestOf(data) !== digestOf(expected));
  const says = (one: Finding) => `${one.finding} (${one.reason}: ${one.sentence})`;
  const checks: readonly (readonly [holds: boolean, what: string])[] = [
    [loaded.required && bound.required, "what is expected counts"],
    [loaded.finding !== "proven" || isSame, `it was given other bytes, and ${says(loaded)}`],
    [loaded.finding !== "refuted" || wasOther, `it was given those, and ${says(loaded)}`],
    [bound.finding !== "proven" || (holds && drawn.immutable), `it can change, and ${says(bound)}`],
    [now === null || isToldOther(bound) === !holds, `it holds ${JSON.stringify(now)}, and ${says(bound)}`],
    [
      loaded.finding !== "refuted" || loaded.sentence.includes(digestOf(expected).slice(0, 12)),
      `the expected digest is not named: ${loaded.sentence}`,
    ],
  ];
  return checks.flatMap(([fits, what]) => (fits ? [] : [what]));
};

/** Judges, and notes what was found. */
const noting =
  (seen: Set<string>): laws.Judge =>
  (evidence, question) => {
    const judged = judge(evidence, question);
    for (const one of judged.findings)
      if (one.layer === "config") seen.add(`${one.claim} ${one.finding} ${one.reason}`);
    return judged;
  };

/** Alone, or beside a start that was given another object. */
const isToldOther = ({ reason, sentence }: Finding): boolean =>
  reason === "other-content" || (reason === "time-bomb" && sentence.endsWith("is expected"));

describe("expected config", () => {
  it("C3: is proven by the bytes that were taken, and refuted by the object that they were taken of", () => {
    fc.assert(
      fc.property(life, expectation, (drawn, expected) => {
        expect(untrue(judge, drawn, expected)).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it("control: what is drawn comes to each finding that expected config has", () => {
    const seen = new Set<string>();
    for (const [drawn, expected] of fc.sample(fc.tuple(life, expectation), { numRuns: 1_500, seed: 5 }))
      untrue(noting(seen), drawn, expected);
    expect([...seen]).toEqual(
      expect.arrayContaining([
        "config-loaded proven loaded",
        "config-loaded refuted other-content",
        "config-loaded undetermined other-content-now",
        "config-bound proven immutable",
        "config-bound refuted other-content",
      ]),
    );
  });

  it("V1, V2, V7: any field that a proof cites is needed, in any order", () =>
    fc.assert(
      fc.property(life, fc.array(fc.nat(1_000), { minLength: 8, maxLength: 8 }), (drawn, seeds) => {
        const now = dataAt(drawn, READ_AT);
        if (now === null) return;
        const evidence = worldOf(drawn);
        const question = asking(now);
        const broken = laws.brokenBy((law) => {
          laws.anyFieldAnyOrder(law, judge, evidence, question, seeds);
        });
        expect(broken).toEqual([]);
      }),
      { numRuns: 25 },
    ));
});

const MUTANTS: Readonly<Record<string, laws.Judge>> = {
  "what is expected is not looked at": (evidence, question) =>
    judge(evidence, { ...question, expected: { ...question.expected, config: new Map() } }),
  "the digest of one key is taken for the object's": (evidence, question) => {
    const [[name, one] = ["", { sha256: "", version: null }]] = [...question.expected.config];
    const isOf = (raw: JsonObject) => digestOf(raw["data"] as JsonObject) === one.sha256;
    const objects = evidence.objects.map((seen) =>
      seen.kind !== "ConfigMap" || isOf(seen.raw)
        ? seen
        : { ...seen, raw: { ...seen.raw, data: { KEY: (seen.raw["data"] as JsonObject)["KEY"] ?? "" } } },
    );
    const whole = new Map([[name, { ...one, sha256: digestOf({ KEY: "a" }) }]]);
    return judge(
      { ...evidence, objects },
      { ...question, expected: { ...question.expected, config: whole } },
    );
  },
};

describe("mutant", () => {
  it.each(Object.entries(MUTANTS))("%s: caught", (_, broken) => {
    const { failed } = fc.check(
      fc.property(life, expectation, (drawn, expected) => untrue(broken, drawn, expected).length === 0),
      { numRuns: 1_000, endOnFailure: true, seed: 5 },
    );
    expect(failed).toBe(true);
  });
});
