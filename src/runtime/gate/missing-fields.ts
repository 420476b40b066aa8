/** V1, shown to a gate: every field that a proven finding of the healthy world cites is taken away in turn. */
import type { ClaimName } from "../../domain/claim.ts";
import { citation } from "../../domain/evidence.ts";
import type { GateRefusal } from "../../domain/gate-decision.ts";
import type { GateGiven } from "../../judge/gate/decide.ts";
import { gateJudged } from "./judged.ts";
import type { Asked, Rule } from "./showing.ts";
import { collectedOf, pathOf, type WorldFiles, withField } from "./world-files.ts";

export interface FieldsTaken {
  /** How many fields there were. */
  readonly fields: number;
  /** Those without which the gate went on all the same, each a sentence. */
  readonly slipped: readonly string[];
}

/** `healthy`: what the gate has of the world as it should be. */
export const fieldsTaken = (rule: Rule, asked: Asked, files: WorldFiles, healthy: GateGiven): FieldsTaken => {
  const { policy, question } = asked;
  const { report } = gateJudged(collectedOf(files), question);
  const counts = new Set<ClaimName>(policy.claims);
  const cited = new Map<
    string,
    { readonly file: string; readonly pointer: string; readonly claims: Set<ClaimName> }
  >();
  for (const { claim, finding, required, evidence } of report.findings) {
    if (finding !== "proven" || !(required || counts.has(claim))) continue;
    for (const one of evidence) {
      const key = citation(one);
      const known = cited.get(key);
      if (known === undefined)
        cited.set(key, { file: one.evidence, pointer: one.pointer, claims: new Set([claim]) });
      else known.claims.add(claim);
    }
  }
  const slipped = [...cited].flatMap(([field, { file, pointer, claims }]) => {
    const without = withField(files, file, pathOf(pointer), undefined);
    const { verdict: judged } = gateJudged(collectedOf(without), question);
    const { evidence, live } = healthy;
    const refusals = rule(policy, {
      ...healthy,
      evidence: evidence === null ? null : { ...evidence, judged },
      live: live.kind === "looked" ? { ...live, judged } : live,
    });
    return [...claims]
      .filter((claim) => !isOpen(refusals, claim))
      .map((claim) =>
        judged.findings.some((one) => one.claim === claim)
          ? `${claim} holds without ${field}`
          : `${claim} is not even asked for without ${field}: name it under claims`,
      );
  });
  return { fields: cited.size, slipped };
};

/** By the evidence, and by what is there. */
const isOpen = (refusals: readonly GateRefusal[], claim: ClaimName): boolean =>
  (["evidence", "live"] as const).every((side) =>
    refusals.some((one) => one.side === side && one.claim === claim),
  );
