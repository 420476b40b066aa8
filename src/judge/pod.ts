/** What one Pod says of itself. Hints for wording; a claim that rests on a field reads it through its inquiry. */
import type { Seen } from "../domain/evidence.ts";
import type { Instant } from "../domain/ids.ts";
import type { Known } from "../domain/known.ts";
import { conditionOf } from "./conditions.ts";
import { fieldAt, hint, TEXT, TIME, valueAt } from "./read.ts";

/** Succeeded and Failed Pods run no more; their controllers do not count them (IsPodActive in pkg/controller). */
export const isFinished = ({ raw }: Seen): boolean => {
  const phase = hint(raw, ["status", "phase"], TEXT);
  return phase === "Succeeded" || phase === "Failed";
};

/** When it is to be gone at the latest; its containers run until then. null: nobody asked for its end. */
export const terminatesAt = ({ raw }: Seen): Known<Instant> | null =>
  valueAt(raw, ["metadata", "deletionTimestamp"]) === undefined
    ? null
    : fieldAt(raw, ["metadata", "deletionTimestamp"], TIME);

export const isTerminating = (pod: Seen): boolean => terminatesAt(pod) !== null;

/** Runs and is wanted: neither finished nor terminating. */
export const isActive = (pod: Seen): boolean => !isFinished(pod) && !isTerminating(pod);

/** A Pod without the condition is not ready yet. */
export const isReady = (pod: Seen): boolean => {
  const ready = conditionOf(pod, "Ready");
  return ready.kind === "known" && ready.value.status === "True";
};

export const createdAt = ({ raw }: Seen): Instant | undefined =>
  hint(raw, ["metadata", "creationTimestamp"], TIME);

/** Ready for `minReadySeconds` (pkg/api/v1/pod, IsPodAvailable). */
export const isAvailable = (pod: Seen, minReadySeconds: number, at: Instant): boolean => {
  const ready = conditionOf(pod, "Ready");
  if (ready.kind !== "known" || ready.value.status !== "True") return false;
  if (minReadySeconds === 0) return true;
  const since = ready.value.transitionedAt;
  return since !== null && since + minReadySeconds * 1000 <= at;
};
