/** Approvals: recorded decisions that a call of a kind waits for. */
import type { Digest, StepName } from "./ids.ts";
import type { StepState } from "./state.ts";
import type { Action, Approve } from "./step.ts";

/** Whether the rule has a say in a call of this kind. */
export const asksFor = (rule: Approve | null, action: Action): rule is Approve =>
  rule !== null && (rule.before === "any" || rule.before === action);

/** Why the call must wait for a person; undefined when nothing stands in its way. */
export const approvalFault = (
  step: StepName,
  rule: Approve | null,
  state: StepState | undefined,
  action: Action,
  plan: Digest | null,
): string | undefined => {
  if (!asksFor(rule, action)) return undefined;
  const given = state === undefined ? [] : state.approvals;
  const fits = given.some(
    (a) =>
      rule.by.includes(a.actor) &&
      (a.before === "any" || a.before === action) &&
      (a.plan === null || a.plan === plan),
  );
  if (fits) return undefined;
  return `${action} waits for an approval by ${rule.by.join(" or ")}: asfound approve ${step} --before ${action} --reason TEXT`;
};
