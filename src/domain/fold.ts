/**
 * The fold: state + record → state. Pure, total over legal journals, and the only writer of a step's state.
 *
 * Laws held here:
 *   W3 a call without an outcome stays open; nothing but evidence or a decision closes it.
 *   W4 outputs are merged and never deleted; those of an earlier incarnation become `previous`.
 *   N3 the first outcome stands; a later one is merged and, where it contradicts, reopens the step.
 *   D1 alive until absence was proven. D5 a destroy never leads up to `complete`.
 *   P1 what did not run is `pending`. P3 obligations stay owed until an `owed` call is done.
 * Every change of status is checked against the one table in `status.ts`.
 * One file for each kind of record (`fold/`); `fold/move.ts` has what they share.
 */
import { identified, intended } from "./fold/call.ts";
import { decided } from "./fold/decision.ts";
import { IllegalTransition } from "./fold/move.ts";
import { observed } from "./fold/observation.ts";
import { concluded } from "./fold/outcome.ts";
import { settled } from "./fold/settlement.ts";
import { type Instant, instant } from "./ids.ts";
import type { JournalRecord } from "./journal.ts";
import type { StepState } from "./state.ts";
import { steadyNow } from "./steady.ts";

export { DEFAULT_POLICY } from "./fold/blank.ts";
export { IllegalTransition } from "./fold/move.ts";
export { readingAbout } from "./fold/observation.ts";

/** The state after `record`. Throws `IllegalTransition` when the table does not allow it. */
export const advance = (state: StepState | undefined, record: JournalRecord): StepState => {
  const dated =
    state === undefined ? undefined : { ...state, updatedAt: record.at, anchor: anchored(state, record) };
  return { ...step(dated, record), lastOperation: record.operation };
};

const anchored = ({ anchor }: StepState, record: JournalRecord): StepState["anchor"] => {
  const { clock } = record;
  // Written together with the one before.
  if (clock.id === anchor.clock.id && clock.ms === anchor.clock.ms) return anchor;
  const wall = writtenAt(record);
  return { clock, wall, steady: steadyNow(anchor, wall, clock) };
};

/** Of a reading `at` is when it was asked. */
const writtenAt = (record: JournalRecord): Instant =>
  record.kind === "observation" ? instant(record.at + record.clock.ms - record.askedMs) : record.at;

const step = (state: StepState | undefined, record: JournalRecord): StepState => {
  if (record.kind === "decision") return decided(state, record);
  if (state === undefined)
    throw new IllegalTransition(
      `step ${record.step}: a record of kind ${record.kind} came before the step was planned`,
    );
  switch (record.kind) {
    case "intent":
      return intended(state, record);
    case "identity":
      return identified(state, record);
    case "outcome":
      return concluded(state, record);
    case "observation":
      return observed(state, record);
    case "settlement":
      return settled(state, record);
  }
};
