/** `pod-replaced` over drawn drills: never proven of anything but the right Pod, and proven of it wherever enough is told (Y2). */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Evidence, Seen } from "../../src/domain/evidence.ts";
import type { JsonObject } from "../../src/domain/json.ts";
import { judge } from "../../src/judge/judge.ts";
import { done } from "../support/kubernetes/rollouts.ts";
import { asked, replacing } from "./explanations.ts";
import * as laws from "./judge-laws.ts";
import { type Drilled, drilled, drilledWorld, isLimit, truthOf } from "./replacement.ts";

const found = (judgeIt: laws.Judge, made: Drilled) => {
  const { findings } = judgeIt(...drilledWorld(made));
  const one = findings.find(({ claim }) => claim === "pod-replaced");
  if (one === undefined) throw new Error("it was not judged");
  return one;
};

/** What is said against what is so; empty: all of it holds. */
const untrue = (judgeIt: laws.Judge, made: Drilled): readonly string[] => {
  const { finding, reason, sentence } = found(judgeIt, made);
  const { isReplaced, isToldReplaced, isContradicted } = truthOf(made);
  const says = `${finding} (${reason}: ${sentence})`;
  return [
    ...(finding === "proven" && !isReplaced && !isLimit(made) ? [`it was not replaced, and ${says}`] : []),
    ...(isToldReplaced && finding !== "proven" ? [`it was replaced, and ${says}`] : []),
    ...(finding === "refuted" && isReplaced && isToldReplaced
      ? [`nothing speaks against it, and ${says}`]
      : []),
    ...(isContradicted && finding === "proven" ? [`something speaks against it, and ${says}`] : []),
    ...(made.isBesideTold && isContradicted && finding !== "refuted"
      ? [`it is contradicted, and ${says}`]
      : []),
  ];
};

const numRuns = 1_500;

describe("pod-replaced", () => {
  it("Y2: is proven of the right Pod alone, and of it wherever enough is told", () =>
    fc.assert(
      fc.property(drilled, (made) => {
        expect(untrue(judge, made)).toEqual([]);
      }),
      { numRuns },
    ));

  it("V1, V7: nothing that it rests on can be taken away", () =>
    fc.assert(
      fc.property(drilled, (made) => {
        const [evidence, question] = drilledWorld(made);
        const broken = laws.brokenBy((law) => {
          laws.removingAnyCitedField(law, judge, evidence, question);
          laws.removingProvesNothing(law, judge, evidence, question);
          laws.wrongTypes(law, judge, evidence, question);
        });
        expect(broken).toEqual([]);
      }),
      { numRuns: 150 },
    ));

  it("V2, V3, V4, V5, V9", () =>
    fc.assert(
      fc.property(drilled, fc.array(fc.nat(1_000), { minLength: 8, maxLength: 8 }), (made, seeds) => {
        const [evidence, question] = drilledWorld({ ...made, isOver: null });
        const broken = laws.brokenBy((law) => {
          laws.anyOrder(law, judge, evidence, question, laws.shuffled(seeds));
          laws.timeAlone(law, judge, evidence, question);
          laws.notAsked(law, judge, evidence, question);
          laws.limitsTold(law, judge, evidence, question);
        });
        expect(broken).toEqual([]);
      }),
      { numRuns: 300 },
    ));

  it("says who came in its place; and without the workload's UID of before, that it cannot be told (Y2)", () => {
    const made: Drilled = { beside: ["ready"], came: "ready", wrong: null, isBesideTold: true, isOver: null };
    expect(found(judge, made).sentence).toMatch(
      /^Pod web-\S+ \(UID \S+\) came in its place: .*Deployment shop\/web/,
    );
    const [evidence, question] = drilledWorld(made);
    const unpinned = { ...question, expected: { ...question.expected, uid: null } };
    expect(judge(evidence, unpinned)).toMatchObject({ verdict: "undetermined" });
  });
});

const SERVICE = { kind: "service", name: "web" } as const;

