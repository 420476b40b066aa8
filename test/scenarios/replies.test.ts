/**
 * What came back, and what it is worth: lost, late, partial, contradictory, failed after the fact, refused. The cloud's
 * own log and objects are asserted, never only our ledger.
 */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Done } from "../../src/runtime/operation.ts";
import type { Refused } from "../../src/runtime/runtime.ts";
import { cloudStep, makePlace, PAST_CALL_BY_MS, type Place, stackText, until } from "./place.ts";

let place: Place;
beforeEach(async () => {
  place = await makePlace();
  await place.writeStack(stackText([cloudStep("machine")]));
});
afterEach(() => place.end());

const why = (result: Done | Refused, step = "machine"): string => {
  if (result.kind === "refused") return result.why;
  const ending = result.endings.get(step as never);
  return ending?.kind === "stopped" ? ending.why : "";
};
const sized = (size: string, lines: readonly string[] = []) =>
  stackText([cloudStep("machine", { lines, with: [`inputs: { size: "${size}" }`] })]);

describe("a definite refusal", () => {
  it("op-18: closes the intent: error, effect none, exit 10; destroy of nothing succeeds and is not sent", async () => {
    await place.fault("create", "machine", "refuse");
    const done = await place.apply();
    expect(done).toMatchObject({ kind: "done", exit: 10 });
    expect(await place.struck("create machine refuse")).toBe(1);
    expect(await place.step("machine")).toMatchObject({
      status: "error",
      effect: "none",
      failedCommand: "create",
      lastError: "it refused: the quota is used up",
      identity: null,
    });
    expect((await place.status()).exit).toBe(10);
    expect((await place.destroy()).exit).toBe(0);
    expect(await place.calls("destroy", "machine")).toEqual([]);
  });

  it("op-18: after the cause is mended the next apply creates it, with a new key", async () => {
    await place.fault("create", "machine", "refuse");
    await place.apply();
    expect((await place.apply()).exit).toBe(0);
    const keys = (await place.calls("create", "machine")).map((call) => /key=(\S+)/.exec(call)?.[1]);
    expect(new Set(keys).size).toBe(2);
    expect(await place.objects()).toHaveLength(1);
  });

  it("op-18: of an update: the thing is known, alive and destroyable", async () => {
    await place.writeStack(sized("1"));
    await place.apply();
    await place.writeStack(sized("2"));
    await place.fault("update", "machine", "refuse");
    expect((await place.apply()).exit).toBe(10);
    expect(await place.step("machine")).toMatchObject({
      status: "error",
      effect: "none",
      failedCommand: "update",
      identity: { id: "machine-1" },
      outputs: { name: "machine-1" },
    });
    expect((await place.destroy()).exit).toBe(0);
    expect(await place.objects()).toEqual([]);
  });

  it("D5: of a destroy: error, exit 10, the thing is still there, and it can be tried again", async () => {
    await place.apply();
    await place.fault("destroy", "machine", "refuse");
    expect((await place.destroy()).exit).toBe(10);
    expect(await place.objects()).toHaveLength(1);
    expect(await place.step("machine")).toMatchObject({
      status: "error",
      failedCommand: "destroy",
      effect: "none",
      identity: { id: "machine-1" },
    });
    expect((await place.destroy()).exit).toBe(0);
    expect(await place.objects()).toEqual([]);
  });
});

