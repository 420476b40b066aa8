/** N1-N4, N6, op-14, op-24: two at once, dead and sleeping holders, signals, processes that outlive us. All real. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { cloudStep, makePlace, PAST_CALL_BY_MS, type Place, stackText, until } from "./place.ts";

let place: Place;
beforeEach(async () => {
  place = await makePlace();
  await place.writeStack(stackText([cloudStep("machine", ["deadline: 20s"])]));
});
afterEach(() => place.end());

/** Past the lease of 30 s, and short of what an intent without an outcome is waited for. */
const PAST_LEASE_MS = 35_000;

describe("two at once", () => {
  it("op-24, N1: the second is refused, exit 23, naming the holder; the provider is called once", async () => {
    await place.fault("create", "machine", "hold");
    const first = place.start({ verb: "apply" });
    await place.held("create", "machine");
    const second = await place.run({ verb: "apply" });
    expect(second.exit).toBe(23);
    expect(second.result).toMatchObject({
      kind: "refused",
      why: expect.stringMatching(
        new RegExp(
          `^another operation holds the stack shop: tester on \\S+ \\(pid ${first.process.pid}\\), operation op_\\S+, since \\S+; nothing was called$`,
        ),
      ),
    });
    // Every verb that changes or settles is held off; reading is not.
    expect((await place.run({ verb: "destroy" })).exit).toBe(23);
    expect((await place.run({ verb: "reconcile" })).exit).toBe(23);
    const shown = await place.status();
    expect(shown.working).toContain(`pid ${first.process.pid}`);
    expect(shown.steps[0]).toMatchObject({ status: "running" });
    await place.release("create", "machine");
    expect((await first.ended).exit).toBe(0);
    expect(await place.calls("create", "machine")).toHaveLength(1);
  });

  it("op-24: started at the same moment, at most one calls", async () => {
    const runs = await Promise.all([1, 2, 3].map(() => place.run({ verb: "apply" })));
    const exits = runs.map((run) => run.exit).sort();
    expect(exits[0]).toBe(0);
    expect(exits.every((exit) => exit === 0 || exit === 23)).toBe(true);
    expect(await place.calls("create", "machine")).toHaveLength(1);
    expect(await place.objects()).toEqual(["machine-1"]);
  });

  it("N1: --lease-wait waits for the other to end, and then goes on", async () => {
    await place.fault("create", "machine", "hold");
    const first = place.start({ verb: "apply" });
    await place.held("create", "machine");
    const second = place.start({ verb: "apply", leaseWaitMs: 20_000 });
    expect(await second.event("waiting")).toMatchObject({
      why: expect.stringContaining(`pid ${first.process.pid}`),
    });
    await place.release("create", "machine");
    expect((await first.ended).exit).toBe(0);
    expect((await second.ended).exit).toBe(0);
    expect(await place.calls("create", "machine")).toHaveLength(1);
  });

  it("N1: two stacks in one ledger do not hold each other", async () => {
    await place.fault("create", "machine", "hold");
    const first = place.start({ verb: "apply" });
    await place.held("create", "machine");
    const other = await makePlace();
    try {
      await other.writeStack(stackText([cloudStep("app")], "other"));
      const ledger = join(place.folder, ".asfound", "ledger.db");
      const second = await other.run({ verb: "apply" }, { where: { ...other.job(), ledger } });
      expect(second.exit).toBe(0);
    } finally {
      await other.end();
    }
    await place.release("create", "machine");
    expect((await first.ended).exit).toBe(0);
  });

  it("op-14, N1: a holder killed with -9 is proven dead and taken over at once, and that is said", async () => {
    await place.fault("create", "machine", "hold");
    const first = place.start({ verb: "apply" });
    await place.held("create", "machine");
    first.process.kill("SIGKILL");
    await first.ended;
    await place.release("create", "machine");
    await until("the effect", async () => (await place.effects("create")) === 1);
    const second = await place.run({ verb: "apply" });
    expect(second.exit).toBe(0);
    expect(second.output).toMatch(/took over from tester on .*: its process is dead/);
    expect(await place.calls("create", "machine")).toHaveLength(1);
  });

  it("N1: a live holder is not taken over before its lease is over", async () => {
    await place.fault("create", "machine", "hold");
    const first = place.start({ verb: "apply" });
    await place.held("create", "machine");
    first.process.kill("SIGSTOP");
    expect((await place.run({ verb: "apply" })).exit).toBe(23);
    first.process.kill("SIGCONT");
    await place.release("create", "machine");
    expect((await first.ended).exit).toBe(0);
  });
});

