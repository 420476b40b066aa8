/** An HTTP proxy on loopback that opens ways (CONNECT) and counts them. */
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { onTestFinished } from "vitest";

export interface ConnectProxy {
  readonly url: string;
  /** `host:port` of each way that was asked for, in order. */
  readonly asked: string[];
  /** The Proxy-Authorization of each; null: none. */
  readonly authorizations: (string | null)[];
}

/** `refuses`: the status with which every way is refused; null: every one is opened. */
export const connectProxy = async (refuses: number | null = null): Promise<ConnectProxy> => {
  const asked: string[] = [];
  const authorizations: (string | null)[] = [];
  const server: Server = createServer((_request, response) => response.writeHead(405).end());
  server.on("connect", (request, client) => {
    const target = String(request.url);
    asked.push(target);
    authorizations.push(request.headers["proxy-authorization"] ?? null);
    client.on("error", () => undefined);
    if (refuses !== null) return void client.end(`HTTP/1.1 ${refuses} No\r\n\r\n`);
    const [host = "", port = ""] = target.split(":");
    const way = connect(Number(port), host, () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      way.pipe(client).pipe(way);
    });
    way.on("error", () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, authorizations };
};
