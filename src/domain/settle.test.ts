import { describe, expect, it } from "vitest";
import { reading } from "../../test/support/clock.ts";
import {
  differs,
  done,
  failed,
  nothing,
  PAST_MS,
  present,
  SETTLE_MS,
  START,
  StepHistory,
  seen,
  silent,
  unknown,
} from "../../test/support/step-history.ts";
import { instant } from "./ids.ts";
import type { Reading } from "./outcome.ts";
import { type Asking, judgeReading, resendFault } from "./settle.ts";
import type { StepState } from "./state.ts";
import type { RetryClass } from "./step.ts";

/** What a reading, asked that long after START, says of the calls in doubt. */
const belief = (state: StepState, found: Reading, afterMs: number, more: Partial<Asking> = {}) =>
  judgeReading(state, found, {
    askedAt: instant(START + afterMs),
    askedMs: START + afterMs,
    clock: reading(START + afterMs),
    senderAlive: false,
    justCalled: false,
    ...more,
  });
const says = (...args: Parameters<typeof belief>): readonly string[] => {
  const found = belief(...args);
  return found.kind === "settled" ? found.settlements.map((s) => s.says) : [found.kind];
};

/** A create whose process died with the call out. */
const lost = (retry: RetryClass = "once") => {
  const history = new StepHistory({ policy: { retry } }).planned();
  history.intend("create");
  return history;
};
const ended = (outcome: Parameters<StepHistory["conclude"]>[1]) => {
  const history = new StepHistory().planned();
  history.conclude(history.intend("create"), outcome);
  return history;
};

describe("R1 R4: only evidence about that same thing", () => {
  it("another id than the recorded one settles nothing: a person decides", () => {
    const history = lost();
    history.identify(history.state.open[0]?.intent as never, "id-1");
    expect(says(history.state, seen("id-9"), PAST_MS)).toEqual(["ask"]);
    expect(says(history.state, seen("id-1"), PAST_MS)).toEqual(["complete"]);
  });

  it("several candidates: a person decides", () =>
    expect(says(lost().state, { kind: "ambiguous", ids: ["a", "b"] }, PAST_MS)).toEqual(["ask"]));

  it("R5: what has a unique name is ours only if its absence was seen before the call", () => {
    const state = lost("named").state;
    expect(says(state, seen(), PAST_MS)).toEqual(["ask"]);
    const history = new StepHistory({ policy: { retry: "named" } }).planned();
    history.intend("create", { absenceSeen: true });
    expect(says(history.state, seen(), PAST_MS)).toEqual(["complete"]);
  });

  it("what an owed or a compensate did cannot be read off the thing", () => {
    const history = new StepHistory().created();
    history.intend("owed");
    expect(says(history.state, seen(), PAST_MS)).toEqual(["ask"]);
  });
});

describe("R2: a question without an answer", () => {
  for (const kind of ["denied", "failed", "timed-out"] as const)
    it(`${kind} settles nothing, however late`, () => {
      expect(says(lost().state, silent(kind), PAST_MS * 100)).toEqual(["no-answer"]);
      expect(says(new StepHistory().created().state, silent(kind), PAST_MS)).toEqual(["no-answer"]);
    });
});

it("R2: what was asked before the call was begun says nothing of it", () => {
  const history = new StepHistory().created().after(PAST_MS);
  history.intend("destroy");
  expect(says(history.state, nothing, PAST_MS - 1)).toEqual(["no-answer"]);
  expect(says(history.state, nothing, PAST_MS)).toEqual(["gone"]);
});

