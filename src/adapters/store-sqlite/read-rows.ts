/** The rows that both sides read: a stack's head, and the states of its steps. */
import type { StackName, StepName } from "../../domain/ids.ts";
import type { StepState } from "../../domain/state.ts";
import type { NumberedHead } from "./rows.ts";
import { headOf, stepOf } from "./rows.ts";
import type { Statements } from "./statements.ts";

export const readHead = (statements: Statements, stack: StackName): NumberedHead | null => {
  const row = statements.readStack.get(stack);
  return row === undefined ? null : headOf(row);
};

/** How a row of table `step` becomes a state. */
type ReadRow = (
  stackNumber: number,
  stack: StackName,
  row: Record<string, unknown>,
) => readonly [StepName, StepState];

export const readSteps = (
  statements: Statements,
  head: NumberedHead | null,
  wanted: readonly StepName[] | "all",
  read: ReadRow = (_, stack, row) => stepOf(row, stack),
): ReadonlyMap<StepName, StepState> => {
  if (head === null) return new Map();
  const { number, name: stack } = head;
  if (wanted === "all")
    return new Map(statements.listSteps.all(number).map((row) => read(number, stack, row)));
  const found = new Map<StepName, StepState>();
  for (const name of wanted) {
    const row = statements.readStep.get(number, name);
    if (row !== undefined) found.set(...read(number, stack, row));
  }
  return found;
};
