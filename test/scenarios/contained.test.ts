/**
 * D2, where no look proves that a container is gone: its own word, a decision, a result out of the spool. What it contains
 * closes in the very commit that says so, whatever comes right after.
 */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { StepName } from "../../src/domain/ids.ts";
import type { JournalRecord } from "../../src/domain/journal.ts";
import type { Store } from "../../src/ports/store.ts";
import type { Runtime } from "../../src/runtime/runtime.ts";
import { cloudStep, makePlace, type Place, stackText } from "./place.ts";
import { tapped } from "./tap.ts";

let place: Place;
beforeEach(async () => {
  place = await makePlace();
});
afterEach(() => place.end());

const CHILDREN = ["guest", "inner"];

/** A container, what is in it, and what is in that. */
const applied = async (without: readonly string[]): Promise<void> => {
  await place.writeStack(
    stackText([
      cloudStep("machine", { without }),
      cloudStep("guest", { lines: ["partOf: machine"], with: ['inputs: { in: "machine" }'] }),
      cloudStep("inner", { lines: ["partOf: guest"], with: ['inputs: { in: "guest" }'] }),
    ]),
  );
  expect((await place.apply()).exit).toBe(0);
};

const areGone = async (how: string): Promise<void> => {
  expect(await place.step("machine")).toMatchObject({ status: "destroyed" });
  for (const child of CHILDREN)
    expect(await place.step(child)).toMatchObject({
      status: "destroyed",
      reason: `it was contained in machine, whose absence was ${how}`,
    });
  expect((await place.status()).exit).toBe(0);
};

/** A store that keeps the records which close what is contained out of the commit: as if they had one of their own. */
const apart = (runtime: Runtime): Runtime => {
  const store: Store = {
    ...tapped(runtime.store, {}),
    commit: (request) =>
      runtime.store.commit({
        ...request,
        decide: (current) => {
          const { write, value } = request.decide(current);
          if (write === null) return { write, value };
          const closed = new Set<StepName>(write.records.filter(isContainedGone).map(({ step }) => step));
          return {
            write: {
              ...write,
              records: write.records.filter((record) => !isContainedGone(record)),
              steps: write.steps.filter(({ step }) => !closed.has(step)),
            },
            value,
          };
        },
      }),
  };
  return { ...runtime, store };
};
const isContainedGone = (record: JournalRecord): boolean =>
  record.kind === "decision" && record.decision.what === "contained-gone";

describe("a container that nothing observes", () => {
  const destroyed = async (how: Parameters<Place["destroy"]>[1] = {}): Promise<void> => {
    await applied(["observe"]);
    await place.destroy([], how);
    await areGone("stated by its own word");
  };

  it("takes what it contains along by its own word", () => destroyed());

  it("control: with records of their own left out, its children stay complete", async () => {
    await expect(destroyed({ runtime: apart })).rejects.toThrow(/guest.* to match object/s);
    expect(await place.step("machine")).toMatchObject({ status: "destroyed" });
    for (const child of CHILDREN) expect(await place.step(child)).toMatchObject({ status: "complete" });
  });

  it("killed right after the record of its own word: nothing in it is left complete", async () => {
    await applied(["observe"]);
    const died = await place.run(
      { verb: "destroy" },
      { strike: { signal: "SIGKILL", when: "after", at: "outcome" } },
    );
    expect(died.signal).toBe("SIGKILL");
    await areGone("stated by its own word");
    expect((await place.destroy()).exit).toBe(0);
    expect(await place.objects()).toEqual([]);
  });

  it("its result waits in the spool: the start that takes it over closes what it contains", async () => {
    await applied(["observe"]);
    const done = await place.run(
      { verb: "destroy" },
      { strike: { signal: "EIO", when: "before", at: "outcome" } },
    );
    expect(done.exit).toBe(21);
    const died = await place.run(
      { verb: "destroy" },
      { strike: { signal: "SIGKILL", when: "after", at: "outcome" } },
    );
    expect(died.signal).toBe("SIGKILL");
    await areGone("stated by its own word");
    expect(await place.calls("destroy", "machine")).toHaveLength(1);
  });
});

it("a container without a destroy, killed right after the record: nothing in it is left complete", async () => {
  await applied(["destroy"]);
  const died = await place.run(
    { verb: "destroy" },
    { strike: { signal: "SIGKILL", when: "after", at: "decision" } },
  );
  expect(died.signal).toBe("SIGKILL");
  await areGone("stated by its own word");
  expect((await place.destroy()).exit).toBe(0);
});

describe("a container that a person says is gone", () => {
  const resolved = async (how: Parameters<Place["do"]>[1] = {}): Promise<void> => {
    await applied([]);
    await place.fault("destroy", "machine", "crash-after");
    expect((await place.run({ verb: "destroy" })).signal).toBe("SIGKILL");
    await place.do({ verb: "resolve", step: "machine", as: "absent" }, how);
    await areGone("decided");
  };

  it("takes what it contains along in the same commit", async () => {
    await resolved();
    const records = await place.records();
    const decided = records.filter(({ record }) => record.kind === "decision").slice(-3);
    expect(decided.map(({ record }) => record.step)).toEqual(["machine", ...CHILDREN]);
    // The next apply makes all of them again.
    expect((await place.apply()).exit).toBe(0);
    expect(await place.objects()).toEqual(["guest-2", "inner-2", "machine-2"]);
  });

  it("control: with records of their own left out, its children stay complete", async () => {
    await expect(resolved({ runtime: apart })).rejects.toThrow(/guest.* to match object/s);
    for (const child of CHILDREN) expect(await place.step(child)).toMatchObject({ status: "complete" });
  });

  it("killed right after the decision: nothing in it is left complete", async () => {
    await applied([]);
    await place.fault("destroy", "machine", "crash-after");
    expect((await place.run({ verb: "destroy" })).signal).toBe("SIGKILL");
    const died = await place.run(
      { verb: "resolve", step: "machine", as: "absent" },
      { strike: { signal: "SIGKILL", when: "after", at: "decision" } },
    );
    expect(died.signal).toBe("SIGKILL");
    await areGone("decided");
  });
});
