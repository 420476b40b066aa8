/** `bystanders-unchanged` sees whatever happened to a bystander and nothing else, and rests on each field that it cites (V1). */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Before } from "../../src/domain/bystander.ts";
import type { Evidence, Seen } from "../../src/domain/evidence.ts";
import type { Finding } from "../../src/domain/finding.ts";
import type { JsonObject, JsonValue } from "../../src/domain/json.ts";
import type { Question } from "../../src/domain/question.ts";
import { judge } from "../../src/judge/judge.ts";
import { uidOf } from "../support/kubernetes/object.ts";
import {
  ANSWERED,
  type AskedOther,
  askedOther,
  askedWorld,
  asking,
  beforeOf,
  DEEDS,
  nowOf,
  type Other,
  others,
} from "./bystander-worlds.ts";
import { brokenBy, type Law, without } from "./judge-laws.ts";

type JudgeBystanders = (now: Evidence, question: Question) => Finding;

const found: JudgeBystanders = (now, question) => {
  const { findings } = judge(now, question);
  // Where the target itself is not there, that is all that is found.
  const one = findings.find(({ claim }) => claim === "bystanders-unchanged") ?? findings[0];
  if (one === undefined) throw new Error("nothing is judged");
  return one;
};

const isTouched = ({ deed }: Other): boolean => DEEDS[deed];

/** What is so, by what was done. */
const isRight = (judgeIt: JudgeBystanders, all: readonly Other[]): boolean => {
  const one = judgeIt(nowOf(all), asking({ named: null, before: beforeOf(all) }));
  return one.finding === (all.some(isTouched) ? "refuted" : "proven");
};

const changedBefore = (question: Question, change: (evidence: Evidence) => Evidence): Question => {
  const { bystanders } = question.expected;
  const before = bystanders?.before as Before;
  return {
    ...question,
    expected: {
      ...question.expected,
      bystanders: {
        ...bystanders,
        named: bystanders?.named ?? null,
        before: { ...before, evidence: change(before.evidence) },
      },
    },
  };
};

/** V1, V7: each cited field changed, in the state before or in that of now. */
const restsOnEach = (
  law: Law,
  judgeIt: JudgeBystanders,
  all: readonly Other[],
  change: (value: JsonValue) => JsonValue | undefined,
): void => {
  const now = nowOf(all);
  const question = asking({ named: null, before: beforeOf(all) });
  const one = judgeIt(now, question);
  law("V1", one.evidence.length > 0, "it cites nothing");
  for (const cited of one.evidence) {
    const isBefore = cited.evidence.startsWith("before/");
    const left = isBefore
      ? judgeIt(
          now,
          changedBefore(question, (evidence) => without(law, evidence, cited, change)),
        )
      : judgeIt(without(law, now, cited, change), question);
    law(
      "V1",
      left.finding !== "proven",
      `proven without ${cited.evidence}#${cited.pointer} (was ${one.finding})`,
    );
  }
};
const otherType = (value: JsonValue): JsonValue => (typeof value === "string" ? 7 : "here");

describe("bystanders-unchanged", () => {
  it("Y3: is refuted if and only if one of them was touched", () =>
    fc.assert(
      fc.property(others, (all) => isRight(found, all)),
      { numRuns: 500 },
    ));

  it("V1: without any one field that it cites it is not proven, before or now", () =>
    fc.assert(
      fc.property(others, (all) => {
        expect(brokenBy((law) => restsOnEach(law, found, all, () => undefined))).toEqual([]);
      }),
      { numRuns: 100 },
    ));

  it("V7: nor with one of another type", () =>
    fc.assert(
      fc.property(others, (all) => {
        expect(brokenBy((law) => restsOnEach(law, found, all, otherType))).toEqual([]);
      }),
      { numRuns: 50 },
    ));

  it("V2: in whatever order all of it was read", () =>
    fc.assert(
      fc.property(others, (all) => {
        const question = asking({ named: null, before: beforeOf(all) });
        const reversed = (evidence: Evidence): Evidence => ({
          ...evidence,
          objects: [...evidence.objects].reverse(),
        });
        const first = found(nowOf(all), question);
        expect(found(reversed(nowOf(all)), changedBefore(question, reversed)).sentence).toBe(first.sentence);
      }),
      { numRuns: 100 },
    ));
});