describe("R3 N5: absence", () => {
  it("of a call without an outcome counts from call-by, its slack and settle, and not a moment before", () => {
    expect(belief(lost().state, nothing, PAST_MS - 1)).toMatchObject({
      kind: "wait",
      until: START + PAST_MS,
    });
    expect(says(lost().state, nothing, PAST_MS)).toEqual(["no-effect"]);
  });

  it("of a call that ended counts from its end and settle", () => {
    for (const outcome of [unknown(), failed(), done(null)]) {
      expect(says(ended(outcome).state, nothing, SETTLE_MS - 1)).toEqual(["wait"]);
      expect(says(ended(outcome).state, nothing, SETTLE_MS)).toEqual(["no-effect"]);
    }
  });

  it("right after a call that contradicts its answer is left for a later look", () =>
    expect(says(ended(done(null)).state, nothing, PAST_MS, { justCalled: true })).toEqual(["wait"]));

  it("of what was known to exist needs two readings, settle apart", () => {
    const history = ended(unknown("id-1")).after(SETTLE_MS);
    expect(history.look(nothing).kind).toBe("wait");
    expect(history.after(SETTLE_MS - 1).look(nothing).kind).toBe("wait");
    expect(history.after(1).look(nothing)).toMatchObject({
      kind: "settled",
      settlements: [{ says: "gone" }],
    });
    expect(history.status).toBe("destroyed");
  });

  it("a thing that is found again in between begins the count anew", () => {
    const history = ended(unknown("id-1")).after(SETTLE_MS);
    history.look(nothing);
    history.after(SETTLE_MS).look(silent());
    history.look(differs());
    expect(history.state.missingSince).toBeNull();
  });

  it("of several calls in doubt counts when the last of them is past", () => {
    const history = lost("keyed").after(20_000);
    history.intend("create");
    expect(says(history.state, nothing, PAST_MS)).toEqual(["wait"]);
    expect(says(history.state, nothing, PAST_MS + 20_000)).toEqual(["no-effect", "no-effect"]);
  });
});

describe("N6: while a provider's process lives", () => {
  it("nothing is believed gone, and settle counts from the look that misses it", () => {
    const history = lost();
    expect(says(history.state, nothing, PAST_MS, { senderAlive: true })).toEqual(["wait"]);
    history.after(PAST_MS).look(nothing, { senderAlive: true });
    // It may have acted until this look.
    expect(history.after(10 * SETTLE_MS).look(nothing).kind).toBe("wait");
    expect(history.after(SETTLE_MS - 1).look(nothing).kind).toBe("wait");
    expect(history.after(1).look(nothing).kind).toBe("settled");
  });
});

describe("a thing that is there", () => {
  it("as declared: the call is complete, and the earlier ones are moot", () => {
    const history = lost("keyed");
    history.intend("create");
    expect(says(history.state, seen(), 1)).toEqual(["superseded", "complete"]);
  });

  it("present alone is enough after done and unknown, and not after failed", () => {
    expect(says(ended(done()).state, present(), 1)).toEqual(["complete"]);
    expect(says(ended(unknown()).state, present(), 1)).toEqual(["complete"]);
    expect(says(ended(failed()).state, present(), 1)).toEqual(["drift"]);
    expect(says(ended(failed()).state, seen(), 1)).toEqual(["complete"]);
  });

  it("not as declared may be the old picture until settle is over; then it is drift", () => {
    expect(says(ended(done()).state, differs(), SETTLE_MS - 1)).toEqual(["wait"]);
    expect(says(ended(done()).state, differs(), SETTLE_MS)).toEqual(["drift"]);
  });
});

it("R3: as declared by other inputs than the call carried may be the old picture, until settle is over", () => {
  const history = new StepHistory().created().after(PAST_MS);
  history.body = "v2";
  history.conclude(history.intend("update"), unknown());
  const back = { inputsDigest: "sha256:v1" };
  expect(says(history.state, seen(), PAST_MS + SETTLE_MS - 1, back)).toEqual(["wait"]);
  expect(says(history.state, seen(), PAST_MS + SETTLE_MS, back)).toEqual(["complete"]);
  expect(says(history.state, seen(), PAST_MS, { inputsDigest: "sha256:v2" })).toEqual(["complete"]);
});

