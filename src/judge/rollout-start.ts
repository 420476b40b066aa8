/**
 * Whether a condition speaks of this rollout (O4): it names this rollout's ReplicaSet, or is dated after the rollout
 * began. Never against the ReplicaSet's creation, since an undo takes an old one up again.
 */
import type { Seen } from "../domain/evidence.ts";
import type { Instant } from "../domain/ids.ts";
import type { Case } from "./case.ts";
import type { Condition } from "./conditions.ts";
import { hint, LIST, OBJECT, TEXT, TIME } from "./read.ts";

export type Belongs = "this-rollout" | "an-earlier-one" | "not-known";

/** `fresh`: the ReplicaSet of this rollout; null: there is none yet; undefined: it is not known which. */
export const belongs = (
  condition: Condition,
  given: Case,
  fresh: Pick<Seen, "name"> | null | undefined,
): Belongs => {
  const named = namedReplicaSet(condition.message);
  if (named !== undefined && fresh !== undefined)
    return fresh !== null && named === fresh.name ? "this-rollout" : "an-earlier-one";
  const at = condition.updatedAt ?? condition.transitionedAt;
  const start = startOf(given);
  if (at === null || start === undefined) return "not-known";
  if (at >= start.at) return "this-rollout";
  return start.exact ? "an-earlier-one" : "not-known";
};

/** `ReplicaSet "web-5d4f" has timed out progressing.`, `Created new replica set "web-5d4f"`. */
export const namedReplicaSet = (message: string): string | undefined =>
  /replica ?set "([^"]+)"/i.exec(message)?.[1];

interface Start {
  readonly at: Instant;
  /** False: an upper bound; the rollout began then or before. */
  readonly exact: boolean;
}

/** The write that selected this template: as the person says, else the last one in managedFields that owns a part of it. */
const startOf = ({ target, expected }: Case): Start | undefined => {
  if (expected.since !== null && "at" in expected.since) return { at: expected.since.at, exact: true };
  const last = lastWrite(target, ["f:spec", "f:template"]);
  return last === undefined ? undefined : { at: last, exact: false };
};

/** When a part of the object was last written by whoever owns it; an upper bound, since owners of it write other parts too. */
export const lastWrite = (object: Seen, part: readonly string[]): Instant | undefined => {
  const entries = hint(object.raw, ["metadata", "managedFields"], LIST);
  const times = entries?.flatMap((entry) => {
    const time = hint(entry, ["time"], TIME);
    const owns = hint(entry, ["fieldsV1", ...part], OBJECT) !== undefined;
    return owns && time !== undefined && hint(entry, ["subresource"], TEXT) !== "status" ? [time] : [];
  });
  return times === undefined || times.length === 0 ? undefined : (Math.max(...times) as Instant);
};
