/**
 * What the writer itself wrote or read lately. A state follows from its stack's records, so as long as the stack's head
 * has the very hash that it had then, and the rows hold the same records, no process has written to the stack since, and
 * the row need not be read, parsed and checked again: that is a good part of what a commit costs. The stack's own row is
 * read with every commit, and compared with the one that was read or written last.
 *
 * The states of the tail (`tail.ts`) are kept here until their rows are written. If they are dropped, they are folded anew.
 */
import type { StackName, StepName } from "../../domain/ids.ts";
import type { StepState } from "../../domain/state.ts";
import type { NumberedHead, ReadHeadRow, Row } from "./rows.ts";
import { headOf, isRowOf } from "./rows.ts";
import type { Tail } from "./tail.ts";

const MAX_STACKS = 64;
/** Of one stack, by the texts of their rows. */
const MAX_CHARACTERS = 16_777_216;
/** Larger ones are rare, and would push out all others. */
const MAX_TEXT = 32_768;

interface Kept {
  readonly state: StepState;
  readonly textLength: number;
}

interface OfStack {
  hash: string;
  folded: number;
  /** Of the rows that this writer wrote. */
  readonly sums: Map<StepName, number>;
  /** States whose rows are as they are, the ones written last at the end. */
  readonly rows: Map<StepName, Kept>;
  characters: number;
  /** null: there is a tail, and it was not read yet. */
  tail: { readonly states: Map<StepName, StepState>; characters: number } | null;
}

export interface Known {
  /** undefined: it has to be read. */
  state(head: NumberedHead, step: StepName): StepState | undefined;
  /** The tail; null: it has to be folded, and told with `setTail`. */
  tail(head: NumberedHead): Tail | null;
  setTail(head: NumberedHead, tail: Tail): void;
  /** The sum of a step's row; undefined: it has to be read, or there is none. */
  sum(head: NumberedHead, step: StepName): number | undefined;
  /** This writer wrote the row of `state`; `textLength`: of its text. */
  remember(stack: StackName, state: StepState, textLength: number, sum: number): void;
  /** This writer did not write the row of `state`. */
  defer(stack: StackName, state: StepState): void;
  forget(stack: StackName, step: StepName): void;
  /** All rows are written, up to the record `folded`. */
  endTail(stack: StackName, folded: number): void;
  /**
   * This writer appended records of so many characters, and moved the stack's head to `hash`: what was known under the
   * one is known under the other.
   */
  move(before: NumberedHead, hash: string, characters: number): void;
  /** What was written was rolled back, or nobody knows. */
  clear(): void;
  readonly readHeadRow: ReadHeadRow;
  /** This writer wrote the stack's row. */
  wroteHead(head: NumberedHead, sum: number): void;
}

export const openKnown = (): Known => {
  const heads = new Map<unknown, { readonly head: NumberedHead; readonly sum: number }>();
  const stacks = new Map<StackName, OfStack>();

  const under = (head: NumberedHead): OfStack => {
    const found = stacks.get(head.name);
    if (found?.hash === head.hash && found.folded === head.folded) return found;
    if (stacks.size >= MAX_STACKS) stacks.clear();
    const tail = head.folded === head.seq ? { states: new Map<StepName, StepState>(), characters: 0 } : null;
    const { hash, folded } = head;
    const made: OfStack = { hash, folded, rows: new Map(), sums: new Map(), characters: 0, tail };
    stacks.set(head.name, made);
    return made;
  };
  const drop = (of: OfStack, step: StepName): void => {
    of.characters -= of.rows.get(step)?.textLength ?? 0;
    of.rows.delete(step);
  };

  return {
    state: (head, step) => {
      const of = under(head);
      return of.tail?.states.get(step) ?? of.rows.get(step)?.state;
    },
    tail: (head) => under(head).tail,
    setTail: (head, { states, characters }) => {
      const of = under(head);
      for (const step of states.keys()) drop(of, step);
      of.tail = { states: new Map(states), characters };
    },
    sum: (head, step) => under(head).sums.get(step),
    remember: (stack, state, textLength, sum) => {
      const of = stacks.get(stack);
      if (of === undefined) return;
      of.sums.set(state.step, sum);
      of.tail?.states.delete(state.step);
      drop(of, state.step);
      if (textLength > MAX_TEXT) return;
      of.rows.set(state.step, { state, textLength });
      of.characters += textLength;
      while (of.characters > MAX_CHARACTERS) drop(of, of.rows.keys().next().value as StepName);
    },
    defer: (stack, state) => {
      const of = stacks.get(stack);
      if (of === undefined) return;
      drop(of, state.step);
      of.tail?.states.set(state.step, state);
    },
    forget: (stack, step) => {
      const of = stacks.get(stack);
      if (of === undefined) return;
      of.tail?.states.delete(step);
      of.sums.delete(step);
      drop(of, step);
    },
    endTail: (stack, folded) => {
      const of = stacks.get(stack);
      if (of === undefined) return;
      of.tail = { states: new Map(), characters: 0 };
      of.folded = folded;
    },
    move: (before, hash, characters) => {
      const of = under(before);
      of.hash = hash;
      if (of.tail !== null) of.tail.characters += characters;
    },
    clear: () => stacks.clear(),
    readHeadRow: (row: Row) => {
      const last = heads.get(row["name"]);
      if (last !== undefined && isRowOf(row, last.head, last.sum)) return last.head;
      return headOf(row);
    },
    wroteHead: (head, sum) => {
      if (heads.size >= MAX_STACKS) heads.clear();
      heads.set(head.name, { head, sum });
    },
  };
};
