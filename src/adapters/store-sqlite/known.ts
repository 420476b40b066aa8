/**
 * What the writer itself wrote or read lately. A state follows from its stack's records, so as long as the stack's head
 * has the very hash that it had then, no process has written to the stack since, and the row need not be read, parsed
 * and checked again: that is a good part of what a commit costs. The lease, which is read with every commit and changes
 * every few seconds, is known by its text.
 *
 * The states of the tail (`tail.ts`) are kept here until their rows are written. If they are dropped, they are folded anew.
 */
import type { StackName, StepName } from "../../domain/ids.ts";
import type { Lease } from "../../domain/lease.ts";
import type { StepState } from "../../domain/state.ts";
import type { NumberedHead, ReadLease } from "./rows.ts";
import { leaseOf } from "./rows.ts";
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
  /** This writer wrote the row of `state`; `textLength`: of its text. */
  remember(stack: StackName, state: StepState, textLength: number): void;
  /** This writer did not write the row of `state`. */
  defer(stack: StackName, state: StepState): void;
  forget(stack: StackName, step: StepName): void;
  /** All rows are written. */
  endTail(stack: StackName): void;
  /**
   * This writer appended records of so many characters, and moved the stack's head to `hash`: what was known under the
   * one is known under the other.
   */
  move(before: NumberedHead, hash: string, characters: number): void;
  /** What was written was rolled back, or nobody knows. */
  clear(): void;
  readonly readLease: ReadLease;
}

export const openKnown = (): Known => {
  let lastLease: { readonly text: string; readonly lease: Lease } | null = null;
  const stacks = new Map<StackName, OfStack>();

  const under = (head: NumberedHead): OfStack => {
    const found = stacks.get(head.name);
    if (found?.hash === head.hash) return found;
    if (stacks.size >= MAX_STACKS) stacks.clear();
    const tail = head.folded === head.seq ? { states: new Map<StepName, StepState>(), characters: 0 } : null;
    const made: OfStack = { hash: head.hash, rows: new Map(), characters: 0, tail };
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
    remember: (stack, state, textLength) => {
      const of = stacks.get(stack);
      if (of === undefined) return;
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
      drop(of, step);
    },
    endTail: (stack) => {
      const of = stacks.get(stack);
      if (of !== undefined) of.tail = { states: new Map(), characters: 0 };
    },
    move: (before, hash, characters) => {
      const of = under(before);
      of.hash = hash;
      if (of.tail !== null) of.tail.characters += characters;
    },
    clear: () => stacks.clear(),
    readLease: (text, stack) => {
      if (lastLease?.text !== text) lastLease = { text, lease: leaseOf(text, stack) };
      return lastLease.lease;
    },
  };
};
