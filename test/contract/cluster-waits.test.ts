/** Waiting: as long as the server asks, never beyond the deadline, and not at all once asfound is told to stop. */
import { describe, expect, it, vi } from "vitest";
import type { ApiFaultRule } from "../../src/testing/api-server/fault.ts";
import { manualClock } from "../support/cloud.ts";
import { allInShop, DEPLOYMENTS, type Fake, fakeCluster, inShop, roundWith } from "../support/cluster.ts";

const web = inShop(DEPLOYMENTS, "web");
const arrived = (fake: Fake, count: number): Promise<void> =>
  vi.waitFor(
    () => {
      if (fake.server.log().length < count) throw new Error("not yet");
    },
    { timeout: 20_000, interval: 5 },
  );

const shop = async (faults: readonly ApiFaultRule[], clock = manualClock()) => {
  const fake = await fakeCluster({ faults }, { clock });
  fake.server.put({ resource: "deployments.apps", namespace: "shop", name: "web" }, { spec: {} });
  return { ...fake, clock };
};

describe("a server that asks to wait", () => {
  it.each(["throttle", "unavailable"] as const)(
    "%s: is asked again after exactly that, within the deadline",
    async (fault) => {
      const fake = await shop([{ nth: [1, 2], fault: { do: fault, retryAfter: "7" } }]);
      const reading = roundWith(fake.cluster, 60_000).get(web);
      for (const count of [1, 2]) {
        await arrived(fake, count);
        await fake.clock.sleeping(7_000);
        fake.clock.advance(6_999);
        expect(fake.server.log()).toHaveLength(count);
        fake.clock.advance(1);
      }
      expect(await reading).toMatchObject({ kind: "observed" });
      expect((await reading).exchanges.map(({ status }) => status)).toEqual([
        fault === "throttle" ? 429 : 503,
        fault === "throttle" ? 429 : 503,
        200,
      ]);
    },
  );

  it("until a date, which is read by our clock", async () => {
    const clock = manualClock();
    const date = new Date(clock.now() + 20_000).toUTCString();
    const fake = await shop([{ nth: 1, fault: { do: "throttle", retryAfter: date } }], clock);
    const reading = roundWith(fake.cluster, 60_000).get(web);
    await fake.clock.sleeping(20_000);
    fake.clock.advance(20_000);
    expect(await reading).toMatchObject({ kind: "observed" });
  });

  it("longer than the time that is left is not waited for, and said", async () => {
    const fake = await shop([{ fault: { do: "throttle", retryAfter: "60" } }]);
    const reading = await roundWith(fake.cluster, 60_000).get(web);
    expect(reading).toMatchObject({ kind: "failed", reason: "throttled" });
    expect("sentence" in reading && reading.sentence).toContain("the 60 s that it asks to wait do not fit");
    expect(fake.server.log()).toHaveLength(1);
  });

  it("is left at once when asfound is told to stop", async () => {
    const fake = await shop([{ fault: { do: "throttle", retryAfter: "30" } }]);
    const stop = new AbortController();
    const reading = roundWith(fake.cluster, 60_000, stop.signal).get(web);
    await fake.clock.sleeping(30_000);
    stop.abort();
    expect(await reading).toMatchObject({ kind: "failed", reason: "stopped" });
    expect(fake.server.log()).toHaveLength(1);
  });
});

describe("a deadline", () => {
  it("V4: ends a question that hangs, as a time that was over and nothing else", async () => {
    const fake = await shop([{ fault: { do: "hang" } }]);
    const reading = roundWith(fake.cluster, 5_000).get(web);
    await arrived(fake, 1);
    fake.clock.advance(5_000);
    expect(await reading).toMatchObject({
      kind: "timed-out",
      reason: "time-over",
      exchanges: [{ status: null }],
    });
  });

  it("holds for a whole list, not for each page", async () => {
    const clock = manualClock();
    const fake = await fakeCluster({}, { clock });
    for (let index = 0; index < 600; index += 1)
      fake.server.put({ resource: "deployments.apps", namespace: "shop", name: `d-${index}` }, {});
    fake.server.setFaults([{ nth: 2, fault: { do: "hang" } }]);
    const reading = roundWith(fake.cluster, 5_000).list(allInShop(DEPLOYMENTS));
    await arrived(fake, 2);
    clock.advance(5_000);
    expect(await reading).toMatchObject({
      kind: "timed-out",
      exchanges: [{ status: 200 }, { status: null }],
    });
  });

  it("that is over before anything was asked leaves the server alone", async () => {
    const fake = await shop([]);
    const round = roundWith(fake.cluster, 5_000);
    fake.clock.advance(5_000);
    expect(await round.get(web)).toMatchObject({ kind: "timed-out", reason: "time-over", exchanges: [] });
    expect(await roundWith(fake.cluster, 0).get(web)).toMatchObject({ reason: "time-over" });
    expect(fake.server.log()).toEqual([]);
  });

  it("told to stop before: nothing is asked", async () => {
    const fake = await shop([]);
    const reading = await roundWith(fake.cluster, 5_000, AbortSignal.abort()).get(web);
    expect(reading).toMatchObject({ kind: "failed", reason: "stopped" });
    expect(fake.server.log()).toEqual([]);
  });

  it("an ended round answers nothing more", async () => {
    const fake = await shop([{ fault: { do: "hang" } }]);
    const round = roundWith(fake.cluster, 5_000);
    const reading = round.get(web);
    await arrived(fake, 1);
    round.end();
    expect(await reading).toMatchObject({ kind: "failed", reason: "stopped" });
  });

  it("control: what comes in time is observed, however small the pieces", async () => {
    const fake = await shop([{ fault: { do: "drip", bytes: 7, everyMs: 1 } }]);
    expect(await roundWith(fake.cluster).get(web)).toMatchObject({ kind: "observed" });
  });
});
