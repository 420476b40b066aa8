/** What the Pods of this revision say of a rollout that is not complete: contradicted, or under way, and by what. */
import type { Seen } from "../domain/evidence.ts";
import { age } from "../domain/time.ts";
import type { Case } from "./case.ts";
import type { Found, Inquiry } from "./inquiry.ts";
import { isActive, isAvailable, isReady } from "./pod.ts";
import { hint, WHOLE } from "./read.ts";
import { type Troubled, troubles, troubleText } from "./troubles.ts";
import { counted } from "./words.ts";

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
  if (first === undefined) return waiting(inquiry, given, fresh, usual, says);
  cite(inquiry, found);
  return inquiry.progressing(first.trouble.reason, `${says}: ${troubleText(found)}`);
};

/** Ready Pods that are not available yet have to stay ready for a while. */
const waiting = (
  inquiry: Inquiry,
  given: Case,
  fresh: readonly Seen[],
  usual: string,
  says: string,
): Found => {
  const wait = hint(given.target.raw, ["spec", "minReadySeconds"], WHOLE);
  const early = fresh.filter(
    (pod) => wait !== undefined && isActive(pod) && isReady(pod) && !isAvailable(pod, wait, given.at),
  );
  if (early.length === 0 || wait === undefined) return inquiry.progressing(usual, says);
  inquiry.cite(given.target, ["spec", "minReadySeconds"]);
  return inquiry.progressing(
    "min-ready",
    `${says}: ${counted(early.length, "Pod")} ${early.length === 1 ? "is" : "are"} ready and ${early.length === 1 ? "has" : "have"} to stay so for ${age(wait * 1000)}`,
  );
};

const cite = (inquiry: Inquiry, found: readonly Troubled[]): void => {
  for (const { pod, trouble } of found) inquiry.cite(pod, trouble.path);
};
