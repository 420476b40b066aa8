/**
 * `verify --via` from the command line to a fake API server and a real HTTP server: what is asked, when it is asked again, what is
 * kept of it. Whose a reply is, on a real cluster: test/e2e/answers.test.ts.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { createServer as createGrpc, type ServerHttp2Stream } from "node:http2";
import { createServer as createSecure } from "node:https";
import { join } from "node:path";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import type { JsonObject } from "../../src/domain/json.ts";
import type { ApiServer } from "../../src/testing/api-server/api-server.ts";
import { authority } from "../../src/testing/api-server/certificate.ts";
import { asfound, folder, type Ran } from "../faces/terminal.ts";
import { apiServerFor, kubeconfigFile } from "../support/cluster.ts";
import { READ_AT, worldFiles } from "../support/kubernetes/deployment.ts";
import { done as good } from "../support/kubernetes/rollouts.ts";
import { clockAt, serve } from "../support/kubernetes/served.ts";

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

const serving = async (
  answer: RequestListener,
): Promise<{ readonly url: string; readonly asked: () => number }> => {
  let asked = 0;
  const server = createServer((request, reply) => {
    asked += 1;
    answer(request, reply);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return { url: `http://127.0.0.1:${address.port}/`, asked: () => asked };
};

const files = worldFiles(good);
const firstOf = (file: string): JsonObject => {
  const [first = {}] = (files[file] as { readonly items: readonly JsonObject[] }).items;
  return first;
};
const metadataOf = (object: JsonObject) => object["metadata"] as JsonObject;
const podUid = (): string => String(metadataOf(firstOf("pods.json"))["uid"]);

const cluster = async (): Promise<ApiServer> => {
  const server = await apiServerFor({ clock: clockAt(READ_AT) });
  serve(server, files);
  return server;
};
const run = (server: ApiServer, cwd: string, ...words: readonly string[]): Promise<Ran> =>
  asfound({ cwd }, ...words, "--kubeconfig", kubeconfigFile(server.kubeconfig({ namespace: "shop" })));

interface Report {
  readonly verdict: string;
  readonly findings: readonly { readonly claim: string; readonly finding: string; readonly reason: string }[];
}
const found = ({ out }: Ran, claim: string): readonly string[] => {
  const one = (JSON.parse(out) as Report).findings.find((finding) => finding.claim === claim);
  return one === undefined ? [] : [one.finding, one.reason];
};

const grpcServing = async (
  answer: (stream: ServerHttp2Stream, service: string) => void,
): Promise<{ readonly url: string; readonly asked: readonly string[] }> => {
  const asked: string[] = [];
  const server = createGrpc();
  server.on("stream", (stream) => {
    stream.on("error", () => undefined);
    stream.on("data", (piece: Buffer) => {
      const service = piece.subarray(7).toString();
      asked.push(service);
      answer(stream, service);
    });
  });
  server.on("session", (session) => closing.push(() => session.destroy()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => server.close());
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return { url: `http://127.0.0.1:${address.port}/`, asked };
};

/** `health`: as the protocol numbers it; null: the call ends with `code` alone. */
const tell = (stream: ServerHttp2Stream, health: number | null, code = 0): void => {
  stream.respond(
    { ":status": 200, "content-type": "application/grpc", "x-pod": podUid() },
    { waitForTrailers: true },
  );
  stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": String(code) }));
  stream.end(health === null ? Buffer.alloc(0) : Buffer.from([0, 0, 0, 0, 2, 8, health]));
};

