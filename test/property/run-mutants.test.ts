/** The properties over whole runs can fail: each broken runtime is caught by the law that it breaks. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { commands, nodes } from "./arbitrary-runs.ts";
import { RUN_MUTANTS, SLEEPER_MUTANTS } from "./run-mutants.ts";
import { runAroundSleeper, runWhole } from "./whole-run.ts";

const PARAMETERS = { numRuns: 2_000, endOnFailure: true, seed: 7 };

describe("mutant", () => {
  for (const [name, [law, tampering]] of Object.entries(RUN_MUTANTS))
    it(`${name}: caught by ${law.source}`, async () => {
      const found = await fc.check(
        fc.asyncProperty(nodes, commands, (stack, script) => runWhole(stack, script, tampering)),
        PARAMETERS,
      );
      expect(found.failed).toBe(true);
      expect(String(found.errorInstance)).toMatch(law);
    });

  for (const [name, [law, tampering]] of Object.entries(SLEEPER_MUTANTS))
    it(`${name}: caught by ${law.source}`, async () => {
      const found = await fc.check(
        fc.asyncProperty(
          nodes,
          commands,
          fc.integer({ min: 1, max: 50 }),
          async (stack, script, freezesAt) => {
            const [first, ...others] = script;
            if (first === undefined) return;
            const sleeper = { ...first, diesAt: null, fullAt: null, freezesAt };
            await runAroundSleeper(stack, [sleeper, ...others], tampering);
          },
        ),
        PARAMETERS,
      );
      expect(found.failed).toBe(true);
      expect(String(found.errorInstance)).toMatch(law);
    });
});
