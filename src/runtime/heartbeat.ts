/** N1: renews the lease while the operation lives, and says when another has taken it. */
import { instant } from "../domain/ids.ts";
import { HEARTBEAT_MS, LEASE_MS } from "../domain/lease.ts";
import type { Operation } from "../domain/operation.ts";
import { StoreFault } from "../ports/store.ts";
import type { Runtime } from "./runtime.ts";

export interface Heartbeat {
  /** Resolves when no renewal is under way any more. */
  stop(): Promise<void>;
}

export const startHeartbeat = (runtime: Runtime, operation: Operation, lost: () => void): Heartbeat => {
  const ended = new AbortController();
  const beating = beat(runtime, operation, lost, ended.signal);
  return {
    stop: () => {
      ended.abort("the operation ended");
      return beating;
    },
  };
};

const beat = async (
  runtime: Runtime,
  operation: Operation,
  lost: () => void,
  ended: AbortSignal,
): Promise<void> => {
  while (!ended.aborted) {
    await runtime.clock.sleep(HEARTBEAT_MS, ended);
    if (ended.aborted) return;
    try {
      if (!(await renew(runtime, operation))) lost();
    } catch (error) {
      if (!(error instanceof StoreFault)) throw error;
      runtime.reporter.report({ kind: "note", text: `the lease could not be renewed: ${error.message}` });
    }
  }
};

/** False: the lease is another operation's by now. */
const renew = (runtime: Runtime, operation: Operation): Promise<boolean> =>
  runtime.store.commit({
    stack: operation.stack,
    steps: [],
    decide: ({ head }) => {
      if (head?.lease == null || head.epoch !== operation.epoch) return { write: null, value: false };
      const lease = { ...head.lease, expiresAt: instant(runtime.clock.now() + LEASE_MS) };
      return { write: { records: [], steps: [], stack: { lease, epoch: head.epoch } }, value: true };
    },
  });
