/** A connection through an HTTP proxy: CONNECT (RFC 9110 §9.3.6), then whatever the caller speaks through it. */
import { request as plainRequest } from "node:http";
import { request as secureRequest } from "node:https";
import type { Socket } from "node:net";
import { ProxyRefusal } from "./proxy-refusal.ts";

/** `target`: `host:port`, an IPv6 address in brackets. Rejects with a `ProxyRefusal`; so it does when `signal` aborts. */
export const tunnel = (proxy: URL, target: string, signal: AbortSignal): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const open = proxy.protocol === "https:" ? secureRequest : plainRequest;
    const secret = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
    const request = open({
      host: proxy.hostname.replace(/^\[|\]$/g, ""),
      port: proxy.port || (proxy.protocol === "https:" ? 443 : 80),
      method: "CONNECT",
      path: target,
      agent: false,
      signal,
      rejectUnauthorized: true,
      headers: {
        host: target,
        ...(proxy.username === ""
          ? {}
          : { "proxy-authorization": `Basic ${Buffer.from(secret).toString("base64")}` }),
      },
    });
    const refuse = (error: unknown): void => reject(ProxyRefusal.from(error, proxy));
    request.once("connect", (response, socket, head) => {
      if (response.statusCode === 200 && head.length === 0) return resolve(socket as Socket);
      socket.destroy();
      refuse(
        new ProxyRefusal(
          response.statusCode === 200
            ? "spoke before it was asked"
            : `refused the way (${response.statusCode})`,
        ),
      );
    });
    request.once("response", (response) => {
      response.destroy();
      refuse(new ProxyRefusal(`refused the way (${response.statusCode})`));
    });
    request.once("error", refuse);
    request.end();
  });
