/** What is explained of a claim is what its judge does: no field that it never cites, no proof that rests on more. */
import { describe, expect, it } from "vitest";
import { CLAIM_NAMES, type ClaimName } from "../../src/domain/claim.ts";
import { EXPLANATIONS, type Explanation, TARGET } from "../../src/domain/explanation.ts";
import { type Cites, citations, untrueOf } from "./explanations.ts";

const all: readonly Cites[] = await citations();
const own = (claim: ClaimName): Explanation => EXPLANATIONS[claim];

describe("every claim", () => {
  it.each(CLAIM_NAMES)("%s is explained as it is judged", (claim) => {
    expect(untrueOf(claim, own(claim), all)).toEqual([]);
  });

  it("and no other is explained", () => {
    expect(Object.keys(EXPLANATIONS)).toEqual(CLAIM_NAMES);
  });

  it.each(CLAIM_NAMES)("%s has a source, and limits", (claim) => {
    const { sources, limits } = own(claim);
    expect(sources.length).toBeGreaterThan(0);
    expect(limits.length).toBeGreaterThan(0);
    for (const { url } of sources) expect(new URL(url).protocol).toBe("https:");
  });
});

describe("control: an explanation that is not true is caught", () => {
  const changed = (change: Partial<Explanation>) =>
    untrueOf("rollout-complete", { ...own("rollout-complete"), ...change }, all);
  const { restsOn, rule } = own("rollout-complete");

  it("a field that its judge never cites, a LIST too", () => {
    expect(
      changed({
        restsOn: { ...restsOn, Deployment: [...(restsOn["Deployment"] ?? []), "status.readyReplicas"] },
      }),
    ).toEqual(["Deployment status.readyReplicas is named, and never cited"]);
    expect(changed({ lists: ["jobs", "nodes"] })).toEqual(["the LIST of nodes is named, and never cited"]);
  });

  it("a field that a proof rests on and nobody is told of, a LIST too", () => {
    const { [TARGET]: _, ...rest } = restsOn;
    expect(changed({ restsOn: rest })).toContain("a proof cites Deployment metadata.uid, which is not named");
    expect(changed({ lists: [] })).toEqual(["a proof cites the LIST of jobs, which is not named"]);
  });

  it("a finding that it never comes to, and one that it comes to without a rule", () => {
    expect(changed({ rule: { ...rule, refuted: [] } })).toEqual(["it is refuted, and no rule says when"]);
    const absent = own("absent");
    const waits = { ...absent.rule, progressing: ["it is being deleted"] };
    expect(untrueOf("absent", { ...absent, rule: waits }, all)).toEqual(["it is never progressing"]);
  });

  it("a claim without one does not compile", () => {
    const { capacity: _, ...others } = EXPLANATIONS;
    // @ts-expect-error: capacity is missing
    const lacking: typeof EXPLANATIONS = others;
    expect(Object.keys(lacking)).not.toEqual(CLAIM_NAMES);
  });
});
