import type { Instant } from "../domain/ids.ts";

/** Time comes through here, so that tests can move it. */
export interface Clock {
  /** Wall clock. */
  now(): Instant;
  /** Never goes backwards and is never set; for durations and call-by (N5). */
  monotonicMs(): number;
  /** Names what `monotonicMs` is counted from: under one id, times of different processes can be compared. */
  readonly id: string;
  /** Ends early, without an error, when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