describe("an answer that it failed", () => {
  it("op-20, W4: after the fact: a known remnant, id and outputs kept, destroyable; not made twice", async () => {
    await place.fault("create", "machine", "fail-after");
    const done = await place.apply();
    expect(done.exit).toBe(21);
    expect(await place.step("machine")).toMatchObject({
      status: "error",
      effect: "possible",
      failedCommand: "create",
      lastError: "it failed: the wait timed out",
      identity: { id: "machine-1" },
      outputs: { ip: "10.0.0.9" },
    });
    expect((await place.status()).exit).toBe(21);
    expect((await place.destroy()).exit).toBe(0);
    expect(await place.objects()).toEqual([]);
    expect((await place.calls("destroy", "machine"))[0]).toContain("id=machine-1");
  });

  it("op-20: seen as declared, the next apply finds it complete and calls nothing", async () => {
    await place.fault("create", "machine", "fail-after");
    await place.apply();
    expect((await place.apply()).exit).toBe(0);
    expect(await place.calls("create", "machine")).toHaveLength(1);
    expect(await place.calls("update", "machine")).toHaveLength(0);
    expect(await place.step("machine")).toMatchObject({
      status: "complete",
      outputs: { ip: "10.0.0.9", seen: "machine-1" },
    });
  });

  it("op-20: merely present is not enough after a failure: error, effect known; an update that is done is", async () => {
    await place.fault("create", "machine", "fail-after");
    await place.apply();
    await place.fault("observe", "machine", "plain");
    await place.reconcile();
    expect(await place.step("machine")).toMatchObject({
      status: "error",
      effect: "known",
      failedCommand: "create",
    });
    expect((await place.status()).exit).toBe(10);
    expect((await place.apply()).exit).toBe(0);
    expect(await place.calls("create", "machine")).toHaveLength(1);
    expect(await place.objects()).toHaveLength(1);
  });

  it("op-20: without an effect: absence is proven only after settle; then it is created again", async () => {
    await place.fault("create", "machine", "fail");
    expect((await place.apply()).exit).toBe(21);
    const early = await place.apply();
    expect(early.exit).toBe(21);
    expect(await place.calls("create", "machine")).toHaveLength(1);
    expect((await place.reconcile()).exit).toBe(10);
    expect(await place.step("machine")).toMatchObject({
      status: "error",
      effect: "none",
      failedCommand: "create",
    });
    expect((await place.apply()).exit).toBe(0);
    expect(await place.objects()).toHaveLength(1);
    expect(await place.step("machine")).toMatchObject({
      status: "complete",
      lastError: null,
      failedCommand: null,
    });
  });

  it("op-12: an update with an effect that then failed: the old record is not written over reality", async () => {
    await place.writeStack(sized("1"));
    await place.apply();
    await place.writeStack(sized("2"));
    await place.fault("update", "machine", "fail-after");
    expect((await place.apply()).exit).toBe(21);
    expect(await place.effects("update")).toBe(1);
    expect(await place.step("machine")).toMatchObject({
      status: "error",
      effect: "possible",
      failedCommand: "update",
    });
    // Back to the old text: the ledger must not believe that size 1 is there.
    await place.writeStack(sized("1"));
    expect((await place.apply()).exit).toBe(0);
    expect(await place.effects("update")).toBe(2);
    const request = await place.state("machine");
    expect(request.applied?.inputs["inputs"]).toEqual({ size: "1" });
  });

  it("op-12: without an effect, the thing seen as it was is drift, and the update is sent again", async () => {
    await place.writeStack(sized("1"));
    await place.apply();
    await place.writeStack(sized("2"));
    await place.fault("update", "machine", "fail");
    expect((await place.apply()).exit).toBe(21);
    expect((await place.apply()).exit).toBe(0);
    expect(await place.calls("update", "machine")).toHaveLength(2);
    expect(await place.effects("update")).toBe(1);
  });

  it("op-09, D5: a destroy that failed never raises the status, and is not lost in a later apply", async () => {
    await place.apply();
    await place.fault("destroy", "machine", "fail");
    expect((await place.destroy()).exit).toBe(21);
    expect(await place.step("machine")).toMatchObject({
      status: "error",
      failedCommand: "destroy",
      effect: "possible",
    });
    expect((await place.status()).exit).toBe(21);
    await place.reconcile();
    const settled = await place.step("machine");
    expect(settled).toMatchObject({ status: "error", failedCommand: "destroy", effect: "known" });
    // A further look, at a thing that is as declared, is no way up either.
    await place.reconcile();
    expect(await place.step("machine")).toMatchObject({ status: "error", failedCommand: "destroy" });
    expect((await place.destroy()).exit).toBe(0);
    expect(await place.objects()).toEqual([]);
  });

  it("op-09: a destroy with an effect that then failed: absence settles it at once", async () => {
    await place.apply();
    await place.fault("destroy", "machine", "fail-after");
    expect((await place.destroy()).exit).toBe(0);
    expect(await place.step("machine")).toMatchObject({ status: "destroyed" });
    expect(await place.objects()).toEqual([]);
  });
});

