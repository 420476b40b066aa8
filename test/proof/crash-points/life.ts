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
import { asfound, type How, type Mutant, passedIn, RESUME, wordsOf } from "./cli.ts";
import type { Call, Cloud, Uses } from "./clouds.ts";
import { shellCloud } from "./clouds.ts";
import { type Doubt, type Hit, hitText, pass, runIt, type Scenario, type Stage, verbOf } from "./scenario.ts";

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
    const shown = await status(stage, around);
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

// ---- what status says ------------------------------------------------------------------------------------------

interface ShownStep {
  readonly step: string;
  readonly status: string;
  readonly failedCommand: string | null;
  readonly owes: readonly string[];
  readonly outputs: Readonly<Record<string, unknown>>;
  readonly previous: readonly { readonly outputs: Readonly<Record<string, unknown>> }[];
}
interface ShownStatus {
  readonly exit: number | null;
  readonly steps: readonly ShownStep[];
}

/** By the real command. */
const status = async (stage: Stage, around: Circumstances): Promise<ShownStatus> => {
  const { exit, out } = await asfound(stage.place.folder, ["status", "-o", "json"], brokenBy(around));
  const steps = out.startsWith("{")
    ? (JSON.parse(out) as { readonly steps: readonly ShownStep[] }).steps
    : [];
  return { exit, steps };
};

/** In this process: cheaper, and the same report. */
const statusHere = async (stage: Stage): Promise<ShownStatus> => {
  try {
    return await stage.place.status();
  } catch {
    // The ledger knows no stack yet.
    return { exit: null, steps: [] };
  }
};

const inDoubt = ({ steps }: ShownStatus): readonly ShownStep[] =>
  steps.filter((step) => step.status === "unresolved");

// ---- what must hold after any crash ----------------------------------------------------------------------------

/** W1: each call that the provider got has a record of its own that was there before it. */
const nothingUnrecorded = async (stage: Stage, calls: readonly Call[]): Promise<void> => {
  const left = calls.length === 0 ? [] : [...(await intents(stage))];
  for (const call of calls) {
    if (call.action === "create" && call.key === null) continue;
    const at = left.findIndex(
      (intent) =>
        intent.step === call.step &&
        intent.action === call.action &&
        (call.key === null || intent.key === call.key),
    );
    expect(at, `W1: ${call.action} of ${call.step} (${call.key}) was sent without a record`).not.toBe(-1);
    left.splice(at, 1);
  }
};

const intents = async (stage: Stage) =>
  (await stage.place.records()).flatMap(({ record }) => (record.kind === "intent" ? [record] : []));

/** What is there is known of, or in doubt; and there is never a second one. */
const nothingLost = async (stage: Stage, shown: ShownStatus): Promise<void> => {
  const alive = await stage.cloud.alive();
  const steps = alive.map(({ step }) => step);
  expect(new Set(steps).size, `at most one of each is there: ${JSON.stringify(alive)}`).toBe(steps.length);
  const known = new Map(shown.steps.map((step) => [step.step, step.status]));
  for (const step of steps)
    if (!(await isPlantedOnly(stage, step)))
      expect(["complete", "unresolved", "error"], `${step} is there`).toContain(known.get(step));
};

/** Somebody else's object is none of ours before it is imported. */
const isPlantedOnly = async (stage: Stage, step: string): Promise<boolean> =>
  !(await intents(stage)).some((intent) => intent.step === step);

// ---- what one point means --------------------------------------------------------------------------------------

interface Found {
  readonly shown: ShownStatus;
  /** Since the verb began. */
  readonly calls: readonly Call[];
  readonly uses: Uses;
}

/** One call after the other: which is in doubt, and how many were sent, follows from the points that were passed. */
const oneAfterTheOther = (
  scenario: Scenario,
  passed: readonly CrashPoint[],
  prefix: readonly CrashPoint[],
  { shown, calls, uses }: Found,
): void => {
  const { doubt, begun, sent, told } = meaningOf(scenario, passed, prefix);
  expect(
    calls.map(({ step, action }) => ({ step, action })),
    "what was sent",
  ).toEqual((scenario.calls ?? []).slice(0, sent ? begun : Math.max(0, begun - 1)));
  const named = inDoubt(shown).map(({ step, failedCommand }) => ({ step, action: failedCommand }));
  if (doubt === null) {
    expect(named, "what is in doubt").toEqual([]);
    // 2 and 23: the crash came before the ledger knew the stack. 10: what is wrong, or owed, is known.
    const known = shown.steps.some(({ status, owes }) => status === "error" || owes.length > 0);
    const clear = known ? [10] : [0, 2, 23];
    expect(clear, "the exit of status").toContain(shown.exit);
  } else {
    // What is contained in it is in doubt with it.
    expect(named, "what is in doubt").toContainEqual(doubt);
    expect(shown.exit, "the exit of status").toBe(21);
  }
  if (told !== null) {
    const outputs = shown.steps.find(({ step }) => step === told)?.outputs ?? {};
    expect(Object.keys(outputs), "the outputs of a create that were recorded").toContain(
      uses === "exec" ? "name" : "id",
    );
  }
};

