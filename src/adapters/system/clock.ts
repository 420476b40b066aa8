import { createHash, randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { instant } from "../../domain/ids.ts";
import type { Clock } from "../../ports/clock.ts";
import { bootId, hasMachineTime } from "./boot.ts";

/** `setTimeout` fires at once beyond this, so longer sleeps are slept in pieces. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** `performance.now` begins with the process; what it runs on begins with the machine (CLOCK_MONOTONIC). */
const PROCESS_BEGAN_MS = Number(process.hrtime.bigint()) / 1e6 - performance.now();

/**
 * Processes of one boot read one clock, if none of them has a time namespace of its own. A virtual machine that was
 * cloned while running has the boot id of its twin, but mostly another name. Where nothing tells, the process is alone.
 */
const clockId = (): string => {
  const boot = bootId();
  const machine = boot === "" || !hasMachineTime() ? randomUUID() : `${boot} ${hostname()}`;
  return createHash("sha256").update(machine).digest("hex").slice(0, 12);
};

let id: string | undefined;

/** The machine's clocks. */
export const systemClock: Clock = {
  now: () => instant(Date.now()),
  monotonicMs: () => PROCESS_BEGAN_MS + performance.now(),
  get id() {
    id ??= clockId();
    return id;
  },
  sleep: async (ms, signal) => {
    for (let left = ms; left > 0 && !signal?.aborted; left -= MAX_TIMER_MS)
      await nap(Math.min(left, MAX_TIMER_MS), signal);
  },
};

const nap = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener("abort", end, { once: true });
  });