describe("with an answer expected", () => {
  it.each([
    ["of the Service, in which the app names its Pod", replacing(asked(done, SERVICE, "$.pod"))],
    ["of each Pod", replacing(asked(done, { kind: "pod" }, null))],
  ] as const)("V1, V7: %s: nothing that it rests on can be taken away", (_, [evidence, question]) => {
    expect(judge(evidence, question).findings.find(({ claim }) => claim === "pod-replaced")).toMatchObject({
      finding: "proven",
      sentence: expect.stringContaining("as expected"),
    });
    const broken = laws.brokenBy((law) => {
      laws.removingAnyCitedField(law, judge, evidence, question);
      laws.wrongTypes(law, judge, evidence, question);
    });
    expect(broken).toEqual([]);
  });

  const finding = (...[evidence, question]: Parameters<laws.Judge>) =>
    judge(evidence, question).findings.find(({ claim }) => claim === "pod-replaced");

  /** The first Pod stood beside the one that is gone, the second one came. */
  const oneCame = (): readonly [Evidence, Parameters<laws.Judge>[1], readonly Seen[]] => {
    const [evidence, question] = replacing(asked(done, SERVICE, "$.pod"));
    const pods = evidence.objects.filter(({ kind }) => kind === "Pod");
    const beside = pods.slice(0, 1).map(({ uid }) => String(uid));
    const replaced = { uids: ["gone"], beside, by: null, reply: null };
    return [evidence, { ...question, expected: { ...question.expected, replaced } }, pods];
  };
  const without = (evidence: Evidence, pod: Seen | undefined): Evidence => ({
    ...evidence,
    objects: evidence.objects.filter(
      ({ kind, raw }) => kind !== "Answer" || !String(raw["body"]).includes(String(pod?.name)),
    ),
  });

  it("a drill that expected a reply is not proven by a look that asks for none", () => {
    const made: Drilled = { beside: ["ready"], came: "ready", wrong: null, isBesideTold: true, isOver: null };
    const [evidence, question] = drilledWorld(made);
    const { replaced } = question.expected;
    if (replaced === null) throw new Error("it asks of no Pod");
    const asked = (reply: string | null) =>
      finding(evidence, {
        ...question,
        expected: { ...question.expected, replaced: { ...replaced, reply } },
      });
    expect(asked("service/web")).toMatchObject({ finding: "undetermined", reason: "reply-not-asked" });
    expect(asked(null)).toMatchObject({ finding: "proven" });
  });

  it("one of the Pod beside it says nothing of the one that came; its own does", () => {
    const [evidence, question, [beside, came]] = oneCame();
    expect(finding(evidence, question)?.finding).toBe("proven");
    expect(finding(without(evidence, beside), question)?.finding).toBe("proven");
    expect(finding(without(evidence, came), question)).toMatchObject({
      finding: "undetermined",
      reason: "no-answer",
    });
  });

  it("another reply of the one that came refutes it, another one of the Pod beside it does not", () => {
    const [evidence, question, [beside, came]] = oneCame();
    const failing = (pod: Seen | undefined): Evidence => ({
      ...evidence,
      objects: evidence.objects.map((one) =>
        one.kind === "Answer" && String(one.raw["body"]).includes(String(pod?.name))
          ? { ...one, raw: { ...one.raw, status: 503 } }
          : one,
      ),
    });
    expect(finding(failing(came), question)).toMatchObject({ finding: "refuted", reason: "other-reply" });
    expect(finding(failing(beside), question)?.finding).toBe("proven");
  });
});

type Loose = Record<string, Record<string, unknown>>;

const eachRaw =
  (kind: string, change: (raw: Loose) => void): laws.Judge =>
  (evidence, question) =>
    judge(
      {
        ...evidence,
        objects: evidence.objects.map((seen): Seen => {
          if (seen.kind !== kind) return seen;
          const raw = structuredClone(seen.raw) as unknown as Loose;
          change(raw);
          const uid = raw["metadata"]?.["uid"];
          return { ...seen, raw: raw as unknown as JsonObject, uid: typeof uid === "string" ? uid : null };
        }),
      },
      question,
    );

const setUid = (evidence: Evidence): unknown =>
  evidence.objects.find(({ kind }) => kind === "ReplicaSet")?.uid;

const MUTANTS: Readonly<Record<string, laws.Judge>> = {
  "a Pod is the workload's by its labels, whichever ReplicaSet controls it": (evidence, question) =>
    eachRaw("Pod", (raw) => {
      for (const owner of (raw["metadata"]?.["ownerReferences"] ?? []) as Record<string, unknown>[])
        owner["uid"] = setUid(evidence);
    })(evidence, question),
  "a ReplicaSet is the workload's by its name": (evidence, question) => {
    const uid = evidence.objects.find(({ kind }) => kind === "Deployment")?.uid;
    return eachRaw("ReplicaSet", (raw) => {
      for (const owner of (raw["metadata"]?.["ownerReferences"] ?? []) as Record<string, unknown>[])
        owner["uid"] = uid;
    })(evidence, question);
  },
  "a terminating Pod is gone": (evidence, question) =>
    judge(
      {
        ...evidence,
        objects: evidence.objects.filter(
          ({ raw }) => (raw["metadata"] as JsonObject)["deletionTimestamp"] === undefined,
        ),
      },
      question,
    ),
  "the workload that is there is the one of before": (evidence, question) => {
    const uid = evidence.objects.find(({ kind }) => kind === "Deployment")?.uid ?? null;
    return judge(evidence, { ...question, expected: { ...question.expected, uid } });
  },
  "any Pod that is Ready came in its place": (evidence, question) => {
    const { replaced } = question.expected;
    const beside = replaced === null ? null : { ...replaced, beside: [] };
    return judge(evidence, { ...question, expected: { ...question.expected, replaced: beside } });
  },
  "a Pod that is not Ready will be": eachRaw("Pod", (raw) => {
    const conditions = (raw["status"]?.["conditions"] ?? []) as Record<string, unknown>[];
    for (const one of conditions) one["status"] = "True";
  }),
  "time is never over": (evidence, question) => {
    const { replaced } = question.expected;
    const unbound = replaced === null ? null : { ...replaced, by: null };
    return judge(evidence, { ...question, expected: { ...question.expected, replaced: unbound } });
  },
};

describe("mutant", () => {
  it.each(Object.entries(MUTANTS))("%s: caught", (_, broken) => {
    const { failed } = fc.check(
      fc.property(drilled, (made) => untrue(broken, made).length === 0),
      { numRuns, endOnFailure: true, seed: 7 },
    );
    expect(failed).toBe(true);
  });
});
