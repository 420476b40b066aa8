/** How an operation is shown while it runs. Presentation only; everything goes to the error stream. */
import type { Clock } from "../../../ports/clock.ts";
import type { Reporter } from "../../../ports/reporter.ts";
import type { Sink } from "../context.ts";
import type { Style } from "../output/style.ts";

export interface Progress extends Reporter {
  /** Ends the drawing, and gives the terminal back as it was. */
  stop(): void;
}

/** Calls back again and again until it is stopped; a test calls by hand. */
export type Ticker = (everyMs: number, tick: () => void) => () => void;

export const realTicker: Ticker = (everyMs, tick) => {
  const timer = setInterval(tick, everyMs);
  timer.unref();
  return () => clearInterval(timer);
};

export const quiet: Progress = { report: () => {}, stop: () => {} };

/** What a progress that draws has to work with. */
export interface Drawing {
  readonly sink: Sink;
  readonly clock: Clock;
  readonly style: Style;
  readonly ticker: Ticker;
}
