import { describe, expect, it } from "vitest";
import { httpCloud, type Uses } from "./clouds.ts";
import { type Circumstances, crash, survey } from "./life.ts";
import { chosenOf, hitsOf, unhit } from "./points.ts";
import { hitText, SCENARIOS, type Scenario } from "./scenario.ts";

const SOAK = process.env["ASFOUND_SOAK"] === "1";

/** Every scenario over one provider, killed at every point that it passes. */
export const sweep = (uses: Uses): void =>
  void describe(`kill -9 at every point, over ${uses}`, () => {
    for (const scenario of SCENARIOS.filter((each) => each.uses.includes(uses)))
      it(scenario.name, () => sweepOf(scenario, uses));
  });

const sweepOf = async (scenario: Scenario, uses: Uses): Promise<void> => {
  const around: Circumstances = { uses, http: uses === "http" ? (await httpCloud()).start : noCloud };
  const passed = await survey(scenario, around);
  const failures: string[] = [];
  const all = hitsOf(passed);
  const hits = SOAK
    ? all
    : chosenOf(all, {
        calls: scenario.calls === null ? null : scenario.calls.length,
        alike: uses === "exec" && scenario.alike === true,
      });
  for (const hit of hits) {
    await crash(scenario, passed, hit, around).catch((error: unknown) => {
      failures.push(`${hitText(hit)}: ${error instanceof Error ? error.message : String(error)}`);
    });
  }
  expect(failures).toEqual([]);
  expect(unhit(`${uses}: ${scenario.name}`, hits), "points that this scenario is to hit").toEqual([]);
  console.log(`${uses}: ${scenario.name}: killed ${hits.length} times, at ${all.length} passings`);
};

const noCloud = () => Promise.reject(new Error("no HTTP cloud over the shell"));
