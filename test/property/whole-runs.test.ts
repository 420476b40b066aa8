/**
 * The real runtime over whole stacks: apply, reconcile and destroy with every call, reading, disk and process failing as
 * it may, in any order; then without faults. On a failure fast-check prints the seed and the smallest run that fails.
 */
import fc from "fast-check";
import { describe, it } from "vitest";
import { commands, nodes } from "./arbitrary-runs.ts";
import { runWhole } from "./whole-run.ts";

describe("every run over a stack", () => {
  it("W1-W6 N1 N3 R1-R5 P1 P2 D1-D4: at most one object, none lost, none called gone that is there, and a way out", async () => {
    await fc.assert(
      fc.asyncProperty(nodes, commands, (stack, script) => runWhole(stack, script)),
      { numRuns: Number(process.env["ASFOUND_RUNS"] ?? 200) },
    );
  });
});
