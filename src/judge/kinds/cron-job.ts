/**
 * CronJobs: the latest Job of this template decides. Before its schedule comes round there is none, and nothing is known
 * of the template yet.
 */
import type { Seen } from "../../domain/evidence.ts";
import { RESOURCES } from "../../domain/resource.ts";
import type { Case, Rule } from "../case.ts";
import { controllerOf } from "../collection.ts";
import { configBound } from "../config-bound.ts";
import { configLoaded } from "../config-loaded.ts";
import { sameIncarnation } from "../generation.ts";
import { Inquiry } from "../inquiry.ts";
import type { KindRule } from "../kind-rule.ts";
import { createdAt } from "../pod.ts";
import type { Population } from "../population.ts";
import { OBJECT, TEXT, TIME, valueAt } from "../read.ts";
import { sameTemplate } from "../template.ts";
import { beingDeleted } from "../whole.ts";
import { jobEnd } from "./job.ts";

const rolloutComplete: Rule = (given) => {
  const inquiry = new Inquiry("rollout-complete");
  const { target, collection } = given;
  const stop = sameIncarnation(inquiry, target, given.expected) ?? beingDeleted(inquiry, target);
  if (stop !== undefined) return stop;
  const template = inquiry.need(target, ["spec", "jobTemplate", "spec", "template", "spec"], OBJECT);
  const jobs = inquiry.needList(collection, RESOURCES.Job, target.namespace);
  if (template === undefined || jobs === undefined || target.uid === null) return inquiry.unknown();
  const own = [...collection.controlledBy(target.uid, RESOURCES.Job.kind)].sort(newestFirst);
  const [latest] = own;
  if (latest !== undefined) {
    const its = inquiry.need(latest, ["spec", "template", "spec"], OBJECT);
    inquiry.need(latest, ["metadata", "creationTimestamp"], TEXT);
    const owner = controllerOf(latest);
    if (owner !== undefined) inquiry.cite(latest, ["metadata", "ownerReferences", owner.at, "uid"]);
    const scheduled = inquiry.need(target, ["status", "lastScheduleTime"], TIME);
    if (its === undefined || scheduled === undefined || inquiry.missing.length > 0) return inquiry.unknown();
    const created = createdAt(latest);
    if (created === undefined || created < scheduled)
      return inquiry.undetermined(
        "latest-job-missing",
        `the Job that was scheduled at ${new Date(scheduled).toISOString()} is not there, so how it ended is not known`,
      );
    if (sameTemplate(its, template)) return jobEnd(inquiry, given, latest);
  }
  const says =
    latest === undefined
      ? "no Job of it is there"
      : `its latest Job, ${latest.name}, is of an earlier template`;
  if (valueAt(target.raw, ["spec", "suspend"]) === true) {
    inquiry.cite(target, ["spec", "suspend"]);
    return inquiry.refuted("suspended", `${says}, and it is suspended`);
  }
  return inquiry.progressing("waiting-for-schedule", `${says}; the next comes with its schedule`);
};

const newestFirst = (a: Seen, b: Seen): number => {
  const [first, second] = [createdAt(a), createdAt(b)];
  if (first !== undefined && second !== undefined && first !== second) return second - first;
  // One without a date may be the newest, so it comes first and is then missed.
  if (first === undefined || second === undefined) return first === second ? 0 : first === undefined ? -1 : 1;
  return a.name < b.name ? -1 : 1;
};

const POD_SPEC = ["spec", "jobTemplate", "spec", "template", "spec"];

/** The Pods of its Jobs: those of another template came of an earlier one. */
const podsOfJobs = ({ target, collection }: Case): Population | undefined => {
  const template = valueAt(target.raw, POD_SPEC);
  if (target.uid === null || template === undefined) return undefined;
  const fresh: Seen[] = [];
  const old: Seen[] = [];
  for (const job of collection.controlledBy(target.uid, RESOURCES.Job.kind)) {
    const its = valueAt(job.raw, ["spec", "template", "spec"]);
    const pods = job.uid === null ? [] : collection.controlledBy(job.uid, RESOURCES.Pod.kind);
    (its !== undefined && sameTemplate(its, template) ? fresh : old).push(...pods);
  }
  return { fresh, old, held: [], unknown: [], freshVersion: null, oldVersions: [] };
};

const populationFor = (inquiry: Inquiry, given: Case): Population | undefined => {
  const { target, collection } = given;
  inquiry.need(target, POD_SPEC, OBJECT);
  const jobs = inquiry.needList(collection, RESOURCES.Job, target.namespace);
  const pods = inquiry.needList(collection, RESOURCES.Pod, target.namespace);
  if (jobs === undefined || pods === undefined || inquiry.missing.length > 0) return undefined;
  const population = podsOfJobs(given);
  for (const job of target.uid === null ? [] : collection.controlledBy(target.uid, RESOURCES.Job.kind))
    inquiry.need(job, ["spec", "template", "spec"], OBJECT);
  return inquiry.missing.length > 0 ? undefined : population;
};

export const cronJob: KindRule = {
  resource: RESOURCES.CronJob,
  required: ["rollout-complete"],
  runs: podsOfJobs,
  rules: {
    "rollout-complete": rolloutComplete,
    "config-loaded": configLoaded(populationFor),
    "config-bound": configBound(POD_SPEC, populationFor),
  },
};
