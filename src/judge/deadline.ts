/**
 * When a controller itself gives up, as far as its object tells.
 *
 * Rules: a Deployment times out progressDeadlineSeconds after the lastUpdateTime of its Progressing condition, unless it
 * is paused, complete, or has none (pkg/controller/deployment/util, DeploymentTimedOut; 2147483647 is none); a Job is
 * ended activeDeadlineSeconds after status.startTime (batch/v1 JobSpec).
 */
import type { Instant } from "../domain/ids.ts";
import { instant } from "../domain/ids.ts";
import { RESOURCES } from "../domain/resource.ts";
import type { Case } from "./case.ts";
import { conditionOf } from "./conditions.ts";
import { hint, TIME, valueAt, WHOLE } from "./read.ts";
import { freshSet } from "./rollout-conditions.ts";
import { belongs } from "./rollout-start.ts";

/** undefined: there is none, or when it ends is not told. */
export const deadlineOf = (given: Case): Instant | undefined => {
  const { group, kind } = given.target;
  if (group === RESOURCES.Deployment.group && kind === RESOURCES.Deployment.kind) return ofRollout(given);
  if (group === RESOURCES.Job.group && kind === RESOURCES.Job.kind) return ofJob(given);
  return undefined;
};

const NONE = 2_147_483_647;
/** With these, the Deployment's controller does not count. */
const STOPPED: ReadonlySet<string> = new Set([
  "NewReplicaSetAvailable",
  "ProgressDeadlineExceeded",
  "DeploymentPaused",
]);

const ofRollout = (given: Case): Instant | undefined => {
  const { raw } = given.target;
  const seconds = hint(raw, ["spec", "progressDeadlineSeconds"], WHOLE);
  const progressing = conditionOf(given.target, "Progressing");
  if (seconds === undefined || seconds === NONE || progressing.kind !== "known") return undefined;
  if (valueAt(raw, ["spec", "paused"]) === true || STOPPED.has(progressing.value.reason)) return undefined;
  const { updatedAt } = progressing.value;
  if (updatedAt === null || belongs(progressing.value, given, freshSet(given)) !== "this-rollout")
    return undefined;
  return instant(updatedAt + seconds * 1000);
};

const ofJob = ({ target: { raw } }: Case): Instant | undefined => {
  const seconds = hint(raw, ["spec", "activeDeadlineSeconds"], WHOLE);
  const started = hint(raw, ["status", "startTime"], TIME);
  if (seconds === undefined || started === undefined || valueAt(raw, ["spec", "suspend"]) === true)
    return undefined;
  return instant(started + seconds * 1000);
};
