/**
 * The tail of a journal: the records that are not in the rows of the steps yet. A step is written three times within
 * milliseconds while it runs, and its row grows each time; so the writer keeps the states of the tail in memory and
 * writes their rows together (`commit.ts`). Whoever else reads folds the tail over the rows, and so does the next writer
 * after a crash: nothing is lost, since the records are what is durable.
 */
import { advance } from "../../domain/fold.ts";
import type { StepName } from "../../domain/ids.ts";
import type { StepState } from "../../domain/state.ts";
import { GENESIS } from "../../wire/chain.ts";
import type { NumberedHead, RecordRow } from "./rows.ts";
import { chainedRecordOf, damaged, shown } from "./rows.ts";
import type { Statements } from "./statements.ts";
import { placeOf, seqAt } from "./statements.ts";

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
export const foldTail = (
  statements: Statements,
  head: NumberedHead,
  rowOf: (step: StepName) => StepState | undefined,
): Tail => {
  const states = new Map<StepName, StepState>();
  let characters = 0;
  if (head.folded === head.seq) return { states, characters };
  const { number, name } = head;
  const recordAt = (seq: number): string => `record ${seq} of stack ${shown(name)}`;
  let seq = head.folded;
  let hash = hashAt(statements, head, seq);
  const rows = statements.listRecords.iterate(placeOf(number, seq + 1), placeOf(number, head.seq));
  for (const found of rows) {
    const row = found as unknown as RecordRow;
    seq += 1;
    if (seqAt(number, row.place) !== seq) throw damaged(recordAt(seq), "it is missing");
    const record = chainedRecordOf(row, name, seq, hash);
    hash = row.hash;
    const { step } = record;
    try {
      states.set(step, advance(states.get(step) ?? rowOf(step), record));
    } catch (error) {
      throw damaged(recordAt(seq), `the state of its step cannot be told: ${messageOf(error)}`);
    }
    characters += row.body.length;
  }
  if (seq !== head.seq || hash !== head.hash) throw damaged(recordAt(seq + 1), "it is missing");
  return { states, characters };
};

const hashAt = (statements: Statements, { number, name }: NumberedHead, seq: number): string => {
  if (seq === 0) return GENESIS;
  const hash = statements.readHash.get(placeOf(number, seq))?.["hash"];
  if (typeof hash === "string") return hash;
  throw damaged(`record ${seq} of stack ${shown(name)}`, "it is missing");
};

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
