import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reading } from "../../test/support/clock.ts";
import { type Instant, instant } from "./ids.ts";
import { anchorAt, BETWEEN_CLOCKS_MS, steadyNow, steadyThen, steadyTime } from "./steady.ts";

const START = Date.UTC(2026, 0, 1);
const begun = anchorAt(instant(START), reading(1_000));

describe("steady time", () => {
  it("by one clock it is what that clock counted, whatever the wall clock says", () => {
    for (const wall of [0, START - 3_600_000, START, START + 3_600_000])
      expect(steadyNow(begun, instant(wall), reading(6_000))).toBe(START + 5_000);
  });

  it("by another clock it is the wall's, less what two may be apart, and never goes back", () => {
    const other = reading(7, "host-b");
    expect(steadyNow(begun, instant(START + 60_000), other)).toBe(START);
    expect(steadyNow(begun, instant(START - 60_000), other)).toBe(START);
    expect(steadyNow(begun, instant(START + 3_600_000), other)).toBe(START + 3_600_000 - BETWEEN_CLOCKS_MS);
  });

  it("an earlier reading of another clock is taken for now: then a wait from it is too long, and never too short", () => {
    const now = { clock: reading(50_000), steady: steadyTime(START + 49_000) };
    expect(steadyThen(now, reading(20_000))).toBe(START + 19_000);
    expect(steadyThen(now, reading(20_000, "host-b"))).toBe(START + 49_000);
  });

  it("N5: over any records of any hosts, no two moments are ever farther apart in it than in truth", () => {
    const half = BETWEEN_CLOCKS_MS / 2;
    const record = fc.record({
      afterMs: fc.integer({ min: 0, max: 2 * BETWEEN_CLOCKS_MS }),
      host: fc.constantFrom("host-a", "host-b", "host-c"),
      wallOffMs: fc.integer({ min: -half, max: half }),
    });
    const began: Readonly<Record<string, number>> = { "host-a": 0, "host-b": 10 ** 8, "host-c": 10 ** 12 };
    fc.assert(
      fc.property(fc.array(record, { minLength: 2, maxLength: 20 }), (records) => {
        let truth = START;
        let anchor: typeof begun | null = null;
        const moments: [truth: number, steady: number][] = [];
        for (const { afterMs, host, wallOffMs } of records) {
          truth += afterMs;
          const clock = reading(truth + (began[host] ?? 0), host);
          const wall: Instant = instant(truth + wallOffMs);
          anchor =
            anchor === null ? anchorAt(wall, clock) : { clock, wall, steady: steadyNow(anchor, wall, clock) };
          for (const [t, s] of moments) expect(anchor.steady - s).toBeLessThanOrEqual(truth - t);
          moments.push([truth, anchor.steady]);
        }
      }),
    );
  });
});
