import fc from "fast-check";
import { expect, it } from "vitest";
import type { Judgement } from "./finding.ts";
import { verdictOf } from "./verdict.ts";

const judgement = fc.constantFrom<Judgement>("proven", "refuted", "progressing", "undetermined");
const findings = fc.array(fc.record({ finding: judgement, required: fc.boolean() }));

it("the rule of DESIGN §3, for any findings in any order", () => {
  fc.assert(
    fc.property(findings, (all) => {
      const needed = new Set(all.filter(({ required }) => required).map(({ finding }) => finding));
      const wanted = all.some(({ finding }) => finding === "refuted")
        ? "refuted"
        : needed.size === 0 || needed.has("undetermined")
          ? "undetermined"
          : needed.has("progressing")
            ? "progressing"
            : "proven";
      expect(verdictOf(all)).toBe(wanted);
      expect(verdictOf([...all].reverse())).toBe(wanted);
    }),
  );
});

it("no claims prove nothing, and what is not required only counts when it is refuted", () => {
  expect(verdictOf([])).toBe("undetermined");
  expect(verdictOf([{ finding: "proven", required: false }])).toBe("undetermined");
  expect(
    verdictOf([
      { finding: "proven", required: true },
      { finding: "progressing", required: false },
    ]),
  ).toBe("proven");
  expect(
    verdictOf([
      { finding: "proven", required: true },
      { finding: "refuted", required: false },
    ]),
  ).toBe("refuted");
});