const all = (...deeds: readonly Other["deed"][]): readonly Other[] =>
  deeds.map((deed) => ({ kind: "Deployment", pods: 2, deed, by: "kubectl-rollout" }));
const judged = (these: readonly Other[]): Finding =>
  found(nowOf(these), asking({ named: null, before: beforeOf(these) }));

describe("what it says", () => {
  it("who changed it, and when; ours is told from others'", () => {
    const others = judged(all("another template"));
    expect([others.reason, others.sentence]).toEqual([
      "changed-by-others",
      '1 of 1 bystander changed: Deployment shop/other-0 spec.template.spec.containers[name=web].image: "other:v1" -> "other:v2" (by kubectl-rollout at 2026-11-30T03:13:20.000Z)',
    ]);
    expect(judged(all("another template").map((one) => ({ ...one, by: "asfound" }))).reason).toBe(
      "changed-by-us",
    );
    expect(judged(all("a Pod deleted")).reason).toBe("changed");
  });

  it("another object of its name is no bystander that stayed", () => {
    const { sentence } = judged(all("made again"));
    expect(sentence).toContain(
      `UID ${uidOf("Deployment", "other-0")}, then ${uidOf("Deployment", "other-0", 2)}`,
    );
    expect(sentence).toContain("made at 2026-11-30T03:13:20.000Z");
  });

  it("a container that its kubelet started again", () => {
    expect(judged(all("a container restarted")).sentence).toContain(
      "container web of Pod other-0-0 was started again by its kubelet (restarts: 0, then 1)",
    );
  });

  it("never a value of the environment", () => {
    for (const deed of Object.keys(DEEDS) as Other["deed"][])
      expect(judged(all(deed)).sentence).not.toContain("hmac");
  });
});

describe("V5, R2: what is not told or not read proves nothing", () => {
  const these = all("nothing", "nothing");
  const question = asking({ named: null, before: beforeOf(these) });
  const lacking = (evidence: Evidence, resource: string): Evidence => ({
    ...evidence,
    asked: evidence.asked.filter((one) => one.resource !== resource),
  });
  const denied = (evidence: Evidence): Evidence => ({
    ...evidence,
    objects: evidence.objects.filter(({ kind }) => kind !== "StatefulSet"),
    asked: evidence.asked.map((one) =>
      one.resource === "statefulsets"
        ? { ...one, answer: { kind: "denied", why: "statefulsets: 403" } }
        : one,
    ),
  });

  it("nobody is named; the state before holds nobody else", () => {
    expect(found(nowOf(these), asking(null)).reason).toBe("vacuous");
    const alone = found(nowOf([]), asking({ named: null, before: beforeOf([]) }));
    expect([alone.finding, alone.reason]).toEqual(["undetermined", "vacuous"]);
  });

  it.each(["pods", "replicasets"])("%s of now, or of before", (resource) => {
    for (const one of [
      found(lacking(nowOf(these), resource), question),
      found(
        nowOf(these),
        changedBefore(question, (before) => lacking(before, resource)),
      ),
    ])
      expect([one.finding, one.missing.length > 0]).toEqual(["undetermined", true]);
  });

  it("a list of before that was denied: who was in it is not known", () => {
    const one = found(nowOf(these), changedBefore(question, denied));
    expect([one.finding, one.missing]).toEqual([
      "undetermined",
      ["statefulsets of before: statefulsets: 403"],
    ]);
  });

  it("a state before that is later than what is judged", () => {
    const later = changedBefore(question, (before) => ({
      ...before,
      at: (before.at + 3_600_000) as Evidence["at"],
    }));
    expect(found(nowOf(these), later).reason).toBe("later");
  });

  const said = { kind: "deploy", namespace: null, name: "other-0", uid: null, generation: null, ready: null };
  const uid = uidOf("Deployment", "other-0");
  const set: Other = { kind: "StatefulSet", pods: 2, deed: "nothing", by: "ci" };
  it.each([
    [{ ...said, uid }, "undetermined"],
    [{ ...said, generation: 1 }, "undetermined"],
    [{ ...said, uid, generation: 1 }, "proven"],
    [{ ...said, uid, generation: 1, ready: 2 }, "proven"],
    [{ ...said, uid, generation: 1, ready: 3 }, "refuted"],
    // Annotations of a Deployment count one too.
    [{ ...said, uid, generation: 2 }, "undetermined"],
    [
      { ...said, kind: "sts", name: "other-1", uid: uidOf("StatefulSet", "other-1"), generation: 2 },
      "refuted",
    ],
    [{ ...said, uid: uidOf("Deployment", "other-0", 2), generation: 1 }, "refuted"],
    [{ ...said, name: "nobody", uid, generation: 1 }, "refuted"],
  ])("named without a state before: %o is %s", (one, finding) => {
    const now = nowOf([...these.slice(0, 1), set]);
    expect(found(now, asking({ named: [one], before: null })).finding).toBe(finding);
  });
});

