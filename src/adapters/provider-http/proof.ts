/**
 * What a reply to a changing request proves, as one table. `refused` only where the server, or the failed connection,
 * says that nothing was done; whatever may have had an effect is `unknown`, and an observation decides.
 * docs/guide/http-provider.md prints this table; a test compares them.
 */
import type { Action } from "../../domain/step.ts";

export type ReplyClass =
  | "not sent"
  | "taken on"
  | "accepted"
  | "taken on, without its id"
  | "unexpected 2xx"
  | "redirect"
  | "definite refusal"
  | "precondition failed"
  | "gone already"
  | "too many requests"
  | "ambiguous 4xx"
  | "server error"
  | "no such status"
  | "cut"
  | "timed out"
  | "stopped"
  | "too large";

export interface Proof {
  /** `follow`: the work is followed where `poll` says so, else it is `done`. `again`: nothing was done; sent again while call-by allows, else `refused`. */
  readonly proves: "done" | "refused" | "unknown" | "follow" | "again";
  /** For the table. */
  readonly when: string;
  /** Completes "POST /machines …"; says why. */
  readonly because: string;
}

export const PROOF: Readonly<Record<ReplyClass, Proof>> = {
  "not sent": {
    proves: "refused",
    when: "name unknown, connection refused, certificate not trusted, no connection within 8 s, call-by passed",
    because: "was not sent, so nothing was done",
  },
  "taken on": {
    proves: "done",
    when: "a status in `expect` (200, 201, 202, 204), with the id where one is declared",
    because: "was answered as done; an observation decides",
  },
  accepted: {
    proves: "follow",
    when: "202, or any status in `expect` where `poll.path` is declared",
    because: "was accepted, and how it ends is asked for until the deadline",
  },
  "taken on, without its id": {
    proves: "unknown",
    when: "a status in `expect`, but the declared id cannot be read from the reply",
    because: "was answered as done, but the reply does not name what was made",
  },
  "unexpected 2xx": {
    proves: "unknown",
    when: "another 2xx",
    because: "was answered with a success that this step does not expect",
  },
  redirect: {
    proves: "unknown",
    when: "3xx; never followed",
    because: "was redirected, which is not followed: some servers redirect after they have done it",
  },
  "definite refusal": {
    proves: "refused",
    when: "400 401 402 403 404 405 406 407 410 411 413 414 415 416 417 421 422 423 426 428 431 451",
    because: "was refused, so nothing was done",
  },
  "precondition failed": {
    proves: "refused",
    when: "412",
    because: "was refused, as the thing has changed since it was read; nothing was done",
  },
  "gone already": {
    proves: "done",
    when: "404 or 410 to a destroy",
    because: "says the thing is not there; an observation decides",
  },
  "too many requests": {
    proves: "again",
    when: "429",
    because: "was turned away by a rate limit, so nothing was done",
  },
  "ambiguous 4xx": {
    proves: "unknown",
    when: "408, 409, 424, 425, any other 4xx",
    because: "may have been done by this request or by an earlier one",
  },
  "server error": {
    proves: "unknown",
    when: "5xx",
    because: "failed inside the server, which may have done it before",
  },
  "no such status": {
    proves: "unknown",
    when: "a status outside of 200 to 599",
    because: "was answered with a status that HTTP does not know",
  },
  cut: {
    proves: "unknown",
    when: "the connection was cut, or the reply is not valid HTTP",
    because: "was sent, and no whole reply came",
  },
  "timed out": {
    proves: "unknown",
    when: "no whole reply by the deadline",
    because: "was sent, and no whole reply came in time",
  },
  stopped: {
    proves: "unknown",
    when: "asfound was told to stop while it waited",
    because: "was sent, and asfound was told to stop before a whole reply came",
  },
  "too large": {
    proves: "unknown",
    when: "a reply of more than 8 MiB",
    because: "was answered with more than 8 MiB, which was not read",
  },
};

/** 4xx by which a server says that it did not do it. Not 408, 409, 424, 425. */
const REFUSALS: ReadonlySet<number> = new Set(
  (PROOF["definite refusal"].when.match(/\d{3}/g) ?? []).map(Number),
);

/** By status alone; whether a 2xx names its id is looked at afterwards. */
export const classOf = (
  status: number,
  action: Action,
  expect: readonly number[],
  followed: boolean,
): ReplyClass => {
  if (status >= 200 && status < 300) {
    if (!expect.includes(status)) return "unexpected 2xx";
    return status === 202 || followed ? "accepted" : "taken on";
  }
  if (status >= 300 && status < 400) return "redirect";
  if (status === 429) return "too many requests";
  if (status === 412) return "precondition failed";
  if ((status === 404 || status === 410) && action === "destroy") return "gone already";
  if (REFUSALS.has(status)) return "definite refusal";
  if (status >= 400 && status < 500) return "ambiguous 4xx";
  return status >= 500 && status < 600 ? "server error" : "no such status";
};
