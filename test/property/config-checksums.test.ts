/**
 * What a checksum on a workload shows (L3, C7), over drawn timelines: that the template was made for what is there now, where it
 * can be recomputed from it, and else nothing; and never what a container was given.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { configDigest } from "../../src/domain/config-digest.ts";
import type { Finding } from "../../src/domain/finding.ts";
import { judge } from "../../src/judge/judge.ts";
import { READ_AT } from "../support/kubernetes/deployment.ts";
import { about } from "../support/kubernetes/evidence.ts";
import { type Summed, summed, summedWorld, sumOf } from "./config-checksum-worlds.ts";
import { dataAt, givenTo, keysTaken } from "./config-worlds.ts";
import * as laws from "./judge-laws.ts";

const QUESTION = about("deployment/web", { claims: ["rollout-complete", "config-loaded", "config-bound"] });

const untrue = (judgeIt: laws.Judge, one: Summed): readonly string[] => {
  const { findings } = judgeIt(summedWorld(one), QUESTION);
  const of = (claim: string) => findings.find((finding) => finding.claim === claim) as Finding;
  const [loaded, bound] = [of("config-loaded"), of("config-bound")];
  const { drawn } = one;
  const now = dataAt(drawn, READ_AT);
  const taken = keysTaken(drawn);
  const wasGiven = givenTo(drawn).every((data) => taken.every((key) => data?.[key] === now?.[key]));
  const isOfNow =
    sumOf(one) === configDigest({ data: now ?? {} }) || (one.of === "key" && taken.join() === "KEY");
  const isHeld = drawn.immutable || (one.on === "template" && (isOfNow || isOfFirst(one)));
  const says = (finding: Finding) => `${finding.finding} (${finding.reason}: ${finding.sentence})`;
  const isTimely = one.of === "another" || one.of === "time";
  const checks: readonly (readonly [holds: boolean, what: string])[] = [
    [bound.finding !== "proven" || isHeld, `nothing ties it, and ${says(bound)}`],
    [
      bound.finding !== "proven" || wasGiven,
      `the next is given another than the running ones, and ${says(bound)}`,
    ],
    [loaded.finding !== "proven" || wasGiven, `a checksum shows no start, and ${says(loaded)}`],
    [
      bound.reason !== "checksum-of-earlier" || (one.on === "template" && !isTimely && !isOfNow),
      `it is of what is there now, or of nothing, and ${says(bound)}`,
    ],
    [
      !(one.on === "template" && one.of === "object" && loaded.finding === "proven") ||
        bound.finding === "proven",
      `the template says what is there, and ${says(bound)}`,
    ],
  ];
  return checks.flatMap(([holds, what]) => (holds ? [] : [what]));
};

/** What it held first is what it holds now. */
const isOfFirst = ({ drawn, of }: Summed): boolean =>
  of === "first" && JSON.stringify(dataAt(drawn, drawn.made)) === JSON.stringify(dataAt(drawn, READ_AT));

describe("a checksum", () => {
  it("L3, C7: ties the template to what is there now where it is its digest, and shows no start", () =>
    fc.assert(
      fc.property(summed, (one) => {
        expect(untrue(judge, one)).toEqual([]);
      }),
      { numRuns: 500 },
    ));

  it("V1, V2, V7: any field that a proof cites is needed, in any order", () =>
    fc.assert(
      fc.property(summed, fc.array(fc.nat(1_000), { minLength: 8, maxLength: 8 }), (one, seeds) => {
        const evidence = summedWorld(one);
        const broken = laws.brokenBy((law) => {
          laws.anyFieldAnyOrder(law, judge, evidence, QUESTION, seeds);
        });
        expect(broken).toEqual([]);
      }),
      { numRuns: 25 },
    ));
});

/** A judge for whom the annotation reads otherwise. */
const reading =
  (change: (text: string, digest: string) => string): laws.Judge =>
  (evidence, question) => {
    const held = evidence.objects.find(({ kind }) => kind === "ConfigMap");
    const digest = String(configDigest(held?.raw ?? {}));
    const objects = evidence.objects.map((seen) =>
      seen.kind === "Deployment" || seen.kind === "ReplicaSet"
        ? { ...seen, raw: JSON.parse(change(JSON.stringify(seen.raw), digest)) }
        : seen,
    );
    return judge({ ...evidence, objects }, question);
  };

const MUTANTS: Readonly<Record<string, laws.Judge>> = {
  "C7: an opaque checksum is taken for the object's": reading((text, digest) =>
    text.replace(/("checksum\/config":")[^"]*/g, `$1${digest}`),
  ),
  "a checksum on top-level metadata is taken for one on the template": reading((text) => {
    const raw = JSON.parse(text);
    const annotations = raw.metadata.annotations;
    if (raw.kind !== "Deployment" || annotations?.["checksum/config"] === undefined) return text;
    raw.spec.template.metadata.annotations = annotations;
    return JSON.stringify(raw);
  }),
};

describe("mutant", () => {
  it.each(Object.entries(MUTANTS))("%s: caught", (_, broken) => {
    const { failed } = fc.check(
      fc.property(summed, (one) => untrue(broken, one).length === 0),
      { numRuns: 1_000, endOnFailure: true, seed: 5 },
    );
    expect(failed).toBe(true);
  });
});
