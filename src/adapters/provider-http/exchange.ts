/**
 * One request and its reply, over a connection of its own. It says how far it came, because that decides what is
 * known: not sent, lost after sending, or replied. A connection is never used twice, so nothing is ever sent blindly
 * into one that the server had already closed.
 */
import { request as openRequest } from "node:http";
import type { Socket } from "node:net";
import type { Reached } from "../../domain/crash-point.ts";
import type { Clock } from "../../ports/clock.ts";
import { joinedHeaders } from "../../wire/reply-headers.ts";
import { type Budget, budgetOf } from "./budget.ts";
import { CONNECT_MS, connect } from "./connect.ts";
import type { Headers } from "./spec.ts";

const MAX_BODY_BYTES = 8 * 1024 * 1024;
const MAX_HEADER_BYTES = 64 * 1024;

export interface Outgoing {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: Buffer | null;
  /** PEM text to trust instead of the usual certificates. */
  readonly ca: string | null;
}

/** The first line and the headers of a reply; names in lower case, repeated ones joined. */
export interface Head {
  readonly status: number;
  readonly headers: Headers;
}

export interface Reply extends Head {
  readonly body: Buffer;
}

/** The reasons are clauses: "the connection was cut before a whole reply came". */
export type Exchange =
  | { readonly kind: "not-sent"; readonly reason: string; readonly over: "time" | "stopped" | null }
  | { readonly kind: "lost"; readonly reason: string; readonly over: "time" | "stopped" | null }
  | { readonly kind: "too-large"; readonly status: number }
  | ({ readonly kind: "reply" } & Reply);

export interface ExchangeOptions {
  readonly clock: Clock;
  readonly reached: Reached;
  readonly budget: Budget;
  /** Asked when the connection stands, right before the first byte: a sentence means do not send. */
  readonly mayStillSend?: () => string | undefined;
  /** Told the moment the headers are there, before the body. */
  readonly onHead?: (head: Head) => void;
}

const send = (outgoing: Outgoing, socket: Socket, options: ExchangeOptions): Promise<Exchange> =>
  new Promise((resolve) => {
    const { budget, reached } = options;
    const { url, method, body } = outgoing;
    const length = body === null && method === "GET" ? {} : { "content-length": String(body?.length ?? 0) };
    const request = openRequest({
      method,
      path: url.pathname + url.search,
      headers: { ...outgoing.headers, host: url.host, "accept-encoding": "identity", ...length },
      createConnection: () => socket,
      maxHeaderSize: MAX_HEADER_BYTES,
    });
    const settle = (exchange: Exchange): void => {
      budget.signal.removeEventListener("abort", onAbort);
      resolve(exchange);
      request.destroy();
      socket.destroy();
    };
    const lost = (reason: string): void => settle({ kind: "lost", reason, over: budget.over() });
    const onAbort = (): void =>
      lost(
        budget.over() === "stopped"
          ? "asfound was told to stop before a whole reply came"
          : "no whole reply came in time",
      );
    const cut = (): void => lost("the connection was cut before a whole reply came");

    request.on("error", (error: Error & { code?: string }) =>
      error.code?.startsWith("HPE_") === true ? lost(`the reply is not valid HTTP (${error.code})`) : cut(),
    );
    request.on("close", cut);
    request.once("finish", () => reached("http-sent"));
    request.on("upgrade", () => lost("the server answered with another protocol"));
    request.on("response", (message) => {
      const head = { status: message.statusCode ?? 0, headers: joinedHeaders(message.rawHeaders) };
      reached("http-head");
      options.onHead?.(head);
      const chunks: Buffer[] = [];
      let bytes = 0;
      message.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        chunks.push(chunk);
        if (bytes > MAX_BODY_BYTES) settle({ kind: "too-large", status: head.status });
      });
      message.on("error", cut);
      message.on("end", () =>
        message.complete ? settle({ kind: "reply", ...head, body: Buffer.concat(chunks) }) : cut(),
      );
    });
    if (budget.signal.aborted) return onAbort();
    budget.signal.addEventListener("abort", onAbort, { once: true });
    request.end(body ?? undefined);
  });

/** Throws never. */
export const exchange = async (outgoing: Outgoing, options: ExchangeOptions): Promise<Exchange> => {
  const { budget, clock } = options;
  const connecting = budgetOf(clock, Math.min(CONNECT_MS, budget.leftMs()), budget.signal);
  const connected = await connect(outgoing.url, outgoing.ca, connecting.signal);
  connecting.end();
  if ("fault" in connected) {
    const over = budget.over();
    const reason = over === "stopped" ? "asfound was told to stop before anything was sent" : connected.fault;
    return { kind: "not-sent", reason, over: over ?? (connecting.over() === "time" ? "time" : null) };
  }
  const tooLate = budget.signal.aborted ? "the time was over" : options.mayStillSend?.();
  if (tooLate === undefined) {
    options.reached("http-connected");
    const came = await send(outgoing, connected.socket, options);
    if (came.kind === "reply") options.reached("http-replied");
    return came;
  }
  connected.socket.destroy();
  return { kind: "not-sent", reason: tooLate, over: budget.over() };
};