describe("no answer", () => {
  it.each(["lose", "partial", "junk", "twice", "bad-exit"])(
    "W4: create with `%s` is unresolved, exit 21; a plain apply does not send it again",
    async (fault) => {
      await place.fault("create", "machine", fault);
      const done = await place.apply();
      expect(done.exit).toBe(21);
      expect(await place.struck(`create machine ${fault}`)).toBe(1);
      expect(await place.step("machine")).toMatchObject({
        status: "unresolved",
        effect: "possible",
        failedCommand: "create",
        reason: expect.stringMatching(/^nobody knows what create did: /),
      });
      expect((await place.status()).exit).toBe(21);
      if (fault === "partial")
        expect(await place.step("machine")).toMatchObject({
          identity: { id: "machine-1" },
          outputs: { early: "yes" },
        });
      const effects = await place.effects("create");
      expect((await place.reconcile()).exit).toBe(0);
      expect(await place.calls("create", "machine")).toHaveLength(1);
      const settled = await place.step("machine");
      expect(settled.status).toBe(effects === 1 ? "complete" : "pending");
      expect((await place.apply()).exit).toBe(0);
      expect(await place.objects()).toHaveLength(1);
      expect((await place.destroy()).exit).toBe(0);
      expect(await place.objects()).toEqual([]);
    },
  );

  it("R3: late commit: nothing is found at first, and that is not believed; it is adopted when it shows", async () => {
    await place.writeStack(stackText([cloudStep("machine", ["settle: 20s"])]));
    await place.fault("create", "machine", "late 1");
    expect((await place.apply()).exit).toBe(21);
    expect(await place.objects()).toEqual([]);
    const early = await place.apply();
    expect(early.exit).toBe(21);
    expect(why(early)).toMatch(
      /it is not sent again: it is declared retry: once, and its absence is not proven$/,
    );
    await until("the effect", async () => (await place.objects()).length === 1);
    expect((await place.apply()).exit).toBe(0);
    expect(await place.calls("create", "machine")).toHaveLength(1);
    expect(await place.objects()).toEqual(["machine-1"]);
  });

  it("R3: reconcile waits out settle, and so finds what came late", async () => {
    await place.writeStack(stackText([cloudStep("machine", ["settle: 5s"])]));
    await place.fault("create", "machine", "late 3");
    await place.apply();
    expect((await place.reconcile()).exit).toBe(0);
    expect(await place.step("machine")).toMatchObject({ status: "complete", identity: { id: "machine-1" } });
    expect(place.events.some((event) => event.kind === "waiting" && event.step === "machine")).toBe(true);
  });

  it("after done, observe is polled up to settle: an effect that shows late is complete", async () => {
    await place.writeStack(stackText([cloudStep("machine", ["settle: 10s"])]));
    await place.fault("create", "machine", "late-done 1");
    expect((await place.apply()).exit).toBe(0);
    expect(await place.step("machine")).toMatchObject({ status: "complete", identity: { id: "machine-1" } });
  });

  it("after done and settle, what was never seen is unresolved, not complete and not absent", async () => {
    await place.fault("create", "machine", "late-done 4");
    expect((await place.apply()).exit).toBe(21);
    expect(await place.objects()).toEqual([]);
    expect(await place.step("machine")).toMatchObject({
      status: "unresolved",
      reason: "it was answered with done, but nothing was found",
    });
    await until("the effect", async () => (await place.objects()).length === 1);
    expect((await place.apply()).exit).toBe(0);
    expect(await place.calls("create", "machine")).toHaveLength(1);
  });

  it("op-02: the wait timed out: the id is there already, and the next run asks for that id", async () => {
    await place.writeStack(stackText([cloudStep("machine", ["deadline: 1s"])]));
    await place.fault("create", "machine", "hang");
    const done = await place.apply();
    expect(done.exit).toBe(21);
    expect(await place.step("machine")).toMatchObject({
      status: "unresolved",
      identity: { id: "machine-1" },
      outputs: { early: "yes" },
      lastError: expect.stringContaining("within its deadline"),
    });
    expect((await place.apply()).exit).toBe(0);
    expect(await place.calls("create", "machine")).toHaveLength(1);
    expect((await place.calls("observe", "machine")).at(-1)).toContain("id=machine-1");
    expect(await place.objects()).toEqual(["machine-1"]);
  });

  it("op-02: three runs that each time out make one object", async () => {
    await place.writeStack(stackText([cloudStep("machine", ["deadline: 1s"])]));
    await place.fault("create", "machine", "always hang");
    await place.fault("observe", "machine", "always hidden");
    for (let run = 0; run < 3; run++) expect((await place.apply()).exit).toBe(21);
    expect(await place.objects()).toEqual(["machine-1"]);
  });

  it("D3: a destroy whose reply was lost: absence settles it; a thing still there does not vanish", async () => {
    await place.apply();
    await place.fault("destroy", "machine", "lose");
    expect((await place.destroy()).exit).toBe(0);
    expect(await place.step("machine")).toMatchObject({ status: "destroyed" });

    await place.apply();
    await place.fault("destroy", "machine", "junk");
    expect((await place.destroy()).exit).toBe(21);
    expect(await place.objects()).toHaveLength(1);
    expect(await place.step("machine")).toMatchObject({ status: "unresolved", failedCommand: "destroy" });
  });

  it("D3: a destroy that says done and did nothing is not destroyed: unresolved at its deadline, then still there", async () => {
    await place.writeStack(stackText([cloudStep("machine", ["deadline: 2s"])]));
    await place.apply();
    await place.fault("destroy", "machine", "nothing");
    expect((await place.destroy()).exit).toBe(21);
    expect(await place.objects()).toHaveLength(1);
    expect(await place.step("machine")).toMatchObject({ status: "unresolved", failedCommand: "destroy" });
    await place.reconcile();
    expect(await place.step("machine")).toMatchObject({ status: "error", effect: "known" });
    expect((await place.destroy()).exit).toBe(0);
    expect(await place.objects()).toEqual([]);
  });
});

