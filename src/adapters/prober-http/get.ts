/** One GET on a connection of its own, to an address that was checked and is pinned. */
import { lookup } from "node:dns/promises";
import { type IncomingMessage, request as plainRequest, type RequestOptions } from "node:http";
import { request as secureRequest } from "node:https";
import { isIP } from "node:net";
import type { Probe, Probed, Prober } from "../../ports/prober.ts";
import { joinedHeaders } from "../../wire/reply-headers.ts";
import { addressFault, type Origin } from "./address.ts";

const MAX_BODY_BYTES = 1024 * 1024;
const MAX_HEADER_BYTES = 64 * 1024;

/** Never an answer of anybody's, by what Node calls it. */
const UNREACHABLE: ReadonlySet<string> = new Set(["EHOSTUNREACH", "ENETUNREACH", "ETIMEDOUT", "ENETDOWN"]);

type Resolved = { readonly address: string } | { readonly why: string };

const resolved = async ({ url, address, namedBy }: Probe): Promise<Resolved> => {
  const checked = (found: string, origin: Origin): Resolved => {
    const fault = addressFault(found, origin);
    return fault === null ? { address: found } : { why: fault };
  };
  const isOfPerson = namedBy === "person";
  if (address !== null) return checked(address, isOfPerson ? "named" : "object");
  const host = new URL(url).hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) !== 0) return checked(host, isOfPerson ? "named" : "object");
  try {
    const found = await lookup(host, { all: true });
    const origin = isOfPerson && /(^|\.)localhost$/i.test(host) ? "local-name" : "name";
    const all = found.map((one) => checked(one.address, origin));
    // One bad address among good ones is how a name is rebound.
    return all.find((one) => "why" in one) ?? all[0] ?? { why: `the name ${host} has no address` };
  } catch (error) {
    return { why: `the name ${host} cannot be resolved (${codeOf(error)})` };
  }
};

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : String(error);

const optionsOf = (
  { url, host }: Probe,
  address: string,
): RequestOptions & { readonly servername?: string } => {
  const target = new URL(url);
  const name = host ?? target.host;
  const bare = name.replace(/:\d+$/, "").replace(/^\[|\]$/g, "");
  return {
    method: "GET",
    host: address,
    port: target.port || (target.protocol === "https:" ? 443 : 80),
    path: `${target.pathname}${target.search}`,
    // A kept connection would lead to the same Pod each time.
    agent: false,
    maxHeaderSize: MAX_HEADER_BYTES,
    headers: {
      host: name,
      accept: "*/*",
      "accept-encoding": "identity",
      connection: "close",
      "user-agent": "asfound",
    },
    ...(isIP(bare) === 0 ? { servername: bare } : {}),
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

const ask = (probe: Probe, address: string, signal: AbortSignal): Promise<Probed> =>
  new Promise((resolve) => {
    const secure = new URL(probe.url).protocol === "https:";
    let isConnected = false;
    const failed = (error: unknown): void => {
      const code = codeOf(error);
      const isOver = signal.aborted;
      const kind = UNREACHABLE.has(code) || (isOver && !isConnected) ? "unreachable" : "failed";
      resolve({
        kind,
        why: isOver
          ? `no reply within ${Math.ceil(probe.deadlineMs)} ms`
          : `${address}: ${wordFor(code, error)}`,
      });
    };
    const request = (secure ? secureRequest : plainRequest)({ ...optionsOf(probe, address), signal });
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

const wordFor = (code: string, error: unknown): string => {
  if (code === "ECONNREFUSED") return "the connection was refused";
  if (code === "ECONNRESET") return "the connection was cut";
  if (UNREACHABLE.has(code)) return `it cannot be reached (${code})`;
  return error instanceof Error ? `${error.message.slice(0, 200)} (${code})` : code;
};

export const httpProber: Prober = {
  get: async (probe, stop) => {
    const signal = AbortSignal.any([stop, AbortSignal.timeout(Math.max(1, Math.ceil(probe.deadlineMs)))]);
    try {
      const found = await resolved(probe);
      return "why" in found ? { kind: "failed", why: found.why } : await ask(probe, found.address, signal);
    } catch (error) {
      // An address or host that an object names may be anything: no URL, or letters that no header can have.
      return { kind: "failed", why: `it cannot be asked for: ${wordFor(codeOf(error), error)}` };
    }
  },
};
