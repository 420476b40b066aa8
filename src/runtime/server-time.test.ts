/** The API server's clock by its replies, and when its distance from ours is said. */
import { expect, it } from "vitest";
import { instant } from "../domain/ids.ts";
import type { Exchange } from "../ports/cluster.ts";
import { serverTime } from "./server-time.ts";

const NOON = Date.parse("2026-11-30T12:00:00Z");
const reply = (
  serverDate: string | null,
  askedMs: number,
  answeredMs: number,
  status: number | null = 200,
): Exchange => ({
  request: "GET /",
  askedAt: instant(NOON + askedMs),
  answeredAt: instant(NOON + answeredMs),
  durationMs: answeredMs - askedMs,
  status,
  serverDate,
  contentType: null,
  body: new Uint8Array(),
  whole: true,
});
const AT_NOON = "Mon, 30 Nov 2026 12:00:00 GMT";

it.each([
  ["the same moment", 0, 100, null],
  ["a long answer, which may have been dated at any time of it", -60_000, 60_000, null],
  ["5 s behind ours, and a second that the date leaves out", 6_000, 6_100, null],
  ["more than that", 6_001, 6_100, /5s behind this machine's/],
  ["5 s ahead", -5_100, -5_000, null],
  ["more than that", -9_000, -7_500, /7s ahead of this machine's/],
])("%s", (_, askedMs, answeredMs, says) => {
  const { at, limits } = serverTime([reply(AT_NOON, askedMs, answeredMs)]);
  expect(at).toBe(NOON);
  if (says === null) expect(limits).toEqual([]);
  else expect(limits).toEqual([expect.stringMatching(says)]);
});

it("the latest date counts; replies without one, or with none that is a date, are passed over", () => {
  const later = "Mon, 30 Nov 2026 12:00:01 GMT";
  const all = [
    reply(AT_NOON, 0, 10),
    reply(later, 1_000, 1_010),
    reply(null, 1_020, 1_030),
    reply("x", 1_040, 1_050),
  ];
  expect(serverTime(all).at).toBe(NOON + 1_000);
});

it("no date at all is said; no reply at all is said by the question that had none", () => {
  expect(serverTime([reply(null, 0, 10)])).toMatchObject({
    at: null,
    limits: [expect.stringContaining("no date")],
  });
  expect(serverTime([reply(null, 0, 10, null)])).toEqual({ at: null, limits: [] });
});
