import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "../../domain/json.ts";
import { readAnswers, writtenAnswers } from "./answers.ts";

const pod = (uid: string): JsonObject => ({ name: "web", uid });
const answer = (podsBefore: JsonValue, endpointsBefore: JsonValue = null): JsonObject => ({
  via: "service",
  podsBefore,
  endpointsBefore,
});
const readBack = (value: JsonValue) => {
  const read = readAnswers(value, "answers.json");
  return "fault" in read ? read : read.answers.map(({ raw }) => raw);
};

describe("what several answers have in common", () => {
  it("is written once, and read as it was, whoever had it", () => {
    const all = [
      answer([pod("a")], ["a"]),
      answer([pod("a")], ["a"]),
      answer([pod("b")], ["a"]),
      answer(null),
      answer([pod("b")]),
    ];
    const written = writtenAnswers(all);
    expect(written.map(({ podsBefore }) => podsBefore)).toEqual([
      [pod("a")],
      { $ref: "#/0/podsBefore" },
      [pod("b")],
      null,
      { $ref: "#/2/podsBefore" },
    ]);
    expect(readBack(written)).toEqual(all);
    // As it was written before: in each.
    expect(readBack(all)).toEqual(all);
  });

  it.each([
    ["of no answer", "#/7/podsBefore"],
    ["of itself", "#/1/podsBefore"],
    ["of another field", "#/0/endpointsBefore"],
    ["of what is no list", "#/0/via"],
    ["elsewhere", "other.json#/0/podsBefore"],
    ["of nothing", null],
    ["of the prototype", "#/__proto__/podsBefore"],
  ])("a reference %s is a fault at its place, never an empty list", (_, $ref) => {
    expect(readBack([answer([pod("a")], ["a"]), answer({ $ref })])).toEqual({
      fault: expect.stringContaining("names no list of an answer before it"),
      pointer: "/1/podsBefore",
    });
  });
});
