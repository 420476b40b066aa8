/**
 * A chain of steps, each part of the one before: what an apply, a status, a plan and a destroy ask for grows with the
 * steps, and not with the steps within steps. Counted, not timed.
 */
import { describe, expect, it } from "vitest";
import { stepName } from "../../src/domain/ids.ts";
import { showing } from "../../src/domain/shown.ts";
import type { StepState } from "../../src/domain/state.ts";
import { containedIn, removing } from "../../src/runtime/containment.ts";
import { planDestroy } from "../../src/runtime/plan.ts";
import type { Runtime } from "../../src/runtime/runtime.ts";
import { StepHistory } from "../support/step-history.ts";
import { Machine, type PlannedNode, SHOP } from "./machine.ts";
import { plainCommand, plainNode } from "./plain.ts";

const name = (at: number) => stepName(`s${at}`);

describe("rows that an operation asks the ledger for", () => {
  const STEPS = 400;
  const chain: readonly PlannedNode[] = Array.from({ length: STEPS }, (_, at) =>
    plainNode(name(at), { partOf: at === 0 ? null : name(at - 1) }),
  );
  it("are a few for each step", async () => {
    let asked = 0;
    const machine = new Machine(chain, {
      store: (store) => ({
        ...store,
        commit: (request) => {
          if (request.steps !== "all") asked += request.steps.length;
          return store.commit(request);
        },
      }),
    });
    for (const verb of ["apply", "apply", "reconcile", "destroy"] as const) {
      asked = 0;
      expect(await machine.run(plainCommand(verb, { allowDestroy: true }))).toMatchObject({
        kind: "done",
        exit: 0,
      });
      expect(asked, verb).toBeGreaterThan(0);
      expect(asked, verb).toBeLessThan(10 * STEPS);
    }
  });
});

describe("states that are looked at", () => {
  const STEPS = 2_000;

  /** Counts each look at a step by its name. */
  class Counted extends Map<StepState["step"], StepState> {
    looks = 0;
    override get(step: StepState["step"]): StepState | undefined {
      this.looks += 1;
      return super.get(step);
    }
  }
  const { state } = new StepHistory().created();
  const chain = (): Counted =>
    new Counted(
      Array.from({ length: STEPS }, (_, at) => [
        name(at),
        { ...state, step: name(at), partOf: at === 0 ? null : name(at - 1) },
      ]),
    );

  it.each([
    ["status", async (states: Counted) => [...states.values()].map(showing(states, null))],
    [
      "plan of a destroy",
      (states: Counted) =>
        planDestroy({ store: { steps: async () => states } } as unknown as Runtime, SHOP, [], null),
    ],
    [
      "plan of a destroy of the innermost but one",
      (states: Counted) =>
        planDestroy(
          { store: { steps: async () => states } } as unknown as Runtime,
          SHOP,
          [name(STEPS - 2)],
          null,
        ),
    ],
    [
      "who takes whom along",
      async (states: Counted) => removing(states, new Set(states.keys()), containedIn(states)),
    ],
  ])("%s: a few for each", async (_, look) => {
    const states = chain();
    await look(states);
    expect(states.looks).toBeGreaterThan(STEPS / 2);
    expect(states.looks).toBeLessThan(10 * STEPS);
  });
});