describe("a holder that slept", () => {
  it("N2: woken between intent and call after it was taken over: nothing is sent", async () => {
    const first = place.start(
      { verb: "apply" },
      { strike: { signal: "SIGSTOP", when: "after", at: "intent" } },
    );
    await first.event("strike");
    expect(await place.log()).toEqual([]);
    place.passTime(PAST_LEASE_MS);
    const second = await place.run({ verb: "apply" }, { ahead: { passedMs: PAST_LEASE_MS, setMs: 0 } });
    expect(second.output).toMatch(/took over from .*: its lease expired/);
    // The sleeper's call may still come, so absence is not believed.
    expect(second.exit).toBe(21);
    first.process.kill("SIGCONT");
    const woken = await first.ended;
    expect(woken.exit, woken.output).toBe(23);
    expect(woken.output).toContain("another operation has taken the stack over");
    expect(await place.calls("create", "machine")).toEqual([]);
    expect((await place.apply()).exit).toBe(0);
    expect(await place.objects()).toEqual(["machine-1"]);
  });

  it("N2: woken before its intent: the ledger rejects it", async () => {
    const first = place.start({ verb: "apply" }, { strike: { signal: "SIGSTOP", when: "after", at: 1 } });
    await first.event("strike");
    const second = await place.run({ verb: "apply" }, { ahead: { passedMs: PAST_LEASE_MS, setMs: 0 } });
    expect(second.exit).toBe(0);
    first.process.kill("SIGCONT");
    const woken = await first.ended;
    expect(woken.exit, woken.output).toBe(23);
    expect(await place.calls("create", "machine")).toHaveLength(1);
    expect(await place.objects()).toEqual(["machine-1"]);
  });

  it("N3: woken after its call was sent: its late outcome is kept beside the other's, and two objects are said", async () => {
    await place.fault("create", "machine", "hold");
    const first = place.start({ verb: "apply" });
    await place.held("create", "machine");
    first.process.kill("SIGSTOP");
    // Long past everything; a person says that it never happened, and it is made again.
    place.passTime(PAST_CALL_BY_MS);
    const early = await place.apply();
    expect(early.exit).toBe(21);
    expect((await place.do({ verb: "resolve", step: "machine", as: "absent" })).exit).toBe(0);
    expect((await place.apply()).exit).toBe(0);
    expect(await place.objects()).toHaveLength(1);
    await place.release("create", "machine");
    await until("the sleeper's effect", async () => (await place.objects()).length === 2);
    first.process.kill("SIGCONT");
    expect((await first.ended).exit).not.toBe(0);
    const both = await place.step("machine");
    expect(both).toMatchObject({ status: "unresolved" });
    expect([both.identity?.id, ...both.surplus.map((each) => each.id)].sort()).toEqual(await place.objects());
    expect((await place.status()).exit).toBe(21);
    expect((await place.destroy()).exit).toBe(0);
    expect(await place.objects()).toEqual([]);
  });
});

