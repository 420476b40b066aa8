/** A process that is suspended in the very instant between its last check and its send, which is not promised (§2, 7). */
import type { Provider } from "../../../src/ports/provider.ts";
import { reopenable } from "../kill-loop/mutants.ts";

export const MUTANTS: Readonly<Record<string, (provider: Provider) => Provider>> = {
  "sleeps between its last check and its call": (provider) => ({
    ...provider,
    create: async (intent, io) => {
      const checked = reopenable(intent);
      await checked.open();
      process.kill(process.pid, "SIGSTOP");
      return provider.create(checked, io);
    },
  }),
};
