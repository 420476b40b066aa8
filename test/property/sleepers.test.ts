/**
 * A process that is suspended anywhere, taken over after its lease, and wakes up when others are done (N2, N3, N5). What
 * DESIGN does not promise (§2, 7), a suspension in the very instant between the last check and the send, is left out.
 */
import fc from "fast-check";
import { describe, it } from "vitest";
import { commands, nodes } from "./arbitrary-runs.ts";
import { runAroundSleeper } from "./whole-run.ts";

describe("a process that wakes up late", () => {
  it("N2 N3 N5: sends nothing, disturbs nobody, and what it learned is kept", async () => {
    await fc.assert(
      fc.asyncProperty(nodes, commands, fc.integer({ min: 1, max: 50 }), async (stack, script, freezesAt) => {
        const [first, ...others] = script;
        if (first === undefined) return;
        await runAroundSleeper(stack, [{ ...first, diesAt: null, fullAt: null, freezesAt }, ...others]);
      }),
      { numRuns: Number(process.env["ASFOUND_RUNS"] ?? 200) },
    );
  });
});
