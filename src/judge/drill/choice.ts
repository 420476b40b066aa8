/**
 * Which Pod a drill replaces, and whether it may: decided from what was read, before anything is called. Pure.
 *
 * Only ready capacity is drilled, of a workload that is at rest: what does not run well is not made worse to see whether it
 * would run well. The last ready Pod, or the last ready endpoint of a Service, goes only where a gap is allowed. What could
 * not be read counts against the drill, but for what the eviction API itself looks at.
 */
import type { Seen } from "../../domain/evidence.ts";
import type { Judgement } from "../../domain/finding.ts";
import type { Instant } from "../../domain/ids.ts";
import { RESOURCES } from "../../domain/resource.ts";
import { age } from "../../domain/time.ts";
import type { Case } from "../case.ts";
import { conditionOf } from "../conditions.ts";
import { createdAt, isActive, isFinished, isReady } from "../pod.ts";
import type { Population } from "../population.ts";
import { FLAG, hint, itemsAt, TEXT, valueAt } from "../read.ts";
import { counted, listed, nameOf } from "../words.ts";
import { budgetOf } from "./budgets.ts";
import { leftWithout } from "./traffic.ts";

export interface Wish {
  readonly by: "evict" | "delete";
  /** The last ready Pod, or endpoint, may go. */
  readonly allowGap: boolean;
}

export interface Chosen {
  readonly kind: "chosen";
  readonly pod: { readonly name: string; readonly uid: string; readonly resourceVersion: string };
  /** Why this one: one sentence. */
  readonly why: string;
  /** The workload's other Pods, that run on. */
  readonly beside: readonly { readonly name: string; readonly uid: string }[];
  /** What was looked at and speaks for it, or has to be known: each a sentence. */
  readonly notes: readonly string[];
}

export type Choice =
  | Chosen
  | { readonly kind: "refused"; readonly reason: string; readonly sentence: string };

const refused = (reason: string, sentence: string): Choice => ({ kind: "refused", reason, sentence });

export interface Given {
  readonly given: Case;
  readonly population: Population | undefined;
  /** The findings of the claims that have to be proven before, by claim. */
  readonly before: readonly {
    readonly claim: string;
    readonly finding: Judgement;
    readonly sentence: string;
  }[];
}

export const chooseFor = ({ given, population, before }: Given, wish: Wish): Choice => {
  const name = nameOf(given.target);
  const unrest = before.find(({ finding }) => finding !== "proven");
  if (unrest !== undefined)
    return refused(
      "not-at-rest",
      `${name} is not at rest, so a drill would show nothing: ${unrest.claim} is ${unrest.finding}: ${unrest.sentence}`,
    );
  if (population === undefined) return refused("pods-unknown", `which Pods are ${name}'s is not known`);
  const ready = population.fresh.filter((pod) => isActive(pod) && isReady(pod));
  const [pod] = [...ready].sort(order(given));
  if (pod === undefined)
    return refused("none-ready", `${name} has no Pod that is Ready, so there is none to replace`);
  const resourceVersion = hint(pod.raw, ["metadata", "resourceVersion"], TEXT);
  if (pod.uid === null || resourceVersion === undefined)
    return refused("unreadable", `${nameOf(pod)} was read without a UID or resourceVersion`);
  const all = [...population.fresh, ...population.old, ...population.held].filter((one) => !isFinished(one));
  const waiting = all.find(isWaitingForNode);
  if (waiting !== undefined)
    return refused(
      "no-room",
      `${nameOf(waiting)} waits for a node, so one in place of another would as well`,
    );
  const checks = [
    budgets(given, pod, wish),
    gap(given, pod, ready, wish),
    traffic(given, pod, wish),
    nodes(given, pod),
  ];
  const fault = checks.find((one) => one.refusal !== null)?.refusal;
  if (fault !== undefined && fault !== null) return fault;
  return {
    kind: "chosen",
    pod: { name: pod.name, uid: pod.uid, resourceVersion },
    why: whyOf(given, pod, ready),
    beside: all
      .flatMap(({ name: other, uid }) => (uid === null || uid === pod.uid ? [] : [{ name: other, uid }]))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
    notes: [...checks.flatMap(({ notes }) => notes), ...lost(pod)],
  };
};

// ---- which one -------------------------------------------------------------------------------------------------

const ordinalOf = ({ name }: Seen): number => {
  const ordinal = /-(\d{1,9})$/.exec(name)?.[1];
  return ordinal === undefined ? -1 : Number(ordinal);
};

/** A StatefulSet's controller begins with the highest ordinal; of others the youngest has the least to lose. */
const order =
  ({ target }: Case) =>
  (a: Seen, b: Seen): number => {
    if (target.kind === "StatefulSet" && ordinalOf(a) !== ordinalOf(b)) return ordinalOf(b) - ordinalOf(a);
    const [first, second] = [createdAt(a), createdAt(b)];
    if (first !== undefined && second !== undefined && first !== second) return second - first;
    return a.name < b.name ? -1 : 1;
  };

