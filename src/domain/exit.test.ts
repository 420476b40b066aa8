import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EXIT, EXIT_MEANING, type ExitCode, worstExit } from "./exit.ts";

/** DESIGN §7: "the first that holds, in the order"; 2 and 143 stand beside 1 and 130, which are their kin. */
const ORDER: readonly ExitCode[] = [1, 2, 130, 143, 21, 22, 23, 10, 20, 30, 0];
const SAID_IN_DESIGN: readonly ExitCode[] = [1, 130, 21, 22, 23, 10, 20, 30];

describe("the exit code of several", () => {
  it("is the first that holds in the order of DESIGN §7, in whatever order they came", () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...ORDER], { minLength: 1 }), (codes) => {
        expect(worstExit(codes)).toBe(ORDER.find((code) => codes.includes(code)));
      }),
    );
  });

  it("places what DESIGN names exactly as DESIGN does", () => {
    const placed = ORDER.filter((code) => SAID_IN_DESIGN.includes(code));
    expect(placed).toEqual(SAID_IN_DESIGN);
    for (const [i, first] of SAID_IN_DESIGN.entries())
      for (const later of SAID_IN_DESIGN.slice(i + 1)) expect(worstExit([later, first])).toBe(first);
  });

  it("is 0 when nothing holds", () => expect(worstExit([])).toBe(0));

  it("every code has a meaning, and a place", () => {
    expect(Object.keys(EXIT_MEANING).map(Number).sort()).toEqual(Object.values(EXIT).sort());
    expect([...ORDER].sort()).toEqual(Object.values(EXIT).sort());
  });
});
