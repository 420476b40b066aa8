/**
 * One GET and its reply, over a connection that may have served others. There is no other method here: nothing that
 * asks a cluster through this adapter can change it.
 */
import { type ClientRequest, type IncomingMessage, request as plainRequest } from "node:http";
import { request as secureRequest } from "node:https";
import type { Clock } from "../../ports/clock.ts";
import type { Exchange } from "../../ports/cluster.ts";
import { joinedHeaders } from "../../wire/reply-headers.ts";
import { type Agent, tlsOptions } from "./agent.ts";
import { brokenBy, codeOf } from "./broken.ts";
import type { Connection } from "./connection.ts";
import type { Held } from "./credentials.ts";
import { type BodyEnd, type BodyLimits, type Incoming, receive } from "./receive.ts";

const MAX_HEADER_BYTES = 64 * 1024;
/** A kept connection may have been closed by the server meanwhile; each of the agent's may be such a one. */
const MAX_STALE = 10;

export interface Line {
  readonly connection: Connection;
  readonly agent: Agent;
  readonly clock: Clock;
}

export interface Outgoing extends BodyLimits {
  /** Path and query below the server's own path; each part encoded. */
  readonly path: string;
  readonly accept: string;
  /** Sent along, and never in place of our own. */
  readonly extra?: Readonly<Record<string, string>>;
  readonly held: Held;
}

/** How far it came. The `why` of each is a clause. */
export type Sent =
  | {
      readonly kind: "replied";
      readonly exchange: Exchange;
      readonly retryAfter: string | null;
      /** By name in lower case. */
      readonly headers: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: "unreachable" | "tls" | "proxy" | "cut" | "too-large" | "not-json";
      readonly why: string;
      readonly exchange: Exchange;
    }
  | { readonly kind: "aborted"; readonly exchange: Exchange };

export const open = (
  { connection, agent }: Line,
  path: string,
  { accept, held, extra }: Outgoing,
): ClientRequest => {
  const { server } = connection;
  const secure = server.protocol === "https:";
  return (secure ? secureRequest : plainRequest)({
    method: "GET",
    host: server.hostname.replace(/^\[|\]$/g, ""),
    port: server.port || (secure ? 443 : 80),
    path,
    agent,
    maxHeaderSize: MAX_HEADER_BYTES,
    headers: {
      ...extra,
      ...held.headers,
      host: server.host,
      accept,
      "accept-encoding": connection.disableCompression ? "identity" : "gzip",
      "user-agent": "asfound",
    } as Record<string, string | string[]>,
    ...(secure ? tlsOptions(connection) : {}),
    ...(held.cert === null ? {} : { cert: held.cert }),
    ...(held.key === null ? {} : { key: held.key }),
  });
};

export const pathOf = ({ connection }: Line, path: string): string =>
  connection.server.pathname.replace(/\/$/, "") + path;

/** An exchange as far as it came. */
export const recorder = ({ clock }: Line, path: string) => {
  const askedAt = clock.now();
  const startMs = clock.monotonicMs();
  return (message: IncomingMessage | null, body: Buffer, whole: boolean): Exchange => ({
    request: `GET ${path}`,
    askedAt,
    answeredAt: clock.now(),
    durationMs: clock.monotonicMs() - startMs,
    status: message?.statusCode ?? null,
    serverDate: message?.headers.date ?? null,
    contentType: message?.headers["content-type"] ?? null,
    body,
    whole,
  });
};

const NO_BYTES = Buffer.alloc(0);

const sentBy = (
  end: BodyEnd,
  message: IncomingMessage,
  exchange: Exchange,
  { maxBytes }: BodyLimits,
): Sent => {
  switch (end.kind) {
    case "whole":
    case "enough":
      return {
        kind: "replied",
        exchange,
        retryAfter: message.headers["retry-after"] ?? null,
        headers: joinedHeaders(message.rawHeaders),
      };
    case "too-large":
      return { kind: "too-large", why: `its body has more than ${maxBytes} bytes`, exchange };
    case "not-json":
      return { ...end, exchange };
    case "broken":
      return { ...brokenBy(end.error), exchange };
  }
};

const once = (line: Line, outgoing: Outgoing, signal: AbortSignal): Promise<Sent | { kind: "stale" }> =>
  new Promise((resolve) => {
    const path = pathOf(line, outgoing.path);
    const record = recorder(line, path);
    const request = open(line, path, outgoing);
    let head: IncomingMessage | null = null;
    let incoming: Incoming | null = null;

    const soFar = (whole: boolean): Exchange => record(head, incoming?.bytes() ?? NO_BYTES, whole);
    const settle = (result: Sent | { kind: "stale" }, keepsConnection: boolean): void => {
      signal.removeEventListener("abort", onAbort);
      resolve(result);
      if (!keepsConnection) request.destroy();
    };
    const onAbort = (): void => settle({ kind: "aborted", exchange: soFar(false) }, false);

    request.on("error", (error) => {
      const isStale = request.reusedSocket && head === null && /^(ECONNRESET|EPIPE)$/.test(codeOf(error));
      settle(isStale ? { kind: "stale" } : { ...brokenBy(error), exchange: soFar(false) }, false);
    });
    request.on("upgrade", (_message, socket) => {
      socket.destroy();
      settle({ kind: "cut", why: "it answered with another protocol", exchange: soFar(false) }, false);
    });
    request.on("response", (message) => {
      head = message;
      const { onData, ...limits } = outgoing;
      // What is no success is kept whole: it says why.
      incoming = receive(message, message.statusCode === 200 ? outgoing : limits);
      void incoming.ended.then((end) => {
        const isWhole = end.kind === "whole";
        settle(sentBy(end, message, soFar(isWhole), outgoing), isWhole);
      });
    });
    if (signal.aborted) return onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    request.end();
  });

/** Throws never. Only what never reached the server is sent again: over a kept connection that was closed. */
export const send = async (line: Line, outgoing: Outgoing, signal: AbortSignal): Promise<Sent> => {
  for (let stale = 0; stale < MAX_STALE; stale += 1) {
    const tried = await once(line, outgoing, signal);
    if (tried.kind !== "stale") return tried;
  }
  const exchange = recorder(line, pathOf(line, outgoing.path))(null, NO_BYTES, false);
  return { kind: "cut", why: "it closed every connection before it was asked", exchange };
};
