/**
 * Steady time: how much time has passed at least, whatever was done to a wall clock. Pure.
 *
 * What N5, N6 and R3 wait for is counted in it, since a wall clock that is set forward, or that of another host, would
 * end a wait too early. Each record says what its writer's clock read that is never set; between two readings of one
 * clock the time that passed is known. Between two clocks only the wall is left, and it is believed less
 * `BETWEEN_CLOCKS_MS`. So steady time may stay behind the true one, and waits get longer; it never runs ahead.
 */
import type { Instant } from "./ids.ts";

declare const brand: unique symbol;
/** Milliseconds on a step's own scale: only the difference of two of the same step says anything. */
export type SteadyTime = number & { readonly [brand]: "SteadyTime" };

export const steadyTime = (ms: number): SteadyTime => ms as SteadyTime;

/** What a clock showed that counts on and is never set. Two readings with one id are of one clock. */
export interface ClockReading {
  readonly id: string;
  readonly ms: number;
}

/** The latest record of a step: the steady time at which it was written, and what the clocks of who wrote it said. */
export interface Anchor {
  readonly clock: ClockReading;
  readonly wall: Instant;
  readonly steady: SteadyTime;
}

/** A moment to be shown (`at`, by the wall clock of who wrote it) and to be counted from (`steady`). */
export interface Moment {
  readonly at: Instant;
  readonly steady: SteadyTime;
}

/** How far two hosts' wall clocks, or one host's before and after a reboot, may be apart: as far as Kerberos allows. */
export const BETWEEN_CLOCKS_MS = 300_000;

/** Where a step's scale begins: at what the wall says, so that it is read easily. */
export const anchorAt = (wall: Instant, clock: ClockReading): Anchor => ({
  clock,
  wall,
  steady: steadyTime(wall),
});

/** The steady time now, by the reading of a clock and the wall clock beside it. */
export const steadyNow = (anchor: Anchor, wall: Instant, clock: ClockReading): SteadyTime => {
  const passedMs =
    clock.id === anchor.clock.id
      ? clock.ms - anchor.clock.ms
      : Math.max(0, wall - anchor.wall - BETWEEN_CLOCKS_MS);
  return steadyTime(anchor.steady + passedMs);
};

/** The steady time of an earlier reading. Of another clock's it is not known, and `now` is the latest that it can be. */
export const steadyThen = (now: Pick<Anchor, "clock" | "steady">, then: ClockReading): SteadyTime =>
  then.id === now.clock.id ? steadyTime(now.steady + then.ms - now.clock.ms) : now.steady;
