/**
 * W1, W2, W6: every system call of an operation on the ledger's files fails, one in each run, and each time: nothing was
 * sent without a durable record, what was acknowledged is readable, nothing more is sent after a sync that failed, the
 * message says what and what next, and with a disk that is well it all ends with one object a step.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { makePlace } from "../../scenarios/place.ts";
import { notRunWithout } from "../../support/not-run.ts";
import { ownTempFolder } from "../../support/own-folder.ts";
import { endsClean, faultsOf } from "./judge.ts";
import { straceLacking, traced } from "./strace.ts";
import {
  DESTROY,
  type Fault,
  FIRST_APPLY,
  inLanes,
  type Operation,
  STEPS,
  strike,
  syncBeforeFirstCall,
  type Target,
  targetsOf,
  UPDATE,
} from "./sweep.ts";

const isSoak = process.env["ASFOUND_SOAK"] === "1";
const OPERATIONS: readonly Operation[] = isSoak ? [FIRST_APPLY, UPDATE, DESTROY] : [FIRST_APPLY];

/** A write that fails is exit 22 before a call and 21 after it, 0 where nothing hangs on it; a read may also be 1. */
const FAULTS: readonly Fault[] = [
  { call: "pwrite64", error: "ENOSPC", exits: [0, 21, 22] },
  { call: "write", error: "ENOSPC", exits: [21, 22] },
  { call: "fsync", error: "EIO", exits: [0, 21, 22] },
  { call: "fdatasync", error: "EIO", exits: [0, 21, 22] },
  { call: "pread64", error: "EIO", exits: [0, 1, 21, 22] },
  { call: "openat", error: "EMFILE", exits: [0, 1, 2, 21, 22] },
];

ownTempFolder("system-calls-sweep");

const DEAF = new URL("deaf-store.ts", import.meta.url).href;

describe.each(OPERATIONS)("$name", (operation) => {
  let targets: readonly Target[] = [];
  beforeAll(async () => {
    if (straceLacking() === null) targets = await targetsOf(operation);
  });
  const of = (call: string) => targets.filter((target) => target.call === call);

  it.for(FAULTS)("$error at the n-th $call, for every n", async (fault, ctx) => {
    notRunWithout(ctx, straceLacking());
    const found = await inLanes(of(fault.call), (target) => strike(operation, target, fault));
    console.log(`${operation.name}: ${found.length} runs with ${fault.error} at a ${fault.call}`);
    expect(found.flat()).toEqual([]);
  });

  it("the sweep is no empty one: the log is written and synced, and files are opened and read", (ctx) => {
    notRunWithout(ctx, straceLacking());
    for (const call of ["pwrite64", "fsync"])
      expect(of(call).filter(({ file }) => file.endsWith("/ledger.db-wal")).length).toBeGreaterThan(5);
    for (const call of ["pread64", "openat", "write"]) expect(of(call).length).toBeGreaterThan(0);
  });

  it("every sync is held up: all is done, and in order", async (ctx) => {
    notRunWithout(ctx, straceLacking());
    for (const thread of ["main", "pool"] as const) {
      const place = await makePlace();
      try {
        await operation.prepare(place);
        const inject = "fsync,fdatasync:delay_exit=200000";
        const ran = await traced(place, operation.words, { thread, inject });
        const syncs = of("fsync").concat(of("fdatasync"));
        expect(ran.calls.filter((call) => call.isStruck)).toHaveLength(
          syncs.filter((target) => target.thread === thread).length,
        );
        expect(await faultsOf(place, ran, [0])).toEqual([]);
        expect(await endsClean(place, STEPS)).toEqual([]);
      } finally {
        await place.end();
      }
    }
  });
});

// A minute's work, most of it asleep.
if (isSoak)
  it("N5: a sync that takes longer than the call may wait: nothing is sent, and the effect is none", async (ctx) => {
    notRunWithout(ctx, straceLacking());
    const n = await syncBeforeFirstCall(FIRST_APPLY);
    const place = await makePlace();
    try {
      await FIRST_APPLY.prepare(place);
      const inject = `fsync:delay_exit=31000000:when=${n}`;
      const ran = await traced(place, FIRST_APPLY.words, { thread: "main", inject });
      expect(await faultsOf(place, ran, [10])).toEqual([]);
      expect(await place.calls("create", "a")).toEqual([]);
      expect(await place.step("a")).toMatchObject({ status: "error", effect: "none" });
      expect(await endsClean(place, STEPS)).toEqual([]);
    } finally {
      await place.end();
    }
  });

describe("control", () => {
  it("a store that does not hear SQLite's errors sends calls without a record, and the sweep says so", async (ctx) => {
    notRunWithout(ctx, straceLacking());
    const targets = (await targetsOf(FIRST_APPLY)).filter(
      ({ call, thread, file }) => call === "fsync" && thread === "main" && file.endsWith("/ledger.db-wal"),
    );
    const fault: Fault = { call: "fsync", error: "EIO", exits: [0, 21, 22], broken: [DEAF] };
    const found = (await inLanes(targets, (target) => strike(FIRST_APPLY, target, fault))).flat();
    expect(found).toContainEqual(
      expect.stringMatching(/create of \w was sent, and the ledger has no intent of it/),
    );
    expect(found).toContainEqual(
      expect.stringMatching(/after the sync of .*ledger\.db-wal failed it sent create/),
    );
  });
});