describe("verify --via URL --expect grpc=SERVING", () => {
  const ask = async (url: string, ...words: readonly string[]): Promise<Ran> =>
    run(await cluster(), folder(), "verify", "deployment/web", "--via", url, ...words, "-o", "json");

  it("asks for the service's health, and whose it is", async () => {
    const app = await grpcServing((stream) => tell(stream, 1));
    const ran = await ask(app.url, "--expect", "grpc:shop.Cart=SERVING", "--pod", "header:X-Pod");
    expect(app.asked).toEqual(["shop.Cart", "shop.Cart", "shop.Cart"]);
    expect(found(ran, "response")).toEqual(["proven", "as-expected"]);
    expect(found(ran, "answered-by-new-pod")).toEqual(["proven", "new-pods-answered"]);
    expect(ran.code).toBe(0);
  });

  it.each<[string, (stream: ServerHttp2Stream) => void, readonly string[], RegExp]>([
    [
      "not serving is another reply",
      (stream) => tell(stream, 2),
      ["refuted", "other-reply"],
      /health NOT_SERVING where SERVING is expected of service shop.Cart/,
    ],
    [
      "no such service is another reply",
      (stream) => tell(stream, null, 5),
      ["refuted", "other-reply"],
      /gRPC status 5 \(NOT_FOUND\)/,
    ],
    [
      "no health service is another reply",
      (stream) => tell(stream, null, 12),
      ["refuted", "other-reply"],
      /12 \(UNIMPLEMENTED\)/,
    ],
    [
      "a page of HTML is another reply",
      (stream) => {
        stream.respond({ ":status": 200, "content-type": "text/html" });
        stream.end("<html>");
      },
      ["refuted", "other-reply"],
      /none of gRPC/,
    ],
    ["a call that is cut is none", (stream) => stream.close(8), ["undetermined", "no-reply"], /RST_STREAM 8/],
    [
      "a message without its trailers is none",
      (stream) => {
        stream.respond({ ":status": 200, "content-type": "application/grpc" });
        stream.end(Buffer.from([0, 0, 0, 0, 2, 8, 1]));
      },
      ["undetermined", "no-reply"],
      /no grpc-status/,
    ],
  ])("%s", async (_, answer, wanted, says) => {
    const app = await grpcServing(answer);
    const ran = await ask(app.url, "--expect", "grpc:shop.Cart=SERVING", "--samples", "1");
    expect(found(ran, "response")).toEqual(wanted);
    expect(ran.out).toMatch(says);
  });

  it("what is saved of it is judged to the same, and answers no other question", async () => {
    const app = await grpcServing((stream) => tell(stream, 1));
    const cwd = folder();
    const health = ["--via", app.url, "--expect", "grpc:shop.Cart=SERVING"];
    expect((await run(await cluster(), cwd, "snapshot", "saved", "deployment/web", ...health)).code).toBe(0);
    const from = (...words: readonly string[]): Promise<Ran> =>
      asfound({ cwd }, "verify", "deployment/web", "-n", "shop", "--from", "saved", ...words, "-o", "json");
    expect(found(await from(...health), "response")).toEqual(["proven", "as-expected"]);
    // Its HTTP status is 200, which says nothing of a GET; nor is another service this one.
    expect(found(await from("--via", app.url), "response")).toEqual(["undetermined", "not-asked"]);
    const other = await from("--via", app.url, "--expect", "grpc=SERVING");
    expect(found(other, "response")).toEqual(["undetermined", "not-asked"]);
  });

  it.each([
    [["--expect", "grpc=SERVING", "--expect", "status=200"], "a status cannot be expected"],
    [["--expect", "grpc=SERVING", "--expect", "json:$.a=1"], "JSON cannot be expected"],
    [["--expect", "grpc=SERVING", "--path", "/x"], "a path cannot be"],
    [["--expect", "grpc=SERVING", "--pod", "$.pod"], "header:NAME, log or port:PORT/PATH alone"],
    [["--expect", "grpc=SERVING", "--expect", "grpc:a=SERVING"], "given twice"],
    [["--expect", "grpc=HEALTHY"], "SERVING, NOT_SERVING"],
    [["--expect", "grpc:=SERVING"], "must name a gRPC service"],
  ])("%j is refused with a reason, and nothing is asked", async (words, why) => {
    const app = await grpcServing((stream) => tell(stream, 1));
    const ran = await ask(app.url, ...words);
    expect([ran.code, ran.err]).toEqual([2, expect.stringContaining(why)]);
    expect(app.asked).toEqual([]);
  });
});

