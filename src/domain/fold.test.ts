/** The fold, law by law. What holds over every journal is in test/property; here is what each law means. */
import { describe, expect, it } from "vitest";
import {
  differs,
  done,
  failed,
  nothing,
  PAST_MS,
  present,
  refused,
  SETTLE_MS,
  StepHistory,
  seen,
  silent,
  unknown,
} from "../../test/support/step-history.ts";
import { IllegalTransition } from "./fold.ts";
import { stepName } from "./ids.ts";
import { isAlive } from "./state.ts";

const begun = () => {
  const history = new StepHistory().planned();
  return { history, intent: history.intend("create") };
};
const doubled = () => {
  const { history, intent } = begun();
  history.identify(intent, "id-1").conclude(intent, done("id-2"));
  history.look(seen("id-1"));
  return history;
};

describe("W3: a call without an outcome", () => {
  it("stays in doubt through looks without an answer, and through an early absence", () => {
    const { history } = begun();
    history.look(silent());
    history.after(1_000).look(nothing);
    expect(history.status).toBe("unresolved");
    expect(history.state.open).toHaveLength(1);
  });

  it("that was not sent before the table allows is refused as a defect", () => {
    const history = new StepHistory();
    expect(() => history.intend("create")).toThrow(/no record yet/);
    const complete = new StepHistory().created();
    expect(() => complete.intend("create")).toThrow(IllegalTransition);
    expect(() => complete.settle("in_none" as never, "gone")).toThrow(/not in doubt/);
  });
});

describe("W4: what is known is kept", () => {
  for (const outcome of [failed("id-1", { ip: "10.0.0.1" }), unknown("id-1", { ip: "10.0.0.1" })])
    it(`outputs and id that came with ${outcome.kind} are kept, with where they came from`, () => {
      const { history, intent } = begun();
      history.identify(intent, "id-1", { zone: "a" }).conclude(intent, outcome);
      expect(history.state.outputs).toEqual({ zone: "a", ip: "10.0.0.1" });
      expect(history.state.identity).toEqual({ id: "id-1" });
      expect(history.state.outputsFrom["ip"]?.from).toBe("outcome");
      expect(history.state.outputsFrom["zone"]?.from).toBe("identity");
    });

  it("outputs of a gone incarnation are shown as previous, and are nobody's identity", () => {
    const history = new StepHistory().created("id-1", { ip: "10.0.0.1" }).after(PAST_MS);
    history.conclude(history.intend("destroy"), done(null));
    history.look(nothing);
    expect(history.state).toMatchObject({ status: "destroyed", identity: null, outputs: {}, key: null });
    expect(history.state.previous).toMatchObject([{ identity: "id-1", outputs: { ip: "10.0.0.1" } }]);
  });

  it("a late outcome fills gaps, and overwrites nothing that was learned since", () => {
    const { history, intent } = begun();
    const end = { at: history.now, wall: history.wall, host: history.host };
    history.after(10_000).look(seen("id-1", { outputs: { ip: "new" } }));
    history.conclude(intent, done("id-1", { ip: "old", disk: "d" }), end);
    expect(history.state.outputs).toEqual({ ip: "new", disk: "d" });
    expect(history.status).toBe("complete");
  });

  it("a late outcome of an earlier incarnation belongs to what was before", () => {
    const { history, intent } = begun();
    history.after(PAST_MS).look(nothing);
    history.created("id-2", { ip: "b" });
    history.conclude(intent, { ...done(null, { ip: "a" }), owes: ["restart"] } as never);
    expect(history.state).toMatchObject({ status: "complete", outputs: { ip: "b" }, owes: [] });
    expect(history.state.previous.at(-1)?.outputs).toEqual({ ip: "a" });
  });
});

