import { instant } from "../../domain/ids.ts";
import type { Clock } from "../../ports/clock.ts";

/** `setTimeout` fires at once beyond this, so longer sleeps are slept in pieces. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The machine's clocks. */
export const systemClock: Clock = {
  now: () => instant(Date.now()),
  monotonicMs: () => performance.now(),
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
