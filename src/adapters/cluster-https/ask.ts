/** One question to the server, with the waits it asks for and the one renewal of credentials that a 401 is worth. */

import type { JsonObject } from "../../domain/json.ts";
import type { Exchange, FailureReason, ReadFailure, Right } from "../../ports/cluster.ts";
import { waitMs } from "../../wire/retry-after.ts";
import type { Allowance } from "./allowance.ts";
import { objectOf } from "./body.ts";
import type { Credentials } from "./credentials.ts";
import { failure, refusalOf } from "./failure.ts";
import type { BodyLimits } from "./receive.ts";
import { type Line, type Sent, send } from "./send.ts";

/** What every question of one round shares. */
export interface Caller {
  readonly line: Line;
  readonly credentials: Credentials;
  readonly allowance: Allowance;
}

export interface Question extends BodyLimits {
  /** For messages: "deployments.apps "web" in namespace shop". */
  readonly what: string;
  readonly path: string;
  readonly accept: string;
  /** What it needs; null: what everybody who is known may ask. */
  readonly right: Right | null;
}

export type Answer =
  /** Any status but those that are waited out; the last of `exchanges`. */
  | {
      readonly kind: "replied";
      readonly last: Exchange;
      readonly exchanges: readonly Exchange[];
      /** What it says, where it is no success. */
      refusal(): ReadFailure;
    }
  | ReadFailure;

/** What is said of a server that cannot be reached, with what to do. */
const ADVICE: Readonly<Partial<Record<FailureReason, string>>> = {
  unreachable: "; check the server's address in the kubeconfig, and the way there",
  tls: "; check the certificate authority in the kubeconfig",
  proxy: "; check the proxy's address, or name the server in NO_PROXY",
};

export const over = (
  { allowance, line }: Caller,
  what: string,
  exchanges: readonly Exchange[],
): ReadFailure => {
  const reason = allowance.over() ?? "stopped";
  const why = reason === "stopped" ? "asfound was told to stop" : "the time for it was over";
  return failure(what, reason, `${why} before ${line.connection.server.host} had answered`, exchanges);
};

export const unsent = (
  caller: Caller,
  what: string,
  sent: Exclude<Sent, { kind: "replied" }>,
  exchanges: readonly Exchange[],
): ReadFailure => {
  if (sent.kind === "aborted") return over(caller, what, exchanges);
  const { host } = caller.line.connection.server;
  return failure(what, sent.kind, `${host}: ${sent.why}${ADVICE[sent.kind] ?? ""}`, exchanges);
};

const isBusy = (status: number | null): boolean => status === 429 || status === 503;

/** Never throws. A question may take several exchanges; all are in the answer. */
export const ask = async (caller: Caller, question: Question): Promise<Answer> => {
  const { line, credentials, allowance } = caller;
  const { what, right } = question;
  const { host } = line.connection.server;
  const exchanges: Exchange[] = [];
  let turns = 0;
  let isRenewed = false;
  for (;;) {
    if (allowance.over() !== null) return over(caller, what, exchanges);
    const held = await credentials.hold(allowance.signal);
    if ("fault" in held) return failure(what, "credentials", held.fault, exchanges);
    const sent = await send(line, { ...question, held }, allowance.signal);
    exchanges.push(sent.exchange);
    if (sent.kind !== "replied") return unsent(caller, what, sent, exchanges);
    const { exchange: last, retryAfter } = sent;
    const refusal = (waitsMs: number | null = null): ReadFailure =>
      refusalOf({ what, right, host, secrets: held.secrets }, exchanges, waitsMs);
    if (last.status === 401 && !isRenewed && credentials.refused(held)) {
      isRenewed = true;
      continue;
    }
    if (!isBusy(last.status)) return { kind: "replied", last, exchanges, refusal };
    // Only a server that says when is asked again: an aggregated API that is gone answers 503 for days.
    if (retryAfter === null) return refusal();
    turns += 1;
    const wait = waitMs(retryAfter, line.clock.now(), turns);
    if (wait >= allowance.leftMs()) return refusal(wait);
    await line.clock.sleep(wait, allowance.signal);
  }
};

export type ObjectAnswer =
  | {
      readonly kind: "object";
      readonly object: JsonObject;
      readonly last: Exchange;
      readonly exchanges: readonly Exchange[];
    }
  /** Another status than 200. */
  | {
      readonly kind: "other";
      readonly last: Exchange;
      readonly exchanges: readonly Exchange[];
      readonly failure: ReadFailure;
    }
  | ReadFailure;

/** A question that only a 200 with a JSON object answers. */
export const askForObject = async (caller: Caller, question: Question): Promise<ObjectAnswer> =>
  objectIn(await ask(caller, question), question.what);

/** `keepsWriters`: as in `objectOf`. */
export const objectIn = (answer: Answer, what: string, keepsWriters = true): ObjectAnswer => {
  if (answer.kind !== "replied") return answer;
  const { last, exchanges } = answer;
  if (last.status !== 200) return { kind: "other", last, exchanges, failure: answer.refusal() };
  const parsed = objectOf(last, keepsWriters);
  return "object" in parsed
    ? { kind: "object", object: parsed.object, last, exchanges }
    : failure(what, parsed.reason, parsed.why, exchanges);
};
