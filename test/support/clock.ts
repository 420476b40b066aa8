/** Readings and moments of one made-up host, whose clock began when the wall clock's count did. */
import type { Instant } from "../../src/domain/ids.ts";
import { type ClockReading, type Moment, steadyTime } from "../../src/domain/steady.ts";

export const reading = (ms: number, id = "host-a"): ClockReading => ({ id, ms });
export const moment = (at: Instant | number): Moment => ({ at: at as Instant, steady: steadyTime(at) });
