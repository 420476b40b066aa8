/** What a gate asks: each of its verifications as a question, with what decides about it. */
import type { CustomRule } from "../../domain/custom-rule.ts";
import type { Gate, GatePolicy } from "../../domain/gate.ts";
import type { Question } from "../../domain/question.ts";
import type { Verification } from "../../domain/verification.ts";

export interface GateAsked {
  readonly question: Question;
  readonly policy: GatePolicy;
}

/** `rules`: those that each verification names, read; left out: none. */
export const askedBy = (gate: Gate, rules: readonly (readonly CustomRule[])[] = []): readonly GateAsked[] =>
  gate.verifications.map((verification, at) => ({
    question: ruledBy(questionOf(verification, gate), rules[at]),
    policy: { ...gate, claims: claimsOf(verification, gate) },
  }));

const ruledBy = (question: Question, rules: readonly CustomRule[] = []): Question =>
  rules.length === 0 ? question : { ...question, rules };

/** Claims of the gate are of whatever names none itself: an Application has others than a workload. */
const claimsOf = ({ claims }: Verification, gate: Gate): GatePolicy["claims"] =>
  claims === null ? gate.claims : claims;

const questionOf = (verification: Verification, gate: Gate): Question => {
  const { kind, name, namespace, expected } = verification;
  const { bystanders, ...others } = expected;
  const claims = claimsOf(verification, gate);
  return {
    kind,
    name,
    namespace,
    expected: {
      ...others,
      release: null,
      bystanders: bystanders === null ? null : { named: bystanders, before: null },
      since: null,
    },
    claims: claims.length === 0 ? null : claims,
  };
};
