/** Generated states of a rollout, and what is true of each by the API's rules, told from how it was made. */
import fc from "fast-check";
import {
  type Files,
  progressing,
  READ_AT,
  type Release,
  setName,
  type World,
  worldFiles,
} from "../support/kubernetes/deployment.ts";
import { isCounted, isReadyState, POD_STATES, type PodState } from "../support/kubernetes/pod.ts";

const BROKEN: ReadonlySet<PodState> = new Set([
  "crash-loop",
  "out-of-memory",
  "image-pull",
  "config-error",
  "init-crash",
]);

const podState = fc.oneof(
  { weight: 3, arbitrary: fc.constant<PodState>("ready") },
  fc.constantFrom(...POD_STATES),
);
const release = (version: string): fc.Arbitrary<Release> =>
  fc.record({ version: fc.constant(version), pods: fc.array(podState, { maxLength: 4 }) });

/** What the Progressing condition says, beside the usual. */
const CONDITIONS = {
  none: null,
  deadline: progressing(
    "False",
    "ProgressDeadlineExceeded",
    `ReplicaSet "${setName("v2")}" has timed out progressing.`,
    690,
  ),
  "deadline of another": progressing(
    "False",
    "ProgressDeadlineExceeded",
    `ReplicaSet "${setName("v1")}" has timed out progressing.`,
    590,
  ),
  "completion of this": progressing(
    "True",
    "NewReplicaSetAvailable",
    `ReplicaSet "${setName("v2")}" has successfully progressed.`,
    650,
  ),
  "completion of another": progressing(
    "True",
    "NewReplicaSetAvailable",
    `ReplicaSet "${setName("v1")}" has successfully progressed.`,
    300,
  ),
} as const;
type ConditionName = "usual" | keyof typeof CONDITIONS;

export interface Shape {
  readonly replicas: number;
  readonly fresh: Release | null;
  readonly old: readonly Release[];
  readonly observed: "this" | "behind" | "absent";
  readonly condition: ConditionName;
  readonly paused: boolean;
}

export const shape: fc.Arbitrary<Shape> = fc
  .record({
    replicas: fc.nat(4),
    fresh: fc.option(release("v2"), { freq: 8 }),
    old: fc.tuple(release("v1"), fc.option(release("v0"), { freq: 2 })),
    mode: fc.constantFrom("any", "any", "done", "lost"),
    counted: fc.array(fc.constantFrom<PodState>(...POD_STATES.filter(isCounted)), {
      minLength: 4,
      maxLength: 4,
    }),
    observed: fc.constantFrom("this", "this", "this", "behind", "absent"),
    condition: fc.constantFrom<ConditionName>("usual", ...(Object.keys(CONDITIONS) as ConditionName[])),
    paused: fc.boolean(),
  })
  .map(({ old: [v1, v0], mode, counted, ...rest }): Shape => {
    const old = v0 === null ? [v1] : [v0, v1];
    if (mode === "any") return { ...rest, old };
    // Complete rollouts, and those that have lost a Pod since, which chance alone would hardly make.
    const pods = mode === "done" ? counted.map((): PodState => "ready") : counted;
    return {
      ...rest,
      fresh: { version: "v2", pods: pods.slice(0, rest.replicas) },
      old: old.map(({ version }) => ({ version, pods: [] })),
      observed: "this",
      condition: mode === "done" ? "usual" : "completion of this",
      paused: false,
    };
  });

const worldOf = (made: Shape): World => ({
  replicas: made.replicas,
  fresh: made.fresh,
  old: made.old,
  next: "v2",
  generation: 5,
  observed: made.observed === "this" ? 5 : made.observed === "behind" ? 4 : null,
  ...(made.condition === "usual" ? {} : { progressing: CONDITIONS[made.condition] }),
  ...(made.paused ? { spec: { paused: true } } : {}),
});

export const filesOf = (made: Shape): Files => worldFiles(worldOf(made));
export const JUDGED_AT = READ_AT;

export interface Truth {
  readonly complete: boolean;
  /** It was complete, by the controller's own record of this rollout, and has only lost since. */
  readonly completedBefore: boolean;
  readonly freshCounted: number;
  readonly freshReady: number;
  readonly oldRunning: number;
  readonly oldTerminating: number;
  readonly oldReady: number;
  readonly available: number;
  /** A Pod of the new template is in a state that contradicts the rollout. */
  readonly freshBroken: boolean;
  readonly oldBroken: boolean;
}

export const truthOf = ({ replicas, fresh, old, condition }: Shape): Truth => {
  const freshPods = fresh === null ? [] : fresh.pods;
  const oldPods = old.flatMap(({ pods }) => pods);
  const count = (pods: readonly PodState[], holds: (state: PodState) => boolean) => pods.filter(holds).length;
  const freshCounted = count(freshPods, isCounted);
  const oldRunning = count(oldPods, isCounted);
  const freshReady = count(freshPods, isReadyState);
  const oldReady = count(oldPods, isReadyState);
  return {
    complete: freshCounted === replicas && freshReady === replicas && oldRunning === 0,
    completedBefore:
      condition === "completion of this" && fresh !== null && freshCounted === replicas && oldRunning === 0,
    freshCounted,
    freshReady,
    oldRunning,
    oldTerminating: count(oldPods, (state) => state === "terminating"),
    oldReady,
    available: freshReady + oldReady,
    freshBroken: freshPods.some((state) => BROKEN.has(state)),
    oldBroken: oldPods.some((state) => BROKEN.has(state)),
  };
};
