import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { instant } from "../../domain/ids.ts";
import type { Clock } from "../../ports/clock.ts";
import { systemClock } from "./clock.ts";
import { systemIds } from "./ids.ts";

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const at = (times: number[]): Clock => {
  let next = 0;
  return { ...systemClock, now: () => instant(times[Math.min(next++, times.length - 1)] ?? 0) };
};

describe("systemIds", () => {
  it("a UUIDv7 holds its millisecond", () => {
    const uuid = systemIds(at([0x0197_a000_1234])).uuid();
    expect(uuid).toMatch(UUID_V7);
    expect(uuid.slice(0, 13)).toBe("0197a000-1234".slice(0, 13));
  });

  it("ids only ever grow, also when the clock stands still or is set back", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1e12, max: 1e12 + 5 }), { minLength: 1, maxLength: 50 }),
        (times) => {
          const ids = systemIds(at(times));
          const made = times.map(() => ids.uuid());
          expect(made).toEqual([...made].sort());
          expect(new Set(made).size).toBe(made.length);
        },
      ),
    );
  });

  it("more ids than one millisecond has room for go on in the next", () => {
    const ids = systemIds(at([1e12]));
    const made = Array.from({ length: 10_000 }, () => ids.uuid());
    expect(made).toEqual([...made].sort());
    expect(made.every((uuid) => UUID_V7.test(uuid))).toBe(true);
    expect(new Set(made).size).toBe(10_000);
  });
});