describe("reading denied", () => {
  it.each(["deny", "denied"])(
    "op-03, D1 (%s): created, then unreadable: id and outputs kept, destroyable, unresolved until absence is seen",
    async (fault) => {
      await place.fault("observe", "machine", `always ${fault}`);
      const done = await place.apply();
      expect(done.exit).toBe(21);
      expect(await place.step("machine")).toMatchObject({
        status: "unresolved",
        identity: { id: "machine-1" },
        outputs: { name: "machine-1" },
        reason: expect.stringMatching(/it could not be read: /),
      });
      // R2: a question that is denied is no answer, so nothing is sent again.
      expect((await place.apply()).exit).toBe(21);
      expect(await place.calls("create", "machine")).toHaveLength(1);

      expect((await place.destroy()).exit).toBe(21);
      expect((await place.calls("destroy", "machine"))[0]).toContain("id=machine-1");
      expect(await place.objects()).toEqual([]);
      expect(await place.step("machine")).toMatchObject({ status: "unresolved" });
      // It was sent once: what is in doubt is not repeated.
      expect((await place.destroy()).exit).toBe(21);
      expect(await place.calls("destroy", "machine")).toHaveLength(1);
      await place.fault("observe", "machine", "");
      expect((await place.destroy()).exit).toBe(0);
      expect(await place.step("machine")).toMatchObject({ status: "destroyed" });
    },
  );

  it("apply observes before it trusts a recorded complete: denied → exit 20, and dependants wait", async () => {
    const two = (size: string) =>
      stackText([
        cloudStep("machine"),
        cloudStep("app", { lines: ["needs: [machine]"], with: [`inputs: { size: "${size}" }`] }),
      ]);
    await place.writeStack(two("1"));
    expect((await place.apply()).exit).toBe(0);
    await place.writeStack(two("2"));
    await place.fault("observe", "machine", "always deny");
    const done = await place.apply();
    expect(done.exit).toBe(20);
    expect(why(done)).toMatch(/^it is recorded as complete, but could not be observed now: /);
    expect(await place.calls("update", "app")).toEqual([]);
    expect(await place.step("machine")).toMatchObject({ status: "complete" });
  });
});

