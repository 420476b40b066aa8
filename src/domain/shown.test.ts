import { describe, expect, it } from "vitest";
import { done, failed, nothing, StepHistory } from "../../test/support/step-history.ts";
import { operationId, type StepName, stepName } from "./ids.ts";
import { showing, shown, waitingOn } from "./shown.ts";
import type { StepState } from "./state.ts";

const mapOf = (...states: readonly StepState[]): ReadonlyMap<StepName, StepState> =>
  new Map(states.map((state) => [state.step, state]));
const waiting = (state: StepState, states: ReadonlyMap<StepName, StepState>) =>
  waitingOn(state, states, showing(states, null));
const LIVE = operationId("op_1");

const running = () => {
  const history = new StepHistory().planned();
  history.intend("create");
  return history.state;
};
const destroying = (history = new StepHistory({ step: "machine" }).created()) => {
  history.intend("destroy");
  return history;
};

describe("W3: a call whose owner is dead", () => {
  it("is unresolved, never pending, never error", () => {
    for (const state of [running(), destroying().state]) {
      expect(shown(state, mapOf(state), LIVE).status).toBe(state.status);
      for (const live of [null, operationId("op_2")])
        expect(shown(state, mapOf(state), live)).toMatchObject({
          status: "unresolved",
          reason: expect.stringMatching(/no outcome, and its owner is not running/),
        });
    }
  });

  it("says it where the call was answered, and only the look is missing", () => {
    const history = new StepHistory().planned();
    history.conclude(history.intend("create"), done());
    expect(shown(history.state, mapOf(history.state), null).reason).toMatch(
      /answered with done, but was not observed/,
    );
  });

  it("is in doubt even where the row has lost its call", () => {
    const broken = { ...running(), open: [] };
    expect(shown(broken, mapOf(broken), LIVE).status).toBe("unresolved");
  });
});

describe("D2: what is contained", () => {
  const child = () => new StepHistory({ step: "guest", partOf: "machine" }).created().state;
  const told = (parent: StepState, live = operationId("op_2")) => {
    const state = child();
    return shown(state, mapOf(parent, state), live).status;
  };

  it("is unresolved while its container's destroy is in doubt, with an outcome or without a living owner", () => {
    const ended = destroying();
    ended.conclude(ended.state.open[0]?.intent as never, failed());
    expect(told(ended.state)).toBe("unresolved");
    expect(told(destroying().state)).toBe("unresolved");
  });

  it("is as recorded while the owner lives, after a refused destroy, and without any", () => {
    expect(told(destroying().state, LIVE)).toBe("complete");
    const refusedOne = destroying();
    refusedOne.conclude(refusedOne.state.open[0]?.intent as never, { kind: "refused", reason: "protected" });
    expect(told(refusedOne.state)).toBe("complete");
    expect(told(new StepHistory({ step: "machine" }).created().state)).toBe("complete");
  });

  it("asks containers of containers too, and survives a circle in damaged rows", () => {
    const grandchild = new StepHistory({ step: "app", partOf: "guest" }).created().state;
    const machine = destroying().state;
    expect(shown(grandchild, mapOf(grandchild, child(), machine), null).status).toBe("unresolved");
    const circle = { ...grandchild, partOf: stepName("app") };
    expect(shown(circle, mapOf(circle), null).status).toBe("complete");
  });
});

describe("P1 P2: what did not run", () => {
  const web = { ...new StepHistory().planned().state, needs: [stepName("db"), stepName("net")] };

  it("names what it waits on, and why", () => {
    const db = new StepHistory({ step: "db" }).planned();
    db.conclude(db.intend("create"), { kind: "refused", reason: "no" });
    const net = new StepHistory({ step: "net" }).created();
    expect(waiting(web, mapOf(web, db.state, net.state))).toEqual([{ step: "db", why: "db is error" }]);
    expect(waiting(web, mapOf(web, net.state))).toEqual([{ step: "db", why: "db was never applied" }]);
  });

  it("P2: a dead owner's call keeps dependants pending", () => {
    const db = new StepHistory({ step: "db" }).planned();
    db.intend("create");
    const net = new StepHistory({ step: "net" }).created();
    expect(waiting(web, mapOf(web, db.state, net.state))).toEqual([{ step: "db", why: "db is unresolved" }]);
  });

  it("what ran waits on nothing", () => {
    const done = new StepHistory().created().state;
    expect(waiting({ ...done, needs: [stepName("db")] }, mapOf(done))).toEqual([]);
  });
});

it("R3: control: one look that finds nothing is not shown as gone", () => {
  const history = new StepHistory().created();
  history.look(nothing);
  expect(shown(history.state, mapOf(history.state), null).status).not.toBe("destroyed");
});