describe("Y3: what a bystander answers", () => {
  const isTold = (judgeIt: JudgeBystanders, one: AskedOther): boolean =>
    judgeIt(...askedWorld(one)).finding === ANSWERED[one.before][one.now];

  it("is held to what is expected, before and now; what could not be asked is no answer", () =>
    fc.assert(fc.property(askedOther, (one) => isTold(found, one))));

  it("V1: without any one field that it cites it is not proven, before or now", () =>
    fc.assert(
      fc.property(askedOther, (one) => {
        const [now, question] = askedWorld(one);
        const { finding, evidence } = found(now, question);
        fc.pre(finding === "proven");
        for (const cited of evidence) {
          const law: Law = (number, holds, what) =>
            expect([number, holds, what]).toEqual([number, true, what]);
          const left = cited.evidence.startsWith("before/")
            ? found(
                now,
                changedBefore(question, (before) => without(law, before, cited, () => undefined)),
              )
            : found(
                without(law, now, cited, () => undefined),
                question,
              );
          expect(left.finding, `${cited.evidence}#${cited.pointer}`).not.toBe("proven");
        }
      }),
      { numRuns: 40 },
    ));

  it("says by which path, how many, and that others were not asked", () => {
    const refuted = found(...askedWorld({ before: "as expected", now: "otherwise", samples: 2 }));
    expect(refuted.sentence).toBe(
      "1 of 1 bystander changed: Deployment shop/other-0 is answered otherwise by service, in 1 of 2 replies: status 503 where 200 is expected",
    );
    const alone = found(...askedWorld({ before: "not asked", now: "as expected", samples: 1 }));
    expect(alone.limits.join("\n")).toContain("1 bystander was asked now alone, and not in before");
    const none = judged(all("nothing", "nothing"));
    expect(none.limits.join("\n")).toContain("2 bystanders were not asked for a reply");
  });

  it("an answer of the target is none of a bystander's, nor the other way round", () => {
    const [now, question] = askedWorld({ before: "not asked", now: "as expected", samples: 1 });
    const ofTarget = (seen: Seen): Seen =>
      seen.kind === "Answer" ? { ...seen, raw: { ...seen.raw, of: null } } : seen;
    expect(found({ ...now, objects: now.objects.map(ofTarget) }, question).finding).toBe("undetermined");
    const response = question.expected.bystanders?.replies?.[0]?.response ?? null;
    const { findings } = judge(now, { ...question, expected: { ...question.expected, response } });
    expect(findings.find(({ claim }) => claim === "response")?.reason).toBe("not-asked");
  });

  const REPLY_MUTANTS: Readonly<Record<string, JudgeBystanders>> = {
    "an answer of before is not looked at": (now, question) =>
      found(
        now,
        changedBefore(question, (before) => ({
          ...before,
          objects: before.objects.filter(({ kind }) => kind !== "Answer"),
        })),
      ),
    "no reply is taken for a right one": (now, question) =>
      found(
        {
          ...now,
          objects: now.objects.map((seen) =>
            seen.kind === "Answer" ? { ...seen, raw: { ...seen.raw, failure: null, status: 200 } } : seen,
          ),
        },
        question,
      ),
    "what nobody asked is not missed": (now, question) => {
      const one = found(now, question);
      return one.missing.some((what) => what.endsWith("(not asked for)"))
        ? { ...one, finding: "proven" }
        : one;
    },
  };
  it.each(Object.keys(REPLY_MUTANTS))("mutant: %s: caught", (name) => {
    const broken = REPLY_MUTANTS[name] as JudgeBystanders;
    const { failed } = fc.check(
      fc.property(askedOther, (one) => isTold(broken, one)),
      { numRuns: 300, seed: 5, endOnFailure: true },
    );
    expect(failed).toBe(true);
  });
});