describe("D3 D5: after a destroy", () => {
  const destroyed = (outcome = done(null)) => {
    const history = new StepHistory().created().after(PAST_MS);
    history.conclude(history.intend("destroy"), outcome);
    return history;
  };

  it("D3: done is no evidence: it is destroyed when its absence is seen, and at once then", () => {
    const history = destroyed();
    expect(history.status).toBe("destroying");
    for (const outcome of [done(null), failed(), unknown()])
      expect(says(destroyed(outcome).state, nothing, PAST_MS)).toEqual(["gone"]);
    history.look(nothing, { justCalled: true });
    expect(history.status).toBe("destroyed");
  });

  it("D5: what is still there is never complete again by it, even as declared", () => {
    const history = destroyed();
    expect(says(history.state, seen(), PAST_MS + SETTLE_MS - 1)).toEqual(["wait"]);
    expect(says(history.state, seen(), PAST_MS + SETTLE_MS, { justCalled: true })).toEqual(["wait"]);
    expect(says(history.state, seen(), PAST_MS + SETTLE_MS)).toEqual(["still-there"]);
  });

  it("R3: does not make a create believable that may still show", () => {
    const history = new StepHistory().planned();
    history.conclude(history.intend("create"), unknown("id-1"));
    history.after(1_000);
    history.conclude(history.intend("destroy"), failed());
    expect(says(history.state, nothing, SETTLE_MS - 1)).toEqual(["wait"]);
    expect(says(history.state, nothing, SETTLE_MS)).toEqual(["superseded", "gone"]);
  });

  it("N3: one aimed at a second object says nothing of the first", () => {
    const history = new StepHistory().planned();
    const intent = history.intend("create");
    history.identify(intent, "id-1").conclude(intent, done("id-2"));
    history.look(seen("id-1"));
    history.intend("destroy", { target: "id-2" });
    expect(says(history.state, seen("id-1"), PAST_MS)).toEqual(["ask"]);
    expect(says(history.state, nothing, PAST_MS)).toEqual(["ask"]);
  });
});

describe("R5: sending again while in doubt", () => {
  const ask = (
    retry: RetryClass,
    more: { body?: string; hours?: number; sender?: boolean; seen?: boolean } = {},
  ) => {
    const history = new StepHistory({ policy: { retry } }).planned();
    history.intend("create", { absenceSeen: more.seen ?? false });
    return resendFault(history.state, {
      inputsDigest: `sha256:${more.body ?? "v1"}`,
      now: instant(START + (more.hours ?? 0) * 3_600_000),
      clock: reading(START + (more.hours ?? 0) * 3_600_000),
      senderAlive: more.sender ?? false,
    });
  };

  it("follows the declared class", () => {
    expect(ask("idempotent")).toBeUndefined();
    expect(ask("idempotent", { body: "v2", hours: 1_000 })).toBeUndefined();
    expect(ask("keyed")).toBeUndefined();
    expect(ask("keyed", { body: "v2" })).toMatch(/same body/);
    expect(ask("keyed", { hours: 24 })).toMatch(/lifetime/);
    expect(ask("keyed", { hours: 23 })).toBeUndefined();
    expect(ask("named")).toMatch(/absence was not observed/);
    expect(ask("named", { seen: true })).toBeUndefined();
    expect(ask("once", { seen: true })).toMatch(/once/);
  });

  it("N6: never while a process that carries the key lives", () => {
    for (const retry of ["idempotent", "keyed", "named", "once"] as const)
      expect(ask(retry, { sender: true, seen: true })).toMatch(/still lives/);
  });

  it("with nothing in doubt there is nothing to forbid", () =>
    expect(
      resendFault(new StepHistory().created().state, {
        inputsDigest: "sha256:v2",
        now: instant(START),
        clock: reading(START),
        senderAlive: true,
      }),
    ).toBeUndefined());
});

describe("R2: an asDeclared that cannot be understood is no answer, and other than silence", () => {
  const garbled = { ...seen(), asDeclared: { kind: "unreadable", why: 'it is "false"' } } as Reading;

  it("settles nothing, however late, while saying nothing at all does", () => {
    const { state } = lost();
    expect(says(state, garbled, PAST_MS)).toEqual(["no-answer"]);
    expect(says(state, seen(), PAST_MS)).toEqual(["complete"]);
  });
});
