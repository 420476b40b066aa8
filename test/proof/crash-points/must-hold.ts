/** What must hold after every crash, and at the end of every story, whatever was killed where. */
import { expect } from "vitest";
import type { Call } from "./clouds.ts";
import { OWN_WORD } from "./meaning.ts";
import type { Stage } from "./scenario.ts";
import type { ShownStatus } from "./shown.ts";

/** W1: each call that the provider got has a record of its own that was there before it. */
export const nothingUnrecorded = async (stage: Stage, calls: readonly Call[]): Promise<void> => {
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
export const nothingLost = async (stage: Stage, shown: ShownStatus): Promise<void> => {
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

/** R5: every step here is `once`, so no action is begun again before the one before it is settled. */
export const nothingRepeated = async (stage: Stage): Promise<void> => {
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

/** W4: what was known when it died is known still, at the thing or at the one before it. */
export const keepsOutputs = async (stage: Stage, shown: ShownStatus): Promise<void> => {
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
export const neverTwo = async (stage: Stage): Promise<void> => {
  const alive = new Map<string, number>();
  const changes = await stage.cloud.changes();
  for (const { what, step } of changes) {
    if (what === "made") alive.set(step, (alive.get(step) ?? 0) + 1);
    if (what === "gone") alive.set(step, (alive.get(step) ?? 0) - 1);
    expect(alive.get(step) ?? 0, `two of ${step} at once: ${JSON.stringify(changes)}`).toBeLessThanOrEqual(1);
  }
};
