/** What the Pods of this revision say of a rollout that is not complete: contradicted, or under way, and by what. */
import type { Seen } from "../domain/evidence.ts";
import type { Case } from "./case.ts";
import type { Found, Inquiry } from "./inquiry.ts";
import { isActive } from "./pod.ts";
import { type Troubled, troubles, troubleText } from "./troubles.ts";

/** O3: `fresh` are the Pods of the new revision alone. undefined: none of them contradicts the rollout. */
export const contradictedByPods = (
  inquiry: Inquiry,
  given: Case,
  fresh: readonly Seen[],
  says: string,
): Found | undefined => {
  const lasting = troubles(fresh.filter(isActive), given).filter(({ trouble }) => trouble.lasting);
  const [worst] = lasting;
  if (worst === undefined) return undefined;
  cite(inquiry, lasting);
  return inquiry.refuted(worst.trouble.reason, `${says}: ${troubleText(lasting)}`);
};

/** `usual`: the reason where no Pod tells one. */
export const underWayByPods = (
  inquiry: Inquiry,
  given: Case,
  fresh: readonly Seen[],
  usual: string,
  says: string,
): Found => {
  const found = troubles(fresh.filter(isActive), given);
  const [first] = found;
  if (first === undefined) return inquiry.progressing(usual, says);
  cite(inquiry, found);
  return inquiry.progressing(first.trouble.reason, `${says}: ${troubleText(found)}`);
};

const cite = (inquiry: Inquiry, found: readonly Troubled[]): void => {
  for (const { pod, trouble } of found) inquiry.cite(pod, trouble.path);
};
