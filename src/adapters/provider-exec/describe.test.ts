import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../domain/json.ts";
import { isFaults } from "../../ports/provider.ts";
import { describeExec } from "./describe.ts";

const faultsOf = (written: JsonObject): string[] => {
  const answer = describeExec(written);
  return isFaults(answer) ? answer.map(({ path, message }) => `${path.join(".")}: ${message}`) : [];
};

const reference = (path: string): string => `\${${path}}`;

describe("describe", () => {
  it("says what it can do by which commands are given, and never which class of retry it is", () => {
    const answer = describeExec({ create: ["a"], observe: ["b"], owed: ["c"] });
    if (isFaults(answer)) throw new Error("faults");
    expect(answer.can).toEqual({
      observe: true,
      create: true,
      update: false,
      destroy: false,
      compensate: false,
      owed: true,
    });
    expect([answer.retry, answer.inputFiles]).toEqual([null, []]);
  });

  it("says what it cannot know", () => {
    const known = describeExec({ create: ["a"], observe: ["b"], destroy: ["c"] });
    expect(isFaults(known) ? undefined : known.cannotKnow).toEqual([]);
    const little = describeExec({ create: ["a"], protocol: "exit-code" });
    expect(isFaults(little) ? undefined : little.cannotKnow).toHaveLength(3);
  });

  it("takes references as they are written", () => {
    expect(
      faultsOf({
        create: ["a", reference("steps.x.outputs.y")],
        environment: { T: reference("secret.env.T") },
        inputs: { a: [1] },
      }),
    ).toEqual([]);
  });

  it("takes a compensation that has nothing but its own command", () => {
    expect(faultsOf({ compensate: ["undo"] })).toEqual([]);
  });

  it.each<[JsonObject, RegExp]>([
    [{}, /^create: .*give at least create/],
    [{ observe: ["a"] }, /^create: .*give at least create/],
    [{ create: "make all" }, /^create: create is a string; write an array of arguments, such as \["sh"/],
    [{ create: [] }, /^create: create is empty/],
    [{ create: [""] }, /^create\.0: the command is an empty string/],
    [{ create: ["a", 80] }, /^create\.1: argument 1 is a number; write it as a string, in quotes/],
    [{ create: ["a", null] }, /^create\.1: argument 1 is null/],
    [{ create: ["a", "b\0c"] }, /^create\.1: .*NUL byte/],
    [{ create: ["a"], obsrve: ["b"] }, /^obsrve: .*did you mean observe\?/],
    [{ create: ["a"], detsroy: ["b"] }, /^detsroy: .*did you mean destroy\?/],
    [{ create: ["a"], env: {} }, /^env: .*did you mean environment\?/],
    [{ create: ["a"], zebra: 1 }, /^zebra: "zebra" is not known here; exec knows observe/],
    [{ create: ["a"], inputs: [] }, /^inputs: inputs is a list/],
    [{ create: ["a"], directory: 1 }, /^directory: directory is a number/],
    [{ create: ["a"], directory: "" }, /^directory: directory is empty/],
    [{ create: ["a"], protocol: "json" }, /^protocol: protocol can only be exit-code/],
    [{ create: ["a"], environment: ["A=1"] }, /^environment: environment is a list/],
    [{ create: ["a"], environment: { "1A": "x" } }, /^environment\.1A: a variable's name/],
    [{ create: ["a"], environment: { ASFOUND_KEY: "x" } }, /^environment\.ASFOUND_KEY: .*protocol's own/],
    [{ create: ["a"], environment: { A: 1 } }, /^environment\.A: the variable A is a number/],
  ])("%j is a fault, at its path", (written, expected) => {
    const faults = faultsOf(written);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(expected);
  });

  it("names every fault, not just the first", () => {
    expect(faultsOf({ create: [1, "\0"], destory: [], directory: 2 })).toHaveLength(4);
  });
});
