/** What a record says of the time beside the wall clock's (`domain/steady.ts`). */
import type { ClockReading } from "../domain/steady.ts";
import type { Clock } from "../ports/clock.ts";

export const readClock = (clock: Clock): ClockReading => ({
  id: clock.id,
  ms: Math.floor(clock.monotonicMs()),
});
