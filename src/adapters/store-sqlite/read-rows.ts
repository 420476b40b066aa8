/** The rows that both sides read: a stack's head, and the states of its steps. */
import type { StackName, StepName } from "../../domain/ids.ts";
import type { StepState } from "../../domain/state.ts";
import type { NumberedHead, ReadLease } from "./rows.ts";
import { headOf, leaseOf, stepOf } from "./rows.ts";
import type { Statements } from "./statements.ts";

export const readHead = (
  statements: Statements,
  stack: StackName,
  readLease: ReadLease = leaseOf,
): NumberedHead | null => {
  const row = statements.readStack.get(stack);
  return row === undefined ? null : headOf(row, readLease);
};

/** `known`: a state that need not be read. */
export const readSteps = (
  statements: Statements,
  head: NumberedHead | null,
  wanted: readonly StepName[] | "all",
  known: (head: NumberedHead, step: StepName) => StepState | undefined = () => undefined,
): ReadonlyMap<StepName, StepState> => {
  if (head === null) return new Map();
  const { number, name: stack } = head;
  if (wanted === "all") return new Map(statements.listSteps.all(number).map((row) => stepOf(row, stack)));
  const found = new Map<StepName, StepState>();
  for (const name of wanted) {
    const state = known(head, name);
    if (state !== undefined) {
      found.set(name, state);
      continue;
    }
    const row = statements.readStep.get(number, name);
    if (row !== undefined) found.set(...stepOf(row, stack));
  }
  return found;
};
