/**
 * Four processes over fifty stacks in one ledger, they and their providers killed at random: 0 doubled, 0 lost, 0 stuck,
 * and every stack ends reconcilable. What a seed does not repeat is how the system interleaves the processes.
 */
import { randomInt } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { ownTempFolder } from "../../support/own-folder.ts";
import { type LoopOptions, runLoop } from "./loop.ts";
import { needs } from "./not-run.ts";
import { type StackShape, shapeOf } from "./stack.ts";

const seed = Number(process.env["ASFOUND_SEED"] ?? randomInt(2 ** 31));
const operations = process.env["ASFOUND_SOAK"] === "1" ? 1_000 : 200;

/** One whose plan loses a create's reply and kills between an effect and its record, in few operations. */
const CONTROL_SEED = 1481;

ownTempFolder("kill-loop");
beforeEach(needs("flock", "awk", "grep", "sed", "paste"));

describe(`the kill loop, ASFOUND_SEED=${seed}`, () => {
  it(`${operations} operations over 50 stacks: nothing is doubled, lost or stuck`, async () => {
    const { findings, counts, stories } = await runLoop({
      seed,
      operations,
      stacks: Array.from({ length: 50 }, (_, number) => shapeOf(number)),
    });
    console.log(`ASFOUND_SEED=${seed}`, Object.fromEntries([...counts].sort()));
    if (findings.length > 0) console.log(stories.join("\n\n"));
    expect(findings, `replay it with ASFOUND_SEED=${seed}`).toEqual([]);
    // A loop in which nothing is killed and nothing happens proves nothing.
    expect(counts.get("asfound killed")).toBeGreaterThan(operations / 8);
    expect(counts.get("objects made")).toBeGreaterThan(operations / 4);
    expect([...counts.keys()].filter((what) => what.startsWith("exec "))).not.toEqual([]);
    expect([...counts.keys()].filter((what) => what.startsWith("http "))).not.toEqual([]);
  });
});

describe("the loop can fail", () => {
  const few = (shapes: readonly Partial<StackShape>[]): readonly StackShape[] =>
    shapes.map((shape, number) => ({ ...shapeOf(number), ...shape }));
  const four = few([{}, {}, {}, {}]);
  const cases: readonly (readonly [string, RegExp, Omit<LoopOptions, "seed" | "operations">])[] = [
    [
      "a provider that ignores its key",
      /^doubled/,
      { stacks: few([{ exec: "deaf" }, { exec: "deaf" }, { exec: "deaf" }, { exec: "deaf" }]) },
    ],
    [
      "a runtime that sends again what had no answer",
      /^unsent/,
      { stacks: four, mutant: "sends again what had no answer" },
    ],
    [
      "a runtime that takes every reading for an absence",
      /^doubled/,
      { stacks: four, mutant: "takes every reading for an absence" },
    ],
    ["a runtime that keeps no id", /^lost: the id/, { stacks: four, mutant: "keeps no id" }],
    [
      "a provider that never answers",
      /^stuck/,
      { stacks: four.map((shape) => ({ ...shape, deadline: "1s" })), cloudIs: "blind" },
    ],
  ];
  it.each(cases)("%s is caught: %s", async (_name, finding, options) => {
    const { findings } = await runLoop({ seed: CONTROL_SEED, operations: 16, ...options });
    expect(findings).toContainEqual(expect.stringMatching(finding));
  });
});
