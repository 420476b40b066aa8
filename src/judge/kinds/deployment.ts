/**
 * Deployments. Rules: pkg/controller/deployment (progress.go for the Progressing condition, util for what is complete),
 * kubectl's rollout status for the order of the counters.
 */
import type { Seen } from "../../domain/evidence.ts";
import { RESOURCES } from "../../domain/resource.ts";
import { artifact } from "../artifact.ts";
import { capacity } from "../capacity.ts";
import type { Case, Rule } from "../case.ts";
import { configBound } from "../config-bound.ts";
import { configLoaded } from "../config-loaded.ts";
import { endpointsReady } from "../endpoints.ts";
import { counter, specObserved, statusOfThisGeneration } from "../generation.ts";
import { type Found, Inquiry } from "../inquiry.ts";
import type { KindRule } from "../kind-rule.ts";
import { oldGone } from "../old-gone.ts";
import { isActive, isFinished } from "../pod.ts";
import { contradictedByIdentities } from "../population.ts";
import { hint, LIST, OBJECT, TEXT, valueAt, WHOLE } from "../read.ts";
import { podReplaced } from "../replacement.ts";
import { deploymentPods, replicaSetsOf } from "../replica-sets.ts";
import {
  type Counts,
  completedBefore,
  deadlineExceeded,
  limitByAge,
  notCreated,
  refusedPods,
  timedOut,
} from "../rollout-conditions.ts";
import { troubles, troubleText } from "../troubles.ts";
import { contradictedByPods, underWayByPods } from "../waiting.ts";
import { beingDeleted, vacuous } from "../whole.ts";
import { counted, quoted } from "../words.ts";

const rolloutComplete: Rule = (given) => {
  const inquiry = new Inquiry("rollout-complete");
  const stop = beingDeleted(inquiry, given.target) ?? statusOfThisGeneration(inquiry, given);
  if (stop !== undefined) return stop;
  const counts = countsOf(inquiry, given.target);
  if (counts === undefined) return inquiry.unknown();
  if (counts.wanted === 0 && given.expected.replicas !== 0) return vacuous(inquiry);
  const { wanted, total, updated, available } = counts;
  if (total === wanted && updated === wanted && available === wanted)
    return contradicted(inquiry, given) ?? complete(inquiry, wanted);
  return (
    completedBefore(inquiry, given, counts) ??
    failure(inquiry, given, counts) ??
    underWay(inquiry, given, counts)
  );
};

const countsOf = (inquiry: Inquiry, target: Seen): Counts | undefined => {
  const wanted = inquiry.need(target, ["spec", "replicas"], WHOLE);
  const total = counter(inquiry, target, "replicas");
  const updated = counter(inquiry, target, "updatedReplicas");
  const available = counter(inquiry, target, "availableReplicas");
  return wanted === undefined || total === undefined || updated === undefined || available === undefined
    ? undefined
    : { wanted, total, updated, available };
};

const complete = (inquiry: Inquiry, wanted: number): Found =>
  inquiry.proven(
    "complete",
    wanted === 0
      ? "no Pod is wanted, as expected, and none is left"
      : `${counted(wanted, "Pod")} of the new template ${wanted === 1 ? "is" : "are"} available, and no other is counted`,
  );

/** Counters that say "complete" while identities, or a reason of this very rollout, say otherwise (V8). */
const contradicted = (inquiry: Inquiry, given: Case): Found | undefined => {
  const sets = replicaSetsOf(given);
  const { target, collection } = given;
  if (sets === undefined) {
    inquiry.need(target, ["spec", "template"], OBJECT);
    return inquiry.unknown();
  }
  const list = collection.list(RESOURCES.ReplicaSet, target.namespace);
  const deadline = deadlineExceeded(given);
  if (deadline !== undefined)
    return inquiry.undetermined(
      "contradiction",
      `the counters say that the rollout is complete, and a condition says that it timed out: ${quoted(deadline.message)}`,
    );
  const wanted = hint(target.raw, ["spec", "replicas"], WHOLE);
  if (list.kind === "known" && sets.fresh === null && wanted !== 0)
    return inquiry.undetermined(
      "contradiction",
      "the counters say that the rollout is complete, and no ReplicaSet has this template",
    );
  return list.kind === "known" && wanted !== undefined
    ? contradictedByIdentities(inquiry, given, deploymentPods(given), wanted)
    : undefined;
};

