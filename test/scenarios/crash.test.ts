/**
 * kill -9, on real processes: before the call, in it, after its effect, after its result, between outcome and
 * observation, and at every single commit. After each: at most one object, none lost, no output lost, and a way out.
 */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { cloudStep, makePlace, PAST_CALL_BY_MS, type Place, stackText } from "./place.ts";

let place: Place;
beforeEach(async () => {
  place = await makePlace();
  await place.writeStack(stackText([cloudStep("machine")]));
});
afterEach(() => place.end());

/** What every crash in a create has to lead to, whether its effect happened or not. */
const recovers = async (effect: boolean): Promise<void> => {
  const calls = (await place.calls("create", "machine")).length;
  const shown = await place.status();
  expect(shown.exit).toBe(21);
  expect(shown.steps[0]).toMatchObject({
    status: "unresolved",
    effect: "possible",
    failedCommand: "create",
    reason: expect.stringMatching(/^create of .* has no outcome, and its owner is not running any more$/),
  });
  expect(shown.next.map((each) => each.command)).toContain("asfound reconcile");
  expect(shown.notOffered.map((each) => each.command)).toContain("asfound apply");

  const again = await place.apply();
  expect(await place.calls("create", "machine")).toHaveLength(calls);
  if (effect) {
    // A plain apply looks once, and what it found is enough.
    expect(again.exit).toBe(0);
  } else {
    expect(again).toMatchObject({ kind: "done", exit: 21 });
    place.passTime(PAST_CALL_BY_MS);
    const settled = await place.reconcile();
    expect(settled.exit).toBe(0);
    expect(await place.step("machine")).toMatchObject({ status: "pending", effect: "none" });
    expect((await place.apply()).exit).toBe(0);
  }
  expect(await place.step("machine")).toMatchObject({ status: "complete", effect: "known" });
  expect(await place.objects()).toHaveLength(1);
  expect((await place.destroy()).exit).toBe(0);
  expect(await place.objects()).toEqual([]);
  expect(await place.step("machine")).toMatchObject({ status: "destroyed" });
};

