/**
 * Opens the connection before the request exists, so that a failure here surely sent nothing: the name is not known,
 * nobody listens, the certificate is not trusted. Never through a proxy, never with verification off, whatever the
 * environment says.
 */
import { isIP, connect as openTcp, type Socket } from "node:net";
import { connect as openTls } from "node:tls";

/** Shorter than the slack of a call-by (N5), so that a call which was opened in time is also sent in time. */
export const CONNECT_MS = 8_000;

export type Connected = { readonly socket: Socket } | { readonly fault: string };

const WORDS: Readonly<Record<string, string>> = {
  ENOTFOUND: "its name is not known",
  EAI_AGAIN: "its name could not be looked up just now",
  ECONNREFUSED: "nothing listens there",
  ECONNRESET: "it closed the connection before anything was sent",
  EHOSTUNREACH: "there is no way to that host",
  ENETUNREACH: "there is no way to that network",
  ETIMEDOUT: "it did not take the connection in time",
};

const sentence = (error: unknown): string => {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (error instanceof AggregateError && code === "") return sentence(error.errors[0]);
  const known = WORDS[code];
  if (known !== undefined) return `${known} (${code})`;
  return code === "" ? "the connection failed" : `the connection failed (${code})`;
};

/** `signal` must end within `CONNECT_MS`. The fault is a clause: "nothing listens there (ECONNREFUSED)". */
export const connect = (url: URL, ca: string | null, signal: AbortSignal): Promise<Connected> =>
  new Promise((resolve) => {
    const host = url.hostname.replace(/^\[|\]$/g, "");
    const secure = url.protocol === "https:";
    const port = Number(url.port === "" ? (secure ? 443 : 80) : url.port);
    const socket: Socket = secure
      ? openTls({
          host,
          port,
          // Written out, so that no environment variable can turn it off.
          rejectUnauthorized: true,
          minVersion: "TLSv1.2",
          ALPNProtocols: ["http/1.1"],
          ...(isIP(host) === 0 ? { servername: host } : {}),
          ...(ca === null ? {} : { ca }),
        })
      : openTcp({ host, port });
    const settle = (connected: Connected): void => {
      signal.removeEventListener("abort", onAbort);
      socket.removeListener("error", onError);
      // From here on others listen too; without any listener an error would end the process.
      socket.on("error", () => undefined);
      if ("fault" in connected) socket.destroy();
      resolve(connected);
    };
    const onAbort = (): void => settle({ fault: "it did not take the connection in time" });
    const onError = (error: unknown): void => settle({ fault: sentence(error) });
    socket.once("error", onError);
    socket.once(secure ? "secureConnect" : "connect", () => settle({ socket }));
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
