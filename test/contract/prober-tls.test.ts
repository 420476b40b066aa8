/** HTTPS by the prober: a certificate is always checked, against the name that is asked for and not the address that answers. */
import { createServer } from "node:https";
import { afterEach, describe, expect, it, vi } from "vitest";
import { httpProber } from "../../src/adapters/prober-http/prober.ts";
import { trustIn } from "../../src/adapters/prober-http/trust.ts";
import { authority, type Certificate } from "../../src/testing/api-server/certificate.ts";

const closing: (() => void)[] = [];
afterEach(() => {
  vi.unstubAllEnvs();
  for (const close of closing.splice(0)) close();
});

const NOW = Date.now();
const HOUR_MS = 3_600_000;
const own = authority(NOW);
const good = own.issue({ commonName: "shop", names: ["shop.example"] });

const serving = async ({ cert, key }: Certificate): Promise<{ readonly url: string; asked(): number }> => {
  let asked = 0;
  const server = createServer({ cert, key }, (_, reply) => {
    asked += 1;
    reply.end("{}");
  });
  server.on("tlsClientError", () => undefined);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as { readonly port: number };
  return { url: `https://127.0.0.1:${port}/`, asked: () => asked };
};

const get = (url: string, ca: string | null, host: string | null) =>
  httpProber({ ca }).get(
    { url, address: null, namedBy: "person", host, headers: {}, deadlineMs: 5_000 },
    new AbortController().signal,
  );

describe("https", () => {
  it("is asked where the authority is named and the certificate is for the name", async () => {
    const { url, asked } = await serving(good);
    expect(await get(url, own.cert, "shop.example")).toMatchObject({ kind: "replied", status: 200 });
    // With a port in it, too.
    expect(await get(url, own.cert, "shop.example:8443")).toMatchObject({ kind: "replied" });
    expect(asked()).toBe(2);
  });

  it.each<[string, Certificate, string | null, string | null, RegExp]>([
    [
      "no authority is named",
      good,
      null,
      "shop.example",
      /not signed by an authority that is trusted here.*--ca/,
    ],
    ["another authority is named", good, authority(NOW).cert, "shop.example", /none of those in the file/],
    ["it is for another name", good, own.cert, "other.example", /for another name/],
    ["it is for a name, and an address is asked for", good, own.cert, null, /for another name/],
    ["an address is asked for as the Host", good, own.cert, "10.0.0.1", /for another name/],
    [
      "it has expired",
      own.issue({
        commonName: "shop",
        names: ["shop.example"],
        notBefore: NOW - 2 * HOUR_MS,
        notAfter: NOW - HOUR_MS,
      }),
      own.cert,
      "shop.example",
      /has expired/,
    ],
    [
      "it is not valid yet",
      own.issue({ commonName: "shop", names: ["shop.example"], notBefore: NOW + HOUR_MS }),
      own.cert,
      "shop.example",
      /not valid yet/,
    ],
  ])("%s: no reply, with the reason, and nothing is sent", async (_, certificate, ca, host, why) => {
    const { url, asked } = await serving(certificate);
    expect(await get(url, ca, host)).toMatchObject({ kind: "failed", why: expect.stringMatching(why) });
    expect(asked()).toBe(0);
  });

  it("is checked though the environment says not to", async () => {
    vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
    const { url, asked } = await serving(good);
    expect(await get(url, null, "shop.example")).toMatchObject({ kind: "failed" });
    expect(asked()).toBe(0);
  });
});

describe("the file of authorities", () => {
  it("may hold several, with text between them", () => {
    const other = authority(NOW);
    expect(trustIn(`# ours\n${own.cert}\n# theirs\n${other.cert}`)).toEqual({
      ca: `${own.cert.trim()}\n${other.cert.trim()}`,
    });
  });

  it.each([
    ["nothing", "", /holds no certificate/],
    ["a key", own.key, /holds no certificate/],
    ["a block that is none", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----", /number 1 of 1/],
  ])("with %s is a fault", (_, pem, why) => {
    expect(trustIn(pem)).toEqual({ fault: expect.stringMatching(why) });
  });
});