/** A fact against this rollout, judged on the new revision alone (O3). */
const failure = (inquiry: Inquiry, given: Case, counts: Counts): Found | undefined =>
  paused(inquiry, given, counts) ??
  timedOut(inquiry, given, progressText(counts) + detail(given)) ??
  notCreated(inquiry, given, counts) ??
  refusedPods(inquiry, given, counts, progressText(counts)) ??
  contradictedByPods(inquiry, given, freshPods(given), progressText(counts));

const paused = (inquiry: Inquiry, { target }: Case, counts: Counts): Found | undefined => {
  if (valueAt(target.raw, ["spec", "paused"]) !== true) return undefined;
  if (counts.updated === counts.wanted && counts.total === counts.updated) return undefined;
  inquiry.cite(target, ["spec", "paused"]);
  return inquiry.refuted("paused", `the rollout is paused with ${progressText(counts)}`);
};

const freshPods = (given: Case): readonly Seen[] => {
  const population = deploymentPods(given);
  return population === undefined ? [] : population.fresh;
};

const underWay = (inquiry: Inquiry, given: Case, counts: Counts): Found => {
  limitByAge(inquiry, given);
  const usual =
    counts.updated < counts.wanted
      ? "updating"
      : counts.total > counts.updated
        ? "old-pending-termination"
        : "becoming-available";
  return underWayByPods(inquiry, given, freshPods(given), usual, progressText(counts));
};

/** `1 of 3 Pods is of the new template; 2 of another template still run; 2 are available`. */
const progressText = ({ wanted, total, updated, available }: Counts): string => {
  const old = Math.max(0, total - updated);
  return [
    `${updated} of ${wanted} wanted ${wanted === 1 ? "Pod is" : "Pods are"} of the new template`,
    ...(old === 0 ? [] : [`${old} of another template ${old === 1 ? "is" : "are"} still counted`]),
    `${available} ${available === 1 ? "is" : "are"} available`,
  ].join("; ");
};

/** What holds the new Pods up, where one of them tells. */
const detail = (given: Case): string => {
  const found = troubles(freshPods(given).filter(isActive), given);
  return found.length === 0 ? "" : `: ${troubleText(found)}`;
};

/** Lists that tell which Pods are of which template. */
const populationFor = (inquiry: Inquiry, given: Case) => {
  const { target, collection } = given;
  inquiry.need(target, ["spec", "template"], OBJECT);
  inquiry.need(target, ["spec", "selector"], OBJECT);
  const sets = inquiry.needList(collection, RESOURCES.ReplicaSet, target.namespace);
  const pods = inquiry.needList(collection, RESOURCES.Pod, target.namespace);
  const population = deploymentPods(given);
  if (sets === undefined || pods === undefined || inquiry.missing.length > 0) return undefined;
  const own = replicaSetsOf(given);
  const runs = population?.fresh.some((pod) => !isFinished(pod));
  if (own !== undefined && own.fresh !== null && runs === true) {
    inquiry.need(own.fresh, ["metadata", "uid"], TEXT);
    inquiry.need(own.fresh, ["metadata", "ownerReferences"], LIST);
    inquiry.need(own.fresh, ["spec", "template"], OBJECT);
  }
  return population;
};

const POD_LABELS = ["spec", "template", "metadata", "labels"];

export const deployment: KindRule = {
  resource: RESOURCES.Deployment,
  required: ["spec-observed", "rollout-complete", "old-gone", "capacity"],
  podLabels: POD_LABELS,
  population: deploymentPods,
  rules: {
    "spec-observed": specObserved,
    "rollout-complete": rolloutComplete,
    "old-gone": oldGone(populationFor),
    capacity: capacity({ available: "availableReplicas", population: deploymentPods }),
    "endpoints-ready": endpointsReady(POD_LABELS, deploymentPods),
    artifact: artifact(["spec", "template"], populationFor),
    "config-loaded": configLoaded(populationFor),
    "pod-replaced": podReplaced(populationFor),
    "config-bound": configBound(["spec", "template", "spec"], populationFor),
  },
};
