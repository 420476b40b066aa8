/**
 * Where a stack stands in the ledger, as one digest over what a plan depends on. Approvals are left out: to approve a
 * saved plan must not make it unfit.
 */
import type { Digest } from "../domain/ids.ts";
import type { JsonObject } from "../domain/json.ts";
import type { StepState } from "../domain/state.ts";
import { digestOf } from "../wire/digest.ts";

export const positionOf = (states: Iterable<StepState>): Digest => {
  const facts = [...states].map(
    (state): JsonObject => ({
      step: state.step,
      status: state.status,
      id: state.identity?.id ?? null,
      key: state.key,
      present: state.present,
      applied: state.applied?.inputsDigest.digest ?? null,
      open: state.open.map((open) => [open.intent, open.outcome]),
      surplus: state.surplus.map((surplus) => surplus.id),
      owes: state.owes,
      retained: state.retained !== null,
    }),
  );
  facts.sort((a, b) => (String(a["step"]) < String(b["step"]) ? -1 : 1));
  return digestOf(facts);
};