describe("N3: the first outcome stands", () => {
  it("one that contradicts a proven absence reopens the step, with its key to look for", () => {
    const { history, intent } = begun();
    history.after(PAST_MS).look(nothing);
    expect(history.status).toBe("pending");
    history.conclude(intent, done(null));
    expect(history.status).toBe("unresolved");
    expect(history.state.keys).toHaveLength(1);
    expect(isAlive(history.state)).toBe(true);
  });

  it("one that agrees changes nothing but its outputs; a refusal nothing at all", () => {
    const { history, intent } = begun();
    history.look(seen("id-1"));
    history.conclude(intent, done("id-1", { x: 1 }));
    expect(history.state).toMatchObject({ status: "complete", outputs: { x: 1 } });
    const before = history.state;
    history.conclude(intent, refused);
    expect(history.state).toEqual(before);
  });

  it("the outcome of a call that a later one overtook is kept with it; the later call decides the status", () => {
    const { history, intent } = begun();
    history.intend("destroy");
    history.conclude(intent, done("id-1"));
    expect(history.state).toMatchObject({ status: "destroying", identity: { id: "id-1" } });
    expect(history.state.open.map((o) => o.outcome)).toEqual(["done", null]);
  });

  it("a second real id is surplus: in doubt until it is proven absent, or given up", () => {
    expect(doubled().state).toMatchObject({ status: "unresolved", surplus: [{ id: "id-2" }] });
    const gone = doubled().after(SETTLE_MS);
    gone.look(nothing, { surplusId: "id-2" });
    expect(gone.state.surplus).toEqual([]);
    gone.look(seen("id-1"));
    expect(gone.status).toBe("complete");
    const early = doubled().after(SETTLE_MS - 1);
    early.look(nothing, { surplusId: "id-2" });
    expect(early.state.surplus).toHaveLength(1);
  });

  it("the end of the first is not the end of the step while the second lives", () => {
    const history = doubled().after(PAST_MS);
    history.conclude(history.intend("destroy"), done(null));
    history.look(nothing);
    expect(history.state).toMatchObject({ status: "unresolved", identity: null });
    history.look(nothing, { surplusId: "id-2" });
    expect(history.status).toBe("destroyed");
  });

  it("a second object that is given up leaves the step to its next look", () => {
    const history = doubled().decide({ what: "forget", id: "id-2" });
    expect(history.status).toBe("unresolved");
    history.look(seen("id-1"));
    expect(history.status).toBe("complete");
  });
});

describe("R3: a complete step that is not found", () => {
  it("has disappeared after two readings, settle apart, and not after one", () => {
    const history = new StepHistory().created("id-1", { ip: "a" });
    history.look(nothing);
    history.after(SETTLE_MS - 1).look(nothing);
    expect(history.status).toBe("complete");
    history.after(1).look(nothing);
    expect(history.state).toMatchObject({ status: "destroyed", disappeared: true });
    expect(history.state.reason).toMatch(/disappeared/);
  });

  it("begins to count anew when it was found in between", () => {
    const history = new StepHistory().created();
    history.look(nothing);
    history.after(SETTLE_MS).look(seen());
    history.after(SETTLE_MS).look(nothing);
    expect(history.status).toBe("complete");
  });
});

describe("D1 D3 D5: destroying", () => {
  const destroyed = () => {
    const history = new StepHistory().created().after(PAST_MS);
    return { history, intent: history.intend("destroy") };
  };

  it("D3: done leaves it destroying until its absence is seen", () => {
    const { history, intent } = destroyed();
    history.conclude(intent, done(null));
    expect(history.status).toBe("destroying");
    expect(isAlive(history.state)).toBe(true);
  });

  it("D5: a destroy that failed is an error, whatever is seen as declared afterwards", () => {
    const { history, intent } = destroyed();
    history.conclude(intent, failed());
    history.after(SETTLE_MS).look(seen());
    expect(history.state).toMatchObject({ status: "error", failedCommand: "destroy" });
    history.look(seen());
    expect(history.status).toBe("error");
  });

  it("D1: a refused create left nothing; an unknown one may have", () => {
    for (const [outcome, alive] of [
      [refused, false],
      [unknown(), true],
      [failed(), true],
    ] as const) {
      const { history, intent } = begun();
      history.conclude(intent, outcome);
      expect(isAlive(history.state)).toBe(alive);
    }
  });

  it("without observe it is destroyed by its own word, but not over a create that may still come", () => {
    const can = { observe: false };
    const sure = new StepHistory({ can }).planned();
    sure.conclude(sure.intend("create"), done());
    sure.conclude(sure.intend("destroy"), done(null));
    expect(sure.state).toMatchObject({ status: "destroyed", provenBy: { kind: "own-word" } });
    const unsure = new StepHistory({ can }).planned();
    unsure.conclude(unsure.intend("create"), unknown());
    unsure.conclude(unsure.after(1).intend("destroy"), done(null));
    expect(unsure.status).toBe("unresolved");
    const past = new StepHistory({ can }).planned();
    past.conclude(past.intend("create"), unknown());
    past.conclude(past.after(SETTLE_MS).intend("destroy"), done(null));
    expect(past.status).toBe("destroyed");
  });

  it("D2: its container's proven absence ends it, doubts and second objects included", () => {
    const history = doubled();
    history.intend("owed");
    const by = { kind: "parent", step: stepName("machine"), evidence: null } as const;
    history.decide({ what: "contained-gone", parent: stepName("machine"), by });
    expect(history.state).toMatchObject({ status: "destroyed", provenBy: by, open: [], surplus: [] });
    expect(history.state.previous.map((p) => p.identity).sort()).toEqual(["id-1", "id-2"]);
  });
});

