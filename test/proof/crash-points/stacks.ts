/** Stacks of these stories, how far they have come, and what there is of them. */
import { expect } from "vitest";
import { stackText } from "../../scenarios/place.ts";
import type { Verb } from "../../scenarios/verbs.ts";
import { wordsOf } from "./cli.ts";
import type { StepText } from "./clouds.ts";
import { type Doubt, runIt, type Stage } from "./scenario.ts";

type Steps = Readonly<Record<string, StepText>>;

export const write = (stage: Stage, steps: Steps): Promise<void> =>
  stage.place.writeStack(
    stackText(Object.entries(steps).map(([name, text]) => stage.cloud.step(name, text))),
  );

export const applied = async (stage: Stage, steps: Steps): Promise<void> => {
  await write(stage, steps);
  expect((await stage.place.apply()).exit, "the apply before").toBe(0);
};

/** Killed once already, where its call has come to the provider, or where nothing was sent. */
export const killed = async (stage: Stage, verb: Verb, sent: "sent" | "not sent"): Promise<void> => {
  const point = sent === "not sent" ? "fence-passed" : stage.uses === "exec" ? "exec-fed" : "http-replied";
  const ran = await runIt(stage, wordsOf(verb), { crashAt: point });
  expect(ran.signal, `the crash before, at ${point}: ${ran.err}`).toBe("SIGKILL");
  await stage.cloud.quiet();
};

export const APPLY: Verb = { verb: "apply" };
export const DESTROY: Verb = { verb: "destroy" };
export const CREATE = { step: "machine", action: "create" } as const;
export const OWED = { step: "machine", action: "owed" } as const;
export const ONE: Steps = { machine: {} };
export const FAMILY: Steps = { net: {}, guest: { within: "net" } };
export const FOUR: Steps = { a: {}, b: {}, c: {}, d: {} };
export const BOTH = ["exec", "http"] as const;

export const statusOf = async (stage: Stage, step: string): Promise<string> =>
  (await stage.place.step(step)).status;

/** All of these are complete, and each is there once. */
export const there =
  (...steps: readonly string[]) =>
  async (stage: Stage): Promise<void> => {
    for (const step of steps) expect(await statusOf(stage, step), step).toBe("complete");
    expect((await stage.cloud.alive()).map((one) => one.step).sort()).toEqual([...steps].sort());
  };

export const gone =
  (...steps: readonly string[]) =>
  async (stage: Stage): Promise<void> => {
    for (const step of steps) expect(await statusOf(stage, step), step).toBe("destroyed");
    expect((await stage.cloud.alive()).filter(({ step }) => steps.includes(step))).toEqual([]);
  };

export const doneOnce = async (stage: Stage, step: string): Promise<boolean> =>
  (await stage.cloud.changes()).some((change) => change.what === "done" && change.step === step);

/** Nothing observes whether what is owed was done: a person looks, and says so. */
export const owedOrNot = async (stage: Stage, { step, action }: Doubt): Promise<Verb | null> =>
  action === "owed"
    ? { verb: "resolve", step, as: "present", owed: (await doneOnce(stage, step)) ? "done" : "again" }
    : null;
