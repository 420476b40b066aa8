import type { StackName } from "../../src/domain/ids.ts";
import { stackId, stepName } from "../../src/domain/ids.ts";
import type { CommitRequest } from "../../src/ports/store.ts";
import { identity, state } from "./journal-samples.ts";

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