describe("the effect of a call", () => {
  it("several creates in doubt that left nothing are settled together", () => {
    const history = new StepHistory({ policy: { retry: "keyed" } }).planned();
    history.intend("create");
    history.conclude(history.after(1_000).intend("create"), failed());
    history.after(PAST_MS).look(nothing);
    expect(history.state).toMatchObject({ status: "error", effect: "none", open: [] });
    expect(isAlive(history.state)).toBe(false);
  });

  it("present is not enough after failed; as declared is", () => {
    for (const [reading, status] of [
      [present(), "error"],
      [differs(), "error"],
      [seen(), "complete"],
    ] as const) {
      const { history, intent } = begun();
      history.conclude(intent, failed("id-1"));
      history.after(SETTLE_MS).look(reading);
      expect(history.status).toBe(status);
    }
  });

  it("P1: what was proven without effect is pending again, and a new create gets a new key", () => {
    const { history } = begun();
    const first = history.state.key;
    history.after(PAST_MS).look(nothing);
    expect(history.status).toBe("pending");
    history.intend("create");
    expect(history.state.key).not.toBe(first);
    expect(history.state.keys).toEqual([history.state.key]);
  });

  it("a create sent again while in doubt keeps its key", () => {
    const { history } = begun();
    const first = history.state.key;
    history.intend("create");
    expect(history.state.keys).toEqual([first]);
  });
});

describe("P3: what is owed", () => {
  const owing = () => {
    const { history, intent } = begun();
    history.conclude(intent, { ...done(), owes: ["restart web"] } as never);
    history.look(seen());
    return history;
  };

  it("stays owed across looks, errors and updates, until an owed call is done", () => {
    const history = owing();
    history.look(seen());
    history.conclude(history.intend("owed"), failed());
    expect(history.state.owes).toEqual(["restart web"]);
    history.conclude(history.intend("owed"), done(null));
    expect(history.state).toMatchObject({ status: "complete", owes: [] });
  });

  it("an owed call may owe something else", () => {
    const history = owing();
    history.conclude(history.intend("owed"), { ...done(null), owes: ["reload"] } as never);
    expect(history.state.owes).toEqual(["reload"]);
  });

  it("what does not exist owes nothing", () => {
    const { history, intent } = begun();
    history.conclude(intent, { ...unknown(), owes: ["restart"] } as never);
    history.after(SETTLE_MS).look(nothing);
    expect(history.state).toMatchObject({ status: "pending", owes: [] });
  });
});

