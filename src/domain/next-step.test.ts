import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stepName } from "./ids.ts";
import { nextCommands, type Standing } from "./next-step.ts";
import { STATUSES } from "./status.ts";

const standing: fc.Arbitrary<Standing> = fc.record({
  step: fc.constantFrom("network", "machine", "web", "web~compensate").map(stepName),
  status: fc.constantFrom(...STATUSES),
  effect: fc.constantFrom("none", "known", "possible"),
  observable: fc.boolean(),
  owes: fc.boolean(),
  failedCommand: fc.constantFrom("create", null),
  alive: fc.boolean(),
  surplus: fc.constantFrom<readonly string[]>([], ["id-2"]),
  ambiguous: fc.boolean(),
  owedInDoubt: fc.boolean(),
  identified: fc.boolean(),
  approval: fc.boolean(),
});
const advice = (steps: readonly Standing[], last: "apply" | "destroy" | null = "apply") =>
  nextCommands(steps, last);
const stack = fc.array(standing, { minLength: 1, maxLength: 4 });
const CALLS_AGAIN = /^asfound (apply|resume|destroy|compensate)/;

const inDoubt = (s: Standing): boolean =>
  s.status === "unresolved" || (s.status === "error" && s.effect === "possible");
const atWork = (s: Standing): boolean => s.status === "running" || s.status === "destroying";

describe("the next commands", () => {
  it("after doubt never offer what would call a provider again", () => {
    fc.assert(
      fc.property(
        stack.filter((steps) => steps.some(inDoubt)),
        (steps) => {
          for (const { command } of advice(steps).next) expect(command).not.toMatch(CALLS_AGAIN);
        },
      ),
    );
  });

  it("name what settles the doubt: asking where something can be asked, else a person", () => {
    fc.assert(
      fc.property(
        stack.filter((steps) => steps.some(inDoubt) && !steps.some(atWork)),
        (steps) => {
          const { next } = advice(steps);
          const asks = next.some(({ command }) => command === "asfound reconcile");
          const decides = next.some(({ command }) => command.startsWith("asfound resolve"));
          expect(asks).toBe(steps.some((s) => inDoubt(s) && s.observable && !s.owedInDoubt));
          if (steps.some((s) => inDoubt(s) && !s.observable)) expect(decides).toBe(true);
        },
      ),
    );
  });

  it("offer nothing but to watch while an operation is at work", () => {
    fc.assert(
      fc.property(
        stack.filter((steps) => steps.some(atWork)),
        (steps) => {
          expect(advice(steps).next.map(({ command }) => command)).toEqual(["asfound status"]);
        },
      ),
    );
  });

  it("each have their reason, and so has each that is not offered", () => {
    fc.assert(
      fc.property(stack, (steps) => {
        const { next, notOffered } = advice(steps);
        for (const { why } of [...next, ...notOffered]) expect(why.length).toBeGreaterThan(10);
        const unsafe = steps.some((s) => s.status === "unresolved");
        if (unsafe) expect(notOffered.map(({ command }) => command)).toContain("asfound apply");
      }),
    );
  });

  it("control: with nothing in doubt, apply is offered for what did not run", () => {
    const step: Standing = {
      step: stepName("web"),
      status: "pending",
      effect: "none",
      observable: true,
      owes: false,
      failedCommand: null,
      alive: false,
      surplus: [],
      ambiguous: false,
      owedInDoubt: false,
      identified: false,
      approval: false,
    };
    expect(advice([step]).next.map(({ command }) => command)).toEqual(["asfound apply"]);
  });
});
