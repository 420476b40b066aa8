/** The rows that both sides read: a stack's head, the states of its steps, its operations. */
import type { StackName, StepName } from "../../domain/ids.ts";
import type { Operation } from "../../domain/operation.ts";
import type { StepState } from "../../domain/state.ts";
import type { NumberedHead, ReadHeadRow } from "./rows.ts";
import { damaged, damagedStates, headOf, operationOf, shown, stepOf } from "./rows.ts";
import type { Statements } from "./statements.ts";
import type { Total } from "./sums.ts";
import { NO_ROWS, replacedIn, totalFault } from "./sums.ts";
import type { FoldTail } from "./tail.ts";

export const readHead = (
  statements: Statements,
  stack: StackName,
  readRow: ReadHeadRow = headOf,
): NumberedHead | null => {
  const row = statements.readStack.get(stack);
  if (row !== undefined) return readRow(row);
  // op-22: a stack that is not known would be begun anew.
  if (statements.findStack.get(stack) === undefined) return null;
  throw damaged(`stack ${shown(stack)}`, "the index of the stacks does not know it");
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

export const readStepRows = (statements: Statements, head: NumberedHead): Map<StepName, StepState> => {
  const steps = new Map<StepName, StepState>();
  let found = NO_ROWS;
  for (const row of statements.listSteps.iterate(head.number)) {
    steps.set(...stepOf(row, head.name));
    found = replacedIn(found, undefined, row["sum"] as number);
  }
  const fault = totalFault(head.steps, found, "steps");
  if (fault !== null) throw damagedStates(`stack ${shown(head.name)}`, fault);
  return steps;
};

/** Newest first. Those that are not asked for are counted, and not looked at. */
export const readOperations = (
  statements: Statements,
  head: NumberedHead | null,
  limit: number,
): readonly Operation[] => {
  if (head === null) return [];
  if (head.operations.rows <= limit) return [...operationsInOrder(statements, head)].reverse();
  const rows = statements.countOperations.get(head.number)?.["count"] as number;
  refuseOther(head, { ...head.operations, rows });
  return statements.listOperations.all(head.number, limit).map(operationOf);
};

/** Oldest first. Throws `StoreFault` after the last one when these are not all. */
export function* operationsInOrder(statements: Statements, head: NumberedHead): Iterable<Operation> {
  let found = NO_ROWS;
  for (const row of statements.listOperationsInOrder.iterate(head.number)) {
    found = replacedIn(found, undefined, row["sum"] as number);
    yield operationOf(row);
  }
  refuseOther(head, found);
}

const refuseOther = (head: NumberedHead, found: Total): void => {
  const fault = totalFault(head.operations, found, "operations");
  if (fault !== null) throw damaged(`stack ${shown(head.name)}`, fault);
};

/**
 * The states as they are now; undefined: there is a tail, and it takes the fold to read it. Head, rows and tail have to be
 * of one transaction.
 */
export const readSteps = (
  statements: Statements,
  head: NumberedHead | null,
  fold: FoldTail | null,
): ReadonlyMap<StepName, StepState> | undefined => {
  if (head === null) return new Map();
  if (head.folded !== head.seq && fold === null) return undefined;
  const steps = readStepRows(statements, head);
  if (fold !== null)
    for (const [step, state] of fold(statements, head, (of) => steps.get(of)).states) steps.set(step, state);
  return steps;
};

/** The same for one step; null: there is none. */
export const readStep = (
  statements: Statements,
  head: NumberedHead | null,
  step: StepName,
  fold: FoldTail | null,
): StepState | null | undefined => {
  if (head === null) return null;
  if (head.folded !== head.seq && fold === null) return undefined;
  const rowOf = (of: StepName) => readStepRow(statements, head, of);
  return fold?.(statements, head, rowOf).states.get(step) ?? rowOf(step) ?? null;
};
