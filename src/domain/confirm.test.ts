/** `confirm`: what a judgement of it makes of a step, and what it does not. */
import { describe, expect, it } from "vitest";
import { differs, done, StepHistory, seen } from "../../test/support/step-history.ts";
import { changeFor } from "./change.ts";
import { parseConfirm } from "./confirm.ts";
import { exitOf } from "./exit-of-step.ts";
import type { Judgement } from "./finding.ts";
import type { Policy } from "./journal.ts";
import type { Confirm } from "./step.ts";

const confirm: Confirm = { claims: ["rollout-complete"], windowMs: 1_000 };
const FINDINGS = ["proven", "refuted", "progressing", "undetermined"] as const;
const asking = () => new StepHistory({ policy: { confirm } });
const told = (history: StepHistory, finding: Judgement) =>
  history.decide({ what: "confirmed", finding, sentence: `${finding}: 2 of 3 serve` });
const judged = (finding: Judgement) => told(asking().created(), finding);
const lookedAt = (history: StepHistory) => {
  history.look(seen("id-1"));
  return history;
};
const plannedWith = (history: StepHistory, asked: Confirm | null): StepHistory => {
  const { confirm: _, ...rest } = history.policy;
  const policy: Policy = asked === null ? rest : { ...rest, confirm: asked };
  const step = { step: history.step, uses: "exec", needs: [], partOf: null, policy };
  return history.decide({ what: "planned", steps: [step] });
};

describe("a step with confirm", () => {
  it("is unconfirmed until a record says what proved it, whatever else was observed", () => {
    const history = asking().created();
    expect(history.state).toMatchObject({ status: "unconfirmed", confirmed: null });
    expect(exitOf(history.state)).toBe(20);
    expect(lookedAt(history).status).toBe("unconfirmed");
    expect(lookedAt(told(history, "proven")).status).toBe("complete");
    // Control: without confirm the same is complete.
    expect(new StepHistory().created().status).toBe("complete");
  });

  it("by its own word alone it is not complete either", () => {
    const history = new StepHistory({ policy: { confirm }, can: { observe: false } }).planned();
    history.conclude(history.intend("create"), done("id-1"));
    expect(history.status).toBe("unconfirmed");
    expect(told(history, "proven").status).toBe("complete");
  });

  it.each(FINDINGS)(
    "%s stands until it is judged again: no look betters it, and it has its exit",
    (finding) => {
      const exits = { proven: 0, refuted: 10, progressing: 30, undetermined: 20 } as const;
      const history = judged(finding);
      expect(exitOf(history.state)).toBe(exits[finding]);
      expect(exitOf(lookedAt(history).state)).toBe(exits[finding]);
      expect(told(history, "proven").state).toMatchObject({ status: "complete", lastError: null });
    },
  );

  it("a call begins anew: what was confirmed before it proves nothing after it", () => {
    const history = judged("proven");
    history.conclude(history.intend("update"), done("id-1"));
    expect(lookedAt(history).state).toMatchObject({ status: "unconfirmed", confirmed: null });
  });

  it("another confirm in the file asks anew, another window does not, and none asks nothing", () => {
    const other = { ...confirm, claims: ["old-gone"] };
    expect(plannedWith(judged("proven"), { ...confirm, windowMs: 5 }).status).toBe("complete");
    for (const finding of FINDINGS)
      expect(plannedWith(judged(finding), other).state).toMatchObject({
        status: "unconfirmed",
        confirmed: null,
      });
    for (const finding of FINDINGS) expect(plannedWith(judged(finding), null).status).toBe("complete");
  });

  it("proves nothing of a thing that is not as declared, or that a failed call left", () => {
    const drifted = judged("proven");
    drifted.look(differs("id-1"));
    expect(told(drifted, "proven").status).toBe("error");
    const failing = judged("proven");
    failing.conclude(failing.intend("update"), { kind: "refused", reason: "no" });
    expect(told(failing, "proven").status).toBe("error");
    expect(changeFor(failing.state, today(failing)).do).toBe("update");
  });

  it("the order of its fields is no other confirm: the journal has an order of its own", () => {
    const written = { claims: [{ target: "deployment/web", claims: ["capacity"] }], windowMs: 1_000 };
    const kept = { claims: [{ claims: ["capacity"], target: "deployment/web" }], windowMs: 1_000 };
    const history = told(new StepHistory({ policy: { confirm: kept } }).created(), "proven");
    expect(plannedWith(history, written).status).toBe("complete");
  });

  it("what was refuted stays so when somebody decides that the thing is there; that it is not, ends it", () => {
    const present = { what: "resolve", as: "present", id: "id-1", owed: null } as const;
    expect(judged("refuted").decide(present).state).toMatchObject({
      status: "error",
      confirmed: { finding: "refuted" },
    });
    const absent = { what: "resolve", as: "absent", id: null, owed: null } as const;
    expect(judged("refuted").decide(absent).state).toMatchObject({ status: "destroyed", confirmed: null });
  });

  it("what was refuted is asked again, not made again", () => {
    const history = judged("refuted");
    expect(changeFor(history.state, today(history)).do).toBe("leave");
    // Control: drift is made as declared.
    history.look(differs("id-1"));
    expect(changeFor(history.state, today(history)).do).toBe("update");
  });
});

