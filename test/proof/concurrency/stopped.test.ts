/**
 * Real processes, really stopped: SIGSTOP after every commit of a create, an update and a destroy, its lease over, the
 * stack taken over, and woken while its call could still be sent (its own clock has hardly moved); and once stopped for
 * longer than its call-by.
 */
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../../src/compose.ts";
import { CALL_BY_MS } from "../../../src/domain/step.ts";
import {
  type Child,
  cloudStep,
  makePlace,
  PAST_CALL_BY_MS,
  type Place,
  stackText,
  until,
} from "../../scenarios/place.ts";
import { needs } from "../kill-loop/not-run.ts";

let place: Place;
beforeEach(needs("sh"));
beforeEach(async () => {
  place = await makePlace();
});
afterEach(() => place.end());

const machine = (size: string) => stackText([cloudStep("machine", { with: [`inputs: { size: ${size} }`] })]);
const MORE_THAN_ANY_RUN_COMMITS = 40;

/** Stopped after its n-th commit; null where it ended before that. */
const stopped = async (verb: "apply" | "destroy", nth: number): Promise<Child | null> => {
  const child = place.start({ verb }, { strike: { signal: "SIGSTOP", when: "after", at: nth } });
  const isStopped = child.event("strike").then(
    () => true,
    () => false,
  );
  return (await isStopped) ? child : null;
};

const overtakeAndWake = async (sleeper: Child, verb: "apply" | "destroy"): Promise<void> => {
  place.passTime(PAST_CALL_BY_MS);
  await (verb === "apply" ? place.apply() : place.destroy());
  sleeper.process.kill("SIGCONT");
  await sleeper.ended;
};

/** Who made what: the provider's own log, in order. */
const mostAlive = async (): Promise<number> => {
  let alive = 0;
  let most = 0;
  for (const line of await place.log()) {
    if (line.startsWith("EFFECT create")) alive += 1;
    if (line.startsWith("EFFECT destroy")) alive -= 1;
    most = Math.max(most, alive);
  }
  return most;
};

const windUp = async (): Promise<void> => {
  expect((await place.reconcile()).exit).toBe(0);
  expect((await place.apply()).exit).toBe(0);
  expect(await place.objects()).toHaveLength(1);
  expect((await place.destroy()).exit).toBe(0);
  expect(await place.objects()).toEqual([]);
};

describe("stopped after its n-th commit, for every n, overtaken, and woken while its call could still be sent", () => {
  const cases = [
    ["create", "apply", "apply"],
    ["update", "apply", "apply"],
    ["destroy", "destroy", "destroy"],
    ["create, then destroyed by the other", "apply", "destroy"],
    ["destroy, then applied by the other", "destroy", "apply"],
  ] as const;
  it.each(cases)("N2 N3 %s: one object at most, and a way out", async (what, verb, other) => {
    let nth = 1;
    for (; nth < MORE_THAN_ANY_RUN_COMMITS; nth += 1) {
      await place.end();
      place = await makePlace();
      await place.writeStack(machine("v1"));
      if (!what.startsWith("create")) expect((await place.apply()).exit).toBe(0);
      if (what === "update") await place.writeStack(machine("v2"));
      const sleeper = await stopped(verb, nth);
      if (sleeper === null) break;
      await overtakeAndWake(sleeper, other);
      expect(await mostAlive(), `stopped after commit ${nth}`).toBeLessThanOrEqual(1);
      await windUp();
      expect(await mostAlive(), `stopped after commit ${nth}`).toBe(1);
    }
    // Lease, intent, outcome, observation, end: at least.
    expect(nth).toBeGreaterThan(4);
    expect(nth).toBeLessThan(MORE_THAN_ANY_RUN_COMMITS);
  });
});

describe("stopped for longer than its call may be sent", () => {
  it("N5: woken after that it sends nothing, although nobody has taken the stack over", async () => {
    await place.writeStack(machine("v1"));
    const sleeper = place.start(
      { verb: "apply" },
      { strike: { signal: "SIGSTOP", when: "after", at: "intent" } },
    );
    await sleeper.event("strike");
    await systemClock.sleep(CALL_BY_MS + 1_000);
    sleeper.process.kill("SIGCONT");
    const woken = await sleeper.ended;
    expect(woken.exit, woken.output).not.toBe(0);
    expect(woken.output).toContain("that time has passed");
    expect(await place.calls("create", "machine")).toEqual([]);
    expect((await place.apply()).exit).toBe(0);
    expect(await place.objects()).toHaveLength(1);
  });
});

describe("the sweep can fail; and a clock that is set", () => {
  it("control, promise 7: stopped between its last check and its call, overtaken, woken: two are made, and that is seen", async () => {
    await place.writeStack(machine("v1"));
    const sleeper = place.start(
      { verb: "apply" },
      {
        mutant: {
          module: new URL("mutants.ts", import.meta.url).href,
          name: "sleeps between its last check and its call",
        },
      },
    );
    const stat = `/proc/${sleeper.process.pid}/stat`;
    await until("it stopped", () => readFileSync(stat, "utf8").split(") ")[1]?.startsWith("T") === true);
    await overtakeAndWake(sleeper, "apply");
    expect(await mostAlive()).toBe(2);
    expect((await place.status()).exit).toBe(21);
  });

  it("N5: a wall clock set forward while a late effect is still to come: it is waited for all the same", async () => {
    await place.writeStack(stackText([cloudStep("machine", ["settle: 20s"])]));
    await place.fault("create", "machine", "late 8");
    expect((await place.run({ verb: "apply" })).exit).toBe(21);
    place.setClock(3_600_000);
    expect((await place.apply()).exit).toBe(21);
    place.setClock(-2 * 3_600_000);
    expect((await place.apply()).exit).toBe(21);
    expect(await place.calls("create", "machine")).toHaveLength(1);
    await until("the effect", async () => (await place.effects("create")) === 1);
    expect((await place.apply()).exit).toBe(0);
    expect(await place.calls("create", "machine")).toHaveLength(1);
    expect(await place.objects()).toHaveLength(1);
  });
});
