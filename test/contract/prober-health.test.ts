/**
 * The gRPC health service over real HTTP/2 servers, honest and lying. The bytes of honest ones are from the protocol's own
 * documents (protobuf's encoding, gRPC over HTTP/2); over grpc-go's server: test/e2e/grpc.test.ts.
 */
import { createSecureServer, createServer, type ServerHttp2Stream } from "node:http2";
import { createServer as createPlainSecure } from "node:https";
import { createServer as createRaw } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { httpProber } from "../../src/adapters/prober-http/prober.ts";
import { authority } from "../../src/testing/api-server/certificate.ts";

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

const portOf = (server: { address(): unknown }): number =>
  (server.address() as { readonly port: number }).port;

type Answer = (stream: ServerHttp2Stream, call: { readonly path: string; readonly body: Buffer }) => void;

const answering = (answer: Answer) => (stream: ServerHttp2Stream, headers: Record<string, unknown>) => {
  const pieces: Buffer[] = [];
  stream.on("error", () => undefined);
  stream.on("data", (piece: Buffer) => pieces.push(piece));
  stream.on("end", () => answer(stream, { path: String(headers[":path"]), body: Buffer.concat(pieces) }));
};

const serving = async (answer: Answer): Promise<number> => {
  const server = createServer();
  server.on("stream", answering(answer) as never);
  server.on("session", (session) => closing.push(() => session.destroy()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => server.close());
  return portOf(server);
};

const raw = async (bytes: string | Buffer, ends = true): Promise<number> => {
  const server = createRaw((socket) => {
    socket.on("error", () => undefined);
    if (ends) socket.end(bytes);
    else socket.write(bytes);
    closing.push(() => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => server.close());
  return portOf(server);
};

const ask = (
  url: string,
  more: {
    service?: string;
    address?: string;
    namedBy?: "object";
    host?: string;
    deadlineMs?: number;
    headers?: Record<string, string>;
    ca?: string;
  } = {},
) =>
  httpProber({ ca: more.ca ?? null }).health(
    {
      url,
      address: more.address ?? null,
      namedBy: more.namedBy ?? "person",
      host: more.host ?? null,
      headers: more.headers ?? {},
      deadlineMs: more.deadlineMs ?? 5_000,
      service: more.service ?? "",
    },
    new AbortController().signal,
  );
const at = (port: number) => `http://127.0.0.1:${port}/`;

const framed = (message: readonly number[], flag = 0, length = message.length): Buffer =>
  Buffer.from([flag, 0, 0, 0, length, ...message]);
/** `HealthCheckResponse{status: SERVING}`: field 1, a varint, 1. */
const SERVING = framed([0x08, 0x01]);

interface Told {
  readonly body?: Buffer;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** null: it ends without any. */
  readonly trailers?: Readonly<Record<string, string>> | null;
}

const reply = (
  stream: ServerHttp2Stream,
  { body = SERVING, status = 200, headers = { "content-type": "application/grpc" }, trailers }: Told,
): void => {
  const all = trailers === undefined ? { "grpc-status": "0" } : trailers;
  stream.respond({ ":status": status, ...headers }, { waitForTrailers: all !== null });
  stream.on("wantTrailers", () => stream.sendTrailers({ ...all }));
  stream.end(body);
};

describe("a reply", () => {
  it("is the health of the service that was asked for, by the call that the protocol has", async () => {
    const calls: { readonly path: string; readonly body: Buffer }[] = [];
    const port = await serving((stream, call) => {
      calls.push(call);
      reply(stream, { headers: { "content-type": "application/grpc+proto", "x-pod": "web-1" } });
    });
    expect(await ask(at(port), { service: "shop.Cart" })).toEqual({
      kind: "replied",
      status: 200,
      code: 0,
      health: "SERVING",
      headers: expect.objectContaining({ "x-pod": "web-1", "grpc-status": "0" }),
    });
    await ask(at(port));
    expect(calls).toEqual([
      {
        path: "/grpc.health.v1.Health/Check",
        body: Buffer.concat([Buffer.from([0, 0, 0, 0, 11, 0x0a, 9]), Buffer.from("shop.Cart")]),
      },
      { path: "/grpc.health.v1.Health/Check", body: Buffer.from([0, 0, 0, 0, 0]) },
    ]);
  });

  it.each([
    ["an absent status, which is 0", [], "UNKNOWN"],
    ["another one", [0x08, 0x02], "NOT_SERVING"],
    ["two of them: the last counts", [0x08, 0x01, 0x08, 0x02], "NOT_SERVING"],
    ["fields that are not known", [0x12, 0x02, 0x41, 0x41, 0x1d, 1, 2, 3, 4, 0x08, 0x01], "SERVING"],
  ])("%s", async (_, message, health) => {
    const port = await serving((stream) => reply(stream, { body: framed(message) }));
    expect(await ask(at(port))).toMatchObject({ kind: "replied", code: 0, health });
  });

  it("that is a status alone (trailers only) is that status", async () => {
    const port = await serving((stream) =>
      stream.respond(
        { ":status": 200, "content-type": "application/grpc", "grpc-status": "12" },
        { endStream: true },
      ),
    );
    expect(await ask(at(port))).toMatchObject({ kind: "replied", status: 200, code: 12, health: null });
  });

  it("of a call that was not OK has no health, whatever came before it", async () => {
    const port = await serving((stream) => reply(stream, { trailers: { "grpc-status": "5" } }));
    expect(await ask(at(port))).toMatchObject({ kind: "replied", code: 5, health: null });
  });

  it.each([
    [
      "a page of HTML",
      { headers: { "content-type": "text/html" }, body: Buffer.from("<html>"), trailers: null },
    ],
    ["no content type", { headers: {} }],
    ["a type that only begins alike", { headers: { "content-type": "application/grpcish" } }],
    ["a 503 that says it is gRPC", { status: 503 }],
  ])("of another kind is told as what it is, and none of gRPC: %s", async (_, told) => {
    const port = await serving((stream) => reply(stream, told));
    expect(await ask(at(port))).toMatchObject({ kind: "replied", code: null, health: null });
  });
});

describe("no reply", () => {
  it.each<[string, Told, RegExp]>([
    ["no trailers", { trailers: null }, /no grpc-status/],
    ["trailers without a status", { trailers: { "x-other": "1" } }, /no grpc-status/],
    ["a status that is no number", { trailers: { "grpc-status": "OK" } }, /no number/],
    ["two statuses", { trailers: { "grpc-status": "0, 0" } }, /no number/],
    ["no message", { body: Buffer.alloc(0) }, /without a message/],
    ["a frame that is cut in its head", { body: SERVING.subarray(0, 3) }, /was cut/],
    ["a frame that is cut", { body: framed([0x08, 0x01], 0, 9) }, /was cut/],
    ["two messages", { body: Buffer.concat([SERVING, SERVING]) }, /more than the one/],
    ["a compressed message", { body: framed([0x08, 0x01], 1) }, /compressed/],
    ["a message that is cut in a number", { body: framed([0x08, 0x80]) }, /cannot be read/],
    ["a message that is cut in a text", { body: framed([0x12, 0x7f, 1]) }, /cannot be read/],
    ["a number without end", { body: framed([0x08, ...Array(11).fill(0xff)]) }, /cannot be read/],
    ["a group, which is no more", { body: framed([0x0b, 0x0c]) }, /cannot be read/],
    ["a field of number 0", { body: framed([0x00, 0x01]) }, /cannot be read/],
    ["a health that nobody knows", { body: framed([0x08, 0x63]) }, /health of number 99/],
    [
      "one beyond 2^53",
      { body: framed([0x08, 0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01]) },
      /9223372036854775809/,
    ],
    ["a reply of more than it may have", { body: Buffer.alloc(65 * 1024) }, /more than 65536 bytes/],
  ])("%s is said, and is no answer", async (_, told, why) => {
    const port = await serving((stream) => reply(stream, told));
    expect(await ask(at(port))).toMatchObject({ kind: "failed", why: expect.stringMatching(why) });
  });

  it("a call that is cut by RST_STREAM, before a byte and after a whole message", async () => {
    const early = await serving((stream) => stream.close(8));
    expect(await ask(at(early))).toMatchObject({
      kind: "failed",
      why: expect.stringMatching(/RST_STREAM 8/),
    });
    const late = await serving((stream) => {
      stream.respond({ ":status": 200, "content-type": "application/grpc" });
      stream.write(SERVING, () => stream.destroy(new Error("broken")));
    });
    expect(await ask(at(late))).toMatchObject({ kind: "failed", why: expect.stringMatching(/RST_STREAM 2/) });
  });

  it("a connection that is cut in the middle of a reply, or of a frame", async () => {
    const port = await serving((stream) => {
      stream.respond({ ":status": 200, "content-type": "application/grpc" });
      stream.write(SERVING, () => stream.session?.socket.destroy());
    });
    expect(await ask(at(port))).toMatchObject({ kind: "failed", why: expect.stringMatching(/cut/) });
    // SETTINGS, and the head of a HEADERS frame that promises a hundred bytes.
    const half = await raw(Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 100, 1, 4, 0, 0, 0, 1, 0x88]));
    expect(await ask(at(half))).toMatchObject({ kind: "failed", why: expect.stringMatching(/cut/) });
  });

  it.each([
    ["HTTP/1.1", "HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nSERVING", /not HTTP\/2/],
    ["mail", "220 mail.example ESMTP\r\n", /not HTTP\/2/],
    ["nothing", "", /cut/],
  ])("of what speaks %s", async (_, bytes, why) => {
    expect(await ask(at(await raw(bytes)))).toMatchObject({
      kind: "failed",
      why: expect.stringMatching(why),
    });
  });

  it("of who never answers is over in time; where the connection is refused, at once", async () => {
    const silent = await serving(() => undefined);
    expect(await ask(at(silent), { deadlineMs: 200 })).toMatchObject({
      kind: "failed",
      why: "no reply within 200 ms",
    });
    const gone = await raw("");
    for (const close of closing.splice(0)) close();
    expect(await ask(at(gone))).toMatchObject({ kind: "failed", why: expect.stringMatching(/refused/) });
  });

  it("of an address that an object names and nobody may be led to: it is not connected to", async () => {
    let asked = 0;
    const port = await serving((stream) => {
      asked += 1;
      reply(stream, {});
    });
    expect(await ask(at(port), { address: "127.0.0.1", namedBy: "object" })).toMatchObject({
      kind: "failed",
      why: expect.stringContaining("this machine itself"),
    });
    expect(await ask(`http://localhost:${port}/`, { namedBy: "object" })).toMatchObject({ kind: "failed" });
    expect(asked).toBe(0);
    // The control.
    expect(await ask(at(port))).toMatchObject({ kind: "replied" });
    expect(asked).toBe(1);
  });

  it.each([
    ["http://[not an address/", {}],
    ["http://127.0.0.1:99999/", {}],
    ["http://127.0.0.1:1/", { host: "shop\r\nx-injected: 1" }],
  ])("%j with %j is no exception", async (url, more) => {
    expect(await ask(url, more)).toMatchObject({ kind: "failed" });
  });
});

describe("over TLS", () => {
  const own = authority(Date.now());
  const { cert, key } = own.issue({ commonName: "shop", names: ["shop.example"] });
  const secure = async (): Promise<{ readonly port: number; asked(): number }> => {
    let asked = 0;
    const server = createSecureServer({ cert, key });
    server.on(
      "stream",
      answering((stream) => {
        asked += 1;
        reply(stream, {});
      }) as never,
    );
    server.on("session", (session) => closing.push(() => session.destroy()));
    server.on("tlsClientError", () => undefined);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    closing.push(() => server.close());
    return { port: portOf(server), asked: () => asked };
  };
  const url = (port: number) => `https://127.0.0.1:${port}/`;

  it("the certificate has to be for the name that is asked for, by an authority that is named", async () => {
    const { port, asked } = await secure();
    const told = await ask(url(port), { ca: own.cert, host: "shop.example" });
    expect(told).toMatchObject({ kind: "replied", health: "SERVING" });
    expect(await ask(url(port), { ca: own.cert, host: "other.example" })).toMatchObject({
      kind: "failed",
      why: expect.stringMatching(/for another name/),
    });
    expect(await ask(url(port), { host: "shop.example" })).toMatchObject({
      kind: "failed",
      why: expect.stringMatching(/not signed by an authority that is trusted.*--ca FILE/),
    });
    expect(asked()).toBe(1);
  });

  it("a server without HTTP/2 is none that was asked", async () => {
    let asked = 0;
    const server = createPlainSecure({ cert, key }, () => {
      asked += 1;
    });
    server.on("tlsClientError", () => undefined);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    closing.push(() => server.close());
    expect(await ask(url(portOf(server)), { ca: own.cert, host: "shop.example" })).toMatchObject({
      kind: "failed",
      why: expect.stringMatching(/HTTP\/2|TLS/),
    });
    expect(asked).toBe(0);
  });
});
