/** What ends a judgement before any counting: the object is on its way out, or there is nothing to count. */
import type { Seen } from "../domain/evidence.ts";
import type { Found, Inquiry } from "./inquiry.ts";
import { TEXT, valueAt } from "./read.ts";
import { nameOf, quoted } from "./words.ts";

export const beingDeleted = (inquiry: Inquiry, target: Seen): Found | undefined => {
  if (valueAt(target.raw, ["metadata", "deletionTimestamp"]) === undefined) return undefined;
  const since = inquiry.need(target, ["metadata", "deletionTimestamp"], TEXT);
  return inquiry.refuted(
    "being-deleted",
    `${nameOf(target)} is being deleted${since === undefined ? "" : ` (deletionTimestamp ${quoted(since)})`}`,
  );
};

/** V5: 0 of 0 proves nothing about what should be there. */
export const vacuous = (inquiry: Inquiry): Found =>
  inquiry.undetermined(
    "vacuous",
    "no Pod is wanted, so nothing can be shown of any; say --replicas 0 if that is what is expected",
  );
