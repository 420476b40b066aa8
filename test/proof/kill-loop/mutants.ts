/** Broken runtimes for the loop's controls: between them and their providers stands something that breaks the laws. */
import type { CommittedIntent } from "../../../src/domain/committed-intent.ts";
import type { Action } from "../../../src/domain/step.ts";
import type { CallIo, Provider } from "../../../src/ports/provider.ts";

/** Opens as often as it is asked. */
export const reopenable = <A extends Action>(intent: CommittedIntent<A>): CommittedIntent<A> => {
  let opened: ReturnType<CommittedIntent<A>["open"]> | undefined;
  const again = {
    action: intent.action,
    step: intent.step,
    id: intent.id,
    opened: true,
    open: () => {
      opened ??= intent.open();
      return opened;
    },
  };
  return again as unknown as CommittedIntent<A>;
};

export const MUTANTS: Readonly<Record<string, (provider: Provider) => Provider>> = {
  "sends again what had no answer": (provider) => ({
    ...provider,
    create: async (intent, io) => {
      const twice = reopenable(intent);
      const first = await provider.create(twice, io);
      return first.kind === "unknown" ? provider.create(twice, io) : first;
    },
  }),
  "keeps no id": (provider) => ({
    ...provider,
    create: async (intent, io) => {
      const silent: CallIo = { ...io, identity: async () => undefined };
      const outcome = await provider.create(intent, silent);
      return outcome.kind === "refused" ? outcome : { ...outcome, id: null, outputs: {} };
    },
    observe: async (question, io) => {
      const reading = await provider.observe(question, io);
      return reading.kind === "observed" ? { ...reading, id: null, outputs: {} } : reading;
    },
  }),
  "takes every reading for an absence": (provider) => ({
    ...provider,
    observe: async () => ({ kind: "absent" }),
  }),
};
