/**
 * One call of `grpc.health.v1.Health/Check` on a connection of its own (ADR 0031). It tells what came, as it came: what is
 * no whole reply is none, whatever it looked like before it broke.
 */
import { type ClientHttp2Session, type ClientHttp2Stream, connect as openSession } from "node:http2";
import { connect as openTcp, type Socket } from "node:net";
import { connect as openTls, type TLSSocket } from "node:tls";
import { HEALTH_PATH } from "../../domain/grpc-health.ts";
import type { HealthProbe, HealthProbed } from "../../ports/prober.ts";
import { joinedHeaders } from "../../wire/reply-headers.ts";
import { framedIn, healthIn, requestFor } from "./health-message.ts";
import { type Trust, tlsOptions } from "./trust.ts";
import { codeOf, lateWord, UNREACHABLE, wordFor } from "./words.ts";

/** A health message has two bytes. */
const MAX_BODY_BYTES = 64 * 1024;
const MAX_HEADER_BYTES = 64 * 1024;
const MAX_HEADERS = 1_000;

type NoReply = Exclude<HealthProbed, { readonly kind: "replied" }>;
type Settle = (probed: HealthProbed) => void;

export const health = async (
  probe: HealthProbe,
  address: string,
  trust: Trust,
  signal: AbortSignal,
): Promise<HealthProbed> => {
  const opened = await opening(probe, address, trust, signal);
  return "kind" in opened ? opened : asked(probe, address, opened.socket, signal);
};

/** The connection first, so that one which does not come about is told from one that breaks. */
const opening = (
  probe: HealthProbe,
  address: string,
  trust: Trust,
  signal: AbortSignal,
): Promise<{ readonly socket: Socket } | NoReply> =>
  new Promise((resolve) => {
    const target = new URL(probe.url);
    const isSecure = target.protocol === "https:";
    const port = Number(target.port || (isSecure ? 443 : 80));
    let isConnected = false;
    const settle = (result: { readonly socket: Socket } | NoReply): void => {
      signal.removeEventListener("abort", late);
      if ("kind" in result) socket.destroy();
      resolve(result);
    };
    const late = (): void =>
      settle({ kind: isConnected ? "failed" : "unreachable", why: lateWord(probe.deadlineMs) });
    const socket = isSecure
      ? openTls({ host: address, port, ALPNProtocols: ["h2"], ...tlsOptions(probe, trust) }, () =>
          (socket as TLSSocket).alpnProtocol === "h2"
            ? settle({ socket })
            : settle({ kind: "failed", why: `${address} does not speak HTTP/2 over TLS, which gRPC needs` }),
        )
      : openTcp({ host: address, port }, () => settle({ socket }));
    socket.once("connect", () => {
      isConnected = true;
    });
    // Stays: without any listener an error would end the process.
    socket.on("error", (error) =>
      settle({
        kind: UNREACHABLE.has(codeOf(error)) ? "unreachable" : "failed",
        why: `${address}: ${wordFor(error, trust.ca !== null)}`,
      }),
    );
    if (signal.aborted) late();
    else signal.addEventListener("abort", late, { once: true });
  });

const asked = (
  probe: HealthProbe,
  address: string,
  socket: Socket,
  signal: AbortSignal,
): Promise<HealthProbed> =>
  new Promise((resolve) => {
    const target = new URL(probe.url);
    const session = openSession(target.origin, {
      createConnection: () => socket,
      settings: { enablePush: false, maxHeaderListSize: MAX_HEADER_BYTES },
      maxHeaderListPairs: MAX_HEADERS,
    });
    const settle: Settle = (probed) => {
      signal.removeEventListener("abort", late);
      resolve(probed);
      session.destroy();
      socket.destroy();
    };
    const failed = (why: string): void => settle({ kind: "failed", why });
    const late = (): void => failed(lateWord(probe.deadlineMs));
    session.on("error", (error) => failed(`${address}: ${sessionWord(error)}`));
    session.on("close", () => failed(`${address}: the connection was cut before a whole reply came`));
    if (signal.aborted) return late();
    signal.addEventListener("abort", late, { once: true });
    listen(session, begun(session, probe, target), address, settle);
  });

