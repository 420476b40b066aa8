/** The prober over real servers: what came is what it says, and a liar, a slow one or a name that is rebound gives no answer. */
import { createServer, type RequestListener } from "node:http";
import { createServer as createRaw } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { addressFault } from "../../src/adapters/prober-http/address.ts";
import { httpProber } from "../../src/adapters/prober-http/prober.ts";

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

const portOf = (server: { address(): unknown }): number =>
  (server.address() as { readonly port: number }).port;

const serving = async (answer: RequestListener): Promise<number> => {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return portOf(server);
};

/** Sends these bytes to whoever connects, and closes or not. */
const raw = async (bytes: string, closes = true): Promise<number> => {
  const server = createRaw((socket) => {
    socket.on("error", () => undefined);
    if (closes) socket.end(bytes);
    else socket.write(bytes);
    closing.push(() => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => server.close());
  return portOf(server);
};

const get = (
  url: string,
  more: {
    address?: string;
    namedBy?: "object";
    host?: string;
    deadlineMs?: number;
    headers?: Record<string, string>;
  } = {},
) =>
  httpProber({ ca: null }).get(
    {
      url,
      address: more.address ?? null,
      namedBy: more.namedBy ?? "person",
      host: more.host ?? null,
      headers: more.headers ?? {},
      deadlineMs: more.deadlineMs ?? 5_000,
    },
    new AbortController().signal,
  );
const at = (port: number, path = "/") => `http://127.0.0.1:${port}${path}`;

describe("a reply", () => {
  it("is told as it came: status, headers in lower case, the bytes of the body", async () => {
    const port = await serving((request, reply) => {
      reply.writeHead(503, { "X-Pod": "web-1", "Set-Cookie": ["a=1", "b=2"] });
      reply.end(`${request.method} ${request.url} ${request.headers.host}`);
    });
    const got = await get(at(port, "/a?b=c"), { host: "shop.example" });
    expect(got).toMatchObject({
      kind: "replied",
      status: 503,
      headers: { "x-pod": "web-1", "set-cookie": "a=1, b=2" },
    });
    if (got.kind !== "replied") throw new Error(got.why);
    expect(Buffer.from(got.body).toString()).toBe("GET /a?b=c shop.example");
  });

  it("of a redirect is the redirect: nobody is followed", async () => {
    let asked = 0;
    const elsewhere = await serving((_, reply) => {
      asked += 1;
      reply.end("elsewhere");
    });
    const port = await serving((_, reply) => {
      reply.writeHead(302, { location: at(elsewhere) });
      reply.end();
    });
    expect(await get(at(port))).toMatchObject({ kind: "replied", status: 302 });
    expect(asked).toBe(0);
  });

  it("each is asked for on a connection of its own, without credentials", async () => {
    const seen: { readonly port: number | undefined; readonly headers: readonly string[] }[] = [];
    const port = await serving((request, reply) => {
      seen.push({ port: request.socket.remotePort, headers: Object.keys(request.headers).sort() });
      reply.end();
    });
    await get(at(port));
    await get(at(port));
    expect(new Set(seen.map((one) => one.port)).size).toBe(2);
    expect(seen[0]?.headers).toEqual(["accept", "accept-encoding", "connection", "host", "user-agent"]);
  });

  it("is the one after those of status 1xx", async () => {
    const port = await raw(
      "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n",
    );
    expect(await get(at(port))).toMatchObject({ kind: "replied", status: 404 });
  });

  it("may have a header called __proto__, which is a header", async () => {
    const port = await raw("HTTP/1.1 200 OK\r\n__proto__: x\r\ncontent-length: 0\r\n\r\n");
    const got = await get(at(port));
    expect(got.kind === "replied" ? Object.entries(got.headers) : got).toContainEqual(["__proto__", "x"]);
  });
});

describe("no reply", () => {
  it.each([
    ["nothing at all", "", /hang up|cut/],
    ["no HTTP", "220 mail.example ESMTP\r\n", /Parse Error|Expected HTTP/i],
    ["a chunk that is cut off", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n64\r\nhalf", /cut/],
    ["headers without end", `HTTP/1.1 200 OK\r\nx: ${"a".repeat(100_000)}`, /Header overflow/i],
    ["half a body", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf", /cut/],
    [
      "two lengths",
      "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
      /Parse Error|Content-Length/i,
    ],
    [
      "another protocol",
      "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n",
      /another protocol/,
    ],
  ])("%s is said, and is no answer", async (_, bytes, why) => {
    const got = await get(at(await raw(bytes)));
    expect(got).toMatchObject({ kind: "failed", why: expect.stringMatching(why) });
  });

  it("from a server that never ends is over in time", async () => {
    const port = await raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n", false);
    expect(await get(at(port), { deadlineMs: 200 })).toMatchObject({
      kind: "failed",
      why: "no reply within 200 ms",
    });
  });

  it("of a body beyond a mebibyte, and none of it is kept", async () => {
    const port = await serving((_, reply) => reply.end(Buffer.alloc(1024 * 1024 + 1)));
    expect(await get(at(port))).toMatchObject({ kind: "failed", why: expect.stringContaining("more than") });
    // The control: one byte less is taken.
    const fits = await serving((_, reply) => reply.end(Buffer.alloc(1024 * 1024)));
    expect(await get(at(fits))).toMatchObject({ kind: "replied" });
  });

  it("where the connection is refused", async () => {
    const port = await serving((_, reply) => reply.end());
    for (const close of closing.splice(0)) close();
    expect(await get(at(port))).toMatchObject({ kind: "failed", why: expect.stringMatching(/refused/) });
  });
});

describe("an address", () => {
  it.each([
    "169.254.169.254",
    "fe80::1",
    "::ffff:169.254.169.254",
    "0.0.0.0",
    "::",
    "224.0.0.1",
    "255.255.255.255",
    "fd00:ec2::254",
    "100.100.100.200",
  ])("%s is asked only where a person writes it", (address) => {
    for (const origin of ["object", "name", "local-name"] as const)
      expect(addressFault(address, origin)).toMatch(/only where a person writes it/);
    expect(addressFault(address, "named")).toBe(null);
  });

  it.each(["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"])(
    "%s is this machine: no object or name leads to it",
    (address) => {
      for (const origin of ["object", "name"] as const)
        expect(addressFault(address, origin)).toMatch(/this machine itself/);
      expect(addressFault(address, "local-name")).toBe(null);
    },
  );

  it.each(["10.96.0.1", "192.168.1.1", "93.184.216.34", "2001:db8::1"])("%s may be asked", (address) => {
    expect(addressFault(address, "object")).toBe(null);
  });

  it.each([
    ["http://[not an address/", {}],
    ["http://10.0.0.1:99999/", {}],
    ["http://127.0.0.1:1/", { host: "shop\r\nX-Injected: 1" }],
    ["http://127.0.0.1:1/", { host: "" }],
    ["http://x/", { address: "no address" }],
  ])("%j with %j, as an object may name it, is no reply and no exception", async (url, more) => {
    expect(await get(url, { ...more, namedBy: "object" })).toMatchObject({ kind: "failed" });
    expect(await get(url, more)).toMatchObject({ kind: "failed" });
  });

  it("of an object is not connected to if it may not be asked", async () => {
    let asked = 0;
    const port = await serving((_, reply) => {
      asked += 1;
      reply.end();
    });
    const got = await get(at(port), { address: "127.0.0.1", namedBy: "object" });
    expect(got).toMatchObject({ kind: "failed", why: expect.stringContaining("this machine itself") });
    expect(asked).toBe(0);
    // Nor by a name: an Ingress may publish one.
    expect(await get(`http://localhost:${port}/`, { namedBy: "object" })).toMatchObject({ kind: "failed" });
    expect(asked).toBe(0);
    // The control: a person who writes it gets it.
    expect(await get(at(port))).toMatchObject({ kind: "replied" });
    expect(await get(`http://localhost:${port}/`)).toMatchObject({ kind: "replied" });
  });
});
