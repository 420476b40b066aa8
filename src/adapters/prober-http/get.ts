/** One GET on a connection of its own. */
import { type IncomingMessage, request as plainRequest, type RequestOptions } from "node:http";
import { request as secureRequest } from "node:https";
import type { Probe, Probed } from "../../ports/prober.ts";
import { joinedHeaders } from "../../wire/reply-headers.ts";
import { type Trust, tlsOptions } from "./trust.ts";
import { codeOf, lateWord, UNREACHABLE, wordFor } from "./words.ts";

const MAX_BODY_BYTES = 1024 * 1024;
const MAX_HEADER_BYTES = 64 * 1024;

const optionsOf = (probe: Probe, address: string, trust: Trust): RequestOptions => {
  const target = new URL(probe.url);
  const isSecure = target.protocol === "https:";
  return {
    method: "GET",
    host: address,
    port: target.port || (isSecure ? 443 : 80),
    path: `${target.pathname}${target.search}`,
    // A kept connection would lead to the same Pod each time.
    agent: false,
    maxHeaderSize: MAX_HEADER_BYTES,
    headers: {
      ...probe.headers,
      host: probe.host ?? target.host,
      accept: "*/*",
      "accept-encoding": "identity",
      connection: "close",
      "user-agent": "asfound",
    },
    ...(isSecure ? tlsOptions(probe, trust) : {}),
  };
};

const bodyOf = (message: IncomingMessage): Promise<Uint8Array | { readonly why: string }> =>
  new Promise((resolve) => {
    const pieces: Buffer[] = [];
    let bytes = 0;
    message.on("data", (piece: Buffer) => {
      bytes += piece.length;
      if (bytes > MAX_BODY_BYTES) {
        resolve({ why: `the body has more than ${MAX_BODY_BYTES} bytes` });
        message.destroy();
      } else pieces.push(piece);
    });
    message.on("error", (error) => resolve({ why: `the reply was cut (${codeOf(error)})` }));
    message.on("close", () => resolve({ why: "the reply was cut" }));
    message.on("end", () => resolve(Buffer.concat(pieces)));
  });

export const get = (probe: Probe, address: string, trust: Trust, signal: AbortSignal): Promise<Probed> =>
  new Promise((resolve) => {
    const secure = new URL(probe.url).protocol === "https:";
    let isConnected = false;
    const failed = (error: unknown): void => {
      const code = codeOf(error);
      const isOver = signal.aborted;
      const kind = UNREACHABLE.has(code) || (isOver && !isConnected) ? "unreachable" : "failed";
      resolve({
        kind,
        why: isOver ? lateWord(probe.deadlineMs) : `${address}: ${wordFor(error, trust.ca !== null)}`,
      });
    };
    const request = (secure ? secureRequest : plainRequest)({ ...optionsOf(probe, address, trust), signal });
    request.on("socket", (socket) =>
      socket.once("connect", () => {
        isConnected = true;
      }),
    );
    request.on("error", failed);
    request.on("upgrade", (_message, socket) => {
      socket.destroy();
      resolve({ kind: "failed", why: `${address} answered with another protocol` });
    });
    request.on("response", async (message) => {
      const body = await bodyOf(message);
      if ("why" in body) return signal.aborted ? failed(body) : resolve({ kind: "failed", why: body.why });
      resolve({
        kind: "replied",
        status: message.statusCode ?? 0,
        headers: joinedHeaders(message.rawHeaders),
        body,
      });
    });
    request.end();
  });
