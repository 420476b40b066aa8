/** One GET that becomes a WebSocket, over a connection as any other question's: proxy, certificates and all. */
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { Exchange } from "../../ports/cluster.ts";
import { acceptOf } from "../../wire/web-socket-accept.ts";
import { brokenBy } from "./broken.ts";
import { newKey } from "./frames.ts";
import { receive } from "./receive.ts";
import { type Line, type Outgoing, open, pathOf, recorder, type Sent } from "./send.ts";

export type Upgraded =
  | { readonly kind: "upgraded"; readonly socket: Duplex; readonly head: Buffer; readonly exchange: Exchange }
  /** Another status than 101, with what it says. */
  | { readonly kind: "replied"; readonly exchange: Exchange }
  | Exclude<Sent, { kind: "replied" }>;

const NO_BYTES = Buffer.alloc(0);

/** `protocols`: of which the server has to choose one. Throws never. */
export const upgrade = (
  line: Line,
  outgoing: Outgoing,
  protocols: readonly string[],
  signal: AbortSignal,
): Promise<Upgraded> =>
  new Promise((resolve) => {
    const path = pathOf(line, outgoing.path);
    const record = recorder(line, path);
    const key = newKey();
    const request = open(line, path, {
      ...outgoing,
      extra: {
        connection: "Upgrade",
        upgrade: "websocket",
        "sec-websocket-version": "13",
        "sec-websocket-key": key,
        "sec-websocket-protocol": protocols.join(", "),
      },
    });
    const settle = (result: Upgraded): void => {
      signal.removeEventListener("abort", onAbort);
      resolve(result);
      if (result.kind !== "upgraded") request.destroy();
    };
    const onAbort = (): void => settle({ kind: "aborted", exchange: record(null, NO_BYTES, false) });
    request.on("error", (error) => settle({ ...brokenBy(error), exchange: record(null, NO_BYTES, false) }));
    request.on("upgrade", (message, socket, head) => {
      const exchange = record(message, NO_BYTES, true);
      if (isAgreed(message, key, protocols)) return settle({ kind: "upgraded", socket, head, exchange });
      socket.destroy();
      settle({ kind: "cut", why: "it answered with another protocol", exchange });
    });
    request.on("response", (message) => {
      const incoming = receive(message, { maxBytes: outgoing.maxBytes });
      void incoming.ended.then((end) =>
        settle({ kind: "replied", exchange: record(message, incoming.bytes(), end.kind === "whole") }),
      );
    });
    if (signal.aborted) return onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    request.end();
  });

const isAgreed = ({ headers }: IncomingMessage, key: string, protocols: readonly string[]): boolean =>
  headers.upgrade?.toLowerCase() === "websocket" &&
  headers["sec-websocket-accept"] === acceptOf(key) &&
  protocols.includes(String(headers["sec-websocket-protocol"])) &&
  headers["sec-websocket-extensions"] === undefined;
