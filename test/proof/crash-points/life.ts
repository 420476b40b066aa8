/**
 * One crash, and the life after it. The same story for every point of every scenario:
 *
 *   killed → `status` says which call is uncertain, and no more → the plain verb does not repeat it → reconcile, or a
 *   person, settles it → the verb comes to its end → destroy leaves nothing.
 *
 * What was called and what is there, the provider tells; the ledger is only asked what it claims.
 */
import { expect } from "vitest";
import type { CrashPoint } from "../../../src/domain/crash-point.ts";
import { makePlace } from "../../scenarios/place.ts";
import type { Verb } from "../../scenarios/verbs.ts";
import { type How, type Mutant, passedIn, RESUME, wordsOf } from "./cli.ts";
import type { Call, Cloud, Uses } from "./clouds.ts";
import { shellCloud } from "./clouds.ts";
import { oneAfterTheOther, severalAtOnce } from "./meaning.ts";
import { keepsOutputs, neverTwo, nothingLost, nothingRepeated, nothingUnrecorded } from "./must-hold.ts";
import { type Doubt, type Hit, hitText, pass, runIt, type Scenario, type Stage, verbOf } from "./scenario.ts";
import { inDoubt, type ShownStatus, type ShownStep, status, statusHere } from "./shown.ts";

export interface Circumstances {
  readonly uses: Uses;
  /** A fresh HTTP cloud; not asked over the shell. */
  readonly http: () => Promise<Cloud>;
  /** Broken, in every process of the story. */
  readonly mutant?: Mutant;
  /** Every verb in a process of its own, by the real command; else those after the crash run here. */
  readonly byCommand?: true;
}

const withStage = async <T>(
  { uses, http }: Circumstances,
  tell: (stage: Stage) => Promise<T>,
): Promise<T> => {
  const place = await makePlace();
  try {
    const cloud = uses === "exec" ? shellCloud(place) : await http();
    return await tell({ place, cloud, uses, aheadMs: 0 });
  } finally {
    await place.end();
  }
};

const brokenBy = ({ mutant }: Circumstances): How => (mutant === undefined ? {} : { mutant });

/** An uncrashed run: the points it passes, in order. It is the control as well: the scenario comes to its end. */
export const survey = (scenario: Scenario, around: Circumstances): Promise<readonly CrashPoint[]> =>
  withStage(around, async (stage) => {
    await scenario.prepare(stage);
    const ran = await runKilled(stage, scenario, { crashAt: "trace" });
    expect(ran.signal, ran.err).toBeNull();
    await scenario.letGo?.(stage);
    await stage.cloud.quiet();
    await windUp(stage, scenario, around);
    return passedIn(ran.err);
  });

const runKilled = (stage: Stage, scenario: Scenario, how: How) =>
  scenario.run === undefined ? runIt(stage, wordsOf(verbOf(stage, scenario)), how) : scenario.run(stage, how);

/** How often it was killed. Throws where the story goes wrong. */
export const crash = (
  scenario: Scenario,
  passed: readonly CrashPoint[],
  hit: Hit,
  around: Circumstances,
): Promise<number> =>
  withStage(around, async (stage) => {
    await scenario.prepare(stage);
    const before = await stage.cloud.calls();
    const how = { ...brokenBy(around), crashAt: hitText(hit) };
    const ran = await runKilled(stage, scenario, how);
    expect(ran.signal, `${hitText(hit)} was not hit (exit ${ran.exit}): ${ran.err}`).toBe("SIGKILL");
    if (scenario.survives !== true) await stage.cloud.quiet();

    const prefix = passed.slice(0, placeOf(passed, hit) + 1);
    const shown = await status(stage, brokenBy(around));
    const calls = await stage.cloud.calls();
    await nothingUnrecorded(stage, calls);
    await nothingLost(stage, shown);
    if (scenario.calls === null) severalAtOnce(shown, calls.slice(before.length));
    else
      oneAfterTheOther(scenario, passed, prefix, {
        shown,
        calls: calls.slice(before.length),
        uses: stage.uses,
      });

    let killed = 1;
    for (let times = 1; times < (scenario.times ?? 1); times++) {
      // It may come to an end before that point now.
      if ((await runKilled(stage, scenario, how)).signal === "SIGKILL") killed += 1;
      await stage.cloud.quiet();
      await nothingLost(stage, await statusHere(stage));
    }

    await repeatsNothing(stage, scenario, around);
    await scenario.letGo?.(stage);
    await stage.cloud.quiet();
    await settle(stage, scenario, around);
    await windUp(stage, scenario, around, shown);
    return killed;
  });