describe("signals", () => {
  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)(
    "N4, op-14: %s lets the call in flight end, starts nothing more, records, exits %i",
    async (signal, exit) => {
      await place.writeStack(
        stackText([cloudStep("machine", ["deadline: 20s"]), cloudStep("app", ["needs: [machine]"])]),
      );
      await place.fault("create", "machine", "hold");
      const run = place.start({ verb: "apply" });
      await place.held("create", "machine");
      run.process.kill(signal);
      await run.event("drain");
      await place.release("create", "machine");
      expect((await run.ended).exit).toBe(exit);
      expect(
        (await place.status()).steps.map((step) => [step.step, step.status, step.waitingOn.length]),
      ).toEqual([
        ["machine", "complete", 0],
        ["app", "pending", 0],
      ]);
      expect(await place.calls("create", "app")).toEqual([]);
      // The lease was given back: no holder is in the way.
      expect((await place.apply()).exit).toBe(0);
      expect(await place.objects()).toEqual(["app-1", "machine-1"]);
    },
  );

  it("N4: all was already done when the signal came: exit 0", async () => {
    await place.apply();
    await place.fault("observe", "machine", "hold");
    const run = place.start({ verb: "apply" });
    await place.held("observe", "machine");
    run.process.kill("SIGTERM");
    await run.event("drain");
    await place.release("observe", "machine");
    expect((await run.ended).exit).toBe(0);
  });

  it("N4: the same signal twice ends the provider; its step is unresolved, the record in place", async () => {
    await place.fault("create", "machine", "hold");
    const run = place.start({ verb: "apply" });
    await place.held("create", "machine");
    run.process.kill("SIGINT");
    await run.event("drain");
    // Beyond what counts as the echo of one Ctrl-C.
    await new Promise((resolve) => setTimeout(resolve, 300));
    run.process.kill("SIGINT");
    expect((await run.ended).exit).toBe(130);
    expect(await place.step("machine")).toMatchObject({
      status: "unresolved",
      lastError: expect.stringContaining("asfound was told to stop"),
    });
    await place.release("create", "machine");
    expect(await place.effects("create")).toBe(0);
    expect((await place.reconcile()).exit).toBe(0);
    expect(await place.step("machine")).toMatchObject({ status: "pending" });
  });

  it("N4: grace over ends the provider too", async () => {
    await place.fault("create", "machine", "hold");
    const run = place.start({ verb: "apply" }, { graceMs: 200 });
    await place.held("create", "machine");
    run.process.kill("SIGTERM");
    expect((await run.ended).exit).toBe(143);
    expect((await place.step("machine")).status).toBe("unresolved");
    expect((await place.status()).exit).toBe(21);
  });

  it("N4: during a destroy: what is in flight ends, what is left stays as it was", async () => {
    await place.writeStack(
      stackText([cloudStep("net"), cloudStep("machine", ["needs: [net]", "deadline: 20s"])]),
    );
    await place.apply();
    await place.fault("destroy", "machine", "hold");
    const run = place.start({ verb: "destroy" });
    await place.held("destroy", "machine");
    run.process.kill("SIGTERM");
    await run.event("drain");
    await place.release("destroy", "machine");
    expect((await run.ended).exit).toBe(143);
    expect((await place.status()).steps.map((step) => step.status)).toEqual(["complete", "destroyed"]);
    expect((await place.destroy()).exit).toBe(0);
    expect(await place.objects()).toEqual([]);
  });

  it("N4: while it waits for another's lease: exit 23, nothing called", async () => {
    await place.fault("create", "machine", "hold");
    const first = place.start({ verb: "apply" });
    await place.held("create", "machine");
    const second = place.start({ verb: "apply", leaseWaitMs: 20_000 });
    await second.event("waiting");
    second.process.kill("SIGINT");
    expect([23, 130]).toContain((await second.ended).exit);
    await place.release("create", "machine");
    expect((await first.ended).exit).toBe(0);
  });
});

