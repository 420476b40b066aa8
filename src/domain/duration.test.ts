import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatDuration, MAX_DURATION_MS, parseDuration } from "./duration.ts";

describe("durations as Go writes them", () => {
  it.each([
    ["0", 0],
    ["0s", 0],
    ["500ms", 500],
    ["30s", 30_000],
    ["1h30m", 5_400_000],
    ["1.5h", 5_400_000],
    [".5s", 500],
    ["1.s", 1000],
    ["+5s", 5000],
    ["1h1m1s1ms", 3_661_001],
    ["1500us", 2],
    ["2000µs", 2],
  ])("%s is %d ms", (text, ms) => expect(parseDuration(text)).toEqual({ ms }));

  it.each([
    ["", "empty"],
    ["-1s", "negative"],
    ["-0", "negative"],
    ["30", "no unit"],
    ["1.5", "no unit"],
    ["NaN", "not a duration"],
    ["Infinity", "not a duration"],
    ["1e3s", "not a duration"],
    ["1d", "not a duration"],
    ["1h-2m", "not a duration"],
    ["1 h", "not a duration"],
    [".s", "not a duration"],
    ["+", "empty"],
    ["1ns", "shorter than a millisecond"],
    ["99999999h", "longer than ten years"],
    [`${"9".repeat(60)}s`, "longer than ten years"],
    ["1s".repeat(40), "at most 64"],
  ])("refuses %j: %s", (text, why) => {
    const parsed = parseDuration(text);
    expect("fault" in parsed && parsed.fault).toContain(why);
  });

  it("reads back what it writes", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: MAX_DURATION_MS }), (ms) => {
        expect(parseDuration(formatDuration(ms))).toEqual({ ms });
      }),
    );
    expect([0, 250, 1500, 90_000, 5_400_000].map(formatDuration)).toEqual([
      "0s",
      "250ms",
      "1.5s",
      "1m30s",
      "1h30m",
    ]);
  });

  it("never throws", () => {
    fc.assert(fc.property(fc.string(), (text) => typeof parseDuration(text) === "object"));
  });
});
