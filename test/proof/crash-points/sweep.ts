import { existsSync } from "node:fs";
import { describe, expect, it, type TestContext } from "vitest";
import { notRunWithout } from "../../support/not-run.ts";
import { ownTempFolder } from "../../support/own-folder.ts";
import { httpCloud, type Uses } from "./clouds.ts";
import { type Circumstances, crash, survey } from "./life.ts";
import { chosenOf, hitsOf, unhit } from "./points.ts";
import { hitText, type Scenario } from "./scenario.ts";

const SOAK = process.env["ASFOUND_SOAK"] === "1";

/** Scenarios over one provider, each killed at every point that it passes. */
export const sweep = (uses: Uses, scenarios: readonly Scenario[]): void => {
  ownTempFolder("crash-points");
  void describe(`kill -9 at every point, over ${uses}`, () => {
    for (const scenario of scenarios.filter((each) => each.uses.includes(uses)))
      it(scenario.name, (context) => sweepOf(scenario, uses, context));
  });
};

const sweepOf = async (scenario: Scenario, uses: Uses, context: TestContext): Promise<void> => {
  // By /proc it is told which processes still work, and that a killed owner is dead.
  notRunWithout(context, existsSync("/proc/self/cwd") ? null : "this machine has no /proc");
  const around: Circumstances = { uses, http: uses === "http" ? (await httpCloud()).start : noCloud };
  const passed = await survey(scenario, around);
  const all = hitsOf(passed);
  const hits = SOAK
    ? all
    : chosenOf(all, {
        calls: scenario.calls === null ? null : scenario.calls.length,
        alike: uses === "exec" && scenario.alike === true,
        uses,
      });
  const failures: string[] = [];
  let kills = 0;
  for (const hit of hits)
    try {
      kills += await crash(scenario, passed, hit, around);
    } catch (error) {
      failures.push(`${hitText(hit)}: ${error instanceof Error ? error.message : String(error)}`);
    }
  expect(failures).toEqual([]);
  expect(unhit(`${uses}: ${scenario.name}`, hits), "points that this scenario is to hit").toEqual([]);
  if (scenario.times !== undefined)
    expect(kills, "killed again in what follows").toBeGreaterThan(hits.length);
  console.log(
    `${uses}: ${scenario.name}: killed ${kills} times, at ${hits.length} of ${all.length} passings`,
  );
};

const noCloud = () => Promise.reject(new Error("no HTTP cloud over the shell"));
