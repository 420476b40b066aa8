/**
 * Whether the API server's clock was set between two readings: what it dated before may be wrong then. Told by our two clocks:
 * one that is set with the machine's, and one that is never set but stands still while the machine sleeps. Where both say
 * that the server's moved, it did; where only one does, ours did. What the delay of a reply can explain is not counted.
 */
import { formatDuration } from "../domain/duration.ts";
import type { Exchange } from "../ports/cluster.ts";

/** DESIGN §9: what two clocks may differ by without a word. */
export const MARGIN_MS = 5_000;
const RESOLUTION_MS = 1_000;

/** How far ahead of a clock of ours the server's is: somewhere in here. */
interface Ahead {
  readonly atLeast: number;
  readonly atMost: number;
}

export class ServerClock {
  #wall: Ahead | null = null;
  #steady: Ahead | null = null;

  /** `beganMs`, `endedMs`: around the last exchange, by the clock that is never set. A clause; null: it was not set. */
  setSince({ serverDate, askedAt, answeredAt }: Exchange, beganMs: number, endedMs: number): string | null {
    const at = serverDate === null ? Number.NaN : Date.parse(serverDate);
    if (Number.isNaN(at)) return null;
    const wall = { atLeast: at - answeredAt, atMost: at + RESOLUTION_MS - askedAt };
    const steady = { atLeast: at - endedMs, atMost: at + RESOLUTION_MS - beganMs };
    const byWall = movedFrom(this.#wall, wall);
    const bySteady = movedFrom(this.#steady, steady);
    [this.#wall, this.#steady] = [wall, steady];
    if (Math.sign(byWall) * Math.sign(bySteady) <= 0) return null;
    const by = Math.min(Math.abs(byWall), Math.abs(bySteady));
    const seconds = formatDuration(Math.floor(by / 1_000) * 1_000);
    return `the API server's clock was set ${byWall > 0 ? "forward" : "back"} by ${seconds} or more`;
  }
}

/** In ms; 0: not by more than the margin. */
const movedFrom = (before: Ahead | null, now: Ahead): number => {
  if (before === null) return 0;
  const forward = now.atLeast - before.atMost;
  const back = before.atLeast - now.atMost;
  if (forward > MARGIN_MS) return forward;
  return back > MARGIN_MS ? -back : 0;
};