describe("verify --via https://… --ca FILE", () => {
  const own = authority(Date.now());
  const { cert, key } = own.issue({ commonName: "shop", names: ["shop.example"] });
  const secured = async (): Promise<string> => {
    const server = createSecure({ cert, key }, (_, reply) => reply.end("{}"));
    server.on("tlsClientError", () => undefined);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    closing.push(() => {
      server.closeAllConnections();
      server.close();
    });
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    return `https://127.0.0.1:${address.port}/`;
  };
  const ask = async (cwd: string, url: string, ...words: readonly string[]): Promise<Ran> =>
    run(await cluster(), cwd, "verify", "deployment/web", "--via", url, ...words, "-o", "json");

  it("is proven by the authority that is named; without it the certificate is said not to be trusted", async () => {
    const url = await secured();
    const cwd = folder();
    writeFileSync(join(cwd, "ca.pem"), own.cert);
    const host = ["--host", "shop.example"];
    expect(found(await ask(cwd, url, ...host, "--ca", "ca.pem"), "response")).toEqual([
      "proven",
      "as-expected",
    ]);
    const without = await ask(cwd, url, ...host);
    expect(found(without, "response")).toEqual(["undetermined", "no-reply"]);
    expect(without.out).toContain("not signed by an authority that is trusted here");
    const other = await ask(cwd, url, "--host", "other.example", "--ca", "ca.pem");
    expect(found(other, "response")).toEqual(["undetermined", "no-reply"]);
    expect(other.out).toContain("for another name");
  });

  it("in a file, the path is from that file's folder", async () => {
    const url = await secured();
    const cwd = folder();
    mkdirSync(join(cwd, "deploy"));
    writeFileSync(join(cwd, "deploy", "ca.pem"), own.cert);
    const response = `{ via: "${url}", host: shop.example, ca: ca.pem }`;
    writeFileSync(
      join(cwd, "deploy", "web.yaml"),
      `apiVersion: asfound.dev/v1alpha1\nkind: Verification\ntarget: { kind: Deployment, name: web }\nexpect: { response: ${response} }\n`,
    );
    const ran = await run(await cluster(), cwd, "verify", "-f", "deploy/web.yaml", "-o", "json");
    expect(found(ran, "response")).toEqual(["proven", "as-expected"]);
  });

  it.each([
    ["a file that is not there", "none.pem", /cannot be read: there is no such file/],
    ["a file that holds none", "empty.pem", /holds no certificate/],
    ["a folder", ".", /is a folder/],
  ])("%s is refused, and nothing is asked", async (_, file, why) => {
    const cwd = folder();
    writeFileSync(join(cwd, "empty.pem"), "");
    const server = await cluster();
    const words = ["verify", "deployment/web", "--via", "https://127.0.0.1:1/", "--ca", file];
    const ran = await run(server, cwd, ...words);
    expect([ran.code, ran.err]).toEqual([2, expect.stringMatching(why)]);
    expect(server.log()).toEqual([]);
  });
});

