/** `artifact` over drawn Pods: which digests run under one template, told by containers of every role, tags and digests. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/domain/json.ts";
import { judge } from "../../src/judge/judge.ts";
import { DIGEST, type Made, made, member, RUNS, worldOf } from "./artifact-worlds.ts";
import * as laws from "./judge-laws.ts";

const digestOf = (runs: keyof typeof RUNS): string | undefined => /sha256:.*$/.exec(RUNS[runs])?.[0];

/** From how it was made. */
const truthOf = ({
  expects,
  containers,
}: Made): { readonly finding: string; readonly reason: string } | null => {
  const isMixed = containers.some(
    ({ reference, runs }) => reference !== "fixed" && runs.includes("a") && runs.includes("b"),
  );
  const nobody = !expects || containers.every(({ expected }) => expected === null);
  if (nobody) return isMixed ? { finding: "refuted", reason: "mixed-images" } : null;
  if (containers.some(({ expected, injected }) => expected === null && !injected))
    return { finding: "refuted", reason: "surplus-container" };
  const all = containers.flatMap(({ expected, runs }) =>
    expected === null ? [] : runs.map((one) => ({ expected, one })),
  );
  if (all.some(({ expected, one }) => digestOf(one) !== undefined && digestOf(one) !== DIGEST[expected]))
    return { finding: "refuted", reason: "other-image" };
  return all.some(({ one }) => one === "untold")
    ? { finding: "undetermined", reason: "no-image-id" }
    : { finding: "proven", reason: "expected-images" };
};

const foundBy = (judgeIt: laws.Judge, it_: Made) =>
  judgeIt(...worldOf(it_)).findings.find(({ claim }) => claim === "artifact");

const isTrue = (judgeIt: laws.Judge, it_: Made): boolean => {
  const found = foundBy(judgeIt, it_);
  const truth = truthOf(it_);
  return truth === null
    ? found === undefined
    : found?.finding === truth.finding && found.reason === truth.reason;
};

describe("artifact", () => {
  it("is proven if and only if every container of every Pod runs what is expected of it; a mixed template is told to whoever expects nothing", () =>
    fc.assert(
      fc.property(made, (it_) => {
        const found = foundBy(judge, it_);
        const truth = truthOf(it_);
        expect(
          found === undefined ? null : { finding: found.finding, reason: found.reason },
          found?.sentence,
        ).toEqual(truth);
      }),
      { numRuns: 600 },
    ));

  it("a mixed template moves the verdict, and names its Pods and both digests", () =>
    fc.assert(
      fc.property(
        made.filter((it_) => truthOf(it_)?.reason === "mixed-images"),
        (it_) => {
          const { verdict } = judge(...worldOf(it_));
          const found = foundBy(judge, it_);
          expect([verdict, found?.required]).toEqual(["refuted", false]);
          expect(found?.sentence).toMatch(
            /^one template, two imageIDs: .*sha256:aaaaaaaaaaaa in .*sha256:bbbbbbbbbbbb in /,
          );
        },
      ),
      { numRuns: 60 },
    ));

  it("a reference by tag is said to be open wherever it is proven, and a fixed one is not", () =>
    fc.assert(
      fc.property(
        made.filter((it_) => truthOf(it_)?.finding === "proven"),
        (it_) => {
          const found = foundBy(judge, it_);
          const open = it_.containers.filter(
            ({ expected, reference }) => expected !== null && reference !== "fixed",
          );
          const said = found?.limits.filter((limit) => limit.includes("which can be moved"));
          expect(said).toHaveLength(open.length);
        },
      ),
      { numRuns: 60 },
    ));

  it("V1, V2, V7: what it rests on is needed, in any order", () =>
    fc.assert(
      fc.property(made, fc.array(fc.nat(), { minLength: 1 }), (it_, order) => {
        const [evidence, question] = worldOf(it_);
        const broken = laws.brokenBy((law) => {
          laws.removingAnyCitedField(law, judge, evidence, question);
          laws.wrongTypes(law, judge, evidence, question);
          laws.anyOrder(law, judge, evidence, question, laws.shuffled(order));
        });
        expect(broken).toEqual([]);
      }),
      { numRuns: 40 },
    ));
});

/** A judge that sees other Pods than there are. */
const seeing =
  (change: (pod: JsonObject) => JsonObject): laws.Judge =>
  (evidence, question) =>
    judge(
      {
        ...evidence,
        objects: evidence.objects.map((seen) =>
          seen.kind === "Pod" ? { ...seen, raw: change(seen.raw) } : seen,
        ),
      },
      question,
    );

const statuses = (pod: JsonObject, change: (one: JsonObject) => JsonObject): JsonObject => {
  const status = member(pod, "status");
  const changed = ["containerStatuses", "initContainerStatuses"].map((field) => [
    field,
    (Array.isArray(status[field]) ? (status[field] as readonly JsonObject[]) : []).map(change),
  ]);
  return { ...pod, status: { ...status, ...Object.fromEntries(changed) } };
};

describe("mutant", () => {
  const MUTANTS: Readonly<Record<string, laws.Judge>> = {
    "init containers and sidecars are not looked at": seeing((pod) => ({
      ...pod,
      status: { ...member(pod, "status"), initContainerStatuses: [] },
    })),
    "what an image is called is taken for what it is": seeing((pod) =>
      statuses(pod, (one) => ({ ...one, imageID: RUNS.a })),
    ),
    "an image that is not told is the expected one": seeing((pod) =>
      statuses(pod, (one) => ({ ...one, imageID: one["imageID"] === "" ? RUNS.a : (one["imageID"] ?? "") })),
    ),
    "the digest of a config is taken for a manifest's": seeing((pod) =>
      statuses(pod, (one) => ({
        ...one,
        imageID: one["imageID"] === DIGEST.b ? RUNS.b : (one["imageID"] ?? ""),
      })),
    ),
    "nobody expects a digest, so nothing is told": (evidence, question) => {
      const judged = judge(evidence, question);
      return question.expected.images.size > 0
        ? judged
        : { ...judged, findings: judged.findings.filter(({ claim }) => claim !== "artifact") };
    },
  };
  it.each(Object.entries(MUTANTS))("%s: caught", (_name, mutant) => {
    expect(
      fc.check(
        fc.property(made, (it_) => isTrue(mutant, it_)),
        { numRuns: 1_000, seed: 7, endOnFailure: true },
      ).failed,
    ).toBe(true);
  });
});
