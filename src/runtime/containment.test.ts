import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { StepHistory } from "../../test/support/step-history.ts";
import { type StepName, stepName } from "../domain/ids.ts";
import type { StepState } from "../domain/state.ts";
import { containedIn, removing } from "./containment.ts";

interface Node {
  readonly needs: readonly number[];
  readonly within: number | null;
}
const name = (index: number): StepName => stepName(`s${index}`);

const statesOf = (nodes: readonly Node[]): ReadonlyMap<StepName, StepState> =>
  new Map(
    nodes.map(({ needs, within }, index) => {
      const state = new StepHistory({ step: name(index) }).created().state;
      return [
        state.step,
        { ...state, needs: needs.map(name), partOf: within === null ? null : name(within) },
      ];
    }),
  );

const removed = (nodes: readonly Node[]) => {
  const states = statesOf(nodes);
  return removing(states, new Set(states.keys()), containedIn(states));
};

/** The moments at which things are gone, by an order of calls that keeps all waits; null where there is none. */
const goneAt = ({
  called,
  carriers,
  waitsFor,
}: ReturnType<typeof removing>): Map<StepName, number> | null => {
  const at = new Map<StepName, number>();
  while (at.size < called.length) {
    const free = called.filter((n) => !at.has(n) && (waitsFor.get(n) ?? []).every((w) => at.has(w)));
    if (free.length === 0) return null;
    for (const n of free) at.set(n, at.size);
  }
  for (const [part, container] of carriers) at.set(part, at.get(container) as number);
  return at;
};

const stack: fc.Arbitrary<readonly Node[]> = fc
  .array(
    fc.record({
      needs: fc.array(fc.nat({ max: 8 }), { maxLength: 3 }),
      within: fc.oneof(fc.constant(null), fc.nat({ max: 8 })),
    }),
    { minLength: 1, maxLength: 9 },
  )
  .map((nodes) =>
    nodes.map(({ needs, within }, i) => ({
      needs: [...new Set(needs.filter((n) => n < i))],
      within: within === null || within >= i ? null : within,
    })),
  );

describe("D2: removing what contains and what is contained", () => {
  it("every stack has an order: nothing goes before what needs it, nothing waits for itself, everything goes", () => {
    fc.assert(
      fc.property(stack, (nodes) => {
        const plan = removed(nodes);
        const at = goneAt(plan);
        expect(at).not.toBeNull();
        expect(at?.size).toBe(nodes.length);
        for (const [index, { needs, within }] of nodes.entries()) {
          const mine = at?.get(name(index)) as number;
          for (const need of needs) expect(mine).toBeLessThanOrEqual(at?.get(name(need)) as number);
          if (within !== null) expect(mine).toBeLessThanOrEqual(at?.get(name(within)) as number);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it("a container takes along what it contains, through others too", () => {
    const { called, carriers } = removed([
      { needs: [], within: null },
      { needs: [], within: 0 },
      { needs: [1], within: 1 },
    ]);
    expect(called).toEqual([name(0)]);
    expect(carriers).toEqual(
      new Map([
        [name(1), name(0)],
        [name(2), name(0)],
      ]),
    );
  });

  it("a part that needs a step outside which needs the container goes first, alone", () => {
    const { called, carriers } = removed([
      { needs: [], within: null },
      { needs: [0], within: null },
      { needs: [1], within: 0 },
      { needs: [], within: 0 },
    ]);
    expect(called).toEqual([name(0), name(1), name(2)]);
    expect([...carriers.keys()]).toEqual([name(3)]);
  });

  it("two containers whose parts need the other one do not wait for each other", () => {
    const plan = removed([
      { needs: [], within: null },
      { needs: [], within: null },
      { needs: [0], within: 1 },
      { needs: [1], within: 0 },
    ]);
    expect(goneAt(plan)?.size).toBe(4);
  });
});
