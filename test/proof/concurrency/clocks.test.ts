/**
 * N5, R3 over whole runs: a wall clock that is set, and hosts whose wall clocks are apart. Both cost time at most, up to
 * five minutes between hosts (BETWEEN_CLOCKS_MS); beyond that nothing is promised, and the last test shows why.
 */
import { expect, it } from "vitest";
import { openMemoryStore } from "../../../src/adapters/store-memory/memory.ts";
import { BETWEEN_CLOCKS_MS } from "../../../src/domain/steady.ts";
import { type CallFate, Machine, SHOP } from "../../property/machine.ts";
import { plainCommand, plainNode } from "../../property/plain.ts";

const HOUR_MS = 3_600_000;
const MACHINE = plainNode("machine");
const APPLY = plainCommand("apply");

/** An apply whose clock is set right after its call was sent, and two more: soon after, and when that time is over. */
const exitsWith = async (byMs: number): Promise<readonly unknown[]> => {
  const machine = new Machine([MACHINE]);
  const { time } = machine;
  const begun = machine.begin(APPLY);
  while (machine.sent.length === 0) {
    await time.quiet();
    if (machine.sent.length === 0) time.skip();
  }
  machine.clockOff.set("here", byMs);
  const first = await time.run(begun.work);
  machine.gone(begun.pid);
  time.pass(60_000);
  const soon = await machine.run(APPLY);
  time.pass(Math.abs(byMs));
  const later = await machine.run(APPLY);
  expect(machine.sent).toHaveLength(1);
  const state = await openMemoryStore(machine.disk).step(SHOP, MACHINE.name);
  expect(state).toMatchObject({ status: "complete", identity: { id: "id-1" } });
  return [first, soon, later].map((came) => (typeof came === "string" ? came : came.exit));
};

it("control: with a clock that is left alone all three end with 0", async () => {
  expect(await exitsWith(0)).toEqual([0, 0, 0]);
});

it.each([HOUR_MS, -HOUR_MS])(
  "set back by %d ms in the middle of a call: no time is lost",
  async (setBackMs) => {
    expect(await exitsWith(setBackMs)).toEqual([0, 0, 0]);
  },
);

/** How many creates are sent when a late effect is still to come and another host goes on at once. */
const sentWith = async (behindMs: number): Promise<number> => {
  const machine = new Machine([MACHINE]);
  machine.clockOff.set("here", -behindMs);
  const late: CallFate = { ends: "unknown", effect: "late", tellsId: false, tellsEarly: false, callMs: 500 };
  await machine.run({ ...APPLY, host: "here", fates: [late] });
  await machine.run({ ...APPLY, host: "there" });
  return machine.sent.length;
};

it("control: of two hosts with one time the second waits", async () => {
  expect(await sentWith(0)).toBe(1);
});

it.each([120_000, BETWEEN_CLOCKS_MS, -120_000, -BETWEEN_CLOCKS_MS])(
  "N5: a host whose clock is %d ms ahead waits as well: by its own clock, from the first time it looked",
  async (behindMs) => {
    expect(await sentWith(behindMs)).toBe(1);
  },
);

it("limit: of two hosts that are an hour apart the one ahead believes an absence too early, and sends a second create", async () => {
  expect(await sentWith(HOUR_MS)).toBe(2);
});
