/** How a question without an answer is said: what was asked, what came instead, what to do. */
import type { Exchange, FailureReason, ReadFailure, Right } from "../../ports/cluster.ts";
import { quote, saying } from "./body.ts";
import { nameOfRight } from "./name.ts";
import { REASONS } from "./reasons.ts";
import { statusOf } from "./status.ts";

/** `clause` completes "WHAT could not be read: …". */
export const failure = (
  what: string,
  reason: FailureReason,
  clause: string,
  exchanges: readonly Exchange[],
  missing: Right | null = null,
): ReadFailure => ({
  kind: REASONS[reason].kind,
  reason,
  sentence: `${what} could not be read: ${clause}`,
  missing,
  exchanges,
});

const waiting = (waitMs: number | null): string =>
  waitMs === null
    ? "without saying when to ask again"
    : `and the ${Math.ceil(waitMs / 1_000)} s that it asks to wait do not fit in the time that is left`;

export interface Refused {
  /** For messages. */
  readonly what: string;
  /** What the question needs; null for what everybody may ask. */
  readonly right: Right | null;
  readonly host: string;
  /** Not to be shown, should the server send them back. */
  readonly secrets: readonly string[];
}

/** What a reply that is no 200 says. */
export const refusalOf = (
  { what, right, host, secrets }: Refused,
  exchanges: readonly Exchange[],
  /** How long it asks to wait; null: it does not say. */
  waitMs: number | null,
): ReadFailure => {
  const last = exchanges.at(-1) as Exchange;
  const status = statusOf(last);
  const said = status === null ? quote(last, secrets) : saying(status.message, secrets);
  const told = (reason: FailureReason, clause: string): ReadFailure =>
    failure(what, reason, `${clause}${said}`, exchanges);
  switch (last.status) {
    case 401:
      return told(
        "unauthorized",
        `${host} does not know who asks (401); the credentials are missing, wrong or expired, so sign in again`,
      );
    case 403:
      if (status?.reason === "Forbidden" && right !== null)
        return failure(what, "forbidden", `${nameOfRight(right)} is missing${said}`, exchanges, right);
      return told(
        "forbidden",
        "it is forbidden (403), but not by the API server's own word; a proxy may stand before it",
      );
    case 404:
      return told(
        "no-such-resource",
        `${host} serves no such resource (404), which says nothing about any object`,
      );
    case 410:
      return told("expired", "the server does not have that moment any more (410); ask again");
    case 429:
      return told("throttled", `too many requests (429), ${waiting(waitMs)}`);
    case 503:
      return told(
        "unavailable",
        `the server, or the API behind it, is not available (503), ${waiting(waitMs)}`,
      );
    default: {
      if (last.status !== null && last.status >= 300 && last.status < 400)
        return told(
          "redirected",
          `it was redirected (${last.status}), which is not followed; a login page may stand before the server`,
        );
      return told("unexpected-status", `${host} answered ${last.status}`);
    }
  }
};
