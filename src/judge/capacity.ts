/**
 * `capacity`: as many Pods are available now as are wanted, the autoscaler's wish included. Proven by the controller's
 * counter of this generation; the Pods themselves, where all were read, can only take from it (V8).
 */
import type { Seen } from "../domain/evidence.ts";
import { RESOURCES } from "../domain/resource.ts";
import { autoscalerWish } from "./autoscaler.ts";
import type { Case, Rule } from "./case.ts";
import { counter, statusOfThisGeneration } from "./generation.ts";
import { type Found, Inquiry } from "./inquiry.ts";
import { isActive, isAvailable } from "./pod.ts";
import type { Population } from "./population.ts";
import { hint, WHOLE } from "./read.ts";
import { troubles, troubleText } from "./troubles.ts";
import { beingDeleted, vacuous } from "./whole.ts";

interface Scale {
  /** The counter of available Pods in status. */
  readonly available: string;
  /** How many are wanted; undefined: it is not said, and named. spec.replicas if not given. */
  readonly wanted?: (inquiry: Inquiry, target: Seen) => number | undefined;
  /** As `wanted`, where an autoscaler may set it. */
  readonly declared?: (inquiry: Inquiry, target: Seen) => number | undefined;
  readonly population: (given: Case) => Population | undefined;
}

export const capacity =
  (scale: Scale): Rule =>
  (given) => {
    const inquiry = new Inquiry("capacity");
    const { target, expected } = given;
    const stop = beingDeleted(inquiry, target) ?? statusOfThisGeneration(inquiry, given);
    if (stop !== undefined) return stop;
    const read = scale.wanted ?? scale.declared;
    const declared =
      read === undefined ? inquiry.need(target, ["spec", "replicas"], WHOLE) : read(inquiry, target);
    const counted = counter(inquiry, target, scale.available);
    if (declared === undefined || counted === undefined) return inquiry.unknown();
    if (expected.replicas !== null && declared !== expected.replicas)
      return inquiry.refuted(
        "replicas-differ",
        `${declared} ${declared === 1 ? "Pod is" : "Pods are"} wanted there, and ${expected.replicas} ${expected.replicas === 1 ? "was" : "were"} expected`,
      );
    const wish = scale.wanted === undefined ? autoscalerWish(inquiry, given) : null;
    if (wish !== null && typeof wish !== "number") return wish;
    if (wish !== null && wish > declared)
      return inquiry.progressing(
        "autoscaler-wants-more",
        `the autoscaler wants ${wish}, and ${declared} ${declared === 1 ? "is" : "are"} asked for so far; ${counted} ${counted === 1 ? "is" : "are"} available`,
      );
    if (declared === 0 && expected.replicas !== 0) return vacuous(inquiry);
    return compared(inquiry, given, scale, { wanted: declared, counted });
  };

const compared = (
  inquiry: Inquiry,
  given: Case,
  scale: Scale,
  { wanted, counted }: { readonly wanted: number; readonly counted: number },
): Found => {
  const population = scale.population(given);
  const listed = given.collection.list(RESOURCES.Pod, given.target.namespace);
  const own =
    population === undefined
      ? []
      : [...population.fresh, ...population.old, ...population.held].filter(isActive);
  const wait = hint(given.target.raw, ["spec", "minReadySeconds"], WHOLE);
  const minReady = wait === undefined ? 0 : wait;
  // A Pod that may be its own as well as another's (its ReplicaSet was not read) takes nothing away.
  const open = population === undefined ? [] : population.unknown.map(({ pod }) => pod).filter(isActive);
  const seen =
    listed.kind === "known" && population !== undefined
      ? [...own, ...open].filter((pod) => isAvailable(pod, minReady, given.at)).length
      : undefined;
  if (seen === undefined) inquiry.limit("by the controller's count: its Pods were not all read");
  const available = seen === undefined ? counted : Math.min(seen, counted);
  if (seen !== undefined && seen !== counted)
    inquiry.limit(
      `the controller counts ${counted} as available, and of the Pods that were read ${seen} are`,
    );
  const says = `${available} of ${wanted} wanted ${wanted === 1 ? "Pod is" : "Pods are"} available`;
  if (available >= wanted) return inquiry.proven("available", says);
  const rollout = given.before.get("rollout-complete");
  if (rollout?.finding === "progressing")
    return inquiry.progressing("waiting-for", `${says}; the rollout is under way`);
  return short(inquiry, given, says, own);
};

/** Too few: under way where Pods are starting, refuted where nothing shows that. */
const short = (inquiry: Inquiry, given: Case, says: string, own: readonly Seen[]): Found => {
  const found = troubles(own, given);
  for (const { pod, trouble } of found) inquiry.cite(pod, trouble.path);
  const [worst] = found;
  if (worst === undefined) return inquiry.refuted("unavailable", says);
  const sentence = `${says}: ${troubleText(found)}`;
  const starting = found.every(({ trouble }) => !trouble.lasting && STARTING.has(trouble.reason));
  return starting
    ? inquiry.progressing(worst.trouble.reason, sentence)
    : inquiry.refuted(worst.trouble.reason, sentence);
};

/** A Pod on its way, which has not been ready before. */
const STARTING: ReadonlySet<string> = new Set([
  "creating",
  "image-rate-limited",
  "init-container",
  "startup-probe",
  "unschedulable",
  "scheduling-gated",
  "volume-unbound",
  "volume-mount",
]);
