/**
 * W1, W2, W6: every system call of an operation on the ledger's files fails, one in each run, and each time: nothing was
 * sent without a durable record, what was acknowledged is readable, nothing more is sent after a sync that failed, the
 * message says what and what next, and with a disk that is well it all ends with one object a step.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { notRunWithout } from "../../support/not-run.ts";
import { ownTempFolder } from "../../support/own-folder.ts";
import { endsClean, faultsOf, saidWell } from "./judge.ts";
import { straceLacking, traced } from "./strace.ts";
import {
  DESTROY,
  type Fault,
  FIRST_APPLY,
  inLanes,
  inPlace,
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
  { calls: ["pwrite64"], error: "ENOSPC", exits: [0, 21, 22] },
  { calls: ["fsync", "fdatasync"], error: "EIO", exits: [0, 21, 22] },
  { calls: ["pread64"], error: "EIO", exits: [0, 1, 21, 22] },
  { calls: ["openat"], error: "EMFILE", exits: [0, 1, 2, 21, 22] },
];

/** Key, lock and .gitignore are written once, by the first apply. */
const FIRST_FAULT: Fault = { calls: ["write"], error: "ENOSPC", exits: [21, 22] };

ownTempFolder("system-calls-sweep");

const DEAF = new URL("deaf-store.ts", import.meta.url).href;

describe.each(OPERATIONS)("$name", (operation) => {
  let targets: readonly Target[] = [];
  beforeAll(async () => {
    if (straceLacking() === null) targets = await targetsOf(operation);
  });
  const faults = operation === FIRST_APPLY ? [...FAULTS, FIRST_FAULT] : FAULTS;

  it.for(faults)("$error at the n-th $calls.0, for every n", async (fault, ctx) => {
    notRunWithout(ctx, straceLacking());
    const struck = targets.filter(({ call }) => fault.calls.includes(call));
    expect(struck).not.toEqual([]);
    const found = await inLanes(struck, (target) => strike(operation, target, fault));
    console.log(`${operation.name}: ${found.length} runs with ${fault.error} at a ${fault.calls.join(", ")}`);
    expect(found.flat()).toEqual([]);
  });

  it("the sweep is over the records themselves: the log is written and synced again and again", (ctx) => {
    notRunWithout(ctx, straceLacking());
    for (const sort of [/^pwrite64$/, /^(fsync|fdatasync)$/])
      expect(
        targets.filter(({ call, file }) => sort.test(call) && file.endsWith("/ledger.db-wal")).length,
      ).toBeGreaterThan(5);
  });

  it("every sync is held up: all is done, and in order", async (ctx) => {
    notRunWithout(ctx, straceLacking());
    for (const thread of ["main", "pool"] as const)
      await inPlace(operation, async (place) => {
        const inject = ["fsync,fdatasync:delay_exit=200000"];
        const ran = await traced(place, operation.words, { thread, inject });
        const syncs = targets.filter((target) => target.thread === thread && /sync$/.test(target.call));
        expect(ran.calls.filter((call) => call.isStruck)).toHaveLength(syncs.length);
        expect(await faultsOf(place, ran, [0])).toEqual([]);
        expect(await endsClean(place, STEPS)).toEqual([]);
      });
  });
});

it("W6: neither the ledger nor the spool can take a result: it is said, and settled by asking", async (ctx) => {
  notRunWithout(ctx, straceLacking());
  const n = await syncBeforeFirstCall(FIRST_APPLY);
  await inPlace(FIRST_APPLY, async (place) => {
    // The next sync of the ledger is that of the id or of the outcome; the spool's datasync is made for a result alone.
    const inject = [`fsync:error=EIO:when=${n + 1}`, "fdatasync:error=EIO"];
    const ran = await traced(place, FIRST_APPLY.words, { thread: "both", inject });
    const struck = ran.calls.filter((call) => call.isStruck).map(({ path }) => path?.split(/[/.]/).at(-1));
    expect(new Set(struck)).toEqual(new Set(["db-wal", "slot"]));
    expect(ran.err).toMatch(
      /neither the ledger \(.*\) nor the spool \(.*\) could take the result .*; write it down/,
    );
    expect(await faultsOf(place, ran, [21])).toEqual([]);
    expect(await endsClean(place, STEPS)).toEqual([]);
  });
});

// A minute's work, most of it asleep.
if (isSoak)
  it("N5: a sync that takes longer than the call may wait: nothing is sent, and the effect is none", async (ctx) => {
    notRunWithout(ctx, straceLacking());
    const n = await syncBeforeFirstCall(FIRST_APPLY);
    await inPlace(FIRST_APPLY, async (place) => {
      const inject = [`fsync:delay_exit=31000000:when=${n}`];
      const ran = await traced(place, FIRST_APPLY.words, { thread: "main", inject });
      expect(await faultsOf(place, ran, [10])).toEqual([]);
      expect(await place.calls("create", "a")).toEqual([]);
      expect(await place.step("a")).toMatchObject({ status: "error", effect: "none" });
      expect(await endsClean(place, STEPS)).toEqual([]);
    });
  });

describe("control", () => {
  it("a store that does not hear SQLite's errors sends calls without a record, and the sweep says so", async (ctx) => {
    notRunWithout(ctx, straceLacking());
    const targets = (await targetsOf(FIRST_APPLY)).filter(
      ({ call, thread, file }) => call === "fsync" && thread === "main" && file.endsWith("/ledger.db-wal"),
    );
    const fault: Fault = { calls: ["fsync"], error: "EIO", exits: [0, 21, 22], broken: [DEAF] };
    const found = (await inLanes(targets, (target) => strike(FIRST_APPLY, target, fault))).flat();
    expect(found).toContainEqual(
      expect.stringMatching(/create of \w was sent, and the ledger has no intent of it/),
    );
    expect(found).toContainEqual(
      expect.stringMatching(/after fsync of .*ledger\.db-wal failed it sent create/),
    );
    expect(found).toContainEqual(
      expect.stringMatching(/it told that \w is complete, and the ledger says (running|unresolved|pending)/),
    );
  });

  it("words that do not help are told, and an exit that is none of the table's", () => {
    const ran = { thread: "main", exit: 22, out: "", err: "", calls: [] } as const;
    const why = "asfound: nothing was recorded: the disk is full";
    expect(saidWell({ ...ran, err: `${why}; free some space and run again` }, [22])).toEqual([]);
    for (const err of [
      "",
      why,
      `${why}\n    at commit (commit.ts:1:1); run again`,
      `${why}; run again\nand more`,
    ])
      expect(saidWell({ ...ran, err }, [22]), err).not.toEqual([]);
    expect(saidWell({ ...ran, exit: 70, err: `${why}; run again` }, [22])).not.toEqual([]);
  });

  it("a second object of a step is told", async () => {
    await inPlace(FIRST_APPLY, async (place) => {
      expect(await endsClean(place, STEPS)).toEqual([]);
      await place.makeObject("a-9", "step=a");
      expect(await endsClean(place, STEPS)).toEqual([expect.stringMatching(/objects a-\d a-9 b-\d;/)]);
    });
  });
});
