/** Keeps connections open between requests, and opens new ones directly or through a proxy. Verification is written out, so that no environment variable can turn it off. */
import { Agent as PlainAgent } from "node:http";
import { Agent as SecureAgent } from "node:https";
import { isIP, type Socket } from "node:net";
import { connect as openTls } from "node:tls";
import type { Connection } from "./connection.ts";
import { socksTunnel } from "./socks.ts";
import { tunnel } from "./tunnel.ts";

/** As many requests at once as an API server's fair queues give one client without waiting. */
const MAX_SOCKETS = 8;
const KEEP_MS = 30_000;

/** A proxy that takes a connection and never opens the way would be waited for as long as the process lives. */
const WAY_MS = 30_000;

export type Agent = PlainAgent | SecureAgent;

/** TLS options of every request, beside the client's certificate. */
export const tlsOptions = ({ server, trust }: Connection) => {
  const host = server.hostname.replace(/^\[|\]$/g, "");
  const servername = trust.serverName ?? (isIP(host) === 0 ? host : null);
  return {
    rejectUnauthorized: !trust.insecure,
    minVersion: "TLSv1.2" as const,
    ALPNProtocols: ["http/1.1"],
    ...(servername === null ? {} : { servername }),
    ...(trust.ca === null ? {} : { ca: trust.ca }),
  };
};

export const agentOf = ({ server }: Connection, proxy: URL | null): Agent => {
  const options = { keepAlive: true, maxSockets: MAX_SOCKETS, timeout: KEEP_MS };
  const secure = server.protocol === "https:";
  const agent = secure ? new SecureAgent(options) : new PlainAgent(options);
  if (proxy === null) return agent;
  const port = Number(server.port || (secure ? 443 : 80));
  const way = (): Promise<Socket> => {
    const signal = AbortSignal.timeout(WAY_MS);
    return proxy.protocol.startsWith("socks")
      ? socksTunnel(proxy, server.hostname.replace(/^\[|\]$/g, ""), port, signal)
      : tunnel(proxy, `${server.hostname}:${port}`, signal);
  };
  agent.createConnection = (given, callback) => {
    way().then(
      (socket) => callback?.(null, secure ? openTls({ ...given, socket } as object) : socket),
      (error: Error) => callback?.(error, undefined as unknown as Socket),
    );
    return undefined;
  };
  return agent;
};