const today = (history: StepHistory) => ({
  can: history.can,
  onChange: null,
  inputsDigest: history.declared().inputsDigest,
});

describe("confirm as written", () => {
  it("names the step's own objects by claims alone, others by their target", () => {
    const none = { namespace: null, kubeconfig: null, context: null, response: null };
    const other = { target: "deployment/web", claims: ["capacity"], namespace: "shop" };
    expect(parseConfirm(["old-gone", other, "capacity"])).toEqual({
      askings: [
        { ...none, target: null, claims: ["old-gone", "capacity"] },
        { ...none, target: { kind: "deployment", name: "web" }, namespace: "shop", claims: ["capacity"] },
      ],
    });
  });

  it("a reply of the step's own object is asked in one look with its claims, so that an old Pod's is not the new one's", () => {
    const reply = { response: { via: "service/web", pod: "$.pod" } };
    const parsed = parseConfirm(["rollout-complete", reply, "old-gone"]);
    expect(parsed).toMatchObject({
      askings: [
        {
          target: null,
          claims: ["rollout-complete", "old-gone", "response", "answered-by-new-pod"],
          response: { via: { kind: "service", name: "web" }, path: "/", samples: 3 },
        },
      ],
    });
    // Alone, with the claims that count of such an object; of a target, with that target's.
    expect(parseConfirm([reply])).toMatchObject({ askings: [{ target: null, claims: null }] });
    expect(
      parseConfirm([
        "capacity",
        { target: "deployment/web", claims: ["old-gone"], response: { via: "pod" } },
      ]),
    ).toMatchObject({
      askings: [
        { target: null, claims: ["capacity"], response: null },
        { claims: ["old-gone", "response", "answered-by-new-pod"], response: { via: { kind: "pod" } } },
      ],
    });
  });

  it.each([
    ["done", [0], /^there is no claim "done"; claims are spec-observed, /],
    ["absent", [0], /^absent cannot be asked by confirm/],
    ["__proto__", [0], /^there is no claim/],
    [7, [0], /^there is no claim 7/],
    [{ claims: ["capacity"] }, [0, "target"], /^names no object/],
    [{ target: "web", claims: ["capacity"] }, [0, "target"], /^must be KIND\/NAME/],
    [{ target: "a/b/c", claims: ["capacity"] }, [0, "target"], /^must be KIND\/NAME/],
    [{ target: "deployment/web", claims: [] }, [0, "claims"], /^must be a list of claims/],
    [{ target: "deployment/web", claims: ["x"] }, [0, "claims", 0], /^there is no claim "x"/],
    ["response", [0], /^response needs a reply: write \{ response: /],
    [{ target: "deployment/web", claims: ["answered-by-new-pod"] }, [0, "claims", 0], /needs a reply/],
    [{ response: { path: "/" } }, [0, "response", "via"], /^is missing/],
    [{ response: "service/web" }, [0, "response"], /^must be an object with via, /],
    [{ response: { via: "ftp://x" } }, [0, "response", "via"], /^must be pod, service/],
    [{ response: { via: "http://u:p@x" } }, [0, "response", "via"], /no credentials are sent/],
    [{ response: { via: "pod", vai: 1 } }, [0, "response", "vai"], /^there is no field "vai"/],
    [
      { response: { via: "pod", samples: 0 } },
      [0, "response", "samples"],
      /^must be a whole number from 1 to 100/,
    ],
    [
      { response: { via: "pod", expect: { status: 42 } } },
      [0, "response", "expect", "status"],
      /from 100 to 599/,
    ],
    [
      { response: { via: "pod", expect: { grpc: {}, status: 200 } } },
      [0, "response", "expect", "grpc"],
      /a status cannot be/,
    ],
    [{ response: { via: "pod" }, namespace: "shop" }, [0, "namespace"], /^is told by the step's outputs/],
    [{ via: "pod" }, [0, "via"], /^belongs into response/],
    [{ response: { via: "pod" }, claims: ["absent"] }, [0, "claims", 0], /^absent cannot be asked/],
    [{ target: "deployment/web", claims: ["capacity"], nmae: "x" }, [0, "nmae"], /^there is no field "nmae"/],
  ])("says what is wrong with %j, and where", (item, path, message) => {
    const parsed = parseConfirm([item as never]);
    expect(parsed).toHaveProperty("faults");
    if ("faults" in parsed)
      expect(parsed.faults[0]).toEqual({ path, message: expect.stringMatching(message) });
  });
});
