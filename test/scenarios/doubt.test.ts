/**
 * Combinations: whatever goes wrong in two calls in a row, the ledger never claims more than the cloud's objects bear
 * out, and there is always a way to the end. A sweep over faults rather than cases.
 */
import { describe, expect, it } from "vitest";
import { cloudStep, makePlace, PAST_CALL_BY_MS, type Place, stackText } from "./place.ts";

const CREATE = ["none", "refuse", "fail", "fail-after", "lose", "partial"] as const;
const DESTROY = ["none", "refuse", "fail", "fail-after", "lose", "nothing"] as const;
const LOOK = ["deny", "hidden", "drift", "other stranger"] as const;

/** What must hold at every moment, by the cloud's objects. */
const honest = async (place: Place, at: string): Promise<void> => {
  const objects = await place.objects();
  const report = await place.status();
  const step = report.steps[0];
  if (step === undefined) throw new Error("no step");
  const known = [step.identity?.id, ...step.surplus.map((each) => each.id)];
  if (step.status === "complete")
    expect(objects, `${at}: complete, so it is there`).toContain(step.identity?.id);
  if (step.status === "destroyed" || step.status === "pending")
    expect(objects, `${at}: ${step.status} (${step.reason}), so nothing of it is there`).toEqual([]);
  if (objects.length > 0 && !objects.every((id) => known.includes(id)))
    expect(["unresolved", "error", "running", "destroying"], `${at}: something unknown lives`).toContain(
      step.status,
    );
  if (report.exit === 0) expect(["complete", "destroyed", "pending"], `${at}: exit 0`).toContain(step.status);
  expect(objects.length, `${at}: at most one`).toBeLessThanOrEqual(1);
};

const toTheEnd = async (place: Place, at: string): Promise<void> => {
  for (const action of ["create", "update", "destroy", "observe"])
    await place.fault(action, "machine", "none");
  for (let turn = 0; turn < 4; turn++) {
    const done = await place.destroy();
    await honest(place, `${at}, destroy ${turn}`);
    if (done.exit === 0 && (await place.objects()).length === 0) return;
    place.passTime(PAST_CALL_BY_MS);
    await place.reconcile({ wait: false });
    await honest(place, `${at}, reconcile ${turn}`);
  }
  throw new Error(`${at}: it never came to its end: ${JSON.stringify((await place.status()).steps[0])}`);
};

/** Each in a place of its own, side by side: most of it is waiting. */
const inPlaces = async (
  faults: readonly string[],
  story: (place: Place, fault: string) => Promise<void>,
): Promise<void> => {
  await Promise.all(
    faults.map(async (fault) => {
      const place = await makePlace();
      try {
        await place.writeStack(stackText([cloudStep("machine", ["settle: 3s", "deadline: 1s"])]));
        await story(place, fault);
      } finally {
        await place.end();
      }
    }),
  );
};

/** Those that told an id. Where none is known, a provider that answers our key with a stranger is believed. */
const NAMED = ["none", "fail-after", "partial"];

// `hidden` only inside settle: a provider that shows the old picture for longer than it said is believed.
describe("any two faults in a row", () => {
  it.each(LOOK)("D1, R1-R3, W4: any create, then a look that is %s, then an apply, then to the end", (look) =>
    inPlaces(look.startsWith("other") ? NAMED : CREATE, async (place, create) => {
      const at = `create ${create}, look ${look}`;
      await place.fault("create", "machine", create);
      await place.apply();
      await honest(place, at);
      await place.fault("observe", "machine", look);
      await place.apply();
      await honest(place, `${at}, applied again`);
      await toTheEnd(place, at);
    }),
  );

  // Not `hidden`: an absence that is seen settles a destroy at once, whatever its outcome (DESIGN §6).
  it.each(LOOK.filter((look) => look !== "hidden"))(
    "D1, D3, D5, R3: any destroy, then a look that is %s, then to the end",
    (look) =>
      inPlaces(DESTROY, async (place, destroy) => {
        const at = `destroy ${destroy}, look ${look}`;
        await place.apply();
        await place.fault("destroy", "machine", destroy);
        await place.destroy();
        await honest(place, at);
        await place.fault("observe", "machine", look);
        await place.reconcile({ wait: false });
        await honest(place, `${at}, reconciled`);
        await toTheEnd(place, at);
      }),
  );
});

describe("control", () => {
  it("the check of honesty fails where a thing lives that the ledger does not know", async () => {
    const place = await makePlace();
    try {
      await place.writeStack(stackText([cloudStep("machine")]));
      await place.apply();
      await place.destroy();
      await honest(place, "control");
      await place.makeObject("machine-9", "key=none\n");
      await expect(honest(place, "control")).rejects.toThrow("nothing of it is there");
    } finally {
      await place.end();
    }
  });
});
