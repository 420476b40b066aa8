/**
 * kill -9 at every point of a drill, over the fake API server: at most one Pod goes; while nobody knows whether it went, no
 * other is touched; and what the ledger says in the end is what happened there.
 */
import { describe, expect, it } from "vitest";
import { systemClock } from "../../../src/adapters/system/clock.ts";
import type { CrashPoint } from "../../../src/domain/crash-point.ts";
import { folder } from "../../faces/terminal.ts";
import { PAST_CALL_BY_MS } from "../../scenarios/place.ts";
import { atRest, drillTown, type Town } from "../../support/drill-town.ts";
import { ownTempFolder } from "../../support/own-folder.ts";
import { asfound, type Mutant, passedIn, type Ran } from "./cli.ts";
import { hitsOf } from "./points.ts";
import { type Hit, hitText } from "./scenario.ts";

ownTempFolder("crash-points-drill");

/** Those around the call, and around the watch that follows it. */
const WITHIN: ReadonlySet<CrashPoint> = new Set<CrashPoint>([
  "lease-granted",
  "intent-durable",
  "fence-passed",
  "write-connected",
  "write-sent",
  "write-replied",
  "outcome-told",
  "outcome-durable",
  "reading-durable",
  "decision-due",
  "operation-ending",
]);

interface Stage {
  readonly town: Town;
  readonly cwd: string;
}

const staged = async (): Promise<Stage> => ({ town: await drillTown(atRest(3)), cwd: folder() });

const drill = ({ town, cwd }: Stage, how: Parameters<typeof asfound>[2] = {}): Promise<Ran> =>
  asfound(cwd, town.words("--window", "20s"), how);

const survey = async (): Promise<readonly Hit[]> => {
  const ran = await drill(await staged(), { crashAt: "trace" });
  expect(ran.exit, ran.err).toBe(0);
  return hitsOf(passedIn(ran.err)).filter(({ point, nth }) => WITHIN.has(point) && nth === 1);
};

interface Step {
  readonly status: string;
}

const stepIn = async ({ cwd }: Stage): Promise<Step | undefined> => {
  const status = await asfound(cwd, ["status", "-o", "json"]);
  return status.out.startsWith("{") ? JSON.parse(status.out).steps[0] : undefined;
};

const crash = async (hit: Hit, mutant: readonly Mutant[] = []): Promise<void> => {
  const stage = await staged();
  const { town, cwd } = stage;
  const ran = await drill(stage, { crashAt: hitText(hit), mutant });
  expect(ran.signal, `${hitText(hit)} was not hit (exit ${ran.exit}): ${ran.err}`).toBe("SIGKILL");
  // What was handed to the system before it died is still read by the server.
  await systemClock.sleep(300);
  const died = town.removed();
  expect(died.length, "after the crash").toBeLessThanOrEqual(1);
  const inDoubt = (await stepIn(stage))?.status === "unresolved";
  if (inDoubt && died.length === 0) {
    const again = await drill(stage, { mutant });
    expect([again.exit, town.removed()], "another drill while it is in doubt").toEqual([21, died]);
  }
  const aheadMs = PAST_CALL_BY_MS;
  if (inDoubt) await asfound(cwd, ["reconcile", "--progress", "quiet", "--yes"], { aheadMs, mutant });
  expect(town.removed(), "R6: reconcile changes nothing").toEqual(died);
  const status = (await stepIn(stage))?.status;
  const went = status === "complete" || status === "unconfirmed";
  expect([status, went], "what the ledger says, and what happened").toEqual([status, died.length === 1]);
  const next = await drill(stage, { aheadMs, mutant });
  expect(next.exit, `the next drill: ${next.err}`).toBe(0);
  expect(town.removed()).toHaveLength(died.length + 1);
};

describe("kill -9 at every point of a drill", () => {
  it("at most one Pod goes, and the ledger says what happened", async () => {
    const hits = await survey();
    expect(hits.length).toBeGreaterThan(7);
    const failures: string[] = [];
    for (const hit of hits)
      try {
        await crash(hit);
      } catch (error) {
        failures.push(`${hitText(hit)}: ${error instanceof Error ? error.message : String(error)}`);
      }
    expect(failures).toEqual([]);
    console.log(`drill: killed at ${hits.map(hitText).join(", ")}`);
  });
});

describe("a broken drill is caught", () => {
  it.each<[string, Hit, Mutant, RegExp]>([
    [
      "what is in doubt is sent again",
      { point: "fence-passed", nth: 1 },
      { file: "/provider-kubernetes/drill/provider.ts", from: 'retry: "once"', to: 'retry: "idempotent"' },
      /another drill while it is in doubt/,
    ],
    [
      "a Pod that is gone was not removed",
      { point: "write-replied", nth: 1 },
      {
        file: "/provider-kubernetes/drill/provider.ts",
        from: "const isStill = there !== undefined && there.uid === spec.podUid && !there.leaving;",
        to: "const isStill = there?.uid !== '';",
      },
      /what the ledger says, and what happened/,
    ],
  ])("%s", async (_, hit, mutant, caught) => {
    await expect(crash(hit, [mutant])).rejects.toThrow(caught);
  });
});
