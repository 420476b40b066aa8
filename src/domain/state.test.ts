import { describe, expect, it } from "vitest";
import { done, nothing, PAST_MS, refused, StepHistory, unknown } from "../../test/support/step-history.ts";
import { isAlive, retainOf } from "./state.ts";

describe("D1: alive", () => {
  const begun = () => {
    const history = new StepHistory().planned();
    return { history, intent: history.intend("create") };
  };

  it("from the moment a create may have been sent, until its absence is proven", () => {
    expect(isAlive(new StepHistory().planned().state)).toBe(false);
    const { history } = begun();
    expect(isAlive(history.state)).toBe(true);
    history.after(PAST_MS).look(nothing);
    expect(isAlive(history.state)).toBe(false);
  });

  it("is not ended by a look without an answer, a refused destroy, or an unknown one", () => {
    const history = new StepHistory().created().after(PAST_MS);
    history.conclude(history.intend("destroy"), refused);
    history.conclude(history.intend("destroy"), unknown());
    history.look({ kind: "denied", reason: "no" });
    expect(isAlive(history.state)).toBe(true);
  });

  it("is not begun by a call that was refused, nor by a destroy", () => {
    const { history, intent } = begun();
    history.conclude(intent, refused);
    expect(isAlive(history.state)).toBe(false);
  });

  it("a second object alone keeps the step alive (N3)", () => {
    const { history, intent } = begun();
    history.identify(intent, "id-1").conclude(intent, done("id-2"));
    expect(isAlive({ ...history.state, present: false, open: [] })).toBe(true);
  });
});

it("a recorded retain binds before the file's, and the file's where none is recorded", () => {
  const file = { owner: "file", reason: "r", reviewBy: "2027-01-01" };
  const recorded = { ...file, owner: "recorded" };
  const { state } = new StepHistory({ policy: { retain: file } }).created();
  expect(retainOf(state)).toEqual(file);
  expect(retainOf({ ...state, retained: recorded })).toEqual(recorded);
  expect(retainOf({ ...state, policy: { ...state.policy, retain: null } })).toBeNull();
});