describe("kill -9 of asfound", () => {
  it("control: without a crash the step is complete, exit 0, one call, one object", async () => {
    const done = await place.run({ verb: "apply" });
    expect(done).toMatchObject({ exit: 0, signal: null });
    expect(await place.calls("create", "machine")).toHaveLength(1);
    expect(await place.objects()).toEqual(["machine-1"]);
  });

  it("W1: before the call, right after the intent's record: nothing was sent, and that is not assumed", async () => {
    const died = await place.run(
      { verb: "apply" },
      { strike: { signal: "SIGKILL", when: "after", at: "intent" } },
    );
    expect(died.signal).toBe("SIGKILL");
    expect(await place.log()).toEqual([]);
    await recovers(false);
  });

  it("before the intent's record is durable: nothing is in doubt", async () => {
    const died = await place.run(
      { verb: "apply" },
      { strike: { signal: "SIGKILL", when: "before", at: "intent" } },
    );
    expect(died.signal).toBe("SIGKILL");
    expect(await place.log()).toEqual([]);
    expect(await place.step("machine")).toMatchObject({ status: "pending", effect: "none" });
    expect((await place.apply()).exit).toBe(0);
    expect(await place.objects()).toHaveLength(1);
  });

  it("op-01: in the call, before the effect", async () => {
    await place.fault("create", "machine", "crash-before");
    expect((await place.run({ verb: "apply" })).signal).toBe("SIGKILL");
    expect(await place.struck("create machine crash-before")).toBe(1);
    expect(await place.objects()).toEqual([]);
    await recovers(false);
  });

  it("op-01: in the call, after the effect, before an id", async () => {
    await place.fault("create", "machine", "crash-after");
    expect((await place.run({ verb: "apply" })).signal).toBe("SIGKILL");
    expect(await place.objects()).toHaveLength(1);
    await recovers(true);
    expect(await place.effects("create")).toBe(1);
  });

  it("W7: after the result line: its id and outputs are in the ledger already", async () => {
    await place.fault("create", "machine", "crash-told");
    expect((await place.run({ verb: "apply" })).signal).toBe("SIGKILL");
    expect(await place.step("machine")).toMatchObject({
      identity: { id: "machine-1" },
      outputs: { name: "machine-1" },
    });
    await recovers(true);
  });

  it("W3: between outcome and observation: answered is not seen", async () => {
    await place.fault("observe", "machine", "crash");
    expect((await place.run({ verb: "apply" })).signal).toBe("SIGKILL");
    expect(await place.step("machine")).toMatchObject({
      status: "unresolved",
      reason: expect.stringMatching(/was answered with done, but was not observed$/),
      identity: { id: "machine-1" },
      outputs: { name: "machine-1" },
      failedCommand: "create",
    });
    expect((await place.status()).exit).toBe(21);
    const again = await place.apply();
    expect(again.exit).toBe(0);
    expect(await place.calls("create", "machine")).toHaveLength(1);
    expect((await place.destroy()).exit).toBe(0);
    expect(await place.objects()).toEqual([]);
  });

  it("op-01: N crashes in a row leave at most one object, and one key is reused", async () => {
    await place.writeStack(stackText([cloudStep("machine", ["retry: keyed"])]));
    await place.cloudIs("keyed");
    await place.fault("create", "machine", "times 3 crash-after");
    await place.fault("observe", "machine", "always hidden");
    for (let crash = 0; crash < 3; crash++)
      expect((await place.run({ verb: "apply" })).signal).toBe("SIGKILL");
    expect(await place.struck("create machine crash-after")).toBe(3);
    const keys = new Set((await place.calls("create", "machine")).map((call) => /key=(\S+)/.exec(call)?.[1]));
    expect(keys.size).toBe(1);
    await place.fault("observe", "machine", "plain");
    const last = await place.run({ verb: "apply" });
    expect(last.exit).toBe(0);
    expect(await place.objects()).toEqual(["machine-1"]);
    expect((await place.destroy()).exit).toBe(0);
    expect(await place.objects()).toEqual([]);
  });

  it("op-01: `once` is never sent again, however often asfound is started", async () => {
    await place.fault("create", "machine", "crash-before");
    await place.run({ verb: "apply" });
    for (let start = 0; start < 3; start++) {
      const again = await place.apply();
      expect(again.exit).toBe(21);
    }
    expect(await place.calls("create", "machine")).toHaveLength(1);
    const state = await place.step("machine");
    expect(state.status).toBe("unresolved");
  });

  it("op-04: killed inside create, destroy stays possible: found by key, then destroyed by id", async () => {
    await place.fault("create", "machine", "crash-after");
    await place.run({ verb: "apply" });
    const gone = await place.destroy();
    expect(gone.exit).toBe(0);
    expect(await place.objects()).toEqual([]);
    expect((await place.calls("destroy", "machine"))[0]).toContain("id=machine-1");
    expect(await place.step("machine")).toMatchObject({ status: "destroyed" });
  });

  it("op-04: killed before the effect, destroy is not sent at nothing; proven absence ends it", async () => {
    await place.fault("create", "machine", "crash-before");
    await place.run({ verb: "apply" });
    const early = await place.destroy();
    expect(early).toMatchObject({ kind: "done", exit: 21 });
    expect(await place.calls("destroy", "machine")).toEqual([]);
    const ending = early.kind === "done" ? early.endings.get("machine" as never) : undefined;
    expect(ending).toMatchObject({ kind: "stopped", why: expect.stringContaining("it may still appear") });
    place.passTime(PAST_CALL_BY_MS);
    expect((await place.destroy()).exit).toBe(0);
    expect(await place.calls("destroy", "machine")).toEqual([]);
    expect((await place.status()).exit).toBe(0);
  });

  it("op-21: killed inside destroy: the step is never complete again by that, and is finished", async () => {
    await place.apply();
    await place.fault("destroy", "machine", "crash-before");
    expect((await place.run({ verb: "destroy" })).signal).toBe("SIGKILL");
    expect(await place.step("machine")).toMatchObject({ status: "unresolved", failedCommand: "destroy" });
    const early = await place.destroy();
    expect(early.exit).toBe(21);
    expect(await place.calls("destroy", "machine")).toHaveLength(1);
    place.passTime(PAST_CALL_BY_MS);
    await place.reconcile();
    expect(await place.step("machine")).toMatchObject({
      status: "error",
      effect: "known",
      failedCommand: "destroy",
    });
    expect((await place.status()).exit).toBe(10);
    expect((await place.destroy()).exit).toBe(0);
    expect(await place.objects()).toEqual([]);
  });

  it("op-21: killed after the destroy's effect: absence settles it, nothing is sent again", async () => {
    await place.apply();
    await place.fault("destroy", "machine", "crash-after");
    expect((await place.run({ verb: "destroy" })).signal).toBe("SIGKILL");
    expect(await place.objects()).toEqual([]);
    expect((await place.status()).exit).toBe(21);
    expect((await place.destroy()).exit).toBe(0);
    expect(await place.calls("destroy", "machine")).toHaveLength(1);
    expect(await place.step("machine")).toMatchObject({ status: "destroyed" });
  });

  it("op-21: killed inside update: seen as declared, it is complete; seen otherwise, it is not", async () => {
    const sized = (size: string) =>
      stackText([cloudStep("machine", { with: [`inputs: { size: "${size}" }`] })]);
    await place.writeStack(sized("1"));
    expect((await place.apply()).exit).toBe(0);
    await place.writeStack(sized("2"));
    await place.fault("update", "machine", "crash-before");
    expect((await place.run({ verb: "apply" })).signal).toBe("SIGKILL");
    expect((await place.status()).exit).toBe(21);
    expect((await place.apply()).exit).toBe(21);
    expect(await place.calls("update", "machine")).toHaveLength(1);
    place.passTime(PAST_CALL_BY_MS);
    await place.reconcile();
    expect(await place.step("machine")).toMatchObject({
      status: "error",
      effect: "known",
      failedCommand: "update",
    });
    await place.fault("update", "machine", "crash-after");
    expect((await place.run({ verb: "apply" })).signal).toBe("SIGKILL");
    expect((await place.apply()).exit).toBe(0);
    expect(await place.calls("update", "machine")).toHaveLength(2);
    expect(await place.step("machine")).toMatchObject({ status: "complete" });
    expect(await place.objects()).toEqual(["machine-1"]);
  });

  it("op-15: a later step hangs and the run is killed: what ended before is kept", async () => {
    await place.writeStack(stackText([cloudStep("net"), cloudStep("machine", ["needs: [net]"])]));
    await place.fault("create", "machine", "hold");
    const run = place.start({ verb: "apply" });
    await place.held("create", "machine");
    run.process.kill("SIGKILL");
    await run.ended;
    expect(await place.step("net")).toMatchObject({
      status: "complete",
      identity: { id: "net-1" },
      outputs: { name: "net-1" },
    });
    expect(await place.step("machine")).toMatchObject({ status: "unresolved" });
  });
});

