/** A saved plan is believed only if its digest is the one of what it says. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type PlanInput, plan, planDigest, readSavedPlan } from "./plan.ts";

const step = {
  step: "web",
  uses: "exec",
  do: "replace",
  why: "its inputs changed",
  changed: ["/create"],
  cannotKnow: [],
  retained: null,
  gate: { before: "destroy", by: ["alice", "bob"] },
  needsApproval: "it waits for alice",
  destroys: true,
  inputsDigest: `sha256:${"a".repeat(64)}`,
};
const body = {
  verb: "apply",
  stack: "shop",
  position: `sha256:${"b".repeat(64)}`,
  fileDigest: `sha256:${"c".repeat(64)}`,
  steps: [step],
};
const report: PlanInput = { ...body, changes: 1, digest: planDigest(body), notes: [] };
const text = JSON.stringify(plan(report));

it("what plan saved is read back: what it permits, where it was made, who has to approve", () => {
  expect(readSavedPlan(text)).toEqual({
    stack: "shop",
    digest: report.digest,
    position: report.position,
    fileDigest: report.fileDigest,
    destroys: new Set(["web"]),
    inputs: new Map([["web", step.inputsDigest]]),
    gated: new Map([["web", "replace"]]),
  });
});

describe("control", () => {
  it.each([
    ["the step", '"step":"web"', '"step":"db"'],
    ["what is done", '"do":"replace"', '"do":"destroy"'],
    ["the inputs", "aaaa", "dddd"],
    ["where the ledger stood", "bbbb", "dddd"],
    ["the stack", '"stack":"shop"', '"stack":"bank"'],
    ["who has to approve", '"by":["alice",', '"by":["mallory",'],
    ["before what", '"before":"destroy"', '"before":"create"'],
    ["the rule taken out", /"gate":\{[^}]*\}/, '"gate":null'],
    [
      "an approval that no rule asks for",
      /"gate":\{[^}]*\},"needsApproval":"[^"]*"/,
      '"gate":null,"needsApproval":"x"',
    ],
    ["the verb", '"verb":"apply"', '"verb":"destroy"'],
  ])("with %s changed it is refused", (_, from, to) => {
    const changed = text.replace(from, to);
    expect(changed).not.toBe(text);
    expect(readSavedPlan(changed)).toHaveProperty("fault");
  });
});

it("an approval that was given meanwhile is not a change: the rule is covered, not what is missing at the moment", () => {
  const given = { ...step, needsApproval: null };
  expect(planDigest({ ...body, steps: [given] })).toBe(report.digest);
  expect(readSavedPlan(JSON.stringify(plan({ ...report, steps: [given] })))).toEqual(readSavedPlan(text));
});

it("property: any text is read or refused, never thrown at", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json(),
        fc.json().map((json) => `{"kind":"Plan","verb":"apply","steps":${json}}`),
      ),
      (any) => {
        expect(readSavedPlan(any)).toHaveProperty("fault");
      },
    ),
  );
});
