/** A provider in this process that does nothing, so that what is measured is asfound's own cost. */
import type { Provider } from "../src/ports/provider.ts";

const done = { kind: "done", id: null, outputs: {}, owes: [] } as const;

export const noopProvider = (): Provider => ({
  name: "noop",
  describe: () => ({
    can: { observe: true, create: true, update: true, destroy: true, compensate: false, owed: false },
    retry: null,
    inputFiles: [],
    cannotKnow: [],
  }),
  observe: async (question) => ({
    kind: "observed",
    id: question.step,
    outputs: {},
    asDeclared: { kind: "known", value: true },
    reason: null,
  }),
  create: async (intent) => {
    const call = await intent.open();
    return { ...done, id: call.step };
  },
  update: async (intent) => {
    await intent.open();
    return done;
  },
  destroy: async (intent) => {
    await intent.open();
    return done;
  },
  compensate: async () => ({ kind: "refused", reason: "there is no such command" }),
  owed: async () => ({ kind: "refused", reason: "there is no such command" }),
});
