/**
 * Every fence has a runtime without it, caught by the law that the fence keeps although all the other fences stand:
 * N2 epoch at the commit of an intent · N2 epoch right before the call · N5 call-by · N1 lease, on this host and from
 * another · N6 a provider's process that lives on · R5 what moved since the look.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyTown, BACKWARD, OUTLIVING, overtaken } from "./arbitrary.ts";
import { WITHOUT } from "./fences.ts";

describe("without a fence", () => {
  it.each(Object.entries(WITHOUT))("%s: caught", async (_name, { law, tampering, where, seed }) => {
    const parameters = { numRuns: 3_000, endOnFailure: true, seed };
    const found =
      where === "overtaken"
        ? await fc.check(overtaken(BACKWARD, tampering), parameters)
        : await fc.check(anyTown(OUTLIVING, tampering), parameters);
    expect(String(found.errorInstance)).toMatch(law);
  });
});
