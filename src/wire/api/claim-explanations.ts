/** `verify --explain -o json`: kind `ClaimExplanations`. Pure; every field is always there. */
import { CLAIMS, type ClaimName } from "../../domain/claim.ts";
import { EXPLANATIONS } from "../../domain/explanation.ts";
import type { JsonObject } from "../../domain/json.ts";
import { JUDGING_LAWS, LAWS_OF_EVERY_CLAIM } from "../../domain/law.ts";
import { document } from "./document.ts";

export const claimExplanations = (claims: readonly ClaimName[]): JsonObject =>
  document("ClaimExplanations", { claims: claims.map(claimExplanation) });

/** One of them, as it also stands on a line of `-o jsonl`, and in a VerdictReport that was asked to explain. */
export const claimExplanation = (claim: ClaimName): JsonObject => {
  const { layer, says, doesNotTell } = CLAIMS[claim];
  const { rule, restsOn, lists, laws, sources, limits } = EXPLANATIONS[claim];
  return {
    claim,
    layer,
    says,
    rule: {
      proven: [...rule.proven],
      refuted: [...rule.refuted],
      progressing: [...rule.progressing],
      undetermined: [...rule.undetermined],
    },
    restsOn: Object.entries(restsOn).map(([of, fields]) => ({ of, fields: [...fields] })),
    lists: [...lists],
    laws: [...laws, ...LAWS_OF_EVERY_CLAIM].map((law) => ({ law, says: JUDGING_LAWS[law] })),
    sources: sources.map(({ title, url }) => ({ title, url })),
    doesNotTell,
    limits: [...limits],
  };
};