describe("verify --via URL", () => {
  it("asks as often as it is told, and judges what came and who sent it", async () => {
    const app = await serving((_, reply) => reply.end(JSON.stringify({ version: "v2", pod: podUid() })));
    const words = ["verify", "deployment/web", "--via", app.url, "--pod", "$.pod", "--samples", "4"];
    const server = await cluster();
    const ran = await run(server, folder(), ...words, "-o", "json");
    expect(app.asked()).toBe(4);
    // Asked for twice: what tells who could answer; all else once.
    const lists = server
      .log()
      .flatMap(({ verb, path }) => (verb === "list" ? [path.replace(/^.*\/|\?.*$/g, "")] : []));
    expect(lists.filter((one) => one === "pods")).toHaveLength(2);
    expect(lists.filter((one) => one === "events" || one === "replicasets")).toHaveLength(2);
    expect(found(ran, "response")).toEqual(["proven", "as-expected"]);
    expect(found(ran, "answered-by-new-pod")).toEqual(["proven", "new-pods-answered"]);
    expect(ran.code).toBe(0);
  });

  it("a reply of somebody who is no Pod of it is proven of nobody", async () => {
    const app = await serving((_, reply) => reply.end(JSON.stringify({ pod: "somebody" })));
    const ran = await run(
      await cluster(),
      folder(),
      "verify",
      "deployment/web",
      "--via",
      app.url,
      "--pod",
      "$.pod",
      "-o",
      "json",
    );
    expect(found(ran, "answered-by-new-pod")).toEqual(["undetermined", "unknown-pod"]);
    expect(ran.code).toBe(20);
  });

  it("V3: replies from before a change of the spec are asked for again", async () => {
    const app = await serving((_, reply) => reply.end("{}"));
    const server = await cluster();
    let changed = false;
    onTestFinished(
      server.onAsked((entry) => {
        if (changed || app.asked() === 0 || entry.verb !== "list") return;
        changed = true;
        const target = firstOf("deployments.json");
        const generation = Number(metadataOf(target)["generation"]) + 1;
        server.put(
          { resource: "deployments.apps", namespace: "shop", name: "web" },
          { ...target, metadata: { ...metadataOf(target), generation } },
        );
      }),
    );
    const ran = await run(server, folder(), "verify", "deployment/web", "--via", app.url, "-o", "json");
    expect([changed, app.asked()]).toEqual([true, 6]);
    expect(found(ran, "response")).toEqual(["proven", "as-expected"]);
  });

  it("a server that never answers costs no more than the time of the look, and all else is judged", async () => {
    const app = await serving(() => undefined);
    const words = ["verify", "deployment/web", "--via", app.url, "--samples", "50", "--timeout", "2s"];
    const ran = await run(await cluster(), folder(), ...words, "-o", "json");
    expect(found(ran, "response")).toEqual(["undetermined", "no-reply"]);
    expect(found(ran, "rollout-complete")).toEqual(["proven", "complete"]);
    expect(app.asked()).toBeLessThan(50);
    expect(ran.out).toContain("the time for it was over");
    expect(ran.code).toBe(20);
  });

  it("snapshot keeps the replies without cookies, and --from judges them to the same", async () => {
    const app = await serving((_, reply) => {
      reply.setHeader("set-cookie", "session=hidden");
      reply.end(JSON.stringify({ pod: podUid() }));
    });
    const cwd = folder();
    const saved = await run(await cluster(), cwd, "snapshot", "saved", "deployment/web", "--via", app.url);
    expect(saved.code).toBe(0);
    const text = readFileSync(join(cwd, "saved", "answers.json"), "utf8");
    expect(text).not.toContain("hidden");
    const kept = JSON.parse(text);
    expect(kept).toHaveLength(3);
    // Who was there before is written once, and referred to.
    expect(kept[0].podsBefore.map(({ uid }: { uid: string }) => uid)).toContain(podUid());
    expect(kept.slice(1).map(({ podsBefore }: { podsBefore: unknown }) => podsBefore)).toEqual([
      { $ref: "#/0/podsBefore" },
      { $ref: "#/0/podsBefore" },
    ]);
    const words = [
      "verify",
      "deployment/web",
      "-n",
      "shop",
      "--from",
      "saved",
      "--via",
      app.url,
      "--pod",
      "$.pod",
    ];
    const ran = await asfound({ cwd }, ...words, "-o", "json");
    expect(found(ran, "response")).toEqual(["proven", "as-expected"]);
    expect(found(ran, "answered-by-new-pod")).toEqual(["proven", "new-pods-answered"]);
    expect(app.asked()).toBe(3);
    // The control: what was not saved is not known.
    const other = await asfound(
      { cwd },
      ...words.map((word) => (word === app.url ? "service/web" : word)),
      "-o",
      "json",
    );
    expect(found(other, "response")).toEqual(["undetermined", "not-asked"]);
  });

  it("a flag about replies without --via is refused, and nothing is asked", async () => {
    const server = await cluster();
    const ran = await run(server, folder(), "verify", "deployment/web", "--pod", "$.pod");
    expect([ran.code, ran.err]).toEqual([2, expect.stringContaining("--pod needs --via")]);
    expect(server.log()).toEqual([]);
  });

  it.each([
    ["ftp://x/", "must be pod, service"],
    ["http://user:secret@x/", "no credentials are sent"],
    ["service/../x", "must be pod, service"],
    ["service/A_B", "names no object"],
  ])("--via %s is refused with a reason", async (via, why) => {
    const ran = await run(await cluster(), folder(), "verify", "deployment/web", "--via", via);
    expect([ran.code, ran.err]).toEqual([2, expect.stringContaining(why)]);
  });

  it.each([
    ["--via", "http://user:s3cret@x/"],
    ["--via", "ftp://user:s3cret@x/"],
    ["--via", "http://user:s3c/ret@x/"],
    ["--via", "http:user:s3cret@x/"],
    ["--via", "http://x/", "--via", "http://user:s3cret@x/"],
    ["http://user:s3cret@x/"],
    ["--vja", "http://user:s3cret@x/"],
  ])("E5: the password in %j is said to nobody", async (...words) => {
    const ran = await run(await cluster(), folder(), "verify", "deployment/web", ...words);
    expect(ran.code).toBe(2);
    expect(ran.out + ran.err).not.toContain("s3c");
  });
});
