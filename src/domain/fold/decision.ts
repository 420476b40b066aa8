/** What a person decided, and what an operation laid down or carried out by the file's word. */
import { isRefutedOnly, sameConfirm, standingOf } from "../confirm.ts";
import type { Decision, DecisionRecord, PlannedStep, SettledBy } from "../journal.ts";
import type { StepState } from "../state.ts";
import { isAlive } from "../state.ts";
import { type StepStatus, TRANSITIONS } from "../status.ts";
import { blank, DEFAULT_POLICY } from "./blank.ts";
import {
  closing,
  completed,
  ended,
  entomb,
  IllegalTransition,
  inDoubt,
  move,
  withoutSurplus,
} from "./move.ts";

export const decided = (state: StepState | undefined, record: DecisionRecord): StepState => {
  const { decision } = record;
  if (decision.what === "planned") return planned(state, record, decision.steps);
  if (state === undefined && decision.what === "import") {
    const policy = DEFAULT_POLICY;
    const fresh = blank(
      { step: record.step, uses: decision.declared.uses, needs: [], partOf: null, policy },
      record,
    );
    return imported(fresh, record, decision);
  }
  if (state === undefined)
    throw new IllegalTransition(
      `step ${record.step}: the decision ${decision.what} came before the step was planned`,
    );
  return ruled(state, record, decision);
};

/** No call is out and none is unsettled: only then `retained` hides nothing. */
const isAtRest = (state: StepState): boolean =>
  state.open.length === 0 &&
  state.surplus.length === 0 &&
  state.status !== "error" &&
  state.status !== "unresolved";

/** What a retained step is when it is not set apart any more: complete only where what proved it still stands. */
const unkept = (state: StepState): StepStatus => {
  if (!isAlive(state)) return "pending";
  return state.applied !== null && state.provenBy !== null ? standingOf(state, "").status : "unresolved";
};

const planned = (
  state: StepState | undefined,
  record: DecisionRecord,
  steps: readonly PlannedStep[],
): StepState => {
  const mine = steps.find((s) => s.step === record.step);
  if (mine === undefined) throw new IllegalTransition(`step ${record.step} is not in the plan that names it`);
  if (state === undefined) return blank(mine, record);
  const policy = { ...state, policy: mine.policy, needs: mine.needs, partOf: mine.partOf, left: false };
  if (state.status === "destroyed")
    return {
      ...move(policy, "planned", "pending", "destroyed before, and not created again yet"),
      uses: mine.uses,
    };
  return sameConfirm(state.policy.confirm, mine.policy.confirm)
    ? move(policy, "planned", state.status, state.reason)
    : askedAnew(policy);
};

/** The file asks for something else now: what was judged before does not answer it. */
const askedAnew = (state: StepState): StepState => {
  const anew = { ...state, confirmed: null };
  const stands = state.status === "complete" || state.status === "unconfirmed" || isRefutedOnly(state);
  if (!stands || state.provenBy === null) return move(anew, "planned", state.status, state.reason);
  const { status, reason } = standingOf(anew, "observed present");
  return { ...move(anew, "planned", status, reason), lastError: null };
};

const ruled = (state: StepState, record: DecisionRecord, decision: Decision): StepState => {
  const who = `${record.actor} decided: ${record.reason}`;
  const by: SettledBy = { kind: "decision", actor: record.actor };
  switch (decision.what) {
    case "resolve":
      return resolved(state, decision, who, by);
    case "retain": {
      const to = isAtRest(state) ? "retained" : state.status;
      const moved = move(state, "decision:retain", to, to === "retained" ? who : state.reason);
      return { ...moved, retained: decision.retain };
    }
    case "release-retain": {
      const moved =
        state.status === "retained" ? move(state, "decision:release-retain", unkept(state), who) : state;
      return { ...moved, retained: null };
    }
    case "kept":
      return isAtRest(state)
        ? move(state, "kept", "retained", record.reason)
        : move(state, "kept", state.status, state.reason);
    case "taken-up":
      return move(state, "taken-up", unkept(state), record.reason);
    case "left":
      return { ...move(state, "left", state.status, state.reason), left: true };
    case "forget":
      return forgotten(state, decision.id, who, by);
    case "import":
      return imported(state, record, decision);
    case "approve":
      return {
        ...move(state, "decision:approve", state.status, state.reason),
        approvals: [
          ...state.approvals,
          { actor: record.actor, before: decision.before, plan: decision.plan, at: record.at },
        ],
      };
    case "renamed":
      return { ...move(state, "renamed", state.status, state.reason), step: record.step };
    case "relinked": {
      const { from, to } = decision;
      const needs = state.needs.map((need) => (need === from ? to : need));
      const partOf = state.partOf === from ? to : state.partOf;
      return { ...move(state, "renamed", state.status, state.reason), needs, partOf };
    }
    case "contained-gone":
      return entomb(move(state, "contained-gone", "destroyed", record.reason), decision.by);
    case "nothing-to-remove": {
      const why = "destroyed by its own word: it has no destroy, so there was nothing to remove";
      return entomb(move(state, "nothing-to-remove", "destroyed", why), {
        kind: "own-word",
      });
    }
    case "not-run":
      return move(state, "not-run", "pending", record.reason);
    case "confirmed":
      return confirmed(state, decision);
    case "planned":
      return state;
  }
};

