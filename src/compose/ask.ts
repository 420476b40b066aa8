/** What a verb needs that asks the ledger and nothing else: no stack file where the lock answers, no provider, no key. */
import { dirname, join } from "node:path";
import { systemClock } from "../adapters/system/clock.ts";
import { systemHost } from "../adapters/system/host.ts";
import { systemRunFiles } from "../adapters/system/run-files.ts";
import type { StackName } from "../domain/ids.ts";
import { StoreFault } from "../ports/store.ts";
import { isRefused, type Refused, type Runtime } from "../runtime/runtime.ts";
import { findPlace, nameOf, openLedger, refusedBy, type StackFaults, type Where } from "./place.ts";

export interface LedgerToAsk {
  readonly kind: "ledger";
  readonly stackName: StackName;
  readonly runtime: Pick<Runtime, "store" | "clock" | "host" | "runFiles">;
  close(): Promise<void>;
}

export const openLedgerToAsk = async (where: Where): Promise<LedgerToAsk | Refused | StackFaults> => {
  try {
    return await open({ ...where, needsFile: false, lockSuffices: true });
  } catch (error) {
    if (error instanceof StoreFault) return refusedBy(error, "read");
    throw error;
  }
};

const open = async (where: Where): Promise<LedgerToAsk | Refused | StackFaults> => {
  const found = await findPlace(where);
  if (found.kind !== "found") return found;
  const { file, lock, place } = found;
  const store = await openLedger(place, lock, "read", where);
  if (isRefused(store)) return store;
  const stackName = await nameOf(where, file, lock, store);
  if (isRefused(stackName)) {
    await store.close();
    return stackName;
  }
  return {
    kind: "ledger",
    stackName,
    runtime: {
      store,
      clock: systemClock,
      host: systemHost({ clock: systemClock, environment: where.environment }),
      runFiles: systemRunFiles(join(dirname(place.path), "runs")),
    },
    close: () => store.close(),
  };
};
