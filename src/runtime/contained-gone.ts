/** D2: the records that close the children of a parent which is gone, committed together with the proof of it. */
import { advance } from "../domain/fold.ts";
import type { EvidenceId, StepName } from "../domain/ids.ts";
import type { DecisionRecord, JournalRecord, SettledBy } from "../domain/journal.ts";
import { isAlive, type StepState } from "../domain/state.ts";

type States = ReadonlyMap<StepName, StepState>;

/** The states that the records make of the rows. */
export const foldOver = (current: States, records: readonly JournalRecord[]): Map<StepName, StepState> => {
  const states = new Map<StepName, StepState>();
  for (const record of records)
    states.set(record.step, advance(states.get(record.step) ?? current.get(record.step), record));
  return states;
};

/** How it is known that the container is gone. */
const HOW: Readonly<Record<SettledBy["kind"], string>> = {
  observation: "observed",
  parent: "shown by that of its own container",
  decision: "decided",
  "own-word": "stated by its own word",
};

export const containedGone = (
  steps: States,
  records: readonly JournalRecord[],
  family: {
    readonly parent: StepName;
    readonly contained: readonly StepName[];
    /** null: the parent is gone by its own word, or by a decision. */
    readonly evidence: EvidenceId | null;
  },
  sign: Pick<DecisionRecord, "operation" | "at" | "clock" | "actor">,
): JournalRecord[] => {
  const { parent, contained, evidence } = family;
  if (contained.length === 0) return [];
  const after = foldOver(steps, records).get(parent) ?? steps.get(parent);
  if (after?.status !== "destroyed") return [];
  const by: SettledBy = { kind: "parent", step: parent, evidence };
  const how = HOW[after.provenBy === null ? "own-word" : after.provenBy.kind];
  return contained.flatMap((child) => {
    const state = steps.get(child);
    if (state === undefined || (!isAlive(state) && state.open.length === 0)) return [];
    return [
      {
        kind: "decision",
        step: child,
        ...sign,
        decision: { what: "contained-gone", parent, by },
        reason: `it was contained in ${parent}, whose absence was ${how}`,
      },
    ];
  });
};
