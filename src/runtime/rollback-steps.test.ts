/** What a rollback with a drill says of itself. */
import { describe, expect, it } from "vitest";
import type { Finding, Judgement } from "../domain/finding.ts";
import { verdictOf } from "../domain/verdict.ts";
import { drilledText } from "./rollback-steps.ts";

const finding = (judgement: Judgement): Finding => ({
  claim: "config-bound",
  layer: "config",
  finding: judgement,
  required: true,
  reason: "mutable",
  sentence: "nothing holds ConfigMap settings as it is",
  evidence: [],
  missing: [],
  limits: [],
});
const told = (judgement: Judgement, exit = 0): string => {
  const findings = [finding(judgement)];
  return drilledText({ exit, refused: null, verdict: null }, { verdict: verdictOf(findings), findings });
};

describe("Y2: a rollback with a drill", () => {
  it("is confirmed where the replaced Pod came up right and nothing else is open", () => {
    expect(told("proven")).toBe("Rolled back, and confirmed: a replaced Pod came up right.");
  });

  it.each(["undetermined", "progressing", "refuted"] as const)(
    "is not called confirmed where the verdict is %s: what is open is said",
    (judgement) => {
      expect(told(judgement)).toBe(
        `Rolled back, and a replaced Pod came up right; not confirmed, since config-bound is ${judgement}: nothing holds ConfigMap settings as it is`,
      );
    },
  );

  it("nor where nobody could look, where the Pod is not right, or where the drill was refused", () => {
    expect(drilledText({ exit: 0, refused: null, verdict: null }, null)).toContain("not confirmed");
    expect(told("proven", 10)).toMatch(/^Rolled back, and not recovered/);
    const refused = { reason: "out-of-scope", sentence: "the namespace is not among those" };
    expect(drilledText({ exit: 23, refused, verdict: null }, null)).toMatch(
      /not confirmed: the drill was refused/,
    );
  });
});