interface Meaning {
  readonly doubt: Doubt | null;
  /** Intents recorded so far. */
  readonly begun: number;
  /** Whether the last of them reached the provider. */
  readonly sent: boolean;
  /** The step of a create whose outputs are recorded and which is not removed since. */
  readonly told: string | null;
}

const SENDS: ReadonlySet<CrashPoint> = new Set(["exec-spawned", "http-sent"]);
const OWN_WORD: ReadonlySet<string> = new Set(["compensate", "owed"]);

const meaningOf = (
  scenario: Scenario,
  passed: readonly CrashPoint[],
  prefix: readonly CrashPoint[],
): Meaning => {
  let doubt = scenario.doubt ?? null;
  let begun = 0;
  let sent = true;
  let told: string | null = null;
  prefix.forEach((point, at) => {
    const call = scenario.calls?.[begun - 1];
    if (point === "intent-durable") {
      doubt = scenario.calls?.[begun] ?? null;
      begun += 1;
      sent = false;
    } else if (SENDS.has(point)) sent = true;
    else if (point === "outcome-durable") {
      if (call !== undefined && (scenario.blind === true || OWN_WORD.has(call.action))) doubt = null;
      if (call !== undefined) told = call.action === "create" ? call.step : null;
    } else if (point === "decision-durable") doubt = scenario.decided ?? null;
    else if (point === "reading-durable" && isLastLook(passed, at) && !scenario.unsettled) doubt = null;
  });
  return { doubt, begun, sent, told };
};

/** Only the last look at a call settles it. */
const isLastLook = (passed: readonly CrashPoint[], at: number): boolean => {
  const rest = passed.slice(at + 1);
  const next = rest.indexOf("intent-durable");
  return !(next === -1 ? rest : rest.slice(0, next)).includes("reading-durable");
};

/** Several at once: whichever was out when it died is in doubt, and no other. */
const severalAtOnce = (shown: ShownStatus, calls: readonly Call[]): void => {
  const known = new Map(shown.steps.map((step) => [step.step, step]));
  for (const { step, action } of calls) {
    const now = known.get(step);
    const ended = action === "destroy" ? "destroyed" : "complete";
    expect([ended, "unresolved"], `${action} of ${step} was sent`).toContain(now?.status);
    if (now?.status === "unresolved") expect(now.failedCommand).toBe(action);
  }
  expect(shown.exit, "the exit of status").toBe(inDoubt(shown).length > 0 ? 21 : 0);
};

// ---- the life after it -----------------------------------------------------------------------------------------

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

/** R5: every step here is `once`, so no action is begun again before the one before it is settled. */
const nothingRepeated = async (stage: Stage): Promise<void> => {
  const open = new Map<string, { readonly step: string; readonly action: string }>();
  for (const { record } of await stage.place.records()) {
    if (record.kind === "intent") {
      const { step, action } = record;
      const same = [...open.values()].find((each) => each.step === step && each.action === action);
      expect(same, `${action} of ${step} was begun while one before it was in doubt`).toBeUndefined();
      open.set(record.intent, { step, action });
    } else if (record.kind === "settlement") open.delete(record.intent);
    else if (record.kind === "outcome") {
      const call = open.get(record.intent);
      if (record.outcome.kind === "refused" || (call !== undefined && OWN_WORD.has(call.action)))
        open.delete(record.intent);
    } else if (record.kind === "decision" && record.decision.what === "resolve")
      for (const [intent, { step }] of open) if (step === record.step) open.delete(intent);
  }
};

/** By `asfound resume` where commands are typed and it means the same. */
const resumed = (stage: Stage, scenario: Scenario, around: Circumstances): Promise<number | null> => {
  const verb = scenario.resume ?? verbOf(stage, scenario);
  return around.byCommand === true && scenario.resume === undefined
    ? act(stage, verb, around, RESUME)
    : act(stage, verb, around);
};

/** W4: what was known when it died is known still, at the thing or at the one before it. */
const keepsOutputs = async (stage: Stage, shown: ShownStatus): Promise<void> => {
  const now = (await stage.place.status()).steps;
  for (const { step, outputs } of shown.steps) {
    const state = now.find((each) => each.step === step);
    const kept = [state?.outputs ?? {}, ...(state?.previous ?? []).map((each) => each.outputs)];
    for (const name of Object.keys(outputs))
      expect(
        kept.some((each) => name in each),
        `the output ${name} of ${step} is lost`,
      ).toBe(true);
  }
};

/** By the provider's own log. */
const neverTwo = async (stage: Stage): Promise<void> => {
  const alive = new Map<string, number>();
  const changes = await stage.cloud.changes();
  for (const { what, step } of changes) {
    if (what === "made") alive.set(step, (alive.get(step) ?? 0) + 1);
    if (what === "gone") alive.set(step, (alive.get(step) ?? 0) - 1);
    expect(alive.get(step) ?? 0, `two of ${step} at once: ${JSON.stringify(changes)}`).toBeLessThanOrEqual(1);
  }
};
