/**
 * The states that the writer itself wrote or read lately, by the text of their rows. A row that still has that text
 * need not be parsed and checked again, which is a good part of what a commit costs. Nothing is believed by it: the
 * row is read each time, and any other text is decoded.
 */
import type { StackName, StepName } from "../../domain/ids.ts";
import type { StepState } from "../../domain/state.ts";
import { stepOf } from "./rows.ts";

const MAX_STATES = 512;
/** Larger ones are rare, and would make the memory large. */
const MAX_TEXT = 32_768;

export interface KnownStates {
  remember(stackNumber: number, text: string, state: StepState): void;
  /** The state of a row of table `step`. Throws `StoreFault` when the row is damaged. */
  read(stackNumber: number, stack: StackName, row: Record<string, unknown>): readonly [StepName, StepState];
}

export const openKnownStates = (): KnownStates => {
  const known = new Map<string, { readonly text: string; readonly state: StepState }>();
  const remember: KnownStates["remember"] = (stackNumber, text, state) => {
    if (text.length > MAX_TEXT) return;
    const key = `${stackNumber} ${state.step}`;
    known.delete(key);
    known.set(key, { text, state });
    if (known.size > MAX_STATES) known.delete(known.keys().next().value as string);
  };
  return {
    remember,
    read: (stackNumber, stack, row) => {
      const text = row["state"] as string;
      const found = known.get(`${stackNumber} ${row["name"] as string}`);
      if (found !== undefined && found.text === text) return [found.state.step, found.state];
      const answer = stepOf(row, stack);
      remember(stackNumber, text, answer[1]);
      return answer;
    },
  };
};