/** Broken judges, which the properties have to catch. */
const seeing =
  (change: (seen: Seen, was: Seen | undefined) => Seen | null): JudgeBystanders =>
  (now, question) => {
    const before = question.expected.bystanders?.before?.evidence.objects ?? [];
    const was = new Map(before.map((one) => [`${one.kind}/${one.name}`, one]));
    const objects = now.objects.flatMap((one) => {
      const made = change(one, was.get(`${one.kind}/${one.name}`));
      return made === null ? [] : [made];
    });
    return found({ ...now, objects }, question);
  };
const withRaw = (seen: Seen, raw: JsonObject): Seen => ({ ...seen, raw });

const MUTANTS: Readonly<Record<string, JudgeBystanders>> = {
  "an equal name with another UID is taken for the same": seeing((seen, was) =>
    was === undefined
      ? seen
      : {
          ...withRaw(seen, {
            ...seen.raw,
            metadata: { ...(seen.raw["metadata"] as JsonObject), uid: was.uid },
          }),
          uid: was.uid,
        },
  ),
  "status alone is compared": seeing((seen, was) =>
    was?.raw["spec"] === undefined ? seen : withRaw(seen, { ...seen.raw, spec: was.raw["spec"] }),
  ),
  "restarts are overlooked": seeing((seen, was) =>
    seen.kind !== "Pod" || was === undefined || was.uid !== seen.uid
      ? seen
      : withRaw(seen, {
          ...seen.raw,
          status: {
            ...(seen.raw["status"] as JsonObject),
            containerStatuses: (was.raw["status"] as JsonObject)["containerStatuses"] as JsonValue,
          },
        }),
  ),
  "a change of its labels counts": seeing((seen, was) => {
    const labels = (raw: JsonObject) => JSON.stringify((raw["metadata"] as JsonObject)["labels"] ?? {});
    return was !== undefined && labels(was.raw) !== labels(seen.raw) ? null : seen;
  }),
  "all that is there is as it was": (now, question) => {
    const one = found(now, question);
    return one.sentence.includes("is gone;") ? { ...one, finding: "proven" } : one;
  },
};

describe("mutant", () => {
  it.each(Object.keys(MUTANTS))("%s: caught", (name) => {
    const broken = MUTANTS[name] as JudgeBystanders;
    const { failed } = fc.check(
      fc.property(others, (these) => isRight(broken, these)),
      { numRuns: 1_000, seed: 5, endOnFailure: true },
    );
    expect(failed).toBe(true);
  });

  it("a cited field that is not needed: caught by V1", () => {
    const kind = (now: Evidence, question: Question): Finding => {
      const one = found(now, question);
      return one.finding === "undetermined" ? { ...one, finding: "proven" } : one;
    };
    const these = all("nothing");
    expect(brokenBy((law) => restsOnEach(law, kind, these, () => undefined)).length).toBeGreaterThan(0);
  });
});
