/** R1-R6, N3, W4: what a look may settle, what it may not, and what is somebody else's. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Done } from "../../src/runtime/operation.ts";
import type { Refused } from "../../src/runtime/runtime.ts";
import { cloudStep, makePlace, PAST_CALL_BY_MS, type Place, stackText } from "./place.ts";

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
const keysSent = async (step = "machine") =>
  new Set((await place.calls("create", step)).map((call) => /key=(\S+)/.exec(call)?.[1]));

describe("a look", () => {
  it("R6: reconcile sends no mutating call, whatever it finds", async () => {
    await place.fault("create", "machine", "lose");
    await place.apply();
    await place.fault("observe", "machine", "drift");
    await place.reconcile();
    await place.reconcile();
    const log = await place.log();
    expect(log.filter((line) => /^(update|destroy|owed|compensate) /.test(line))).toEqual([]);
    expect(await place.calls("create", "machine")).toHaveLength(1);
    expect((await place.calls("observe", "machine")).length).toBeGreaterThan(1);
  });

  it.each(["deny", "denied"])("R2: a question without an answer (%s) closes no doubt", async (fault) => {
    await place.fault("create", "machine", "lose");
    await place.apply();
    await place.fault("observe", "machine", `always ${fault}`);
    place.passTime(PAST_CALL_BY_MS);
    expect((await place.reconcile()).exit).toBe(21);
    expect(await place.step("machine")).toMatchObject({ status: "unresolved", effect: "possible" });
    // Control: the same with an answer is settled.
    await place.fault("observe", "machine", "");
    expect((await place.reconcile()).exit).toBe(0);
  });

  it("R2: a complete step that cannot be read is undetermined, exit 20, and stays complete", async () => {
    await place.apply();
    await place.fault("observe", "machine", "always deny");
    const done = await place.reconcile();
    expect(done.exit).toBe(20);
    expect(why(done)).toMatch(
      /^it is recorded as complete, but could not be observed now: .*permission denied/,
    );
    expect(await place.step("machine")).toMatchObject({ status: "complete" });
  });

  it("R3: one `not found` inside the settle window is not absence", async () => {
    await place.writeStack(stackText([cloudStep("machine", ["settle: 30s"])]));
    await place.fault("create", "machine", "lose");
    await place.apply();
    await place.fault("observe", "machine", "hidden");
    const done = await place.do({ verb: "reconcile", wait: false });
    expect(done.exit).toBe(21);
    expect(await place.struck("observe machine hidden")).toBe(1);
    expect(await place.step("machine")).toMatchObject({ status: "unresolved" });
    expect((await place.do({ verb: "reconcile", wait: false })).exit).toBe(0);
    expect(await place.objects()).toHaveLength(1);
  });

  it("R3: a complete step is gone only on two readings, settle apart: disappeared, exit 10", async () => {
    await place.apply();
    await place.removeObject("machine-1");
    const once = await place.do({ verb: "reconcile", wait: false });
    expect(once.exit).toBe(21);
    expect(await place.step("machine")).toMatchObject({
      status: "unresolved",
      identity: { id: "machine-1" },
      reason: expect.stringMatching(/^it was complete, but nothing was found at .*a second look/),
    });
    place.passTime(2_000);
    await place.do({ verb: "reconcile", wait: false });
    const gone = await place.step("machine");
    expect(gone).toMatchObject({
      status: "destroyed",
      reason: expect.stringMatching(/^disappeared: nothing was found at .* and at /),
      identity: null,
      previous: [
        expect.objectContaining({ identity: "machine-1", outputs: { name: "machine-1", seen: "machine-1" } }),
      ],
    });
    expect((await place.status()).exit).toBe(10);
    const plan = await place.plan();
    expect(plan.steps).toMatchObject([
      {
        step: "machine",
        do: "create",
        why: expect.stringContaining("has to be created again: it disappeared"),
      },
    ]);
    expect((await place.apply()).exit).toBe(0);
    expect(await place.objects()).toEqual(["machine-2"]);
    expect(await keysSent()).toHaveProperty("size", 2);
  });

  it("R3: apply takes the second reading itself, then creates it again; a thing only hidden once is left", async () => {
    await place.apply();
    await place.fault("observe", "machine", "hidden");
    expect((await place.apply()).exit).toBe(0);
    expect(await place.struck("observe machine hidden")).toBe(1);
    expect(await place.objects()).toEqual(["machine-1"]);
    await place.removeObject("machine-1");
    expect((await place.apply()).exit).toBe(0);
    expect(await place.objects()).toEqual(["machine-2"]);
  });

  it("W4: outputs of an earlier incarnation stay visible as previous, never as identity", async () => {
    await place.apply();
    await place.destroy();
    await place.fault("create", "machine", "refuse");
    await place.apply();
    expect(await place.step("machine")).toMatchObject({
      identity: null,
      outputs: {},
      previous: [expect.objectContaining({ identity: "machine-1" })],
    });
  });
});

describe("drift", () => {
  it("present, not as declared: error, effect known, exit 10; apply updates it", async () => {
    await place.apply();
    await place.fault("observe", "machine", "drift");
    const done = await place.reconcile();
    expect(done.exit).toBe(10);
    expect(await place.step("machine")).toMatchObject({
      status: "error",
      effect: "known",
      lastError: "it is there, but not as declared: size is 1, not 2",
      identity: { id: "machine-1" },
    });
    expect((await place.status()).exit).toBe(10);
    await place.fault("observe", "machine", "drift");
    expect((await place.apply()).exit).toBe(0);
    expect(await place.calls("update", "machine")).toHaveLength(1);
    expect(await place.step("machine")).toMatchObject({ status: "complete", lastError: null });
  });

  it("that mended itself is complete again, and nothing is called", async () => {
    await place.apply();
    await place.fault("observe", "machine", "drift");
    await place.reconcile();
    expect((await place.apply()).exit).toBe(0);
    expect(await place.calls("update", "machine")).toEqual([]);
  });
});

describe("whose it is", () => {
  it("op-17, R4: another id than the recorded one is not the same thing: ask, call nothing", async () => {
    await place.apply();
    await place.fault("observe", "machine", "always other stranger-7");
    const done = await place.reconcile();
    expect(done.exit).toBe(21);
    expect(await place.step("machine")).toMatchObject({
      status: "unresolved",
      identity: { id: "machine-1" },
      reason: "several things match: machine-1, stranger-7; a person has to choose",
    });
    const applied = await place.apply();
    expect(applied.exit).toBe(21);
    expect(await place.calls("update", "machine")).toEqual([]);
    expect(await place.calls("create", "machine")).toHaveLength(1);
  });

  it("op-17, R4: several candidates for a call in doubt: none is adopted, a person decides", async () => {
    await place.fault("create", "machine", "lose");
    await place.apply();
    await place.fault("observe", "machine", "always ambiguous");
    place.passTime(PAST_CALL_BY_MS);
    const done = await place.reconcile();
    expect(done.exit).toBe(21);
    expect(await place.step("machine")).toMatchObject({ status: "unresolved", identity: null });
    expect((await place.step("machine")).reason).toMatch(/several things match.*a, b/);
    expect((await place.apply()).exit).toBe(21);
    expect((await place.destroy()).exit).toBe(21);
    expect(await place.calls("create", "machine")).toHaveLength(1);
    expect(await place.calls("destroy", "machine")).toEqual([]);
    const decided = await place.do({ verb: "resolve", step: "machine", as: "present", id: "machine-1" });
    expect(decided.exit).toBe(0);
    await place.fault("observe", "machine", "");
    expect((await place.apply()).exit).toBe(0);
    expect((await place.destroy()).exit).toBe(0);
    expect(await place.objects()).toEqual([]);
  });

  it("op-17, R4: what is there before we ever created is not adopted by a look", async () => {
    await place.cloudIs("named");
    await place.makeObject("theirs", "key=none\nstep=machine\nbody=\n");
    await place.writeStack(stackText([cloudStep("machine", ["retry: named"])]));
    const done = await place.apply();
    expect(done.exit).toBe(23);
    expect(why(done)).toMatch(/^something of that name is there already, and it is not this step's/);
    expect(await place.calls("create", "machine")).toEqual([]);
    expect((await place.destroy()).exit).toBe(0);
    expect(await place.objects()).toEqual(["theirs"]);
  });

  it("op-17: import takes it over, by a recorded decision with its id", async () => {
    await place.makeObject("theirs", "key=none\nstep=machine\nbody=\n");
    const done = await place.do({ verb: "import", step: "machine", id: "theirs" });
    expect(done.exit).toBe(0);
    expect(await place.step("machine")).toMatchObject({ status: "complete", identity: { id: "theirs" } });
    expect((await place.apply()).exit).toBe(0);
    expect(await place.calls("create", "machine")).toEqual([]);
    expect((await place.destroy()).exit).toBe(0);
    expect(await place.objects()).toEqual([]);
  });

  it("forget asks for the expected id, and says that the thing may still exist", async () => {
    await place.apply();
    const wrong = await place.do({ verb: "forget", step: "machine", id: "machine-9" });
    expect(wrong).toMatchObject({
      kind: "refused",
      exit: 23,
      why: expect.stringContaining("--id machine-1"),
    });
    expect((await place.do({ verb: "forget", step: "machine", id: "machine-1" })).exit).toBe(0);
    expect(await place.step("machine")).toMatchObject({
      status: "pending",
      identity: null,
      reason: expect.stringContaining("may still exist"),
    });
    expect(await place.objects()).toEqual(["machine-1"]);
  });

  it("op-04: a decision needs doubt: resolve of a complete step is refused", async () => {
    await place.apply();
    const done = await place.do({ verb: "resolve", step: "machine", as: "absent" });
    expect(done).toMatchObject({
      kind: "refused",
      exit: 23,
      why: expect.stringContaining("nothing to resolve"),
    });
  });
});

describe("sent again while in doubt", () => {
  const hiddenAfterLoss = async (lines: readonly string[], size = "1") => {
    await place.writeStack(
      stackText([cloudStep("machine", { lines, with: [`inputs: { size: "${size}" }`] })]),
    );
  };

  it("R5 once: never before absence is proven; then with a new key", async () => {
    await hiddenAfterLoss(["retry: once"]);
    await place.fault("create", "machine", "crash-before");
    await place.run({ verb: "apply" });
    expect((await place.apply()).exit).toBe(21);
    expect(await place.calls("create", "machine")).toHaveLength(1);
    place.passTime(PAST_CALL_BY_MS);
    expect((await place.apply()).exit).toBe(0);
    expect((await keysSent()).size).toBe(2);
    expect(await place.objects()).toHaveLength(1);
  });

  it("R5 keyed: again with the same key and the same body", async () => {
    await place.cloudIs("keyed");
    await hiddenAfterLoss(["retry: keyed", "settle: 30s"]);
    await place.fault("create", "machine", "lose");
    expect((await place.apply()).exit).toBe(21);
    await place.fault("observe", "machine", "hidden");
    expect((await place.apply()).exit).toBe(0);
    expect(await place.calls("create", "machine")).toHaveLength(2);
    expect((await keysSent()).size).toBe(1);
    expect(await place.objects()).toEqual(["machine-1"]);
  });

  it("R5 keyed: not with a changed body", async () => {
    await place.cloudIs("keyed");
    await hiddenAfterLoss(["retry: keyed", "settle: 30s"]);
    await place.fault("create", "machine", "lose");
    await place.apply();
    await hiddenAfterLoss(["retry: keyed", "settle: 30s"], "2");
    await place.fault("observe", "machine", "hidden");
    const done = await place.apply();
    expect(done.exit).toBe(21);
    expect(why(done)).toMatch(/only with the same body, and the inputs have changed since$/);
    expect(await place.calls("create", "machine")).toHaveLength(1);
  });

  it("R5 keyed: after keyLifetime as once", async () => {
    await place.cloudIs("keyed");
    await hiddenAfterLoss(["retry: keyed", "keyLifetime: 1h", "settle: 2h"]);
    await place.fault("create", "machine", "lose");
    await place.apply();
    place.passTime(3_700_000);
    await place.fault("observe", "machine", "hidden");
    const done = await place.apply();
    expect(done.exit).toBe(21);
    expect(why(done)).toMatch(/the lifetime of its key is over, so the provider may have forgotten it$/);
    expect(await place.calls("create", "machine")).toHaveLength(1);
    // Control: it is there, and is found by the key.
    expect((await place.apply()).exit).toBe(0);
  });

  it("R5 named: again, and what is found is adopted only if absence was seen before the intent", async () => {
    await place.cloudIs("named");
    await hiddenAfterLoss(["retry: named", "settle: 30s"]);
    await place.fault("create", "machine", "lose");
    expect((await place.apply()).exit).toBe(21);
    expect(await place.calls("observe", "machine")).toHaveLength(1);
    await place.fault("observe", "machine", "hidden");
    const again = await place.apply();
    // The name is taken: the provider answers so, and it is found to be there; ours, since it was absent before.
    expect([21, 0]).toContain(again.exit);
    expect(await place.objects()).toEqual(["machine-1"]);
    expect((await place.apply()).exit).toBe(0);
    expect(await place.step("machine")).toMatchObject({ status: "complete", identity: { id: "machine-1" } });
  });

  it("R5 named: without an absence seen before, a thing of that name is not taken for ours", async () => {
    await place.cloudIs("named");
    await hiddenAfterLoss(["retry: named", "settle: 30s"]);
    await place.fault("observe", "machine", "deny");
    const done = await place.apply();
    // Whether the name was free could not be told, so nothing may be assumed later.
    expect(done.exit).not.toBe(0);
    expect(await place.calls("create", "machine")).toEqual([]);
  });

  it("R5 idempotent: again after a look that found nothing; not after one that was not answered", async () => {
    await place.cloudIs("keyed");
    await hiddenAfterLoss(["retry: idempotent", "settle: 30s"]);
    await place.fault("create", "machine", "lose");
    await place.apply();
    await place.fault("observe", "machine", "deny");
    const denied = await place.apply();
    expect(denied.exit).toBe(21);
    expect(await place.calls("create", "machine")).toHaveLength(1);
    await place.fault("observe", "machine", "hidden");
    expect((await place.apply()).exit).toBe(0);
    expect(await place.calls("create", "machine")).toHaveLength(2);
    expect(await place.objects()).toHaveLength(1);
  });
});

describe("a second object", () => {
  /** A late first object, after its absence was believed and another was made. */
  const twoObjects = async () => {
    await place.fault("create", "machine", "other-id machine-0");
    await place.makeObject("machine-0", "key=none\nstep=machine\nbody=\n");
  };

  it("N3: an update that answers with another id: the first is kept as surplus, in doubt, exit 21", async () => {
    const sized = (size: string) =>
      stackText([cloudStep("machine", { with: [`inputs: { size: "${size}" }`] })]);
    await place.writeStack(sized("1"));
    await place.apply();
    await place.writeStack(sized("2"));
    await place.makeObject("machine-5", 'key=none\nstep=machine\nbody="size":"2"\n');
    await place.fault("update", "machine", "other-id machine-5");
    const done = await place.apply();
    expect(done.exit).toBe(21);
    expect(await place.step("machine")).toMatchObject({
      status: "unresolved",
      identity: { id: "machine-5" },
      surplus: [expect.objectContaining({ id: "machine-1" })],
    });
    expect((await place.status()).exit).toBe(21);
    // Not looked away: apply changes nothing while there are two.
    const again = await place.apply();
    expect(again.exit).toBe(21);
    expect(why(again)).toMatch(/^a second object exists \(machine-1\)/);
    expect((await place.destroy()).exit).toBe(0);
    expect(await place.objects()).toEqual([]);
  });

  it("N3: the same, where somebody else's drift is seen at the first: still in doubt", async () => {
    const sized = (size: string) =>
      stackText([cloudStep("machine", { with: [`inputs: { size: "${size}" }`] })]);
    await place.writeStack(sized("1"));
    await place.apply();
    await place.writeStack(sized("2"));
    await place.makeObject("machine-5", 'key=none\nstep=machine\nbody="size":"2"\n');
    await place.fault("update", "machine", "other-id machine-5");
    await place.apply();
    await place.fault("observe", "machine", "always drift");
    expect((await place.reconcile()).exit).toBe(21);
    expect((await place.status()).exit).toBe(21);
  });

  it("N3: a surplus that somebody else owns is forgotten by decision, and the step is complete", async () => {
    const sized = (size: string) =>
      stackText([cloudStep("machine", { with: [`inputs: { size: "${size}" }`] })]);
    await place.writeStack(sized("1"));
    await place.apply();
    await place.writeStack(sized("2"));
    await place.makeObject("machine-5", 'key=none\nstep=machine\nbody="size":"2"\n');
    await place.fault("update", "machine", "other-id machine-5");
    await place.apply();
    expect((await place.do({ verb: "forget", step: "machine", id: "machine-1" })).exit).toBe(0);
    expect((await place.apply()).exit).toBe(0);
    expect(await place.step("machine")).toMatchObject({ status: "complete", surplus: [] });
  });

  it("D4: two objects under one key: none is destroyed by guess", async () => {
    await twoObjects();
    await place.writeStack(stackText([cloudStep("machine", ["retry: keyed", "settle: 30s"])]));
    await place.fault("create", "machine", "times 2 lose");
    await place.apply();
    await place.fault("observe", "machine", "hidden");
    await place.apply();
    expect((await place.objects()).length).toBeGreaterThan(1);
    const done = await place.destroy();
    expect(done.exit).toBe(21);
    expect(await place.calls("destroy", "machine")).toEqual([]);
    expect((await place.step("machine")).reason).toMatch(/several things match/);
  });
});