describe("half rows", () => {
  it("op-05: a first deploy that was cut off: plan, status and destroy work on a row without outputs", async () => {
    await place.writeStack(
      stackText([
        cloudStep("net"),
        cloudStep("machine", { with: [`inputs: { net: "\${steps.net.outputs.name}" }`] }),
      ]),
    );
    await place.fault("create", "net", "crash-before");
    expect((await place.run({ verb: "apply" })).signal).toBe("SIGKILL");
    const plan = await place.plan();
    expect(plan.steps.map((step) => [step.step, step.do])).toEqual([
      ["net", "observe-first"],
      ["machine", "create"],
    ]);
    expect((await place.status()).steps.map((step) => step.status)).toEqual(["unresolved", "pending"]);
    expect(await place.step("machine")).toMatchObject({
      waitingOn: [{ step: "net", why: "net is unresolved" }],
    });
    place.passTime(PAST_CALL_BY_MS);
    expect((await place.destroy()).exit).toBe(0);
    expect(await place.calls("destroy", "net")).toEqual([]);
    expect((await place.apply()).exit).toBe(0);
    expect((await place.destroy()).exit).toBe(0);
    expect(await place.objects()).toEqual([]);
  });

  it("op-05: destroy needs no outputs that never came, of a step that was made", async () => {
    await place.writeStack(
      stackText([
        cloudStep("net"),
        cloudStep("machine", { with: [`inputs: { net: "\${steps.net.outputs.name}" }`] }),
      ]),
    );
    await place.fault("create", "machine", "lose");
    expect((await place.apply()).exit).toBe(21);
    expect((await place.destroy()).exit).toBe(0);
    expect(await place.objects()).toEqual([]);
  });
});

describe("what nothing can observe", () => {
  const blind = (lines: readonly string[] = []) =>
    stackText([cloudStep("machine", { lines, without: ["observe"] })]);

  it("is complete by its own word only, and destroyed by its own word", async () => {
    await place.writeStack(blind());
    expect((await place.apply()).exit).toBe(0);
    expect(await place.step("machine")).toMatchObject({
      status: "complete",
      reason: "complete by its own word; nothing can observe it",
    });
    expect((await place.destroy()).exit).toBe(0);
    expect((await place.step("machine")).reason).toMatch(/^destroyed by its own word/);
  });

  it("R5: its unknown outcome is settled by a decision; `once` is not sent again", async () => {
    await place.writeStack(blind());
    await place.fault("create", "machine", "lose");
    expect((await place.apply()).exit).toBe(21);
    expect((await place.apply()).exit).toBe(21);
    expect((await place.reconcile()).exit).toBe(21);
    expect(await place.calls("create", "machine")).toHaveLength(1);
    expect((await place.do({ verb: "resolve", step: "machine", as: "present", id: "machine-1" })).exit).toBe(
      0,
    );
    expect(await place.step("machine")).toMatchObject({ status: "complete", identity: { id: "machine-1" } });
    expect((await place.apply()).exit).toBe(0);
    expect(await place.calls("create", "machine")).toHaveLength(1);
    expect((await place.destroy()).exit).toBe(0);
    expect(await place.objects()).toEqual([]);
  });

  it("R5: or by running it again, where it is idempotent", async () => {
    await place.writeStack(blind(["retry: idempotent"]));
    await place.cloudIs("keyed");
    await place.fault("create", "machine", "lose");
    expect((await place.apply()).exit).toBe(21);
    expect((await place.apply()).exit).toBe(0);
    expect(await place.calls("create", "machine")).toHaveLength(2);
    expect(await place.objects()).toHaveLength(1);
  });

  it("without destroy there is nothing to remove: destroyed by its own word, exit 0, nothing called", async () => {
    await place.writeStack(stackText([cloudStep("machine", { without: ["destroy"] })]));
    await place.apply();
    expect((await place.destroy()).exit).toBe(0);
    expect(await place.calls("destroy", "machine")).toEqual([]);
    expect((await place.step("machine")).reason).toMatch(/^destroyed by its own word: it has no destroy/);
  });
});
