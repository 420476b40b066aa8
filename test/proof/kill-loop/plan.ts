/**
 * Everything that is random in the loop, drawn from one seed before it begins: the order of operations, what each is,
 * and when who is killed. Moments are counts of what a process does (its n-th commit, the n-th line it says), or places
 * in a call, never times; what a replay does not repeat is how the system interleaves processes.
 */
import fc from "fast-check";
import type { Verb as CloudVerb, FaultRule } from "../../../src/testing/cloud/fault.ts";
import type { Verb } from "../../scenarios/verbs.ts";
import { LATEST_MS } from "./stack.ts";

export type Kill =
  /** By itself, at its n-th commit: the exact line. */
  | { readonly by: "commit"; readonly nth: number; readonly when: "before" | "after" }
  /** From outside, when its n-th line of progress comes: wherever that finds it. */
  | { readonly by: "line"; readonly nth: number };

export interface Run {
  readonly verb: "apply" | "destroy" | "reconcile" | "resume";
  readonly kill: Kill | null;
}

export interface PlannedOperation extends Run {
  readonly stack: number;
  /** What today's file asks for. */
  readonly version: number;
  /** Another process on the same stack at the same time. */
  readonly rival: Run | null;
  /** What strikes the provider's process in a call of this operation: a file of log-cloud.sh. */
  readonly execFault: { readonly call: string; readonly what: string } | null;
  /** The HTTP cloud drops every connection when this process says its n-th line, and is back a few lines later. */
  readonly cloudDownAt: number | null;
  /** Long enough before it that every doubt can be settled. */
  readonly timePasses: boolean;
}

export interface Plan {
  readonly operations: readonly PlannedOperation[];
  readonly httpFaults: readonly FaultRule[];
}

const oneIn = <T>(many: number, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> =>
  fc.oneof({ weight: many - 1, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });

const kill: fc.Arbitrary<Kill> = fc.oneof(
  fc.record({
    by: fc.constant("commit" as const),
    nth: fc.integer({ min: 1, max: 12 }),
    when: fc.constantFrom("before" as const, "after" as const),
  }),
  fc.record({ by: fc.constant("line" as const), nth: fc.integer({ min: 1, max: 16 }) }),
);

const run = (verb: fc.Arbitrary<Run["verb"]>): fc.Arbitrary<Run> => fc.record({ verb, kill: oneIn(2, kill) });

const execFault = fc
  .record({
    action: fc.constantFrom("create", "create", "create", "update", "update", "observe"),
    step: fc.constantFrom("net", "guest"),
    point: fc.constantFrom("before", "after", "told"),
    what: fc.constantFrom("asfound", "provider", "both", "slow", "lose"),
  })
  .map(({ action, step, point, what }) => ({
    call: `${action}-${step}`,
    what: `${action === "observe" ? "before" : point} ${what}`,
  }));

/** A destroy makes and changes nothing. */
const ofItsVerb = (one: PlannedOperation): PlannedOperation => {
  const { execFault, verb } = one;
  if (execFault === null || verb !== "destroy") return one;
  return { ...one, execFault: { ...execFault, call: execFault.call.replace(/^create|^update/, "destroy") } };
};

const operation = (stacks: number): fc.Arbitrary<PlannedOperation> =>
  fc
    .record({
      main: run(
        fc.constantFrom("apply", "apply", "apply", "apply", "resume", "reconcile", "destroy", "destroy"),
      ),
      stack: fc.nat({ max: stacks - 1 }),
      version: fc.integer({ min: 1, max: 3 }),
      rival: oneIn(6, run(fc.constantFrom("apply", "destroy", "reconcile", "resume"))),
      execFault: oneIn(2, execFault),
      cloudDownAt: oneIn(15, fc.integer({ min: 1, max: 12 })),
      timePasses: fc.boolean(),
    })
    .map(({ main, ...rest }) => ofItsVerb({ ...main, ...rest }));

const httpFault: fc.Arbitrary<FaultRule["fault"]> = fc.oneof(
  fc.record({
    do: fc.constant("cut" as const),
    at: fc.constantFrom("before" as const, "after" as const, "middle" as const),
  }),
  fc.record({ do: fc.constant("late" as const), ms: fc.integer({ min: 1, max: LATEST_MS - 100 }) }),
  fc.record({
    do: fc.constant("slow" as const),
    ms: fc.integer({ min: 1, max: LATEST_MS - 100 }),
    after: fc.boolean(),
  }),
  fc.record({ do: fc.constant("status" as const), status: fc.constantFrom(500, 503), after: fc.boolean() }),
);
const readingFault: fc.Arbitrary<FaultRule["fault"]> = fc.oneof(
  fc.record({ do: fc.constant("cut" as const), at: fc.constant("before" as const) }),
  fc.record({ do: fc.constant("stale" as const), ms: fc.integer({ min: 1, max: LATEST_MS - 100 }) }),
);
const nth = fc.integer({ min: 1, max: 6 });

const rulesOf = (kind: string): fc.Arbitrary<readonly FaultRule[]> =>
  fc
    .tuple(
      fc.array(
        fc.record({
          kind: fc.constant(kind),
          verb: fc.constantFrom<CloudVerb>("create", "create", "update", "delete"),
          nth,
          fault: httpFault,
        }),
        { maxLength: 4 },
      ),
      fc.array(
        fc.record({
          kind: fc.constant(kind),
          verb: fc.constantFrom<CloudVerb>("get", "list"),
          nth,
          fault: readingFault,
        }),
        { maxLength: 2 },
      ),
    )
    .map(([changing, reading]) => [...changing, ...reading]);

export const planOf = (seed: number, operations: number, kinds: readonly string[]): Plan => {
  const [plan] = fc.sample(
    fc.record({
      operations: fc.array(operation(kinds.length), {
        minLength: operations,
        maxLength: operations,
        size: "max",
      }),
      httpFaults: fc.tuple(...kinds.map(rulesOf)).map((rules) => rules.flat()),
    }),
    { seed, numRuns: 1 },
  );
  if (plan === undefined) throw new Error("nothing was drawn");
  return { ...plan, operations: beginningWithApply(plan.operations) };
};

/** Nothing else does anything to a stack that the ledger does not know. */
const beginningWithApply = (operations: Plan["operations"]): Plan["operations"] => {
  const begun = new Set<number>();
  return operations.map((one) => {
    if (begun.has(one.stack)) return one;
    begun.add(one.stack);
    return { ...one, verb: "apply" };
  });
};

/** As the driver takes it. */
export const verbOf = ({ verb }: Run): Verb => (verb === "reconcile" ? { verb, wait: false } : { verb });