/** Where in the run the nth passing of a point is. */
const placeOf = (passed: readonly CrashPoint[], { point, nth }: Hit): number => {
  let seen = 0;
  return passed.findIndex((each) => each === point && ++seen === nth);
};

const act = async (
  stage: Stage,
  verb: Verb,
  around: Circumstances,
  words: readonly string[] = wordsOf(verb),
): Promise<number | null> =>
  around.byCommand === undefined
    ? (await stage.place.do(verb)).exit
    : (await runIt(stage, words, brokenBy(around))).exit;

const countOf = (calls: readonly Call[], { step, failedCommand }: ShownStep): number =>
  calls.filter((call) => call.step === step && call.action === failedCommand).length;

/** The plain verb again, at once: what is in doubt is not sent a second time. */
const repeatsNothing = async (stage: Stage, scenario: Scenario, around: Circumstances): Promise<void> => {
  const doubtful = inDoubt(await statusHere(stage));
  const before = await stage.cloud.calls();
  const exit = await act(stage, scenario.again ?? verbOf(stage, scenario), around);
  const after = await stage.cloud.calls();
  // Once its time is over, the look that the plain verb begins with may settle it: then the journal has to say so.
  for (const step of stage.aheadMs > 0 ? [] : doubtful)
    expect(
      countOf(after, step),
      `${step.failedCommand} of ${step.step} is in doubt, and was sent again`,
    ).toBe(countOf(before, step));
  const shown = await statusHere(stage);
  await nothingLost(stage, shown);
  if (inDoubt(shown).length > 0 && scenario.verb.verb !== "import")
    expect(exit, "the exit of the plain verb").toBe(21);
};

const settle = async (stage: Stage, scenario: Scenario, around: Circumstances): Promise<void> => {
  const doubtful = inDoubt(await statusHere(stage));
  if (doubtful.length === 0) return;
  pass(stage);
  const exit = await act(stage, { verb: "reconcile" }, around);
  const open = inDoubt(await statusHere(stage));
  if (open.length > 0) expect(exit, "the exit of a reconcile that did not settle all").toBe(21);
  for (const { step, failedCommand } of open) {
    // What is only in doubt with its container is settled with it.
    if (failedCommand === null) continue;
    const decision = await scenario.decide?.(stage, { step, action: failedCommand as Doubt["action"] });
    // A decision is a person's; that command is killed in a scenario of its own.
    if (decision) expect((await stage.place.do(decision)).exit, "the decision").toBe(0);
  }
  expect(inDoubt(await statusHere(stage)), "in doubt for ever").toEqual([]);
};

/** To its end, and away again. */
const windUp = async (
  stage: Stage,
  scenario: Scenario,
  around: Circumstances,
  shown: ShownStatus | null = null,
): Promise<void> => {
  const exit = await resumed(stage, scenario, around);
  // A compensation that is done is not done again, and says so.
  expect(scenario.blind === true ? [0, 23] : [0], "the exit of the verb that brings it to its end").toContain(
    exit,
  );
  await scenario.after(stage);
  if (shown !== null) await keepsOutputs(stage, shown);
  expect(await act(stage, { verb: "destroy" }, around), "the exit of destroy").toBe(0);
  await stage.cloud.quiet();
  expect(await stage.cloud.alive(), "destroy leaves nothing").toEqual([]);
  for (const { step, status } of (await stage.place.status()).steps)
    if (!step.includes("~")) expect(status, step).toBe("destroyed");
  await neverTwo(stage);
  await nothingUnrecorded(stage, await stage.cloud.calls());
  await nothingRepeated(stage);
};

/** By `asfound resume` where commands are typed and it means the same. */
const resumed = (stage: Stage, scenario: Scenario, around: Circumstances): Promise<number | null> => {
  const verb = scenario.resume ?? verbOf(stage, scenario);
  return around.byCommand === true && scenario.resume === undefined
    ? act(stage, verb, around, RESUME)
    : act(stage, verb, around);
};
