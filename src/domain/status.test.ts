import { describe, expect, it } from "vitest";
import {
  EVENTS,
  RESTING,
  STATUSES,
  type StepEvent,
  type StepStatus,
  TRANSITIONS,
  transitionFault,
} from "./status.ts";

const all = STATUSES.flatMap((from) =>
  EVENTS.flatMap((event) => STATUSES.map((to) => ({ from, event, to }))),
);
const listed = ({ from, event, to }: { from: StepStatus; event: StepEvent; to: StepStatus }): boolean =>
  TRANSITIONS[from][event]?.includes(to) === true;
const events = (from: StepStatus, to: StepStatus): StepEvent[] =>
  EVENTS.filter((event) => listed({ from, event, to }));

describe("the one table", () => {
  it("allows exactly what is listed, over every status, event and status", () => {
    expect(all).toHaveLength(STATUSES.length ** 2 * EVENTS.length);
    for (const one of all)
      expect(transitionFault(one.from, one.event, one.to) === undefined).toBe(listed(one));
  });

  it("says what is wrong in one sentence", () => {
    expect(transitionFault("destroyed", "intent:update", "running")).toBe(
      "a step that is destroyed cannot take the event intent:update",
    );
    expect(transitionFault("destroying", "observed", "complete")).toBe(
      "observed cannot turn a step from destroying into complete",
    );
  });

  it("D5: no destroy, and no look at one, leads up to complete", () => {
    expect(events("destroying", "complete")).toEqual(["decision:resolve"]);
  });

  it("a call is begun by an intent, and by nothing else", () => {
    for (const from of RESTING)
      for (const to of ["running", "destroying"] as const)
        expect(events(from, to).filter((e) => !e.startsWith("intent:"))).toEqual([]);
  });

  it("D1: what is there becomes destroyed only by a reading, a settlement, its container, its own word, or a decision", () => {
    for (const from of STATUSES.filter((s) => s !== "destroyed"))
      for (const event of events(from, "destroyed"))
        expect([
          "absent",
          "settled",
          "contained-gone",
          "nothing-to-remove",
          "outcome:done",
          "decision:resolve",
          "decision:forget",
        ]).toContain(event);
  });

  it("N3: what arrives at any time leaves the status, or puts it in doubt", () => {
    for (const event of ["identity", "outcome:late"] as const)
      for (const from of STATUSES)
        for (const to of TRANSITIONS[from][event] ?? [])
          expect([from, "unresolved", ...(from === "unresolved" ? ["error"] : [])]).toContain(to);
  });

  it("W3: no call turns into pending but by a settlement, a reading, or a decision", () => {
    for (const from of ["running", "destroying"] as const)
      expect(events(from, "pending").filter((e) => !e.startsWith("decision:"))).toEqual(
        from === "running" ? ["absent", "settled"] : [],
      );
  });
});
