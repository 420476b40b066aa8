/** Proxies on loopback that open ways and count them: HTTP (CONNECT) and SOCKS 5. */
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from "node:net";
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

export interface SocksProxy {
  readonly url: string;
  readonly asked: string[];
  readonly passwords: string[];
}

export interface SocksOptions {
  /** Asked of everybody; null: nobody is asked. */
  readonly password?: string | null;
  /** The reply code with which every way is refused. */
  readonly refuses?: number | null;
  /** Sends its replies a byte at a time. */
  readonly slow?: boolean;
}

/** Reads what RFC 1928 and 1929 lay down, in one buffer: a test's client sends one message at a time. */
export const socksProxy = async ({
  password = null,
  refuses = null,
  slow = false,
}: SocksOptions = {}): Promise<SocksProxy> => {
  const [asked, passwords]: [string[], string[]] = [[], []];
  const tell = async (client: Socket, ...bytes: readonly number[]): Promise<void> => {
    for (const byte of slow ? bytes.map((one) => [one]) : [bytes]) {
      client.write(Buffer.from(byte));
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const serve = async (client: Socket): Promise<void> => {
    const messages = client[Symbol.asyncIterator]();
    const next = async (): Promise<Buffer> => {
      const { value, done } = await messages.next();
      if (done === true) throw new Error("the client went away");
      return value as Buffer;
    };
    const methods = [...(await next()).subarray(2)];
    if (password !== null && !methods.includes(2)) return await tell(client, 5, 0xff);
    await tell(client, 5, password === null ? 0 : 2);
    if (password !== null) {
      const given = await next();
      const nameLength = given[1] ?? 0;
      passwords.push(given.subarray(3 + nameLength).toString());
      const isRight = passwords.at(-1) === password;
      await tell(client, 1, isRight ? 0 : 1);
      if (!isRight) return;
    }
    const question = await next();
    const port = question.readUInt16BE(question.length - 2);
    const host =
      question[3] === 1 ? [...question.subarray(4, 8)].join(".") : question.subarray(5, -2).toString();
    asked.push(`${host}:${port}`);
    if (refuses !== null) return await tell(client, 5, refuses, 0, 1, 0, 0, 0, 0, 0, 0);
    const way = connect(port, host, async () => {
      // The address that it uses: a name, for once.
      await tell(client, 5, 0, 0, 3, 1, 0x78, 0, 80);
      way.pipe(client);
    });
    way.on("error", () => client.destroy());
    for (;;) way.write(await next());
  };
  const server = createTcpServer((client) => {
    client.on("error", () => undefined);
    serve(client).then(
      () => client.end(),
      () => client.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { url: `socks5://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, passwords };
};