describe("crash points", () => {
  it.each(["before", "after"] as const)(
    "op-06: killed %s every commit of an apply: at most one object, none lost, and it ends",
    async (when) => {
      let strikes = 0;
      for (let nth = 1; ; nth++) {
        const each = await makePlace();
        try {
          await each.writeStack(stackText([cloudStep("machine")]));
          const run = await each.run({ verb: "apply" }, { strike: { signal: "SIGKILL", when, at: nth } });
          if (run.signal === null) {
            // Past the last commit: the control that the sweep came to its end.
            expect(run.exit).toBe(0);
            break;
          }
          strikes++;
          const objects = await each.objects();
          const known = await each.status().catch(() => null);
          // What is there is known, or at least in doubt: never complete without it, never pending beside it.
          const status = known?.steps[0]?.status ?? "no row";
          if (objects.length > 0) expect(["unresolved", "complete"], `commit ${nth}`).toContain(status);
          else expect(["no row", "pending", "unresolved"], `commit ${nth}`).toContain(status);
          let exit = (await each.apply()).exit;
          if (exit === 21) {
            each.passTime(PAST_CALL_BY_MS);
            await each.reconcile();
            exit = (await each.apply()).exit;
          }
          expect(exit, `commit ${nth}`).toBe(0);
          expect(await each.objects(), `commit ${nth}`).toHaveLength(1);
          expect(await each.effects("create"), `commit ${nth}`).toBe(1);
          expect((await each.destroy()).exit, `commit ${nth}`).toBe(0);
          expect(await each.objects(), `commit ${nth}`).toEqual([]);
        } finally {
          await each.end();
        }
      }
      expect(strikes).toBeGreaterThanOrEqual(5);
    },
  );
});
