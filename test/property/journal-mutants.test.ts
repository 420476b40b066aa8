/** Every law of the fold and of settling has a mutant here that the property over journals catches, by that law. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LAWS } from "../support/step-history.ts";
import { besideAnother, deeds, judgedDeeds, judgedSetting, setting } from "./arbitrary.ts";
import { runJournal } from "./run-journal.ts";
import { BESIDE_MUTANTS, CONFIRM_MUTANTS, MUTANTS } from "./step-mutants.ts";

const drawn = [
  [MUTANTS, setting, deeds],
  [CONFIRM_MUTANTS, judgedSetting, judgedDeeds],
  [BESIDE_MUTANTS, setting, besideAnother],
] as const;

describe.each(drawn)("mutant", (mutants, settings, scripts) => {
  for (const [name, [law, change]] of Object.entries(mutants))
    it(`${name}: caught by ${law.source}`, () => {
      const found = fc.check(
        fc.property(settings, scripts, (chosen, script) =>
          runJournal(chosen, script, { ...LAWS, ...change }),
        ),
        { numRuns: 20_000, endOnFailure: true, seed: 11 },
      );
      expect(found.failed).toBe(true);
      expect(String(found.errorInstance)).toMatch(law);
    });
});
