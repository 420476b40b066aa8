/** Everything that may be chosen in whole runs over a stack. */
import fc from "fast-check";
import type { Judgement } from "../../src/domain/finding.ts";
import { stepName } from "../../src/domain/ids.ts";
import type { RetryClass } from "../../src/domain/step.ts";
import { look } from "./arbitrary.ts";
import type { CallFate, Command, PlannedNode } from "./machine.ts";

const NAMES = ["network", "machine", "guest", "web"].map(stepName);

/** Each needs some of those before it; a container is always an earlier one. */
export const nodes: fc.Arbitrary<readonly PlannedNode[]> = fc
  .array(
    fc.record({
      needs: fc.array(fc.nat({ max: 2 }), { maxLength: 2 }),
      within: fc.option(fc.nat({ max: 2 }), { freq: 2 }),
      retry: fc.constantFrom<RetryClass>("once", "keyed", "named", "idempotent"),
      update: fc.boolean(),
      onChange: fc.constantFrom("replace" as const, null),
      tellsDeclared: fc.boolean(),
      confirm: fc.boolean(),
    }),
    { minLength: 1, maxLength: 4, size: "max" },
  )
  .map((chosen) =>
    chosen.map(({ needs, within, ...rest }, index) => ({
      ...rest,
      name: NAMES[index] as PlannedNode["name"],
      needs: [...new Set(needs.filter((n) => n < index))].map((n) => NAMES[n] as PlannedNode["name"]),
      partOf: within === null || within >= index ? null : (NAMES[within] as PlannedNode["name"]),
    })),
  );

export const callFate: fc.Arbitrary<CallFate> = fc.record({
  ends: fc.constantFrom("done", "done", "failed", "unknown", "throws", "refused"),
  effect: fc.constantFrom("now", "late", "never"),
  tellsId: fc.boolean(),
  tellsEarly: fc.boolean(),
  callMs: fc.constantFrom(500, 5_000),
});

/** Mostly never; else before the n-th thing that the process does. */
const moment = (never: number): fc.Arbitrary<number | null> =>
  fc.oneof(
    { weight: never, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 60 }) },
  );

export const command: fc.Arbitrary<Command> = fc.record({
  verb: fc.constantFrom("apply", "apply", "apply", "destroy", "reconcile"),
  version: fc.constantFrom(1, 1, 2),
  leftOut: fc.constantFrom(0, 0, 1),
  allowDestroy: fc.boolean(),
  waits: fc.boolean(),
  fates: fc.array(callFate, { maxLength: 5 }),
  looks: fc.array(
    look.map((one) => ({ ...one, blinks: false })),
    { maxLength: 8 },
  ),
  judgements: fc.array(fc.constantFrom<Judgement>("proven", "refuted", "progressing", "undetermined"), {
    maxLength: 3,
  }),
  diesAt: moment(2),
  fullAt: moment(8),
});

export const commands: fc.Arbitrary<readonly Command[]> = fc.array(command, {
  minLength: 1,
  maxLength: 6,
  size: "max",
});
