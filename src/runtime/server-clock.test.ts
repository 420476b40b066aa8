/** Whose clock was set: the server's, ours, or nobody's. */
import { describe, expect, it } from "vitest";
import { instant } from "../domain/ids.ts";
import type { Exchange } from "../ports/cluster.ts";
import { readingTime } from "./reading-time.ts";
import { ServerClock } from "./server-clock.ts";

const BEGAN = Date.parse("2026-11-30T03:00:00Z");

interface Asked {
  /** By the server's, by ours, and by the one that is never set; ms since the beginning. */
  readonly server: number;
  readonly wall: number;
  readonly steady: number;
  readonly tookMs?: number;
}

const exchangeOf = (
  { server, wall, tookMs = 0 }: Omit<Asked, "steady">,
  more: Partial<Exchange> = {},
): Exchange => ({
  request: "GET /api",
  askedAt: instant(BEGAN + wall),
  answeredAt: instant(BEGAN + wall + tookMs),
  durationMs: tookMs,
  status: 200,
  serverDate: new Date(Math.floor((BEGAN + server) / 1_000) * 1_000).toUTCString(),
  contentType: "application/json",
  body: new Uint8Array(),
  whole: true,
  ...more,
});

const said = (...asked: readonly Asked[]): readonly (string | null)[] => {
  const clock = new ServerClock();
  return asked.map((one) => clock.setSince(exchangeOf(one), one.steady, one.steady + (one.tookMs ?? 0)));
};

const at = (ms: number): Asked => ({ server: ms, wall: ms, steady: ms });

describe("the server's clock was set", () => {
  it("forward, or back: by both of ours", () => {
    expect(said(at(0), { ...at(10_000), server: 100_000 })).toEqual([
      null,
      expect.stringMatching(/set forward by 1m2\ds or more/),
    ]);
    expect(said(at(0), { ...at(100_000), server: 10_000 })).toEqual([
      null,
      expect.stringMatching(/set back by 1m2\ds or more/),
    ]);
  });

  it.each<[string, Asked]>([
    ["time went on", at(3_600_000)],
    ["it differs by less than clocks may", { ...at(10_000), server: 14_500 }],
    ["the reply took its time", { server: 60_000, wall: 10_000, steady: 10_000, tookMs: 55_000 }],
    ["our clock was set", { server: 10_000, wall: 7_200_000, steady: 10_000 }],
    ["our machine slept", { server: 7_200_000, wall: 7_200_000, steady: 10_000 }],
  ])("not where %s", (_name, next) => {
    expect(said(at(0), next)).toEqual([null, null]);
  });

  it("not by what drifts slowly, look by look; and a reply without a date tells nothing", () => {
    const drifting = Array.from({ length: 50 }, (_, step) => ({
      ...at(step * 10_000),
      server: step * 10_400,
    }));
    expect(said(...drifting).every((one) => one === null)).toBe(true);
    expect(new ServerClock().setSince(exchangeOf(at(0), { serverDate: null }), 0, 0)).toBe(null);
  });
});

describe("the moment that a reading shows", () => {
  it("lies between the arrival of its first request and the Date of its last reply, with the second that a Date hides", () => {
    const pages = [
      exchangeOf({ server: 10_700, wall: 8_000, tookMs: 2_800 }),
      exchangeOf({ server: 14_200, wall: 11_000, tookMs: 3_300 }),
    ];
    expect(readingTime(pages)).toEqual({ from: BEGAN + 15_000, to: BEGAN + 7_000 });
  });

  it("what had no reply is not counted; a reply without a date, or none at all, tells no time", () => {
    const refused = exchangeOf(at(0), { status: null, serverDate: null });
    const page = exchangeOf(at(10_000));
    expect(readingTime([refused, page])).toEqual(readingTime([page]));
    expect(readingTime([page, exchangeOf(at(11_000), { serverDate: null })])).toBe(null);
    expect(readingTime([page, exchangeOf(at(11_000), { serverDate: "yesterday" })])).toBe(null);
    expect(readingTime([refused])).toBe(null);
  });
});
