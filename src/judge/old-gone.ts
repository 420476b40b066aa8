/**
 * `old-gone`: no Pod of another template runs, terminating ones included. Rests on complete LISTs and owner UIDs, never
 * on a counter: the Deployment's `replicas` leaves terminating Pods out.
 */
import type { Seen } from "../domain/evidence.ts";
import type { Instant } from "../domain/ids.ts";
import { age } from "../domain/time.ts";
import type { Case, Rule } from "./case.ts";
import { controllerOf } from "./collection.ts";
import { sameIncarnation } from "./generation.ts";
import { type Found, Inquiry } from "./inquiry.ts";
import { isFinished, terminatesAt } from "./pod.ts";
import { type Population, standing } from "./population.ts";
import { counted, listed } from "./words.ts";

/** Reads the Pods with the lists that tell which is of which template; undefined: something was missing, and is named. */
export type PopulationFor = (inquiry: Inquiry, given: Case) => Population | Found | undefined;

export const oldGone =
  (populationFor: PopulationFor): Rule =>
  (given) => {
    const inquiry = new Inquiry("old-gone");
    const stop = sameIncarnation(inquiry, given.target, given.expected);
    if (stop !== undefined) return stop;
    const population = populationFor(inquiry, given);
    if (population === undefined) return inquiry.unknown();
    if ("claim" in population) return population;
    const { old, unknown } = population;
    const left = old.filter((pod) => !isFinished(pod));
    if (left.length > 0) return stillThere(inquiry, given, left);
    if (unknown.length > 0) return strangersThere(inquiry, unknown);
    for (const pod of population.fresh) if (!isFinished(pod)) citeOwner(inquiry, pod);
    for (const pod of old) inquiry.cite(pod, ["status", "phase"]);
    return inquiry.proven("gone", "no Pod of another template runs");
  };

const citeOwner = (inquiry: Inquiry, pod: Seen): void => {
  const owner = controllerOf(pod);
  if (owner !== undefined) inquiry.cite(pod, ["metadata", "ownerReferences", owner.at, "uid"]);
};

const stillThere = (inquiry: Inquiry, given: Case, left: readonly Seen[]): Found => {
  const { active, terminating } = standing(left);
  for (const pod of left) citeOwner(inquiry, pod);
  for (const pod of terminating) inquiry.cite(pod, ["metadata", "deletionTimestamp"]);
  if (active.length === 0)
    return inquiry.progressing(
      "terminating",
      `${counted(terminating.length, "Pod")} of another template ${terminating.length === 1 ? "is" : "are"} terminating and may still run: ${listed(terminating.map((pod) => ending(pod, given.at)))}`,
    );
  const ending_ = terminating.length === 0 ? "" : `, and ${terminating.length} more terminate`;
  const sentence = `${counted(active.length, "Pod")} of another template ${active.length === 1 ? "runs" : "run"}${ending_}: ${listed(active.map(({ name }) => name).sort())}`;
  const rollout = given.before.get("rollout-complete");
  switch (rollout?.finding) {
    case "progressing":
      return inquiry.progressing("waiting-for", `${sentence}; the rollout is under way`);
    case "refuted":
      return inquiry.refuted("old-runs", `${sentence}, and the rollout that should replace them failed`);
    case "proven":
      return inquiry.undetermined("contradiction", `${sentence}, and the controller counts none of them`);
    default:
      return inquiry.undetermined("old-runs", `${sentence}; whether they are being replaced is not known`);
  }
};

const ending = (pod: Seen, at: Instant): string => {
  const by = terminatesAt(pod);
  if (by?.kind !== "known") return pod.name;
  return by.value < at
    ? `${pod.name} (${age(at - by.value)} over its grace period)`
    : `${pod.name} (to be gone within ${age(by.value - at)})`;
};

/** Pods of which it is not known whether they are this template's. */
export const strangersThere = (inquiry: Inquiry, unknown: Population["unknown"]): Found => {
  const [first] = unknown;
  for (const { pod, why } of unknown) inquiry.miss(`Pod ${pod.name}: ${why}`);
  return inquiry.undetermined(
    "unknown-pods",
    `whether ${counted(unknown.length, "Pod")} ${unknown.length === 1 ? "is" : "are"} of another template is not known${first === undefined ? "" : `: ${first.pod.name} ${first.why}`}`,
  );
};
