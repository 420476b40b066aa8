import { describe, expect, it } from "vitest";
import { age, parseTime } from "./time.ts";

describe("parseTime", () => {
  it.each(["2026-11-30T03:00:00Z", "2026-11-30T03:00:00.123456Z", "2026-11-30T04:00:00+01:00"])(
    "%s",
    (text) => expect(Math.floor((parseTime(text) as number) / 1000)).toBe(Date.UTC(2026, 10, 30, 3) / 1000),
  );
  it.each([
    "",
    "now",
    "2026-11-30",
    "2026-11-30T03:00:00",
    "2026-13-30T03:00:00Z",
    "1",
    "2026-11-30 03:00:00Z",
  ])("%j is none", (text) => expect(parseTime(text)).toBe(undefined));
});

it.each([
  [-5, "0s"],
  [999, "0s"],
  [20_000, "20s"],
  [303_000, "5m3s"],
  [300_000, "5m"],
  [7_800_000, "2h10m"],
  [3 * 86_400_000 + 4 * 3_600_000 + 59_000, "3d4h"],
])("age of %d ms: %s", (ms, wanted) => expect(age(ms)).toBe(wanted));
