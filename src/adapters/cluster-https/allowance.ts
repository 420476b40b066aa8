/** The time that one round of questions may take. It is over by time, or when asfound is told to stop, or when it ended. */
import type { Clock } from "../../ports/clock.ts";

export interface Allowance {
  /** Aborted when it is over. */
  readonly signal: AbortSignal;
  leftMs(): number;
  /** Why it is over; null while it is not. Asks the clock, since a busy process is told late by its timer. */
  over(): "time-over" | "stopped" | null;
  end(): void;
}

export const allowanceOf = (clock: Clock, ms: number, stop: AbortSignal): Allowance => {
  const until = clock.monotonicMs() + ms;
  const ended = new AbortController();
  const timer = new AbortController();
  let isTimeOver = false;
  const signal = AbortSignal.any([stop, ended.signal]);
  if (!stop.aborted)
    void clock.sleep(ms, timer.signal).then(() => {
      if (signal.aborted) return;
      isTimeOver = true;
      ended.abort();
    });
  signal.addEventListener("abort", () => timer.abort(), { once: true });
  return {
    signal,
    leftMs: () => Math.max(0, until - clock.monotonicMs()),
    over: () => {
      if (signal.aborted) return isTimeOver ? "time-over" : "stopped";
      return clock.monotonicMs() < until ? null : "time-over";
    },
    end: () => ended.abort(),
  };
};
