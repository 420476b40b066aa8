/** TLS is always verified; a certificate that is not trusted means that nothing was sent. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { httpProvider } from "../../src/adapters/provider-http/provider.ts";
import { systemClock } from "../../src/adapters/system/clock.ts";
import type { JsonObject } from "../../src/domain/json.ts";
import type { Outcome } from "../../src/domain/outcome.ts";
import { httpIntent, testIo } from "../support/http-intents.ts";

const OPENSSL = "openssl";
let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "asfound-tls-"));
  const made = spawnSync(
    OPENSSL,
    [
      ..."req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -subj /CN=localhost".split(
        " ",
      ),
      ..."-addext subjectAltName=DNS:localhost -keyout key.pem -out ca.pem".split(" "),
    ],
    { cwd: folder },
  );
  expect(made.status).toBe(0);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Counts the requests it got. */
const secureServer = async (): Promise<{ readonly port: number; requests(): number }> => {
  let requests = 0;
  const options = { key: readFileSync(join(folder, "key.pem")), cert: readFileSync(join(folder, "ca.pem")) };
  const server = createServer(options, (_request, response) => {
    requests += 1;
    response.writeHead(201).end('{"id":"m-1"}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    requests: () => requests,
  };
};
const create = (base: string, more: JsonObject = {}): Promise<Outcome> =>
  httpProvider(systemClock).create(
    httpIntent("create", { inputs: { base, create: { path: "/machines", body: {}, id: "/id" }, ...more } }),
    testIo({ baseDirectory: folder }),
  );

describe("https", () => {
  it("a certificate that is not trusted: refused, and the server got no request", async () => {
    const server = await secureServer();
    const outcome = await create(`https://localhost:${server.port}`);
    expect(outcome).toMatchObject({ kind: "refused", reason: expect.stringContaining("SELF_SIGNED") });
    expect(server.requests()).toBe(0);
  });

  it("... even where the environment turns verification off", async () => {
    const before = process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
    process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0";
    onTestFinished(() => {
      if (before === undefined) delete process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
      else process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = before;
    });
    expect((await create(`https://localhost:${(await secureServer()).port}`)).kind).toBe("refused");
  });

  it("'ca' names what to trust, relative to the stack file", async () => {
    const server = await secureServer();
    expect(await create(`https://localhost:${server.port}`, { ca: "ca.pem" })).toMatchObject({
      kind: "done",
      id: "m-1",
    });
    expect(server.requests()).toBe(1);
  });

  it("a trusted certificate of another name: refused", async () => {
    const server = await secureServer();
    const outcome = await create(`https://127.0.0.1:${server.port}`, { ca: "ca.pem" });
    expect(outcome).toMatchObject({ kind: "refused", reason: expect.stringContaining("ALTNAME") });
    expect(server.requests()).toBe(0);
  });

  it("a 'ca' that is not there: refused, nothing sent", async () => {
    const server = await secureServer();
    const outcome = await create(`https://localhost:${server.port}`, { ca: "none.pem" });
    expect(outcome).toMatchObject({ kind: "refused", reason: expect.stringContaining("none.pem") });
    expect(server.requests()).toBe(0);
  });

  it("plain HTTP to a port that speaks TLS is never done", async () => {
    const server = await secureServer();
    expect((await create(`http://localhost:${server.port}`)).kind).not.toBe("done");
    expect(server.requests()).toBe(0);
  });
});
