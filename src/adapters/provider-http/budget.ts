/** The time that a call, or one exchange of it, may still take. Ends by time, or when asfound is told to stop. */
import type { Clock } from "../../ports/clock.ts";

export interface Budget {
  /** Aborted when it is over; whoever waits lets go. */
  readonly signal: AbortSignal;
  leftMs(): number;
  /** Why it is over; null while it is not. */
  over(): "time" | "stopped" | null;
  /** Call when done: releases the timer. */
  end(): void;
}

export const budgetOf = (clock: Clock, ms: number, outer: AbortSignal): Budget => {
  const until = clock.monotonicMs() + ms;
  const controller = new AbortController();
  const done = new AbortController();
  let why: "time" | "stopped" | null = null;
  const close = (reason: "time" | "stopped"): void => {
    if (done.signal.aborted) return;
    why ??= reason;
    controller.abort();
  };
  const stopped = (): void => close("stopped");
  if (outer.aborted) stopped();
  else {
    outer.addEventListener("abort", stopped, { once: true });
    void clock.sleep(ms, done.signal).then(() => close("time"));
  }
  return {
    signal: controller.signal,
    leftMs: () => Math.max(0, until - clock.monotonicMs()),
    over: () => why,
    end: () => {
      done.abort();
      outer.removeEventListener("abort", stopped);
    },
  };
};