/** It speaks of a thing that is there and as declared; of any other it is only remembered. */
const confirmed = (state: StepState, decision: Extract<Decision, { what: "confirmed" }>): StepState => {
  const { finding, sentence } = decision;
  // Another process recorded meanwhile that the thing is not what it was.
  if (TRANSITIONS[state.status].confirmed === undefined) return state;
  const told = { ...state, confirmed: { finding, sentence } };
  const stands = state.status !== "unresolved" && (state.status !== "error" || isRefutedOnly(state));
  if (!stands) return move(told, "confirmed", state.status, state.reason);
  const to: StepStatus = finding === "proven" ? "complete" : finding === "refuted" ? "error" : "unconfirmed";
  return { ...move(told, "confirmed", to, sentence), lastError: finding === "refuted" ? sentence : null };
};

const resolved = (
  state: StepState,
  decision: Extract<Decision, { what: "resolve" }>,
  who: string,
  by: SettledBy,
): StepState => {
  const neverSeen = decision.as === "absent" && !state.present;
  const closed = closing(state, state.open, (o) => o.action === "create" && neverSeen);
  if (decision.as === "absent") {
    const was = state.present || state.open.some((o) => o.action === "destroy") || state.applied !== null;
    const rest = { ...state, open: [], closed, disappeared: false };
    if (state.status === "destroyed") return move(rest, "decision:resolve", "destroyed", `absent: ${who}`);
    // That this one is gone says nothing of a second object (N3).
    if (state.surplus.length > 0) return ended(rest, "decision:resolve", by, `absent: ${who}`);
    return entomb(move(rest, "decision:resolve", was ? "destroyed" : "pending", `absent: ${who}`), by);
  }
  // That the thing is there does not say that what it owes was done: this has to be decided by name (P3).
  const owes = decision.owed === "done" ? [] : state.owes;
  const identity = decision.id === null ? state.identity : { id: decision.id };
  const rest: StepState = {
    ...state,
    open: [],
    closed,
    owes,
    identity,
    present: true,
    applied: state.declared,
  };
  return completed(rest, "decision:resolve", by, `present: ${who}`);
};

const forgotten = (state: StepState, id: string | null, who: string, by: SettledBy): StepState => {
  if (id !== null && state.surplus.some((s) => s.id === id)) {
    const rest = withoutSurplus(state, id);
    const calling = state.status === "running" || state.status === "destroying";
    const status = calling ? "unresolved" : state.status;
    if (inDoubt(rest) !== undefined || status !== "unresolved")
      return move(rest, "decision:forget", status, who);
    if (state.status === "unresolved" && state.applied !== null && state.declared?.can.observe !== true)
      return completed(rest, "decision:forget", { kind: "own-word" }, who);
    // Whether the step itself is there and as declared, the next reading of it tells.
    return move(rest, "decision:forget", "unresolved", `not looked at since: ${who}`);
  }
  const moved = move(
    state,
    "decision:forget",
    "pending",
    `forgotten, so what it stood for may still exist: ${who}`,
  );
  return { ...entomb(moved, by), effect: "possible", provenBy: null };
};

const imported = (
  state: StepState,
  record: DecisionRecord,
  decision: Extract<Decision, { what: "import" }>,
): StepState => {
  const moved = move(
    state,
    "decision:import",
    "unresolved",
    `imported as ${decision.id} and not observed yet: ${record.reason}`,
  );
  return {
    ...moved,
    uses: decision.declared.uses,
    identity: { id: decision.id },
    present: true,
    declared: decision.declared,
    applied: null,
  };
};
