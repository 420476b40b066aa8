/** A call in doubt is closed by evidence or a decision (R1); it alone ends the doubt that W3 keeps open. */
import type { SettlementRecord } from "../journal.ts";
import type { OpenIntent, StepState } from "../state.ts";
import { isAlive } from "../state.ts";
import { closing, completed, doubtOr, ended, IllegalTransition, inDoubt, move, without } from "./move.ts";

export const settled = (state: StepState, record: SettlementRecord): StepState => {
  const open = state.open.find((o) => o.intent === record.intent);
  if (open === undefined)
    throw new IllegalTransition(`step ${state.step}: ${record.intent} was settled, but it is not in doubt`);
  const closed = closing(state, [open], (o) => o.action === "create" && record.says === "no-effect");
  const rest: StepState = { ...without(state, open), closed };
  switch (record.says) {
    case "superseded":
      return rest;
    case "complete": {
      const sameBody = open.inputsDigest === state.declared?.inputsDigest.digest;
      const applied =
        open.action === "create" || open.action === "update"
          ? { present: true, applied: sameBody ? state.declared : state.applied }
          : {};
      return completed({ ...rest, ...applied }, "settled", record.by, record.reason);
    }
    case "drift": {
      const moved = move({ ...rest, present: true }, "settled", doubtOr(rest, "error"), record.reason);
      return {
        ...moved,
        effect: "known",
        failedCommand: open.action,
        failedIn: open.operation,
        lastError: state.lastError ?? record.reason,
      };
    }
    case "still-there": {
      const moved = move(rest, "settled", doubtOr(rest, "error"), record.reason);
      return {
        ...moved,
        effect: "known",
        failedCommand: "destroy",
        failedIn: open.operation,
        lastError: record.reason,
      };
    }
    case "no-effect":
      return noEffect(rest, open, record);
    case "gone":
      // What stands beside the thing is not gone with it.
      return ended(open.leftNothing ? state : rest, "settled", record.by, record.reason);
  }
};

const noEffect = (left: StepState, open: OpenIntent, record: SettlementRecord): StepState => {
  // What does not exist owes nothing (P3).
  const rest = isAlive(left) ? left : { ...left, owes: [] };
  const doubt = inDoubt(rest);
  if (doubt !== undefined) return { ...move(rest, "settled", "unresolved", doubt), effect: "none" };
  // Another call that answered `failed` is still to be settled, and may have left something.
  if (rest.open.length > 0) return move(rest, "settled", "error", rest.reason);
  if (open.outcome === "failed" || open.action !== "create") {
    const moved = move(rest, "settled", "error", record.reason);
    return { ...moved, effect: "none", failedCommand: open.action, failedIn: open.operation };
  }
  const moved = move(rest, "settled", "pending", record.reason);
  return { ...moved, effect: "none", missingSince: null };
};
