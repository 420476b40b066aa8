/**
 * What rests on the wall clock today. Set back in the middle of a call, it costs time and nothing else; between hosts
 * whose clocks differ by more than a minute, an absence is believed too early, as after a clock that was set forward
 * (stopped.test.ts).
 */
import { expect, it } from "vitest";
import { openMemoryStore } from "../../../src/adapters/store-memory/memory.ts";
import { stepName } from "../../../src/domain/ids.ts";
import { type CallFate, type Command, Machine, type PlannedNode, SHOP } from "../../property/machine.ts";

const HOUR_MS = 3_600_000;
const MACHINE: PlannedNode = {
  name: stepName("machine"),
  needs: [],
  partOf: null,
  retry: "once",
  update: true,
  onChange: null,
  tellsDeclared: true,
};
const APPLY: Command = {
  verb: "apply",
  version: 1,
  leftOut: 0,
  allowDestroy: false,
  waits: true,
  fates: [],
  looks: [],
  diesAt: null,
  fullAt: null,
};

/** An apply whose clock is set back right after its call was sent, and two more: soon after, and when that time is over. */
const exitsWith = async (setBackMs: number): Promise<readonly unknown[]> => {
  const machine = new Machine([MACHINE]);
  const { time } = machine;
  const begun = machine.begin(APPLY);
  while (machine.sent.length === 0) {
    await time.quiet();
    if (machine.sent.length === 0) time.skip();
  }
  machine.clockOff.set("here", -setBackMs);
  const first = await time.run(begun.work);
  machine.gone(begun.pid);
  time.pass(60_000);
  const soon = await machine.run(APPLY);
  time.pass(setBackMs);
  const later = await machine.run(APPLY);
  expect(machine.sent).toHaveLength(1);
  const state = await openMemoryStore(machine.disk).step(SHOP, MACHINE.name);
  expect(state).toMatchObject({ status: "complete", identity: { id: "id-1" } });
  return [first, soon, later].map((came) => (typeof came === "string" ? came : came.exit));
};

it("control: with a clock that is left alone all three end with 0", async () => {
  expect(await exitsWith(0)).toEqual([0, 0, 0]);
});

// A look counts only if the wall clock says that it was asked after the intent (judgeReading), and here it says not.
it("open: set back by an hour, what was answered with done and is seen stays unresolved for that hour", async () => {
  expect(await exitsWith(HOUR_MS)).toEqual([21, 21, 0]);
});

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

// believableFrom compares the intent's time, by its host's clock, with the time of a look by another host's.
it("open: a host whose clock is two minutes ahead believes an absence inside `settle`, and sends a second create", async () => {
  expect(await sentWith(120_000)).toBe(2);
});
