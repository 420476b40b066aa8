/** P1-P3, op-13 and W5 over whole graphs: what runs, what waits and why, what stays owed. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Done } from "../../src/runtime/operation.ts";
import type { Refused } from "../../src/runtime/runtime.ts";
import { cloudStep, makePlace, PAST_CALL_BY_MS, type Place, stackText } from "./place.ts";

let place: Place;
beforeEach(async () => {
  place = await makePlace();
});
afterEach(() => place.end());

const why = (result: Done | Refused, step = "machine"): string => {
  if (result.kind === "refused") return result.why;
  const ending = result.endings.get(step as never);
  return ending?.kind === "stopped" ? ending.why : "";
};
const statuses = async () => Object.fromEntries((await place.status()).steps.map((s) => [s.step, s.status]));

describe("what did not run", () => {
  const diamond = () =>
    stackText([
      cloudStep("net"),
      cloudStep("left", ["needs: [net]"]),
      cloudStep("right", ["needs: [net]"]),
      cloudStep("top", ["needs: [left, right]"]),
    ]);

  it.each([
    ["refuse", "error", 10],
    ["fail", "error", 21],
    ["lose", "unresolved", 21],
    ["crash", "", 0],
  ] as const)(
    "P1, P2: a step that ends in %s keeps its dependants pending; other branches go on",
    async (fault, status, exit) => {
      await place.writeStack(diamond());
      await place.fault("create", "left", fault === "crash" ? "none" : fault);
      const done = await place.apply();
      expect(done.exit).toBe(exit);
      if (fault === "crash") {
        // Control: without a fault all of it runs.
        expect(await statuses()).toEqual({
          net: "complete",
          left: "complete",
          right: "complete",
          top: "complete",
        });
        return;
      }
      expect(await place.calls("create", "top")).toEqual([]);
      expect(await statuses()).toEqual({ net: "complete", left: status, right: "complete", top: "pending" });
      expect(await place.step("top")).toMatchObject({
        status: "pending",
        waitingOn: [{ step: "left", why: `left is ${status}` }],
      });
    },
  );

  it("P1: --fail-fast starts nothing more", async () => {
    await place.writeStack(stackText([cloudStep("a"), cloudStep("b"), cloudStep("c")]));
    await place.fault("create", "a", "refuse");
    expect((await place.apply({ parallelism: 1, failFast: true })).exit).toBe(10);
    expect(await statuses()).toEqual({ a: "error", b: "pending", c: "pending" });
    expect(await place.calls("create", "b")).toEqual([]);
    // Control: without it the others run.
    await place.fault("create", "a", "refuse");
    expect((await place.apply({ parallelism: 1 })).exit).toBe(10);
    expect(await statuses()).toEqual({ a: "error", b: "complete", c: "complete" });
  });

  it("outputs reach a dependant, and are those that were recorded", async () => {
    await place.cloudIs("dump");
    await place.writeStack(
      stackText([
        cloudStep("net"),
        cloudStep("machine", { with: [`inputs: { net: "\${steps.net.outputs.name}" }`] }),
      ]),
    );
    expect((await place.apply()).exit).toBe(0);
    const state = await place.state("machine");
    expect(state.applied?.inputs["inputs"]).toEqual({ net: "net-1" });
  });

  it("an output that the step never gave stops the dependant, naming it; nothing is called", async () => {
    await place.writeStack(
      stackText([
        cloudStep("net"),
        cloudStep("machine", { with: [`inputs: { net: "\${steps.net.outputs.missing}" }`] }),
      ]),
    );
    const done = await place.apply();
    expect(done.exit).toBe(23);
    expect(why(done)).toContain("net has no such output");
    expect(await place.calls("create", "machine")).toEqual([]);
    expect(await statuses()).toEqual({ net: "complete", machine: "pending" });
  });

  it("W5: a program that is not there is refused before anything happens: effect none, exit 10", async () => {
    await place.writeStack(
      stackText([`  machine:\n    uses: exec\n    with: { create: ["./no-such-program"] }`]),
    );
    const done = await place.apply();
    expect(done.exit).toBe(10);
    expect(await place.step("machine")).toMatchObject({
      status: "error",
      effect: "none",
      lastError: expect.stringContaining("no such program"),
    });
  });

  it("a saved plan that the ledger has left behind is refused: exit 23, nothing called", async () => {
    await place.writeStack(stackText([cloudStep("machine")]));
    const plan = await place.plan();
    const saved = {
      digest: plan.digest,
      position: plan.position,
      destroys: new Set<never>(),
      inputs: new Map<never, never>(),
    };
    await place.apply();
    const before = await place.log();
    const done = await place.apply({}, { plan: saved });
    expect(done).toMatchObject({
      kind: "refused",
      exit: 23,
      why: expect.stringMatching(/^the saved plan does not fit any more: .*; nothing was called$/),
    });
    expect(await place.log()).toEqual(before);
  });
});

describe("a run file", () => {
  it("a failed step leaves what to run again with, and what was resolved", async () => {
    await place.writeStack(stackText([cloudStep("machine", { with: ['inputs: { size: "1" }'] })]));
    await place.fault("create", "machine", "fail-after");
    await place.apply();
    const step = await place.step("machine");
    expect(step.rerunInputsFile).toMatch(/rerun\.yaml$/);
    expect(step.resolvedInputsFile).toMatch(/machine\.resolved\.json$/);
  });
});

describe("obligations", () => {
  const two = (lines: readonly string[] = []) =>
    stackText([cloudStep("config", lines), cloudStep("app", ["needs: [config]"])]);

  it("op-13, P3: what a finished step owes is done before its dependants", async () => {
    await place.writeStack(two());
    await place.fault("create", "config", "owes restart nginx");
    expect((await place.apply()).exit).toBe(0);
    const log = await place.log();
    const at = (line: RegExp) => log.findIndex((each) => line.test(each));
    expect(at(/^EFFECT owed config/)).toBeGreaterThan(at(/^EFFECT create config/));
    expect(at(/^EFFECT owed config/)).toBeLessThan(at(/^create app/));
    expect((await place.step("config")).owes).toEqual([]);
  });

  it("op-13, P3: killed before it: still owed though nothing has changed, and runs first at the next apply", async () => {
    await place.writeStack(two());
    await place.fault("create", "config", "owes restart nginx");
    await place.fault("observe", "config", "crash");
    expect((await place.run({ verb: "apply" })).signal).toBe("SIGKILL");
    expect((await place.step("config")).owes).toEqual(["restart nginx"]);
    expect(await place.effects("owed")).toBe(0);
    expect((await place.apply()).exit).toBe(0);
    expect(await place.calls("create", "config")).toHaveLength(1);
    expect(await place.effects("owed config")).toBe(1);
    expect((await place.step("config")).owes).toEqual([]);
  });

  it("op-13, P3: the restart fails: still owed, exit not 0, dependants wait, shown; then done once", async () => {
    await place.writeStack(two(["retry: idempotent"]));
    await place.fault("create", "config", "owes restart nginx");
    await place.fault("owed", "config", "refuse");
    const done = await place.apply();
    expect(done.exit).toBe(10);
    expect(await place.step("config")).toMatchObject({ owes: ["restart nginx"], failedCommand: "owed" });
    expect((await place.status()).exit).toBe(10);
    expect(await place.calls("create", "app")).toEqual([]);
    expect((await place.apply()).exit).toBe(0);
    expect(await place.effects("owed config")).toBe(1);
    expect(await statuses()).toEqual({ config: "complete", app: "complete" });
  });

  it("op-13, P3: in doubt whether it was done: unresolved, not repeated unless idempotent; a decision settles it", async () => {
    await place.writeStack(two());
    await place.fault("create", "config", "owes restart nginx");
    await place.fault("owed", "config", "lose");
    expect((await place.apply()).exit).toBe(21);
    expect((await place.apply()).exit).toBe(21);
    expect(await place.calls("owed", "config")).toHaveLength(1);
    expect((await place.step("config")).owes).toEqual(["restart nginx"]);
    expect((await place.do({ verb: "resolve", step: "config", as: "present", owed: "done" })).exit).toBe(0);
    expect((await place.apply()).exit).toBe(0);
    expect(await place.calls("owed", "config")).toHaveLength(1);
  });

  it("op-13, P3: in doubt, idempotent: repeated, and then done", async () => {
    await place.writeStack(two(["retry: idempotent"]));
    await place.fault("create", "config", "owes restart nginx");
    await place.fault("owed", "config", "crash-before");
    expect((await place.run({ verb: "apply" })).signal).toBe("SIGKILL");
    expect((await place.status()).exit).toBe(21);
    expect((await place.apply()).exit).toBe(0);
    expect(await place.calls("owed", "config")).toHaveLength(2);
    expect(await place.effects("owed config")).toBe(1);
  });

  it("op-13: a later step fails before the restart in another order: it is owed over both runs", async () => {
    await place.writeStack(stackText([cloudStep("config"), cloudStep("app")]));
    await place.fault("create", "config", "owes restart nginx");
    await place.fault("owed", "config", "fail");
    await place.fault("create", "app", "refuse");
    const done = await place.apply();
    expect(done.exit).not.toBe(0);
    expect((await place.step("config")).owes).toEqual(["restart nginx"]);
    const again = await place.apply();
    expect(again.exit).toBe(0);
    expect(await place.effects("owed config")).toBe(1);
  });

  it("P3: a step that owes and has no command for it says what to do, exit 10", async () => {
    await place.writeStack(stackText([cloudStep("config", { without: ["owed"] })]));
    await place.fault("create", "config", "owes restart nginx");
    const done = await place.apply();
    expect(done.exit).toBe(10);
    expect(why(done, "config")).toMatch(
      /^it still owes: restart nginx; its provider has no command for that: do it, then asfound resolve config/,
    );
    // That the thing is there does not say that what it owes was done.
    const unsaid = await place.do({ verb: "resolve", step: "config", as: "present" });
    expect(unsaid).toMatchObject({
      kind: "refused",
      exit: 23,
      why: expect.stringMatching(/still owes restart nginx/),
    });
    await place.do({ verb: "resolve", step: "config", as: "present", owed: "again" });
    expect((await place.step("config")).owes).toEqual(["restart nginx"]);
    expect((await place.do({ verb: "resolve", step: "config", as: "present", owed: "done" })).exit).toBe(0);
    expect((await place.apply()).exit).toBe(0);
  });

  it("a step that is destroyed owes nothing any more", async () => {
    await place.writeStack(stackText([cloudStep("config", { without: ["owed"] })]));
    await place.fault("create", "config", "owes restart nginx");
    await place.apply();
    expect((await place.destroy()).exit).toBe(0);
    expect((await place.status()).exit).toBe(0);
  });
});

describe("next commands", () => {
  it("after doubt: reconcile is offered, apply is not, and it says why", async () => {
    await place.writeStack(stackText([cloudStep("machine")]));
    await place.fault("create", "machine", "crash-before");
    await place.run({ verb: "apply" });
    const { next, notOffered } = await place.status();
    expect(next).toContainEqual({
      command: "asfound reconcile",
      why: "asks what is there of machine; it changes nothing outside",
    });
    expect(notOffered.map((each) => each.command)).toEqual(expect.arrayContaining(["asfound apply"]));
    place.passTime(PAST_CALL_BY_MS);
    await place.reconcile();
    expect((await place.status()).next.map((each) => each.command)).toContain("asfound apply");
  });
});
