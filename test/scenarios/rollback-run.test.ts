/** `rollback run` from the command line to a fake API server: one operation, its refusals, and what it came to. */
import { describe, expect, it } from "vitest";
import { API_SCHEMAS } from "../../src/wire/api/schemas.ts";
import type { Ran } from "../faces/terminal.ts";
import { changesOf, imageOf, rollbackWorld } from "../support/rollback-world.ts";

const TO_V1 = ["deployment/web", "--to", "v1"] as const;
const RUN = ["rollback", "run", ...TO_V1, "--yes", "--window", "20s", "--progress", "quiet"] as const;

const reportOf = ({ out }: Ran) => {
  const report = JSON.parse(out);
  const name = report.kind === "RollbackPlan" ? "rollback-plan" : "rollback-report";
  expect(API_SCHEMAS[name]?.safeParse(report).error).toBe(undefined);
  return report;
};

describe("rollback plan, live", () => {
  it("finds nothing against it, names what would change, and changes nothing", async () => {
    const at = await rollbackWorld();
    const ran = await at.run("rollback", "plan", ...TO_V1, "-o", "json");
    expect([ran.code, ran.err]).toEqual([0, ""]);
    const plan = reportOf(ran);
    expect(plan).toMatchObject({ kind: "RollbackPlan", decision: "proven", to: { revision: { number: 1 } } });
    expect(plan.next[0].command).toBe("asfound rollback run deployment/web -n shop --to v1");
    expect(plan.config).toMatchObject([{ name: "settings-v1", do: "leave", immutable: true }]);
    expect(changesOf(at.server)).toEqual([]);
  });

  it("a release that is not there, both targets, and none: a sentence, and nothing is asked", async () => {
    const at = await rollbackWorld();
    const count = at.server.log().length;
    for (const words of [[], ["--to", "v1", "--to-revision", "1"]]) {
      const ran = await at.run("rollback", "plan", "deployment/web", ...words);
      expect([ran.code, ran.err]).toEqual([2, expect.stringMatching(/^asfound: say what to roll back to/)]);
    }
    expect(at.server.log()).toHaveLength(count);
    expect((await at.run("rollback", "plan", "deployment/web", "--to", "v9")).code).toBe(2);
  });
});

describe("rollback run", () => {
  it("restores the template as one operation, and tells the layers apart; a drill alone would confirm it", async () => {
    const at = await rollbackWorld();
    at.follows();
    const ran = await at.run(...RUN, "-o", "json", "--reason", "v2 crashes");
    const report = reportOf(ran);
    expect(report.statement).toMatch(
      /^Rolled back: the rollout is complete.*confirmed it is once a replaced Pod/,
    );
    expect(report).toMatchObject({
      kind: "RollbackReport",
      layers: { rollout: "proven", configBound: "proven", timeBomb: false },
      confirmed: false,
      exit: 0,
    });
    expect(changesOf(at.server)).toEqual(["updated deployments/web"]);
    expect(imageOf(at.server)).toBe("web:v1");
    const history = await at.bare("history", "--stack", report.stack, "-o", "json");
    expect(history.out).toContain("rollback of Deployment shop/web to release v1");
    expect(history.out).toContain("v2 crashes");
  });
});
