/** One question to the server, with the waits it asks for and the one renewal of credentials that a 401 is worth. */

import type { JsonObject } from "../../domain/json.ts";
import type { Exchange, FailureReason, ReadFailure, Right } from "../../ports/cluster.ts";
import { waitMs } from "../../wire/retry-after.ts";
import type { Allowance } from "./allowance.ts";
import { objectOf } from "./body.ts";
import type { Credentials, Held } from "./credentials.ts";
import { failure, refusalOf } from "./failure.ts";
import { type Line, type Sent, send } from "./send.ts";

/** What every question of one round shares. */
export interface Caller {
  readonly line: Line;
  readonly credentials: Credentials;
  readonly allowance: Allowance;
}

export interface Asking extends Caller {
  /** For messages: "deployments.apps "web" in namespace shop". */
  readonly what: string;
  readonly path: string;
  readonly accept: string;
  readonly right: Right | null;
  readonly maxBytes: number;
  readonly host: string;
  readonly secrets: readonly string[];
  readonly onData?: (piece: Buffer) => boolean;
}

export type Question = Omit<Asking, "secrets" | "host" | keyof Caller>;

export type Answer =
  /** Any status but those that are waited out; the last of `exchanges`. */
  | {
      readonly kind: "replied";
      readonly last: Exchange;
      readonly exchanges: readonly Exchange[];
      readonly asking: Asking;
    }
  | ReadFailure;

/** What is said of a server that cannot be reached, with what to do. */
const ADVICE: Readonly<Partial<Record<FailureReason, string>>> = {
  unreachable: "; check the server's address in the kubeconfig, and the way there",
  tls: "; check the certificate authority in the kubeconfig",
  proxy: "; check the proxy's address, or name the server in NO_PROXY",
};

const over = ({ allowance, line }: Caller, what: string, exchanges: readonly Exchange[]): ReadFailure => {
  const reason = allowance.over() ?? "stopped";
  const why = reason === "stopped" ? "asfound was told to stop" : "the time for it was over";
  return failure(what, reason, `${why} before ${line.connection.server.host} had answered`, exchanges);
};

const unsent = (
  asking: Asking,
  sent: Exclude<Sent, { kind: "replied" }>,
  exchanges: readonly Exchange[],
): ReadFailure => {
  if (sent.kind === "aborted") return over(asking, asking.what, exchanges);
  return failure(asking.what, sent.kind, `${asking.host}: ${sent.why}${ADVICE[sent.kind] ?? ""}`, exchanges);
};

const isBusy = (status: number | null): boolean => status === 429 || status === 503;

/** Never throws. A question may take several exchanges; all are in the answer. */
export const ask = async (caller: Caller, question: Question): Promise<Answer> => {
  const { line, credentials, allowance } = caller;
  const exchanges: Exchange[] = [];
  let turns = 0;
  let isRenewed = false;
  for (;;) {
    if (allowance.over() !== null) return over(caller, question.what, exchanges);
    const held: Held | { readonly fault: string } = await credentials.hold(allowance.signal);
    if ("fault" in held) return failure(question.what, "credentials", held.fault, exchanges);
    const asking: Asking = {
      ...caller,
      ...question,
      host: line.connection.server.host,
      secrets: held.secrets,
    };
    const sent = await send(line, { ...question, held }, allowance.signal);
    exchanges.push(sent.exchange);
    if (sent.kind !== "replied") return unsent(asking, sent, exchanges);
    const { status } = sent.exchange;
    if (status === 401 && !isRenewed && credentials.refused(held)) {
      isRenewed = true;
      continue;
    }
    if (!isBusy(status)) return { kind: "replied", last: sent.exchange, exchanges, asking };
    // Only a server that says when is asked again: an aggregated API that is gone answers 503 for days.
    const { retryAfter } = sent;
    if (retryAfter === null) return refusalOf(asking, exchanges, null);
    turns += 1;
    const wait = waitMs(retryAfter, line.clock.now(), turns);
    if (wait >= allowance.leftMs()) return refusalOf(asking, exchanges, wait);
    await line.clock.sleep(wait, allowance.signal);
  }
};

/** A question that only a 200 with a JSON object answers. */
export const askForObject = async (
  caller: Caller,
  question: Question,
): Promise<
  | {
      readonly kind: "object";
      readonly object: JsonObject;
      readonly last: Exchange;
      readonly exchanges: readonly Exchange[];
    }
  | {
      readonly kind: "other";
      readonly last: Exchange;
      readonly exchanges: readonly Exchange[];
      readonly failure: ReadFailure;
    }
  | ReadFailure
> => {
  const answer = await ask(caller, question);
  if (answer.kind !== "replied") return answer;
  const { last, exchanges, asking } = answer;
  if (last.status !== 200)
    return { kind: "other", last, exchanges, failure: refusalOf(asking, exchanges, null) };
  const parsed = objectOf(last);
  return "object" in parsed
    ? { kind: "object", object: parsed.object, last, exchanges }
    : failure(question.what, parsed.reason, parsed.why, exchanges);
};
