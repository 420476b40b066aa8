/**
 * The API server's clock, by the Date of its replies (RFC 9110 §5.6.7: whole seconds, rounded down): it dates creations and
 * managedFields, and ages are counted by it. Ours only says how far the two are apart.
 */
import { formatDuration } from "../domain/duration.ts";
import type { Instant } from "../domain/ids.ts";
import { instant } from "../domain/ids.ts";
import type { Exchange } from "../ports/cluster.ts";

/** DESIGN §9: what two clocks may differ by without a word. */
const MARGIN_MS = 5_000;
const RESOLUTION_MS = 1_000;

export interface ServerTime {
  /** Of its latest reply; null: none says it. */
  readonly at: Instant | null;
  /** What is to be said of it, each a sentence. */
  readonly limits: readonly string[];
}

export const serverTime = (exchanges: readonly Exchange[]): ServerTime => {
  const replied = exchanges.filter(({ status }) => status !== null);
  const dated = replied.flatMap((exchange) => {
    const at = exchange.serverDate === null ? Number.NaN : Date.parse(exchange.serverDate);
    return Number.isNaN(at) ? [] : [{ at: instant(at), exchange }];
  });
  const last = dated.at(-1);
  if (last === undefined)
    return {
      at: null,
      limits:
        replied.length === 0
          ? []
          : ["the server's replies carry no date: ages are counted by this machine's clock"],
    };
  return { at: last.at, limits: skewIn(last.at, last.exchange) };
};

/** By how much at least the two clocks differ: what can be the way's delay is not counted. */
const skewIn = (at: Instant, { askedAt, answeredAt }: Exchange): readonly string[] => {
  const aheadMs = at - answeredAt;
  const behindMs = askedAt - (at + RESOLUTION_MS);
  const by = Math.max(aheadMs, behindMs);
  if (by <= MARGIN_MS) return [];
  const how = aheadMs > 0 ? "ahead of" : "behind";
  const seconds = formatDuration(Math.floor(by / 1_000) * 1_000);
  return [
    `the API server's clock is ${seconds} ${how} this machine's: ages are counted by the server's, and the nodes' may differ from both`,
  ];
};
