/**
 * The gate's two-way test: it refuses all that it has to and lets the healthy one pass; and a gate that is broken in one thing,
 * by its file or by its rule, fails its own test by the name of that thing.
 */
import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import { openGateBench } from "../../src/compose/gate-bench.ts";
import type { GateRefusal } from "../../src/domain/gate-decision.ts";
import { REFUSAL_NAMES, type RefusalName } from "../../src/domain/gate-refusal.ts";
import { refusalsOf } from "../../src/judge/gate/decide.ts";
import { gateTest } from "../../src/runtime/gate/self-test.ts";
import type { GateTestReport } from "../../src/runtime/gate/self-test-report.ts";
import type { Rule } from "../../src/runtime/gate/showing.ts";
import { askedIn, STRICT } from "../support/gates.ts";

const tested = async (
  text: string,
  more: {
    readonly rule?: Rule;
    readonly accepts?: ReadonlyMap<RefusalName, string>;
    readonly only?: readonly RefusalName[];
  } = {},
): Promise<GateTestReport> =>
  gateTest({
    file: null,
    accepts: new Map(),
    asked: await askedIn(text),
    cases: [],
    open: openGateBench,
    ...more,
  });

const slipped = ({ refusals }: GateTestReport): readonly string[] =>
  refusals.filter(({ outcome }) => outcome === "slips-through").map(({ name }) => name);

/** The strict gate with a text in place of another; what is not there to be replaced would be no mutant. */
const without = (was: RegExp, is = ""): string => {
  if (!was.test(STRICT)) throw new Error(`${was} is not in the strict gate`);
  return STRICT.replace(was, is);
};

const claims = (...names: readonly string[]): string =>
  names.reduce((text, name) => {
    const next = text.replace(new RegExp(`, ${name}(?=[,\\]])`), "");
    if (next === text) throw new Error(`${name} is no claim of it`);
    return next;
  }, STRICT);

/** A rule that overlooks something. */
const overlooking =
  (what: (one: GateRefusal) => boolean): Rule =>
  (policy, given) =>
    refusalsOf(policy, given).filter((one) => !what(one));

