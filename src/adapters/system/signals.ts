/**
 * N4: what SIGINT and SIGTERM do. The first one: start nothing more, let calls in flight end. The same one again, or the
 * grace over: calls in flight are ended. Another one than the first says what is known already, and does not escalate.
 *
 * SIGHUP (the terminal or the connection went away) drains like SIGTERM and never escalates: a shell and the kernel
 * each send one. Armed before the lock is taken, disarmed when the operation is recorded.
 */
import type { Clock } from "../../ports/clock.ts";

export interface Signals {
  /** Aborted at the first signal. */
  readonly drain: AbortSignal;
  /** Aborted when calls in flight must end. */
  readonly kill: AbortSignal;
  /** Which signal came first, for the exit code; SIGHUP counts as SIGTERM. */
  first(): "SIGINT" | "SIGTERM" | null;
  disarm(): void;
}

export interface SignalOptions {
  /** Called once, at the first signal, to tell the person. */
  readonly onDrain: (signal: "SIGINT" | "SIGTERM" | "SIGHUP") => void;
  readonly graceMs: number;
  readonly clock: Clock;
}

/**
 * One Ctrl-C under `npx` or `npm run` comes twice: from the terminal, and passed on by npm. What comes within this time
 * of the same signal is its echo.
 */
const ECHO_MS = 250;

export const armSignals = ({ onDrain, graceMs, clock }: SignalOptions): Signals => {
  const drain = new AbortController();
  const kill = new AbortController();
  const disarmed = new AbortController();
  const lastAt = new Map<string, number>();
  let first: "SIGINT" | "SIGTERM" | null = null;

  const startDraining = (signal: "SIGINT" | "SIGTERM" | "SIGHUP"): void => {
    first = signal === "SIGHUP" ? "SIGTERM" : signal;
    drain.abort(signal);
    void clock.sleep(graceMs, disarmed.signal).then(() => {
      if (!disarmed.signal.aborted) kill.abort("grace over");
    });
    onDrain(signal);
  };
  const on = (signal: "SIGINT" | "SIGTERM" | "SIGHUP"): void => {
    const now = clock.monotonicMs();
    const before = lastAt.get(signal);
    if (before !== undefined && now - before < ECHO_MS) return;
    lastAt.set(signal, now);
    if (first === null) startDraining(signal);
    else if (before !== undefined && signal !== "SIGHUP") kill.abort(signal);
  };

  const handlers = (["SIGINT", "SIGTERM", "SIGHUP"] as const).map((name) => {
    const handler = (): void => on(name);
    process.on(name, handler);
    return { name, handler };
  });
  return {
    drain: drain.signal,
    kill: kill.signal,
    first: () => first,
    disarm: () => {
      disarmed.abort();
      for (const { name, handler } of handlers) process.off(name, handler);
    },
  };
};
