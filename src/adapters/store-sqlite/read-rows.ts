/** The rows that both sides read: a stack's head, and the states of its steps. */
import type { StackName, StepName } from "../../domain/ids.ts";
import type { StepState } from "../../domain/state.ts";
import type { NumberedHead, ReadLease } from "./rows.ts";
import { headOf, leaseOf, stepOf } from "./rows.ts";
import type { Statements } from "./statements.ts";
import { foldTail } from "./tail.ts";

export const readHead = (
  statements: Statements,
  stack: StackName,
  readLease: ReadLease = leaseOf,
): NumberedHead | null => {
  const row = statements.readStack.get(stack);
  return row === undefined ? null : headOf(row, readLease);
};

/** The rows as they are, without the tail. */
export const readStepRow = (
  statements: Statements,
  head: NumberedHead,
  step: StepName,
): StepState | undefined => {
  const row = statements.readStep.get(head.number, step);
  return row === undefined ? undefined : stepOf(row, head.name)[1];
};

export const readStepRows = (statements: Statements, head: NumberedHead): Map<StepName, StepState> =>
  new Map(statements.listSteps.all(head.number).map((row) => stepOf(row, head.name)));

/** The states as they are now. Head, rows and tail have to be of one transaction. */
export const readSteps = (
  statements: Statements,
  head: NumberedHead | null,
): ReadonlyMap<StepName, StepState> => {
  if (head === null) return new Map();
  const steps = readStepRows(statements, head);
  for (const [step, state] of foldTail(statements, head, (of) => steps.get(of)).states)
    steps.set(step, state);
  return steps;
};

export const readStep = (
  statements: Statements,
  head: NumberedHead | null,
  step: StepName,
): StepState | null => {
  if (head === null) return null;
  const rowOf = (of: StepName) => readStepRow(statements, head, of);
  return foldTail(statements, head, rowOf).states.get(step) ?? rowOf(step) ?? null;
};
