/**
 * What keeps a recovery by Git that looks right from being confirmed (Y2): a Pod that has come up since the failure, of a workload
 * that is still the same object, with its config loaded. Pure.
 */
import type { Seen } from "../domain/evidence.ts";
import type { Question } from "../domain/question.ts";
import { controllerOf } from "../judge/collection.ts";
import { isReady, isTerminating } from "../judge/pod.ts";
import type { Collected } from "../ports/evidence-source.ts";
import { NO_COMPARISON } from "./comparison.ts";
import { reportOf } from "./verify.ts";

/** Its own, as far as the evidence has its ReplicaSets and Pods. */
export const ownPods = ({ evidence }: Collected, target: Seen | null): readonly Seen[] => {
  if (target === null) return [];
  const owners = new Set([target.uid]);
  const isOwned = (one: Seen): boolean => owners.has(controllerOf(one)?.uid ?? "");
  for (const one of evidence.objects) if (one.kind === "ReplicaSet" && isOwned(one)) owners.add(one.uid);
  return evidence.objects.filter((one) => one.kind === "Pod" && isOwned(one));
};

interface Sides {
  readonly subject: Seen | null;
  /** The same object at the failure. */
  readonly before: Seen | null;
}

/** `failed`: as it was found at the failure; null: nobody kept it. A clause; null: nothing keeps it. */
export const unconfirmed = (
  question: Question,
  now: Collected,
  failed: Collected | null,
  { subject, before }: Sides,
): string | null => {
  if (failed === null)
    return "nothing was kept of the failure (--failed), so no Pod is known to have come up since";
  if (subject === null || before === null || before.uid === null)
    return "the target is not among what was kept of the failure";
  if (before.uid !== subject.uid) return "the target is another object than at the failure";
  const then = new Set(ownPods(failed, before).map(({ uid }) => uid));
  const since = ownPods(now, subject).filter(
    (pod) => pod.uid !== null && !then.has(pod.uid) && isReady(pod) && !isTerminating(pod),
  );
  if (since.length === 0)
    return "no Pod of it has come up since the failure: that the next one does is not shown (asfound drill)";
  // Whatever else counts for this target: without it the process may still run on what failed.
  const { findings } = reportOf(
    now,
    { ...question, claims: ["config-loaded"], only: ["config-loaded"] },
    NO_COMPARISON,
  );
  const loaded = findings.find(({ claim }) => claim === "config-loaded");
  if (loaded === undefined) return "which config its processes were given was not judged";
  return loaded.finding === "proven" || loaded.reason === "takes-none"
    ? null
    : `which config its processes were given is not shown: ${loaded.sentence}`;
};
