/** The ledger of a folder in which nothing was ever applied, for verbs that only read: it is not made by looking. */
import { ledgerId } from "../domain/ids.ts";
import { type Store, StoreFault } from "../ports/store.ts";

export const emptyStore = (location: string): Store => ({
  ledgerId: ledgerId("lg_none"),
  location,
  readOnly: true,
  commit: async () => {
    throw new StoreFault("missing", `there is no ledger at ${location} yet; asfound apply makes it`);
  },
  head: async () => null,
  stacks: async () => [],
  steps: async () => new Map(),
  step: async () => null,
  operation: async () => null,
  operations: async () => [],
  records: async function* () {},
  close: async () => undefined,
});
