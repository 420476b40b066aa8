/**
 * What a target still waits for beside its claims, for whoever looks on: each Pod that is held up, with its reason, and
 * how long its controller itself goes on waiting. Presentation: no finding rests on it. Pure.
 */
import type { Evidence, Seen } from "../domain/evidence.ts";
import type { Instant } from "../domain/ids.ts";
import type { Question } from "../domain/question.ts";
import { RESOURCES } from "../domain/resource.ts";
import { age } from "../domain/time.ts";
import type { Case } from "./case.ts";
import type { Collection } from "./collection.ts";
import { conditionOf } from "./conditions.ts";
import { deadlineOf } from "./deadline.ts";
import { specObserved } from "./generation.ts";
import { isActive } from "./pod.ts";
import { resourceMeant } from "./resource-meant.ts";
import { rulesOf } from "./rules.ts";
import { type Troubled, troubles } from "./troubles.ts";

export interface HeldPod {
  readonly name: string;
  /** Whether it contradicts the rollout, or may pass by itself. */
  readonly lasting: boolean;
  /** What stands after the Pod's name. */
  readonly clause: string;
}

export interface HeldUp {
  /** The lasting ones first. Of the new revision alone: what old Pods do holds nothing up (O3). */
  readonly pods: readonly HeldPod[];
  /** When the controller's own deadline is over, by the API server's clock; null: there is none, or it is not known. */
  readonly deadlineAt: Instant | null;
}

const NOTHING: HeldUp = { pods: [], deadlineAt: null };

export const heldUp = (collection: Collection, { at }: Pick<Evidence, "at">, question: Question): HeldUp => {
  const found = collection.object(
    resourceMeant(question.kind, collection, rulesOf(question)),
    question.namespace,
    question.name,
  );
  if (found.kind !== "known") return NOTHING;
  const target = found.value;
  if (question.expected.uid !== null && question.expected.uid !== target.uid) return NOTHING;
  const rule = rulesOf(question).of(target);
  const alone: Case = {
    target,
    expected: question.expected,
    collection,
    at,
    before: new Map(),
    observed: rule?.observed,
  };
  const given: Case = { ...alone, before: new Map([["spec-observed", specObserved(alone)]]) };
  const population = rule?.population?.(given);
  const pods = population === undefined ? own(given) : population.fresh;
  return {
    pods: troubles(pods.filter(isActive), given).map((one) => held(one, at)),
    deadlineAt: deadlineOf(given) ?? null,
  };
};

/** Of a kind whose Pods are of one template only, as a Job's. */
const own = ({ target, collection }: Case): readonly Seen[] =>
  target.uid === null ? [] : collection.controlledBy(target.uid, RESOURCES.Pod.kind);

const held = ({ pod, trouble }: Troubled, at: Instant): HeldPod => ({
  name: pod.name,
  lasting: trouble.lasting,
  clause: `${trouble.clause}${/\bsince \d/.test(trouble.clause) ? "" : sinceText(pod, at)}`,
});

const sinceText = (pod: Seen, at: Instant): string => {
  const ready = conditionOf(pod, "Ready");
  if (ready.kind !== "known" || ready.value.status === "True" || ready.value.transitionedAt === null)
    return "";
  return `; not ready since ${age(at - ready.value.transitionedAt)}`;
};
