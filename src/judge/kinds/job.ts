/**
 * Jobs: run to an end, so they have no capacity and no endpoints. Rules: batch/v1 JobStatus, the conditions Complete and
 * Failed are final, FailureTarget says that it will be Failed once its Pods have ended.
 */
import type { Seen } from "../../domain/evidence.ts";
import { RESOURCES } from "../../domain/resource.ts";
import type { Case, Rule } from "../case.ts";
import { type Condition, conditionOf } from "../conditions.ts";
import { configBound } from "../config-bound.ts";
import { configLoaded } from "../config-loaded.ts";
import { sameIncarnation } from "../generation.ts";
import { type Found, Inquiry } from "../inquiry.ts";
import type { KindRule } from "../kind-rule.ts";
import { ofNamesake, type Population, strangersOf } from "../population.ts";
import { hint, OBJECT, valueAt, WHOLE } from "../read.ts";
import { troubles, troubleText } from "../troubles.ts";
import { beingDeleted } from "../whole.ts";
import { quoted } from "../words.ts";

const rolloutComplete: Rule = (given) => {
  const inquiry = new Inquiry("rollout-complete");
  const stop = sameIncarnation(inquiry, given.target, given.expected) ?? beingDeleted(inquiry, given.target);
  return stop ?? jobEnd(inquiry, given, given.target);
};

/** How a Job ended, or how far it is; also for the latest Job of a CronJob. */
export const jobEnd = (inquiry: Inquiry, given: Case, job: Seen): Found => {
  for (const type of ["Failed", "FailureTarget", "Complete"]) {
    const condition = conditionOf(job, type);
    if (condition.kind === "unreadable") {
      inquiry.miss(condition.why);
      return inquiry.unknown();
    }
    if (condition.kind !== "known" || condition.value.status !== "True") continue;
    inquiry.cite(job, [...condition.value.path, "type"]);
    inquiry.cite(job, [...condition.value.path, "status"]);
    return type === "Complete" ? succeeded(inquiry, job) : failed(inquiry, condition.value);
  }
  return running(inquiry, given, job);
};

const succeeded = (inquiry: Inquiry, job: Seen): Found => {
  const count = hint(job.raw, ["status", "succeeded"], WHOLE);
  return inquiry.proven(
    "complete",
    `Job ${job.name} is complete${count === undefined ? "" : `, ${count} ${count === 1 ? "Pod" : "Pods"} of it succeeded`}`,
  );
};

const failed = (inquiry: Inquiry, { type, reason, message }: Condition): Found =>
  inquiry.refuted(
    "job-failed",
    `the Job ${type === "Failed" ? "failed" : "is about to fail"}${reason === "" ? "" : `: ${quoted(reason)}`}${message === "" ? "" : ` (${quoted(message)})`}`,
  );

const running = (inquiry: Inquiry, given: Case, job: Seen): Found => {
  if (valueAt(job.raw, ["spec", "suspend"]) === true) {
    inquiry.cite(job, ["spec", "suspend"]);
    return inquiry.refuted("suspended", "the Job is suspended, and starts no Pod");
  }
  const pods = job.uid === null ? [] : given.collection.controlledBy(job.uid, RESOURCES.Pod.kind);
  const found = troubles(pods, given);
  const [worst] = found;
  const says = `the Job has not ended${counts(job)}`;
  if (valueAt(job.raw, ["status", "startTime"]) === undefined && found.length === 0)
    return inquiry.undetermined(
      "not-reported",
      "no controller has started this Job (status.startTime is not there)",
    );
  if (worst === undefined) return inquiry.progressing("running", says);
  inquiry.cite(worst.pod, worst.trouble.path);
  // A crash is tried again up to the backoff limit; what cannot start never ends by itself.
  return worst.trouble.lasting && !TRIED_AGAIN.has(worst.trouble.reason)
    ? inquiry.refuted(worst.trouble.reason, `${says}: ${troubleText(found)}`)
    : inquiry.progressing(worst.trouble.reason, `${says}: ${troubleText(found)}`);
};

/** What the Job's controller tries again by itself. */
const TRIED_AGAIN: ReadonlySet<string> = new Set(["crash-loop", "pod-failed"]);

const counts = ({ raw }: Seen): string => {
  const told = ["active", "succeeded", "failed"].flatMap((name) => {
    const count = hint(raw, ["status", name], WHOLE);
    return count === undefined || count === 0 ? [] : [`${count} ${name}`];
  });
  return told.length === 0 ? "" : ` (${told.join(", ")})`;
};

/** Its template cannot be changed, so all its Pods are of it. */
const ownPods = (given: Case): Population | undefined =>
  given.target.uid === null
    ? undefined
    : {
        fresh: given.collection.controlledBy(given.target.uid, RESOURCES.Pod.kind),
        old: [],
        held: [],
        unknown: strangersOf(given, ofNamesake(given)),
        freshVersion: null,
        oldVersions: [],
      };

/** What has ended starts no container any more. */
const populationFor = (inquiry: Inquiry, given: Case): Population | Found | undefined => {
  const { target, collection } = given;
  for (const type of ["Failed", "Complete"]) {
    const condition = conditionOf(target, type);
    if (condition.kind === "unreadable") inquiry.miss(condition.why);
    if (condition.kind !== "known" || condition.value.status !== "True") continue;
    return inquiry.undetermined("vacuous", "the Job has ended, and starts no container any more");
  }
  inquiry.need(target, ["spec", "template"], OBJECT);
  const pods = inquiry.needList(collection, RESOURCES.Pod, target.namespace);
  return pods === undefined || inquiry.missing.length > 0 ? undefined : ownPods(given);
};

export const job: KindRule = {
  resource: RESOURCES.Job,
  required: ["rollout-complete"],
  runs: ownPods,
  rules: {
    "rollout-complete": rolloutComplete,
    "config-loaded": configLoaded(populationFor),
    "config-bound": configBound(["spec", "template", "spec"], populationFor),
  },
};
