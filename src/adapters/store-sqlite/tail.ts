/**
 * The tail of a journal: the records that are not in the rows of the steps yet. A step is written three times within
 * milliseconds while it runs, and its row grows each time; so the writer keeps the states of the tail in memory and
 * writes their rows together (`write.ts`). Whoever else reads folds the tail over the rows, and so does the next writer
 * after a crash: nothing is lost, since the records are what is durable.
 */
import { advance, IllegalTransition } from "../../domain/fold.ts";
import type { StepName } from "../../domain/ids.ts";
import type { StepState } from "../../domain/state.ts";
import { recordsBetween } from "./records.ts";
import type { NumberedHead } from "./rows.ts";
import { damaged, shown } from "./rows.ts";
import type { Statements } from "./statements.ts";

/** No reader has to fold more than this … */
const MOST_RECORDS = 256;
/** … and the texts of the records are not longer than this together. */
const MOST_CHARACTERS = 262_144;

/** Whether a tail has to be written into the rows. */
export const isLong = (records: number, characters: number): boolean =>
  records > MOST_RECORDS || characters > MOST_CHARACTERS;

export interface Tail {
  /** Of the steps that its records name. */
  readonly states: ReadonlyMap<StepName, StepState>;
  /** Of the texts of its records. */
  readonly characters: number;
}

/**
 * Folds the tail over the rows, which `rowOf` tells. A state rests on each record here, so each is checked against the
 * chain first. Throws `StoreFault`.
 */
export type FoldTail = (
  statements: Statements,
  head: NumberedHead,
  rowOf: (step: StepName) => StepState | undefined,
) => Tail;

export const foldTail: FoldTail = (statements, head, rowOf) => {
  const states = new Map<StepName, StepState>();
  let characters = 0;
  let hash = head.hash;
  if (head.folded === head.seq) return { states, characters };
  for (const found of recordsBetween(statements, head, head.folded + 1, head.seq)) {
    const { step } = found.record;
    try {
      states.set(step, advance(states.get(step) ?? rowOf(step), found.record));
    } catch (error) {
      throw unfolded(head, found.seq, error);
    }
    characters += found.characters;
    hash = found.hash;
  }
  if (hash !== head.hash)
    throw damaged(`record ${head.seq} of stack ${shown(head.name)}`, "its stack's row has another hash");
  return { states, characters };
};

const unfolded = ({ name }: NumberedHead, seq: number, error: unknown): unknown => {
  if (!(error instanceof IllegalTransition)) return error;
  const why = `the state of its step cannot be told: ${error.message}`;
  return damaged(`record ${seq} of stack ${shown(name)}`, why);
};
