import { describe, expect, it } from "vitest";
import {
  differs,
  failed,
  nothing,
  SETTLE_MS,
  StepHistory,
  seen,
  unknown,
} from "../../test/support/step-history.ts";
import { type Change, changeFor, changeForLeft, compareInputs, differences, type Today } from "./change.ts";
import { digest } from "./ids.ts";
import type { StepState } from "./state.ts";

const today = (body = "v1", more: Partial<Today> = {}): Today => ({
  can: { observe: true, create: true, update: true, destroy: true, compensate: false, owed: false },
  onChange: null,
  inputsDigest: { digest: digest(`sha256:${body}`), keyId: null },
  ...more,
});
const fixed = today("v1");
const cannotUpdate = { ...fixed.can, update: false };

const created = () => new StepHistory().created().state;
const inDoubt = () => {
  const history = new StepHistory().planned();
  return history.conclude(history.intend("create"), unknown()).state;
};
const failedThere = () => {
  const history = new StepHistory().planned();
  history.conclude(history.intend("create"), failed("id-1"));
  history.look(differs("id-1"));
  return history.state;
};
const drifted = () => {
  const history = new StepHistory().created();
  history.look(differs());
  return history.state;
};
const disappeared = () => {
  const history = new StepHistory().created();
  history.look(nothing);
  history.after(SETTLE_MS).look(nothing);
  return history.state;
};
const doubled = () => {
  const history = new StepHistory().planned();
  const intent = history.intend("create");
  history.identify(intent, "id-1").conclude(intent, failed("id-2"));
  history.look(seen("id-1"));
  return history.state;
};

describe("what apply is to do", () => {
  const table: readonly (readonly [
    what: string,
    state: StepState | undefined,
    today: Today,
    does: Change["do"],
  ])[] = [
    ["a step without a record", undefined, fixed, "create"],
    ["one that did not run", new StepHistory().planned().state, fixed, "create"],
    ["the same inputs", created(), fixed, "leave"],
    ["other inputs", created(), today("v2"), "update"],
    ["other inputs, onChange: replace", created(), today("v2", { onChange: "replace" }), "replace"],
    ["other inputs, no update", created(), today("v2", { can: cannotUpdate }), "decide"],
    ["inputs not known yet", created(), today("v1", { inputsDigest: null }), "leave"],
    ["a call in doubt", inDoubt(), fixed, "observe-first"],
    ["a call in doubt, whatever changed", inDoubt(), today("v2", { onChange: "replace" }), "observe-first"],
    ["drift", drifted(), fixed, "update"],
    ["drift that cannot be updated away", drifted(), today("v1", { can: cannotUpdate }), "decide"],
    ["a create that failed and left something", failedThere(), fixed, "update"],
    ["a step that disappeared", disappeared(), fixed, "create"],
    ["a second object", doubled(), fixed, "decide"],
  ];
  for (const [what, state, file, does] of table)
    it(`${what}: ${does}`, () => {
      const change = changeFor(state, file);
      expect(change.do).toBe(does);
      expect(change.why.length).toBeGreaterThan(10);
    });
});

describe("what left the file", () => {
  it("op-19: is destroyed only where that is allowed, and never where it is retained", () => {
    const retained = {
      ...created(),
      retained: { owner: "platform", reason: "legal hold", reviewBy: "2027-06-30" },
    };
    expect(changeForLeft(created(), true).do).toBe("destroy");
    expect(changeForLeft(created(), false).do).toBe("leave");
    expect(changeForLeft(retained, true)).toMatchObject({
      do: "leave",
      why: expect.stringMatching(/platform/),
    });
    expect(changeForLeft(new StepHistory().planned().state, true).do).toBe("leave");
  });

  it("D1: what may exist counts as there", () => expect(changeForLeft(inDoubt(), true).do).toBe("destroy"));
});

describe("comparing inputs", () => {
  const of = (text: string, keyId: string | null = null) => ({ digest: digest(text), keyId });
  it("another ledger key makes secrets not comparable, unless the digests agree", () => {
    expect(compareInputs(of("a", "k1"), of("b", "k2"))).toBe("not-comparable");
    expect(compareInputs(of("a", "k1"), of("a", "k2"))).toBe("same");
    expect(compareInputs(of("a", "k1"), of("b", "k1"))).toBe("changed");
    expect(compareInputs(of("a"), of("b", "k1"))).toBe("changed");
    expect(compareInputs(null, of("a"))).toBe("changed");
    expect(compareInputs(of("a"), null)).toBe("not-known");
  });

  it("names what differs by JSON pointer, and stops at the limit", () => {
    expect(differences({ a: 1, "b/c": { d: [1] }, e: 1 }, { a: 1, "b/c": { d: [2] }, f: 1 })).toEqual([
      "/b~1c/d",
      "/e",
      "/f",
    ]);
    expect(differences(1, 2)).toEqual(["/"]);
    expect(
      differences({}, Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`k${i}`, i]))),
    ).toHaveLength(20);
  });
});
