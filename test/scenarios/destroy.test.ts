/** D1-D6, K1, and what a person keeps, approves or takes out of the file. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Done } from "../../src/runtime/operation.ts";
import type { Refused } from "../../src/runtime/runtime.ts";
import { cloudStep, makePlace, PAST_CALL_BY_MS, type Place, stackText } from "./place.ts";

let place: Place;
beforeEach(async () => {
  place = await makePlace();
});
afterEach(() => place.end());

const why = (result: Done | Refused, step: string): string => {
  if (result.kind === "refused") return result.why;
  const ending = result.endings.get(step as never);
  return ending?.kind === "stopped" ? ending.why : "";
};
const notes = (result: Done | Refused): readonly string[] => (result.kind === "done" ? result.notes : []);
const KEEP = "retain: { owner: platform, reason: legal hold, reviewBy: 2027-06-30 }";
const order = async (action: string) =>
  (await place.log()).filter((line) => line.startsWith(`${action} `)).map((line) => line.split(" ")[1]);

describe("the order", () => {
  it("destroys in the reverse order of needs, each only after the absence of what needed it", async () => {
    await place.writeStack(
      stackText([
        cloudStep("net"),
        cloudStep("machine", ["needs: [net]"]),
        cloudStep("app", ["needs: [machine]"]),
      ]),
    );
    expect((await place.apply()).exit).toBe(0);
    expect(await order("create")).toEqual(["net", "machine", "app"]);
    expect((await place.destroy()).exit).toBe(0);
    expect(await order("destroy")).toEqual(["app", "machine", "net"]);
  });

  it("D1, P2: what needs a thing that would not go keeps it: unresolved, exit 21, nothing else called", async () => {
    await place.writeStack(stackText([cloudStep("net"), cloudStep("machine", ["needs: [net]"])]));
    await place.apply();
    await place.fault("destroy", "machine", "junk");
    expect((await place.destroy()).exit).toBe(21);
    expect(await place.calls("destroy", "net")).toEqual([]);
    expect(await place.step("net")).toMatchObject({ status: "complete" });
    expect(await place.objects()).toEqual(["machine-1", "net-1"]);
  });

  it("op-18: destroy where nothing was ever applied: exit 0, nothing called", async () => {
    await place.writeStack(stackText([cloudStep("machine")]));
    expect(await place.destroy()).toMatchObject({ exit: 0 });
    expect(await place.log()).toEqual([]);
    await place.apply();
    await place.destroy();
    expect((await place.destroy()).exit).toBe(0);
    expect(await place.calls("destroy", "machine")).toHaveLength(1);
  });

  it("destroy STEP is refused while something else needs it, before anything is called: exit 23", async () => {
    await place.writeStack(stackText([cloudStep("net"), cloudStep("machine", ["needs: [net]"])]));
    await place.apply();
    const done = await place.destroy(["net"]);
    expect(done).toMatchObject({
      exit: 23,
      why: "machine still needs net; destroy it as well, or first; nothing was called",
    });
    expect(await order("destroy")).toEqual([]);
    expect((await place.destroy(["machine"])).exit).toBe(0);
    expect(await place.objects()).toEqual(["net-1"]);
  });
});

describe("contained children", () => {
  const family = () =>
    stackText([
      cloudStep("machine"),
      cloudStep("guest", { lines: ["partOf: machine"], with: ['inputs: { in: "machine" }'] }),
      cloudStep("inner", { lines: ["partOf: guest"], with: ['inputs: { in: "guest" }'] }),
    ]);

  it("op-11, D2: are not called when their parent goes, and close on the proof of its absence", async () => {
    await place.writeStack(family());
    expect((await place.apply()).exit).toBe(0);
    expect((await place.destroy()).exit).toBe(0);
    expect(await order("destroy")).toEqual(["machine"]);
    expect(await place.objects()).toEqual([]);
    for (const child of ["guest", "inner"])
      expect(await place.step(child)).toMatchObject({
        status: "destroyed",
        reason: "it was contained in machine, whose absence was observed",
      });
  });

  it("op-11, D2: while the parent's destroy is in doubt, so are the children", async () => {
    await place.writeStack(family());
    await place.apply();
    await place.fault("destroy", "machine", "junk");
    expect((await place.destroy()).exit).toBe(21);
    for (const child of ["guest", "inner"]) {
      const shown = await place.step(child);
      expect(shown.status).toBe("unresolved");
      expect(shown.reason).toMatch(/^it is contained in machine, whose destroy is in doubt/);
    }
    await place.reconcile();
    // Seen to be still there: the children are what they were.
    expect(await place.step("machine")).toMatchObject({ status: "error", failedCommand: "destroy" });
    expect((await place.destroy()).exit).toBe(0);
    expect((await place.step("inner")).status).toBe("destroyed");
  });

  it("D2: the parent's failed destroy leaves them unresolved; a refused one leaves them as they were", async () => {
    await place.writeStack(family());
    await place.apply();
    await place.fault("destroy", "machine", "fail");
    expect((await place.destroy()).exit).toBe(21);
    expect((await place.step("guest")).status).toBe("unresolved");
    // A refusal after it says nothing about the one before.
    await place.fault("destroy", "machine", "refuse");
    expect((await place.destroy()).exit).toBe(21);
    expect((await place.step("guest")).status).toBe("unresolved");
    await place.reconcile();
    await place.fault("destroy", "machine", "refuse");
    expect((await place.destroy()).exit).toBe(10);
    expect((await place.step("guest")).status).toBe("complete");
  });

  it("op-11: killed inside the parent's destroy: the link is in the record, so the children close with it", async () => {
    await place.writeStack(family());
    await place.apply();
    await place.fault("destroy", "machine", "crash-after");
    expect((await place.run({ verb: "destroy" })).signal).toBe("SIGKILL");
    expect((await place.step("guest")).status).toBe("unresolved");
    await place.removeStack();
    expect((await place.reconcile()).exit).toBe(0);
    for (const step of ["machine", "guest", "inner"])
      expect((await place.step(step)).status).toBe("destroyed");
    expect(await order("destroy")).toEqual(["machine"]);
  });

  it("D2: alone, a child's own destroy is called", async () => {
    await place.writeStack(family());
    await place.apply();
    expect((await place.destroy(["inner"])).exit).toBe(0);
    expect(await order("destroy")).toEqual(["inner"]);
    expect((await place.step("machine")).status).toBe("complete");
  });

  it("D2: a parent that disappeared takes them along, by its identity's proven absence", async () => {
    await place.writeStack(family());
    await place.apply();
    await place.removeObject("machine-1");
    await place.reconcile();
    expect((await place.step("machine")).status).toBe("destroyed");
    expect((await place.step("guest")).status).toBe("destroyed");
    expect((await place.status()).exit).toBe(10);
  });

  it("D2: a child that needs an approval stops the parent, exit 23, before anything is called", async () => {
    await place.writeStack(
      stackText([
        cloudStep("machine"),
        cloudStep("guest", ["partOf: machine", "approve: { before: destroy, by: [tester] }"]),
      ]),
    );
    expect((await place.apply()).exit).toBe(0);
    const stopped = await place.destroy();
    expect(stopped.exit).toBe(23);
    expect(why(stopped, "machine")).toMatch(
      /^guest is contained in it, and its destroy waits for an approval by tester/,
    );
    expect(await order("destroy")).toEqual([]);
    expect((await place.do({ verb: "approve", step: "guest", before: "destroy" })).exit).toBe(0);
    expect((await place.destroy()).exit).toBe(0);
    expect(await place.step("guest")).toMatchObject({ status: "destroyed" });
  });
});

describe("retained", () => {
  it("op-19, D6: destroy leaves it with all that it needs and is part of; listed; exit 0", async () => {
    await place.writeStack(
      stackText([
        cloudStep("net"),
        cloudStep("machine", ["needs: [net]"]),
        cloudStep("disk", ["partOf: machine", KEEP]),
        cloudStep("app", ["needs: [disk]"]),
      ]),
    );
    await place.apply();
    const done = await place.destroy();
    expect(done.exit).toBe(0);
    expect(await order("destroy")).toEqual(["app"]);
    expect(notes(done)).toEqual(
      expect.arrayContaining([
        "disk was left: retained for platform: legal hold; to be reviewed by 2027-06-30",
        "machine was left: kept because disk needs it",
        "net was left: kept because machine needs it",
      ]),
    );
    expect(await place.step("disk")).toMatchObject({
      status: "retained",
      retained: { owner: "platform", reason: "legal hold", reviewBy: "2027-06-30" },
      identity: { id: "disk-1" },
    });
    expect((await place.status()).exit).toBe(0);
    expect(await place.objects()).toEqual(["disk-1", "machine-1", "net-1"]);
  });

  it("op-19: `retain` set without another change, the step then removed from the file: not destroyed", async () => {
    await place.writeStack(stackText([cloudStep("net"), cloudStep("db")]));
    await place.apply();
    await place.writeStack(stackText([cloudStep("net"), cloudStep("db", [KEEP])]));
    expect((await place.apply()).exit).toBe(0);
    await place.writeStack(stackText([cloudStep("net")]));
    const applied = await place.apply({ allowDestroy: true });
    expect(applied.exit).toBe(0);
    expect(notes(applied).join()).toMatch(/^db: it left the file and is retained \(platform: legal hold\)/);
    expect((await place.destroy()).exit).toBe(0);
    expect(await place.objects()).toEqual(["db-1"]);
    // Control: without the word it goes.
    await place.do({ verb: "retain", step: "db", retain: null });
  });

  it("op-10: a later apply takes it up again, the same object: no second one under its name", async () => {
    await place.cloudIs("named");
    await place.writeStack(stackText([cloudStep("db", [KEEP])]));
    await place.apply();
    await place.destroy();
    expect((await place.step("db")).status).toBe("retained");
    expect((await place.apply()).exit).toBe(0);
    expect(await place.step("db")).toMatchObject({ status: "complete", identity: { id: "db-1" } });
    expect(await place.calls("create", "db")).toHaveLength(1);
    expect((await place.destroy()).exit).toBe(0);
    expect((await place.apply()).exit).toBe(0);
    expect(await place.objects()).toEqual(["db-1"]);
  });

  it("op-10: what was retained and is gone is said, not assumed", async () => {
    await place.writeStack(stackText([cloudStep("db", [KEEP])]));
    await place.apply();
    await place.destroy();
    await place.removeObject("db-1");
    await place.reconcile();
    expect(await place.step("db")).toMatchObject({
      status: "destroyed",
      reason: expect.stringMatching(/^disappeared/),
    });
    expect((await place.status()).exit).toBe(10);
  });

  it("a recorded decision keeps it without the file, and releases it", async () => {
    await place.writeStack(stackText([cloudStep("db")]));
    await place.apply();
    const retain = { owner: "ops", reason: "audit", reviewBy: "2027-01-01" };
    expect((await place.do({ verb: "retain", step: "db", retain })).exit).toBe(0);
    await place.removeStack();
    expect((await place.destroy()).exit).toBe(0);
    expect(await place.objects()).toEqual(["db-1"]);
    expect((await place.do({ verb: "retain", step: "db", retain: null })).exit).toBe(0);
    expect((await place.destroy()).exit).toBe(0);
    expect(await place.objects()).toEqual([]);
  });

  it("a retained step in doubt stays in doubt: destroy lists it and exits 21", async () => {
    await place.writeStack(stackText([cloudStep("db", [KEEP])]));
    await place.fault("create", "db", "junk");
    await place.apply();
    expect((await place.destroy()).exit).toBe(21);
    expect((await place.step("db")).status).toBe("unresolved");
  });
});

describe("out of the file", () => {
  it("a step that left the file is left and listed, exit 0; --allow-destroy removes it", async () => {
    await place.writeStack(stackText([cloudStep("net"), cloudStep("machine")]));
    await place.apply();
    await place.writeStack(stackText([cloudStep("net")]));
    const left = await place.apply();
    expect(left.exit).toBe(0);
    expect(notes(left)).toEqual([
      "machine: it left the file and still exists; --allow-destroy, or destroy, removes it",
    ]);
    expect(await place.objects()).toEqual(["machine-1", "net-1"]);
    expect((await place.apply({ allowDestroy: true })).exit).toBe(0);
    expect(await place.objects()).toEqual(["net-1"]);
  });

  it("op-16: an emptied file forgets nothing: destroy includes what left it", async () => {
    await place.writeStack(stackText([cloudStep("net"), cloudStep("machine")]));
    await place.apply();
    await place.writeStack(stackText([cloudStep("net")]));
    await place.apply();
    expect((await place.destroy()).exit).toBe(0);
    expect(await place.objects()).toEqual([]);
  });

  it("op-08: removed from the file while unresolved: settled and destroyed without the file", async () => {
    await place.writeStack(stackText([cloudStep("net"), cloudStep("machine")]));
    await place.fault("create", "machine", "lose");
    expect((await place.apply()).exit).toBe(21);
    await place.writeStack(stackText([cloudStep("net")]));
    const left = await place.apply();
    expect(left.exit).toBe(21);
    expect((await place.status()).exit).toBe(21);
    await place.removeStack();
    expect((await place.reconcile()).exit).toBe(0);
    expect(await place.step("machine")).toMatchObject({ status: "complete", identity: { id: "machine-1" } });
    expect((await place.destroy()).exit).toBe(0);
    expect(await place.objects()).toEqual([]);
  });

  it("op-08: the same, killed before its effect: proven absent without the file, and no longer in the way", async () => {
    await place.writeStack(stackText([cloudStep("net"), cloudStep("machine", ["needs: [net]"])]));
    await place.fault("create", "machine", "crash-before");
    await place.run({ verb: "apply" });
    await place.writeStack(stackText([cloudStep("net")]));
    expect((await place.apply()).exit).toBe(21);
    place.passTime(PAST_CALL_BY_MS);
    expect((await place.reconcile()).exit).toBe(0);
    expect((await place.apply()).exit).toBe(0);
    expect((await place.status()).exit).toBe(0);
  });

  it("renamedFrom: what exists moves along, nothing is called, the old name is gone", async () => {
    await place.writeStack(stackText([cloudStep("machine")]));
    await place.apply();
    await place.writeStack(stackText([cloudStep("host", ["renamedFrom: machine"])]));
    expect((await place.apply({ allowDestroy: true })).exit).toBe(0);
    expect(await order("create")).toEqual(["machine"]);
    expect(await order("destroy")).toEqual([]);
    expect((await place.status()).steps.map((step) => step.step)).toEqual(["host"]);
    expect(await place.step("host")).toMatchObject({ status: "complete", identity: { id: "machine-1" } });
    // Left in the file it does no harm.
    expect((await place.apply()).exit).toBe(0);
    expect(await place.objects()).toEqual(["machine-1"]);
  });

  it("renamedFrom: doubt moves along too", async () => {
    await place.writeStack(stackText([cloudStep("machine")]));
    await place.fault("create", "machine", "junk");
    await place.apply();
    await place.writeStack(stackText([cloudStep("host", ["renamedFrom: machine", "settle: 30s"])]));
    const done = await place.apply();
    expect(done.exit).toBe(21);
    expect(await order("create")).toEqual(["machine"]);
    expect((await place.step("host")).status).toBe("unresolved");
  });
});

describe("changes", () => {
  const sized = (size: string, lines: readonly string[] = [], more: readonly string[] = []) =>
    stackText([cloudStep("machine", { lines, with: [`inputs: { size: "${size}" }`] }), ...more]);

  it("a change of inputs is an update; without a change nothing is called", async () => {
    await place.writeStack(sized("1"));
    await place.apply();
    expect((await place.apply()).exit).toBe(0);
    expect(await place.calls("update", "machine")).toEqual([]);
    await place.writeStack(sized("2"));
    const plan = await place.plan();
    expect(plan.steps).toMatchObject([{ do: "update", changed: ["/inputs/size"] }]);
    expect((await place.apply()).exit).toBe(0);
    expect(await place.effects("update machine-1")).toBe(1);
  });

  it("onChange replace without permission: the step keeps its status, exit 23, nothing is called", async () => {
    await place.writeStack(sized("1", ["onChange: replace"]));
    await place.apply();
    await place.writeStack(sized("2", ["onChange: replace"]));
    const done = await place.apply();
    expect(done.exit).toBe(23);
    expect(why(done, "machine")).toMatch(/needs --allow-destroy or an approved saved plan$/);
    expect(await place.step("machine")).toMatchObject({
      status: "complete",
      identity: { id: "machine-1" },
      lastError: null,
    });
    expect((await place.status()).exit).toBe(0);
    expect(await order("destroy")).toEqual([]);
  });

  it("onChange replace: destroyed, proven absent, created with a new key; contained children come again", async () => {
    const child = cloudStep("guest", { lines: ["partOf: machine"], with: ['inputs: { in: "machine" }'] });
    await place.writeStack(sized("1", ["onChange: replace"], [child]));
    await place.apply();
    await place.writeStack(sized("2", ["onChange: replace"], [child]));
    expect((await place.apply({ allowDestroy: true })).exit).toBe(0);
    expect(await order("destroy")).toEqual(["machine"]);
    expect(await order("create")).toEqual(["machine", "guest", "machine", "guest"]);
    const keys = (await place.calls("create", "machine")).map((call) => /key=(\S+)/.exec(call)?.[1]);
    expect(new Set(keys).size).toBe(2);
    expect(await place.step("machine")).toMatchObject({
      status: "complete",
      identity: { id: "machine-2" },
      previous: [expect.objectContaining({ identity: "machine-1" })],
    });
    expect(await place.step("guest")).toMatchObject({ status: "complete" });
  });

  it("onChange replace stops at a destroy that is not proven: no second object", async () => {
    await place.writeStack(sized("1", ["onChange: replace"]));
    await place.apply();
    await place.writeStack(sized("2", ["onChange: replace"]));
    await place.fault("destroy", "machine", "junk");
    expect((await place.apply({ allowDestroy: true })).exit).toBe(21);
    expect(await order("create")).toEqual(["machine"]);
    expect(await place.objects()).toEqual(["machine-1"]);
  });

  it("D2: replacing is refused where a contained child is retained", async () => {
    const child = cloudStep("disk", ["partOf: machine", KEEP]);
    await place.writeStack(sized("1", ["onChange: replace"], [child]));
    await place.apply();
    await place.writeStack(sized("2", ["onChange: replace"], [child]));
    const done = await place.apply({ allowDestroy: true });
    expect(done.exit).toBe(23);
    expect(why(done, "machine")).toMatch(/disk is contained in it and retained \(platform: legal hold\)/);
    expect(await order("destroy")).toEqual([]);
  });

  it("a replaced step's destroy that was cut off goes on to the create in the next run", async () => {
    await place.writeStack(sized("1", ["onChange: replace"]));
    await place.apply();
    await place.writeStack(sized("2", ["onChange: replace"]));
    await place.fault("destroy", "machine", "crash-after");
    const died = await place.run({ verb: "apply", options: { allowDestroy: true } });
    expect(died.signal).toBe("SIGKILL");
    expect((await place.apply()).exit).toBe(0);
    expect(await place.objects()).toEqual(["machine-2"]);
    expect(await order("destroy")).toEqual(["machine"]);
  });

  it("where the provider cannot update, a change asks for a decision: 23, nothing called", async () => {
    const text = (size: string) =>
      stackText([cloudStep("machine", { with: [`inputs: { size: "${size}" }`], without: ["update"] })]);
    await place.writeStack(text("1"));
    await place.apply();
    await place.writeStack(text("2"));
    const done = await place.apply();
    expect(done.exit).toBe(23);
    expect(why(done, "machine")).toBe(
      "its inputs changed, and its provider cannot update it here; set onChange: replace to have it replaced",
    );
    expect(await place.step("machine")).toMatchObject({ status: "complete" });
  });
});

describe("approvals", () => {
  const rule = (before: string) => [`approve: { before: ${before}, by: [tester] }`];

  it("a create waits for its approval: 23, nothing called; given, it is for one call", async () => {
    await place.writeStack(stackText([cloudStep("machine", rule("create"))]));
    const done = await place.apply();
    expect(done.exit).toBe(23);
    expect(why(done, "machine")).toMatch(/^create waits for an approval by tester: asfound approve machine/);
    expect(await place.log()).toEqual([]);
    await place.do({ verb: "approve", step: "machine", before: "create" });
    expect((await place.apply()).exit).toBe(0);
    await place.destroy();
    expect((await place.apply()).exit).toBe(23);
  });

  it("is not given by somebody else", async () => {
    await place.writeStack(stackText([cloudStep("machine", ["approve: { before: any, by: [alice] }"])]));
    await place.apply();
    const given = await place.do({ verb: "approve", step: "machine", before: "any" });
    expect(given).toMatchObject({
      kind: "refused",
      exit: 23,
      why: expect.stringContaining("approval by alice, and you are tester"),
    });
    expect((await place.apply()).exit).toBe(23);
    expect(await place.log()).toEqual([]);
    expect(
      (await place.do({ verb: "approve", step: "machine", before: "any" }, { where: { actor: "alice" } }))
        .exit,
    ).toBe(0);
    expect((await place.apply()).exit).toBe(0);
  });

  it("P2: a step that waits for an approval keeps its dependants pending; other branches go on", async () => {
    await place.writeStack(
      stackText([
        cloudStep("machine", rule("create")),
        cloudStep("app", ["needs: [machine]"]),
        cloudStep("dns"),
      ]),
    );
    expect((await place.apply()).exit).toBe(23);
    expect((await place.status()).steps.map((step) => step.status)).toEqual([
      "pending",
      "pending",
      "complete",
    ]);
  });
});

describe("compensating", () => {
  const text = (retry = "once") =>
    stackText([
      cloudStep("machine", {
        lines: [
          `retry: ${retry}`,
          "compensate:",
          `  with: { compensate: ["${new URL("../fixtures/cloud/cloud.sh", import.meta.url).pathname}", "CLOUD"] }`,
        ],
      }),
    ]);

  it("K1: is never automatic: a failed step does not compensate", async () => {
    await place.writeStack(text());
    await place.fault("create", "machine", "fail-after");
    await place.apply();
    expect((await place.log()).filter((line) => line.startsWith("compensate"))).toEqual([]);
  });

  it("K1: asked for, it is journaled as a step of its own, and done once", async () => {
    await place.writeStack(text());
    await place.apply();
    expect((await place.do({ verb: "compensate", steps: ["machine"] })).exit).toBe(0);
    expect(await place.effects("compensate")).toBe(1);
    expect(await place.step("machine~compensate")).toMatchObject({ status: "complete" });
    expect((await place.step("machine")).status).toBe("complete");
    const again = await place.do({ verb: "compensate", steps: ["machine"] });
    expect(again.exit).toBe(23);
    expect(await place.effects("compensate")).toBe(1);
    expect(
      (await place.records()).some(
        ({ record }) => record.kind === "intent" && record.action === "compensate",
      ),
    ).toBe(true);
  });

  it("K1: can fail, and can be tried again", async () => {
    await place.writeStack(text());
    await place.apply();
    await place.fault("compensate", "machine~compensate", "fail");
    const failed = await place.do({ verb: "compensate", steps: ["machine"] });
    expect(failed.exit).toBe(21);
    expect(await place.step("machine~compensate")).toMatchObject({ status: "error", effect: "possible" });
    expect((await place.do({ verb: "compensate", steps: ["machine"] })).exit).toBe(0);
  });

  it("K1: killed in it, it is unresolved and not repeated unless idempotent", async () => {
    await place.writeStack(text());
    await place.apply();
    await place.fault("compensate", "machine~compensate", "crash-after");
    expect((await place.run({ verb: "compensate", steps: ["machine"] })).signal).toBe("SIGKILL");
    expect((await place.status()).exit).toBe(21);
    expect((await place.do({ verb: "compensate", steps: ["machine"] })).exit).toBe(21);
    expect(await place.effects("compensate")).toBe(1);
    expect((await place.do({ verb: "resolve", step: "machine~compensate", as: "present" })).exit).toBe(0);
    expect((await place.status()).exit).toBe(0);
  });

  it("K1: killed in it, an idempotent one resumes", async () => {
    await place.writeStack(text("idempotent"));
    await place.apply();
    await place.fault("compensate", "machine~compensate", "crash-before");
    await place.run({ verb: "compensate", steps: ["machine"] });
    expect((await place.do({ verb: "compensate", steps: ["machine"] })).exit).toBe(0);
    expect(await place.effects("compensate")).toBe(1);
    expect((await place.status()).exit).toBe(0);
  });

  it("K1: a stack whose step has none refuses: exit 2", async () => {
    await place.writeStack(stackText([cloudStep("machine")]));
    await place.apply();
    expect(await place.do({ verb: "compensate", steps: ["machine"] })).toMatchObject({
      kind: "refused",
      exit: 2,
    });
  });
});