const whyOf = ({ target, at }: Case, pod: Seen, ready: readonly Seen[]): string => {
  const of = `${counted(ready.length, "ready Pod")} of the template that is to run`;
  if (ready.length === 1) return `it is the only one of ${of}`;
  return target.kind === "StatefulSet"
    ? `of ${of} it has the highest ordinal`
    : `of ${of} it is the youngest${ageOf(pod, at)}`;
};

const ageOf = (pod: Seen, at: Instant): string => {
  const made = createdAt(pod);
  return made === undefined ? "" : ` (${age(Math.max(0, at - made))} old)`;
};

// ---- whether it may --------------------------------------------------------------------------------------------

interface Check {
  readonly refusal: Choice | null;
  readonly notes: readonly string[];
}

const stops = (reason: string, sentence: string): Check => ({
  refusal: refused(reason, sentence),
  notes: [],
});
const goes = (...notes: readonly string[]): Check => ({ refusal: null, notes });

const budgets = ({ collection }: Case, pod: Seen, { by }: Wish): Check => {
  const budget = budgetOf(collection, pod);
  if (budget.kind === "allows") return goes(budget.sentence);
  if (budget.kind === "refuses") return stops(budget.reason, budget.sentence);
  // A delete asks no budget, so somebody has to know.
  return by === "delete"
    ? stops("budget-unknown", `${budget.sentence}, and a delete would pass over them; evict it instead`)
    : goes(`${budget.sentence}: the eviction API will say whether one refuses`);
};

const gap = ({ target }: Case, pod: Seen, ready: readonly Seen[], { allowGap }: Wish): Check => {
  const left = ready.length - 1;
  if (left > 0)
    return goes(`${counted(left, "other Pod")} of ${nameOf(target)} ${left === 1 ? "is" : "are"} Ready`);
  const sentence = `${nameOf(pod)} is the last ready Pod of ${nameOf(target)}: until another one is Ready there is none`;
  return allowGap ? goes(sentence) : stops("last-ready", `${sentence}; --allow-gap allows that`);
};

const traffic = ({ collection }: Case, pod: Seen, { allowGap }: Wish): Check => {
  const left = leftWithout(collection, pod);
  if ("why" in left) {
    const sentence = `which Services lead to ${nameOf(pod)} is not known: ${left.why}`;
    return allowGap
      ? goes(sentence)
      : stops("traffic-unknown", `${sentence}; --allow-gap drills it all the same`);
  }
  if (left.length === 0) return goes("no Service selects it");
  const open = left.filter(({ ready }) => ready === null || ready === 0);
  const told = left.map(({ service, ready, why }) =>
    ready === null
      ? `Service ${service}: ${why}`
      : `Service ${service} keeps ${counted(ready, "ready endpoint")}`,
  );
  if (open.length === 0 || allowGap) return goes(...told);
  const names = listed(open.map(({ service }) => service));
  return stops(
    "no-endpoint-left",
    `Service ${names} would have no ready endpoint that is known to be left without ${nameOf(pod)}; --allow-gap allows that`,
  );
};

const isWaitingForNode = (pod: Seen): boolean => {
  const scheduled = conditionOf(pod, "PodScheduled");
  return scheduled.kind === "known" && scheduled.value.status === "False";
};

/** That there is room cannot be shown before; that there is none may be. */
const nodes = ({ collection }: Case, pod: Seen): Check => {
  const list = collection.list(RESOURCES.Node, null);
  if (list.kind !== "known")
    return goes("nodes were not read, so whether there is room for another Pod is not known");
  const open = list.value.objects.filter((node) => {
    const ready = conditionOf(node, "Ready");
    const isCordoned = hint(node.raw, ["spec", "unschedulable"], FLAG) === true;
    return ready.kind === "known" && ready.value.status === "True" && !isCordoned;
  });
  if (open.length === 0)
    return stops("no-node", "no node is Ready and takes Pods, so nothing could come in its place");
  const waiting = collection.seen(RESOURCES.Pod, pod.namespace).filter(isWaitingForNode);
  const room =
    waiting.length === 0
      ? ""
      : `; ${counted(waiting.length, "Pod")} of namespace ${pod.namespace} wait for a node`;
  return goes(`${counted(open.length, "node")} ${open.length === 1 ? "takes" : "take"} Pods${room}`);
};

/** Y5: what goes with the Pod and does not come back. */
const lost = (pod: Seen): readonly string[] => {
  const volumes = itemsAt(pod.raw, ["spec", "volumes"]).flatMap((one) =>
    valueAt(one, ["emptyDir"]) === undefined ? [] : [String(hint(one, ["name"], TEXT))],
  );
  return volumes.length === 0
    ? []
    : [
        `what its emptyDir ${volumes.length === 1 ? "volume holds" : "volumes hold"} is lost: ${listed(volumes)}`,
      ];
};
