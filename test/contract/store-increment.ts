import { advance } from "../../src/domain/fold.ts";
import type { StackName } from "../../src/domain/ids.ts";
import { stackId, stepName } from "../../src/domain/ids.ts";
import type { StepState } from "../../src/domain/state.ts";
import type { CommitRequest } from "../../src/ports/store.ts";
import { identity, imported, state } from "./journal-samples.ts";

/** Adds one to the step's `attempts`, with one record, and answers with the new number. Makes the stack if need be. */
export const increment = (stack: StackName, step: string): CommitRequest<number> => ({
  stack,
  steps: [stepName(step)],
  decide: ({ head, steps }) => {
    const attempts = (steps.get(stepName(step))?.attempts ?? 0) + 1;
    return {
      value: attempts,
      write: {
        records: [identity(step, { attempts })],
        steps: [state(step, { attempts })],
        ...(head === null ? { stack: { create: stackId(`st_${stack}`), lease: null, epoch: 0 } } : {}),
      },
    };
  },
});

/** The same with a state that is the fold of its records, so that a driver may write its row late: `countOf` tells the number. */
export const countUp = (stack: StackName, step: string): CommitRequest<number> => ({
  stack,
  steps: [stepName(step)],
  decide: ({ head, steps }) => {
    const before = steps.get(stepName(step));
    const count = countOf(before) + 1;
    const record = imported(step, `${count}`);
    return {
      value: count,
      write: {
        records: [record],
        steps: [advance(before, record)],
        folded: true,
        ...(head === null ? { stack: { create: stackId(`st_${stack}`), lease: null, epoch: 0 } } : {}),
      },
    };
  },
});

export const countOf = (state: StepState | null | undefined): number => Number(state?.identity?.id ?? 0);
