/**
 * What the writer itself wrote or read lately. A state follows from its stack's records, so as long as the stack's head
 * has the very hash that it had then, no process has written to the stack since, and the row need not be read, parsed
 * and checked again: that is a good part of what a commit costs. The lease, which is read with every commit and changes
 * every few seconds, is known by its text.
 */
import type { StackName, StepName } from "../../domain/ids.ts";
import type { Lease } from "../../domain/lease.ts";
import type { StepState } from "../../domain/state.ts";
import type { NumberedHead, ReadLease } from "./rows.ts";
import { leaseOf } from "./rows.ts";

const MAX_STACKS = 64;
/** Of one stack. */
const MAX_STATES = 512;
/** Larger ones are rare, and would make the memory large. */
const MAX_TEXT = 32_768;

interface OfStack {
  hash: string;
  readonly states: Map<StepName, StepState>;
}

export interface Known {
  /** undefined: it has to be read. */
  state(head: NumberedHead, step: StepName): StepState | undefined;
  /** `textLength`: of its row. */
  remember(stack: StackName, state: StepState, textLength: number): void;
  forget(stack: StackName, step: StepName): void;
  /** This writer moved the stack's head from `before` to `hash`: what was known under the one is known under the other. */
  move(stack: StackName, before: string, hash: string): void;
  /** What was written was rolled back, or nobody knows. */
  clear(): void;
  readonly readLease: ReadLease;
}

export const openKnown = (): Known => {
  let lastLease: { readonly text: string; readonly lease: Lease } | null = null;
  const stacks = new Map<StackName, OfStack>();

  const under = (stack: StackName, hash: string): OfStack => {
    const found = stacks.get(stack);
    if (found?.hash === hash) return found;
    if (stacks.size >= MAX_STACKS) stacks.clear();
    const made = { hash, states: new Map<StepName, StepState>() };
    stacks.set(stack, made);
    return made;
  };

  return {
    state: (head, step) => under(head.name, head.hash).states.get(step),
    remember: (stack, state, textLength) => {
      const states = stacks.get(stack)?.states;
      if (states === undefined) return;
      states.delete(state.step);
      if (textLength > MAX_TEXT) return;
      states.set(state.step, state);
      if (states.size > MAX_STATES) states.delete(states.keys().next().value as StepName);
    },
    forget: (stack, step) => stacks.get(stack)?.states.delete(step),
    move: (stack, before, hash) => {
      under(stack, before).hash = hash;
    },
    clear: () => stacks.clear(),
    readLease: (text, stack) => {
      if (lastLease?.text !== text) lastLease = { text, lease: leaseOf(text, stack) };
      return lastLease.lease;
    },
  };
};
