/** What one point means: which call is in doubt once it was passed, and which were sent. */
import { expect } from "vitest";
import type { CrashPoint } from "../../../src/domain/crash-point.ts";
import type { Call, Uses } from "./clouds.ts";
import type { Doubt, Scenario } from "./scenario.ts";
import { inDoubt, type ShownStatus } from "./shown.ts";

/** 2 and 23: the crash came before the ledger knew the stack. */
const CLEAR = [0, 2, 23];

interface Found {
  readonly shown: ShownStatus;
  /** Since the verb began. */
  readonly calls: readonly Call[];
  readonly uses: Uses;
}

/** One call after the other: which is in doubt, and how many were sent, follows from the points that were passed. */
export const oneAfterTheOther = (
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
    // What is wrong, or owed, is known.
    const known = shown.steps.some(({ status, owes }) => status === "error" || owes.length > 0);
    const clear = known ? [10] : CLEAR;
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
export const OWN_WORD: ReadonlySet<string> = new Set(["compensate", "owed"]);

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
export const severalAtOnce = (shown: ShownStatus, calls: readonly Call[]): void => {
  const known = new Map(shown.steps.map((step) => [step.step, step]));
  for (const { step, action } of calls) {
    const now = known.get(step);
    const ended = action === "destroy" ? "destroyed" : "complete";
    expect([ended, "unresolved"], `${action} of ${step} was sent`).toContain(now?.status);
    if (now?.status === "unresolved") expect(now.failedCommand).toBe(action);
  }
  expect(inDoubt(shown).length > 0 ? [21] : CLEAR, "the exit of status").toContain(shown.exit);
};
