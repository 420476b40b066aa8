/**
 * Processes that begin, pause, wake, die and take over in any order, on two hosts, while the clocks jump by a minute up to a
 * year or are five minutes apart, and one that is overtaken while it sleeps. fast-check prints the seed and the smallest run that fails;
 * `ASFOUND_SEED` runs a seed again.
 */
import fc from "fast-check";
import { describe, it } from "vitest";
import { APART, anyTown, BACKWARD, FORWARD, OUTLIVING, overtaken } from "./arbitrary.ts";

const seed = process.env["ASFOUND_SEED"];
const parameters = {
  numRuns: process.env["ASFOUND_SOAK"] === "1" ? 20_000 : 300,
  ...(seed === undefined ? {} : { seed: Number(seed) }),
};

describe("several processes at once, N1 N2 N3 N5 N6 R5: one object at most, none lost, and a way out", () => {
  it("clocks set back, providers as bad as they may be: any commands", () =>
    fc.assert(anyTown(BACKWARD), parameters));
  it("clocks set back, providers as bad as they may be: one is overtaken", () =>
    fc.assert(overtaken(BACKWARD), parameters));
  it("two hosts whose clocks are apart, providers as bad as they may be: any commands", () =>
    fc.assert(anyTown(APART), parameters));
  it("two hosts whose clocks are apart, providers as bad as they may be: one is overtaken", () =>
    fc.assert(overtaken(APART), parameters));
  it("clocks set forward and back, providers as bad as they may be: any commands", () =>
    fc.assert(anyTown(FORWARD), parameters));
  it("clocks set forward and back, providers as bad as they may be: one is overtaken", () =>
    fc.assert(overtaken(FORWARD), parameters));
  it("clocks set forward and back, provider processes that outlive us: any commands", () =>
    fc.assert(anyTown(OUTLIVING), parameters));
  it("clocks set forward and back, provider processes that outlive us: one is overtaken", () =>
    fc.assert(overtaken(OUTLIVING), parameters));
});
