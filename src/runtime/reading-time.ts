/**
 * Between which times of the API server's clock the state that a reading shows was the present one (ADR 0040).
 *
 * Rules: a LIST without a resourceVersion, and a GET, show a state that was the latest at some moment between the arrival of
 * the request and the reply (kubernetes.io/docs, "Resource versions": most recent). The Date of a reply is made when it
 * begins, in whole seconds, rounded down (RFC 9110 §5.6.7). From sending to the last byte is at least as long as from the
 * arrival to the Date, whatever our own clock shows, since it is measured by one that is never set.
 */
import type { Instant } from "../domain/ids.ts";
import { instant } from "../domain/ids.ts";
import type { Exchange } from "../ports/cluster.ts";

const SECOND_MS = 1_000;

export interface ReadingTime {
  /** Not before the moment at which it was the present state. */
  readonly from: Instant;
  /** Not after that moment. */
  readonly to: Instant;
}

/**
 * Whole seconds; null: a reply tells no time. A list is of the moment of its first page; the first request of a walk that was
 * begun anew is earlier still, which makes `to` only more careful.
 */
export const readingTime = (exchanges: readonly Exchange[]): ReadingTime | null => {
  const replied = exchanges.filter(({ status }) => status !== null);
  const dates = replied.map(({ serverDate }) => (serverDate === null ? Number.NaN : Date.parse(serverDate)));
  const first = dates[0];
  const last = dates.at(-1);
  const [opening] = replied;
  if (first === undefined || last === undefined || opening === undefined) return null;
  if (dates.some((at) => Number.isNaN(at))) return null;
  return {
    from: instant(last + SECOND_MS),
    to: instant(Math.floor((first - opening.durationMs) / SECOND_MS) * SECOND_MS),
  };
};
