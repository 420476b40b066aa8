/**
 * One changing request and its reply, over a connection of its own: one that was kept may have been closed by the server,
 * and then nobody knows whether the request was read. Nothing is sent before the connection stands and `mayStillSend` agrees.
 */
import { type IncomingMessage, request as plainRequest } from "node:http";
import { request as secureRequest } from "node:https";
import { type Reached, unreached } from "../../../domain/crash-point.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { Exchange } from "../../../ports/cluster.ts";
import { type Agent, tlsOptions } from "../agent.ts";
import { brokenBy } from "../broken.ts";
import type { Connection } from "../connection.ts";
import type { Held } from "../credentials.ts";
import { type Incoming, receive } from "../receive.ts";

const MAX_HEADER_BYTES = 64 * 1024;
const MAX_BODY_BYTES = 16 * 1024 * 1024;

export interface WriteLine {
  readonly connection: Connection;
  readonly clock: Clock;
  /** A new one for each request; destroyed after it. */
  readonly freshAgent: () => Agent;
  /** Told of what changes something, and of no rehearsal. */
  readonly reached: Reached;
}

/** What the body of each is. */
const CONTENT_TYPES = {
  apply: "application/apply-patch+yaml",
  "merge-patch": "application/merge-patch+json",
  "json-patch": "application/json-patch+json",
  evict: "application/json",
  remove: "application/json",
} as const;

export interface Outgoing {
  readonly how: keyof typeof CONTENT_TYPES;
  /** Path and query below the server's own path; each part encoded. */
  readonly path: string;
  readonly body: Buffer;
  readonly held: Held;
  readonly isRehearsal: boolean;
  readonly mayStillSend: () => string | undefined;
}

export type WriteSent =
  | { readonly kind: "replied"; readonly exchange: Exchange; readonly retryAfter: string | null }
  /** The `why` of each is a clause. */
  | { readonly kind: "not-sent"; readonly why: string }
  | { readonly kind: "lost"; readonly why: string };

const start = ({ connection }: WriteLine, agent: Agent, outgoing: Outgoing) => {
  const { server } = connection;
  const { held, body, path, how } = outgoing;
  const isSecure = server.protocol === "https:";
  const common = {
    host: server.hostname.replace(/^\[|\]$/g, ""),
    port: server.port || (isSecure ? 443 : 80),
    path: server.pathname.replace(/\/$/, "") + path,
    agent,
    maxHeaderSize: MAX_HEADER_BYTES,
    headers: {
      ...held.headers,
      host: server.host,
      accept: "application/json",
      "accept-encoding": "identity",
      "user-agent": "asfound",
      "content-type": CONTENT_TYPES[how],
      // Node frames the body of a DELETE only if it is told its length: else a server deletes without having read the
      // preconditions in it.
      "content-length": String(body.length),
    } as Record<string, string | string[]>,
    ...(isSecure ? tlsOptions(connection) : {}),
    ...(held.cert === null ? {} : { cert: held.cert }),
    ...(held.key === null ? {} : { key: held.key }),
  };
  const send = isSecure ? secureRequest : plainRequest;
  if (how === "evict") return send({ ...common, method: "POST" });
  if (how === "remove") return send({ ...common, method: "DELETE" });
  return send({ ...common, method: "PATCH" });
};

const exchangeOf = (
  { clock }: WriteLine,
  request: string,
  begun: { readonly askedAt: Exchange["askedAt"]; readonly startMs: number },
  message: IncomingMessage,
  body: Buffer,
): Exchange => ({
  request,
  askedAt: begun.askedAt,
  answeredAt: clock.now(),
  durationMs: clock.monotonicMs() - begun.startMs,
  status: message.statusCode ?? null,
  serverDate: message.headers.date ?? null,
  contentType: message.headers["content-type"] ?? null,
  body,
  whole: true,
});

const wordOf = ({ how }: Outgoing): string =>
  how === "evict" ? "POST" : how === "remove" ? "DELETE" : "PATCH";

/** Throws never. */
export const sendWrite = (line: WriteLine, outgoing: Outgoing, signal: AbortSignal): Promise<WriteSent> =>
  new Promise((resolve) => {
    const agent = line.freshAgent();
    const begun = { askedAt: line.clock.now(), startMs: line.clock.monotonicMs() };
    const request = start(line, agent, outgoing);
    const reached = outgoing.isRehearsal ? unreached : line.reached;
    let isUnderWay = false;
    let incoming: Incoming | null = null;

    const settle = (result: WriteSent): void => {
      signal.removeEventListener("abort", onAbort);
      resolve(result);
      request.destroy();
      agent.destroy();
    };
    const ended = (why: string): void => settle({ kind: isUnderWay ? "lost" : "not-sent", why });
    const onAbort = (): void => ended("the time for it was over, or asfound was told to stop");
    const onStanding = (): void => {
      reached("write-connected");
      const late = outgoing.mayStillSend();
      isUnderWay = late === undefined;
      if (late === undefined) request.end(outgoing.body);
      else ended(late);
    };

    request.on("error", (error) => ended(brokenBy(error).why));
    request.once("finish", () => reached("write-sent"));
    request.on("upgrade", (_message, socket) => {
      socket.destroy();
      ended("it answered with another protocol");
    });
    request.on("socket", (socket) => {
      if ("encrypted" in socket) socket.once("secureConnect", onStanding);
      else if (socket.connecting) socket.once("connect", onStanding);
      else onStanding();
    });
    request.on("response", (message) => {
      incoming = receive(message, { maxBytes: MAX_BODY_BYTES });
      void incoming.ended.then((end) => {
        if (end.kind !== "whole") return ended("its reply did not come whole");
        reached("write-replied");
        const exchange = exchangeOf(
          line,
          `${wordOf(outgoing)} ${outgoing.path}`,
          begun,
          message,
          incoming?.bytes() ?? Buffer.alloc(0),
        );
        settle({ kind: "replied", exchange, retryAfter: message.headers["retry-after"] ?? null });
      });
    });
    if (signal.aborted) return onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
  });