describe("a provider that outlives us", () => {
  const orphaned = async () => {
    await place.fault("create", "machine", "hold");
    const run = place.start({ verb: "apply" });
    await place.held("create", "machine");
    run.process.kill("SIGKILL");
    await run.ended;
    place.passTime(PAST_CALL_BY_MS);
  };

  it("N6: is found by its key; while it lives absence is not believed, nothing is sent again", async () => {
    await orphaned();
    for (let look = 0; look < 2; look++) {
      expect((await place.reconcile({ wait: false })).exit).toBe(21);
      const applied = await place.apply();
      expect(applied.exit).toBe(21);
      expect(JSON.stringify(applied.kind === "done" ? [...applied.endings] : applied)).toContain(
        "a provider's process that carries the key still lives and may still act",
      );
    }
    expect((await place.destroy()).exit).toBe(21);
    expect(await place.calls("create", "machine")).toHaveLength(1);
    expect(place.events.some((e) => e.kind === "progress" && /still lives: pid \d+/.test(e.text))).toBe(true);
    // It acts after all, and is found.
    await place.release("create", "machine");
    await until("the effect", async () => (await place.effects("create")) === 1);
    expect((await place.apply()).exit).toBe(0);
    expect(await place.objects()).toEqual(["machine-1"]);
  });

  it("N6: even for an idempotent step", async () => {
    await place.writeStack(stackText([cloudStep("machine", ["deadline: 20s", "retry: idempotent"])]));
    await orphaned();
    expect((await place.apply()).exit).toBe(21);
    expect(await place.calls("create", "machine")).toHaveLength(1);
  });

  it("N6: a child that it left behind counts as well", async () => {
    await place.fault("create", "machine", "leave");
    expect((await place.run({ verb: "apply" })).signal).toBe("SIGKILL");
    place.passTime(PAST_CALL_BY_MS);
    expect((await place.reconcile({ wait: false })).exit).toBe(21);
    await place.release("create", "machine");
    await until("the effect", async () => (await place.effects("create")) === 1);
    expect((await place.apply()).exit).toBe(0);
    expect(await place.objects()).toEqual(["machine-1"]);
  });

  it("N6: is ended when asked for, and only then absence is believed", async () => {
    await orphaned();
    const ended = await place.reconcile({ endSurvivors: true });
    expect(
      place.events.some((e) => e.kind === "progress" && /ending the surviving process \d+/.test(e.text)),
    ).toBe(true);
    expect(ended.exit).toBe(0);
    await place.release("create", "machine");
    expect(await place.step("machine")).toMatchObject({ status: "pending", effect: "none" });
    expect((await place.apply()).exit).toBe(0);
    expect(await place.effects("create")).toBe(1);
    expect(await place.objects()).toHaveLength(1);
  });

  it("N6: killed right after it was ended: settle counts from its end for whoever comes next, too", async () => {
    await place.writeStack(stackText([cloudStep("machine", ["deadline: 20s", "settle: 30s"])]));
    await orphaned();
    place.passTime(PAST_CALL_BY_MS);
    const died = await place.run(
      { verb: "reconcile", endSurvivors: true },
      { environment: { ASFOUND_CRASH_AT: "survivor-ended" } },
    );
    expect(died.signal).toBe("SIGKILL");
    expect((await place.apply()).exit).toBe(21);
    expect(await place.calls("create", "machine")).toHaveLength(1);
    place.passTime(PAST_CALL_BY_MS);
    expect((await place.apply()).exit).toBe(0);
    expect(await place.objects()).toHaveLength(1);
  });

  it("N6: reconcile waits for it, and settles by what it did", async () => {
    await orphaned();
    const waiting = place.start({ verb: "reconcile" });
    await waiting.event("waiting");
    await place.release("create", "machine");
    expect((await waiting.ended).exit).toBe(0);
    expect(await place.step("machine")).toMatchObject({ status: "complete", identity: { id: "machine-1" } });
  });
});

describe("W3", () => {
  it("running without a live owner is shown unresolved, with what was called, never pending, never error", async () => {
    await place.fault("create", "machine", "crash-before");
    await place.run({ verb: "apply" });
    expect((await place.status()).working).toBeNull();
    expect(await place.step("machine")).toMatchObject({ status: "unresolved", failedCommand: "create" });
    expect(await readdir(join(place.folder, ".asfound"))).toContain("ledger.db");
  });
});

describe("first applies at the same moment", () => {
  it("agree on one stack: the lock and the ledger name the same, and later operations go on", async () => {
    const runs = await Promise.all([1, 2, 3, 4].map(() => place.run({ verb: "apply" })));
    for (const { exit } of runs) expect([0, 23]).toContain(exit);
    expect((await place.apply()).exit).toBe(0);
    expect((await place.destroy()).exit).toBe(0);
  });
});