const sessionWord = (error: unknown): string =>
  /PROTOCOL_ERROR|ERR_HTTP2_ERROR/.test(codeOf(error))
    ? "what it sends is not HTTP/2, which gRPC needs"
    : wordFor(error, false);

const begun = (session: ClientHttp2Session, probe: HealthProbe, target: URL): ClientHttp2Stream => {
  const stream = session.request({
    ...probe.headers,
    ":method": "POST",
    ":path": HEALTH_PATH,
    ":scheme": target.protocol.slice(0, -1),
    ":authority": probe.host ?? target.host,
    "content-type": "application/grpc",
    te: "trailers",
    "user-agent": "asfound",
  });
  stream.end(requestFor(probe.service));
  return stream;
};

/** What came of one stream, until it is whole or broken. */
const listen = (
  session: ClientHttp2Session,
  stream: ClientHttp2Stream,
  address: string,
  settle: Settle,
): void => {
  const pieces: Buffer[] = [];
  const raw: string[] = [];
  let status: number | null = null;
  let bytes = 0;
  let isEnded = false;
  const failed = (why: string): void => settle({ kind: "failed", why: `${address}: ${why}` });
  stream.on("response", (headers, _flags, list) => {
    status = headers[":status"] ?? null;
    raw.push(...ownOf(list));
  });
  stream.on("trailers", (_headers, _flags, list) => raw.push(...ownOf(list)));
  stream.on("data", (piece: Buffer) => {
    bytes += piece.length;
    if (bytes > MAX_BODY_BYTES) failed(`its reply has more than ${MAX_BODY_BYTES} bytes`);
    else pieces.push(piece);
  });
  stream.on("end", () => {
    isEnded = true;
  });
  stream.on("error", (error) =>
    failed(
      codeOf(error) === "ERR_HTTP2_STREAM_ERROR"
        ? `the call was cut (RST_STREAM ${stream.rstCode})`
        : sessionWord(error),
    ),
  );
  stream.on("close", () => {
    if (session.destroyed && !isEnded) return failed("the connection was cut before a whole reply came");
    if (!isEnded || stream.rstCode !== 0) return failed(`the call was cut (RST_STREAM ${stream.rstCode})`);
    if (status === null) return failed("it ended without a reply");
    settle(replyOf(address, status, joinedHeaders(raw), Buffer.concat(pieces)));
  });
};

/** `list`: name, value, name, value, as they came; HTTP/2's own begin with a colon. */
const ownOf = (list: unknown): readonly string[] => {
  const all = Array.isArray(list) ? list.map(String) : [];
  return all.filter((_, at) => all[at - (at % 2)]?.startsWith(":") !== true);
};

const GRPC = /^application\/grpc($|[+;])/i;

const replyOf = (
  address: string,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: Buffer,
): HealthProbed => {
  const type = headers["content-type"];
  const base = { kind: "replied", status, headers } as const;
  // Another server's reply, and a whole one: a page of HTML, a 502 of a proxy.
  if (status !== 200 || type === undefined || !GRPC.test(type)) return { ...base, code: null, health: null };
  const failed = (why: string): HealthProbed => ({ kind: "failed", why: `${address}: ${why}` });
  const told = headers["grpc-status"];
  if (told === undefined) return failed("it ended without saying how the call ended (no grpc-status)");
  if (!/^(0|[1-9]\d{0,2})$/.test(told))
    return failed("how it says the call ended is no number (grpc-status)");
  const code = Number(told);
  if (code !== 0) return { ...base, code, health: null };
  const framed = framedIn(body);
  if ("why" in framed) return failed(framed.why);
  const read = healthIn(framed.message);
  return "why" in read ? failed(read.why) : { ...base, code, health: read.health };
};