/** By the refusal that slips through: a gate's file that asks too little, or a rule that overlooks it. */
const MUTANTS: Readonly<Record<RefusalName, { readonly text: string } | { readonly rule: Rule }>> = {
  "old-commit": { text: claims("intended-commit", "synced-revision").replace(/ +commit: .*\n/, "") },
  "old-pod": {
    text: claims(
      "rollout-complete",
      "old-gone",
      "capacity",
      "config-loaded",
      "config-bound",
      "answered-by-new-pod",
    ),
  },
  "synced-degraded": {
    text: claims("controller-health", "intended-commit", "synced-revision")
      .replace(/ +application: .*\n/, "")
      .replace(/ +commit: .*\n/, ""),
  },
  "no-endpoints": {
    rule: overlooking(
      ({ claim, sentence }) => claim === "endpoints-ready" || sentence.includes("was recorded as"),
    ),
  },
  "other-body": { text: without(/, json: \{ version: v2 \}/) },
  "missing-field": { text: without(/^claims: .*$/m) },
  "stale-health": { rule: overlooking(({ claim }) => claim === "controller-health") },
  "never-synced": {
    rule: overlooking(
      ({ claim, sentence }) =>
        claim === "intended-commit" ||
        claim === "synced-revision" ||
        claim === "controller-health" ||
        sentence.includes("was recorded as"),
    ),
  },
  "foreign-uid": { rule: overlooking(({ finding, side }) => finding === "undetermined" && side === "live") },
  "reused-pod-name": { text: claims("answered-by-new-pod") },
  "inside-pod": { text: without(/via: service\/web, path: \//, "via: pod, path: /") },
  "no-evidence": { rule: overlooking(({ reason }) => reason === "no-evidence") },
  "stored-alone": { rule: overlooking(({ side }) => side === "live") },
  "changed-since": { rule: overlooking(({ reason }) => reason === "changed") },
  "edited-evidence": { rule: overlooking(({ reason }) => reason === "altered") },
  "incomplete-evidence": { rule: overlooking(({ reason }) => reason === "incomplete") },
  "old-evidence": { rule: overlooking(({ reason }) => reason === "too-old") },
  "replayed-evidence": {
    rule: (policy, given) =>
      refusalsOf(policy, {
        ...given,
        evidence: given.evidence === null ? null : { ...given.evidence, readAt: given.evidence.recordedAt },
      }),
  },
  "clock-backwards": { rule: overlooking(({ reason }) => reason === "from-the-future") },
  "lower-trust": { rule: overlooking(({ reason }) => reason === "trust-too-low") },
  "wrong-approver": {
    rule: (policy, given) => {
      const { approvals } = policy;
      const anybody = given.approvals.map(({ actor }) => actor);
      return refusalsOf(
        {
          ...policy,
          approvals: approvals === null ? null : { ...approvals, by: [...approvals.by, ...anybody] },
        },
        given,
      );
    },
  },
  "approval-of-another": {
    rule: (policy, given) => refusalsOf(policy, { ...given, approvals: anyVerdict(given) }),
  },
  "old-approval": {
    rule: (policy, given) =>
      refusalsOf(policy, { ...given, approvals: given.approvals.map((one) => ({ ...one, at: given.now })) }),
  },
  "approved-twice-by-one": {
    rule: (policy, given) => {
      const { approvals } = policy;
      const enough = approvals === null ? null : { ...approvals, count: Math.min(1, given.approvals.length) };
      return refusalsOf({ ...policy, approvals: enough }, given);
    },
  },
};

/** As a rule that takes any approval on record for one of this verdict. */
const anyVerdict = ({ evidence }: Parameters<Rule>[1]): Parameters<Rule>[1]["approvals"] =>
  ["alice", "bob"].map((actor) => ({
    run: "run_x",
    actor,
    reason: "",
    at: evidence?.recordedAt ?? (0 as never),
    of: String(evidence?.sha256),
    whole: true,
    trust: "T1" as const,
  }));

const passing = (): readonly string[] =>
  readdirSync(tmpdir()).filter((name) => name.startsWith("asfound-gate-"));

describe("gate test", () => {
  it("a gate that asks for all of it refuses each, and lets the healthy one pass; it leaves nothing behind", async () => {
    const before = new Set(passing());
    const report = await tested(STRICT);
    expect(report.refusals.map(({ name, outcome }) => [name, outcome])).toEqual(
      REFUSAL_NAMES.map((name) => [name, "refused"]),
    );
    expect(report.healthy).toEqual({ promoted: true, details: [] });
    expect(report.exit).toBe(0);
    expect(report.refusals.find(({ name }) => name === "missing-field")?.states).toBeGreaterThan(50);
    // Another gate's test may be at work beside this one.
    expect(passing().filter((name) => !before.has(name)).length).toBeLessThan(3);
  });

  it("a gate that refuses all fails by what it does not let pass", async () => {
    const report = await tested(STRICT, {
      rule: () => [{ side: "live", reason: "not-proven", claim: null, finding: "refuted", sentence: "no" }],
    });
    expect(report.healthy.promoted).toBe(false);
    expect(report.exit).toBe(10);
  });

  it("what slips through knowingly is told with its reason, and fails nothing", async () => {
    const text = without(/, json: \{ version: v2 \}/);
    const report = await tested(text, { accepts: new Map([["other-body", "the app has no version"]]) });
    expect(slipped(report)).toEqual([]);
    expect(report.refusals.find(({ name }) => name === "other-body")).toMatchObject({
      outcome: "accepted",
      details: ["accepted: the app has no version", expect.any(String)],
    });
    expect(report.exit).toBe(0);
  });

  it("a gate that asks for no approval and takes any trust says of what it asks nothing", async () => {
    const report = await tested(STRICT.replace(/^evidence: .*$/m, "").replace(/^approvals: .*$/m, ""));
    const notAsked = report.refusals.filter(({ outcome }) => outcome === "not-asked").map(({ name }) => name);
    expect(notAsked).toEqual([
      "lower-trust",
      "wrong-approver",
      "approval-of-another",
      "old-approval",
      "approved-twice-by-one",
    ]);
    expect(report.exit).toBe(0);
  });
});

describe("mutant gate", () => {
  for (const name of REFUSAL_NAMES)
    it(`${name}: a gate that lets it through fails its own test by that name`, async () => {
      const mutant = MUTANTS[name];
      const report =
        "text" in mutant
          ? await tested(mutant.text, { only: [name] })
          : await tested(STRICT, { rule: mutant.rule, only: [name] });
      expect(slipped(report)).toContain(name);
      expect(report.exit).toBe(10);
      expect(report.statement).toContain(name);
    });
});
