/**
 * The domain against the truth: one step, worked on by the law, over a cloud that loses replies, commits late, shows old
 * pictures and denies readings, with crashes between any two records, late outcomes in any order, and a person's decisions.
 */
import fc from "fast-check";
import { describe, it } from "vitest";
import { besideAnother, deeds, judgedDeeds, judgedSetting, setting } from "./arbitrary.ts";
import { runJournal } from "./run-journal.ts";

describe("every journal that can be written", () => {
  it("W3 W4 N3 R1-R5 D1 D3 D5 P3: says nothing better than the truth, and loses nothing", () => {
    fc.assert(
      fc.property(setting, deeds, (chosen, script) => runJournal(chosen, script)),
      { numRuns: Number(process.env["ASFOUND_RUNS"] ?? 2_000) },
    );
  });

  it("the same of a step that is complete only by what it has to be confirmed by", () => {
    fc.assert(
      fc.property(judgedSetting, judgedDeeds, (chosen, script) => runJournal(chosen, script)),
      { numRuns: Number(process.env["ASFOUND_RUNS"] ?? 1_000) },
    );
  });

  it("N3 R1: the same after a create that left nothing said done after all, when another had been made", () => {
    fc.assert(
      fc.property(setting, besideAnother, (chosen, script) => runJournal(chosen, script)),
      { numRuns: Number(process.env["ASFOUND_RUNS"] ?? 500) },
    );
  });
});