describe("decisions", () => {
  it("resolve as present settles all that is in doubt, and is said to be a person's word", () => {
    const { history } = begun();
    history.decide({ what: "resolve", as: "present", id: "id-7" } as never);
    expect(history.state).toMatchObject({
      status: "complete",
      identity: { id: "id-7" },
      provenBy: { kind: "decision", actor: "alice" },
      open: [],
    });
  });

  it("resolve as absent ends what was there, and makes what was not pending", () => {
    const absent = { what: "resolve", as: "absent", id: null } as never;
    expect(begun().history.decide(absent).status).toBe("pending");
    expect(new StepHistory().created().decide(absent).status).toBe("destroyed");
  });

  it("forget gives it up as pending, and says that it may still exist", () => {
    const history = new StepHistory().created().decide({ what: "forget", id: "id-1" });
    expect(history.state).toMatchObject({ status: "pending", identity: null, provenBy: null });
    expect(history.state.reason).toMatch(/may still exist/);
    expect(history.state.previous).toMatchObject([{ identity: "id-1" }]);
  });

  it("import is unresolved until it is observed", () => {
    const history = new StepHistory().planned();
    history.decide({ what: "import", id: "id-3", declared: history.declared() });
    expect(history.status).toBe("unresolved");
    history.look(seen("id-3"));
    expect(history.state).toMatchObject({ status: "complete", identity: { id: "id-3" } });
  });

  it("retain keeps it apart through looks, and gives it back as what the last look left proven", () => {
    const retain = { owner: "platform", reason: "legal hold", reviewBy: "2027-06-30" };
    for (const [look, then] of [
      [seen(), "complete"],
      [differs(), "unresolved"],
    ] as const) {
      const history = new StepHistory().created().decide({ what: "retain", retain });
      history.look(look);
      expect(history.state).toMatchObject({ status: "retained", retained: retain });
      history.decide({ what: "release-retain" });
      expect(history.state).toMatchObject({ status: then, retained: null });
    }
  });

  it("retain hides no failed call, and none whose owner died", () => {
    const retain = { owner: "platform", reason: "legal hold", reviewBy: "2027-06-30" };
    const failing = new StepHistory().planned();
    failing.conclude(failing.intend("create"), failed("id-1"));
    expect(failing.decide({ what: "retain", retain }).status).toBe("error");
    const dead = new StepHistory().planned();
    dead.intend("create");
    expect(dead.decide({ what: "retain", retain }).status).toBe("running");
  });

  it("N3: resolve as absent says nothing of a second object", () => {
    const history = new StepHistory().created();
    history.conclude(history.intend("update"), done("id-9"));
    expect(history.state.surplus).toHaveLength(1);
    history.decide({ what: "resolve", as: "absent", id: null, owed: null });
    expect(history.status).toBe("unresolved");
    expect(history.state.surplus).toHaveLength(1);
  });

  it("D2: what hangs on a renamed step follows its name", () => {
    const history = new StepHistory({ partOf: "machine" }).created();
    history.decide({ what: "relinked", from: stepName("machine"), to: stepName("host") });
    expect(history.state.partOf).toBe("host");
  });

  it("retain does not hide a doubt", () => {
    const retain = { owner: "platform", reason: "hold", reviewBy: "2027-06-30" };
    const { history, intent } = begun();
    history.conclude(intent, unknown()).decide({ what: "retain", retain });
    expect(history.status).toBe("unresolved");
  });

  it("an approval is for one call", () => {
    const history = new StepHistory().created().decide({ what: "approve", before: "update", plan: null });
    history.intend("update");
    expect(history.state.approvals).toEqual([]);
  });

  it("confirm: what is not proven is unconfirmed, what is refuted an error, and doubt stays doubt", () => {
    const confirm = (finding: "proven" | "refuted" | "progressing" | "undetermined") =>
      new StepHistory().created().decide({ what: "confirmed", finding, sentence: "2 of 3 serve" }).status;
    expect(confirm("proven")).toBe("complete");
    expect(confirm("refuted")).toBe("error");
    expect(confirm("progressing")).toBe("unconfirmed");
    expect(confirm("undetermined")).toBe("unconfirmed");
    const { history, intent } = begun();
    history.conclude(intent, unknown());
    history.decide({ what: "confirmed", finding: "proven", sentence: "3 of 3 serve" });
    expect(history.status).toBe("unresolved");
  });
});

describe("R4: what is found without a cause", () => {
  it("is never adopted by a look", () => {
    const history = new StepHistory().planned();
    history.look(seen("id-9"));
    expect(history.state).toMatchObject({ status: "pending", identity: null });
  });

  it("but a thing that was proven absent and is found again, by a later look, reopens the step", () => {
    const history = new StepHistory().created("id-1").after(PAST_MS);
    history.conclude(history.intend("destroy"), done(null));
    history.look(nothing);
    history.look(seen("id-1"));
    expect(history.status).toBe("destroyed");
    history.after(1).look(seen("id-1"));
    expect(history.state).toMatchObject({ status: "unresolved", identity: { id: "id-1" } });
  });
});
