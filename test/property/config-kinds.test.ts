/** config-loaded and config-bound of what runs to an end, and of a ReplicaSet of its own: V1, V2 and V7 of their proofs. */
import { describe, expect, it } from "vitest";
import { judge } from "../../src/judge/judge.ts";
import { TARGETS, taken } from "./config-kinds.ts";
import * as laws from "./judge-laws.ts";

describe.each(TARGETS)("%s", (target) => {
  it("is proven, and by no field too few or too many", () => {
    const [evidence, question] = taken(target);
    const { findings } = judge(evidence, question);
    const of = (claim: string) => findings.find((one) => one.claim === claim);
    expect(of("config-loaded")).toMatchObject({ finding: "proven", reason: "loaded" });
    expect(of("config-bound")).toMatchObject({ finding: "proven", reason: "immutable" });
    const broken = laws.brokenBy((law) => {
      laws.removingAnyCitedField(law, judge, evidence, question);
      laws.wrongTypes(law, judge, evidence, question);
      laws.anyOrder(law, judge, evidence, question, laws.shuffled([5, 3, 8, 1, 9, 2, 7, 4]));
    });
    expect(broken).toEqual([]);
  });

  it("is refuted where what its next container needs is not there", () => {
    const { findings } = judge(...taken(target, []));
    expect(findings.find(({ claim }) => claim === "config-bound")).toMatchObject({
      finding: "refuted",
      reason: "reference-missing",
    });
  });
});
