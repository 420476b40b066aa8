/** The way to the server: who is trusted, as whom it is asked, through what, and how often a connection is opened. */
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openCluster } from "../../src/adapters/cluster-https/open.ts";
import type { ObjectReading } from "../../src/ports/cluster.ts";
import type { ApiServer, ApiServerOptions } from "../../src/testing/api-server/api-server.ts";
import { manualClock } from "../support/cloud.ts";
import {
  allInShop,
  apiServerFor,
  DEPLOYMENTS,
  fakeCluster,
  inShop,
  kubeconfigFile,
  openedCluster,
  optionsFor,
  roundWith,
} from "../support/cluster.ts";
import { connectProxy, type SocksOptions, socksProxy } from "../support/connect-proxy.ts";
import { tempFolder } from "../support/temp-folder.ts";

const folder = tempFolder("cluster-connection");
const web = inShop(DEPLOYMENTS, "web");
const base64 = (text: string): string => Buffer.from(text).toString("base64");
const sentenceOf = (reading: ObjectReading): string => ("sentence" in reading ? reading.sentence : "");

interface Entries {
  readonly cluster?: object;
  readonly user?: object;
}
/** A kubeconfig with these fields; a field that is undefined is left out. */
const kubeconfig = (server: ApiServer, { cluster = {}, user = {} }: Entries = {}): string =>
  kubeconfigFile(
    JSON.stringify({
      "current-context": "it",
      clusters: [
        {
          name: "it",
          cluster: { server: server.url, "certificate-authority-data": base64(server.ca), ...cluster },
        },
      ],
      users: [{ name: "me", user: { token: "admin-token", ...user } }],
      contexts: [{ name: "it", context: { cluster: "it", user: "me", namespace: "shop" } }],
    }),
  );

const shop = async (options: ApiServerOptions = {}): Promise<ApiServer> => {
  const server = await apiServerFor(options);
  server.put({ resource: "deployments.apps", namespace: "shop", name: "web" }, { spec: {} });
  return server;
};
const read = async (path: string, more: Parameters<typeof openedCluster>[1] = {}): Promise<ObjectReading> =>
  roundWith(await openedCluster(path, more)).get(web);

describe("TLS", () => {
  it("a server whose certificate the kubeconfig's authority signed is asked", async () => {
    expect(await read(kubeconfig(await shop()))).toMatchObject({ kind: "observed" });
  });

  it.each<[string, ApiServerOptions, (server: ApiServer, other: ApiServer) => Entries, string]>([
    [
      "another authority",
      {},
      (_server, other) => ({ cluster: { "certificate-authority-data": base64(other.ca) } }),
      "not signed by an authority that is trusted here",
    ],
    [
      "no authority, and this machine's",
      {},
      () => ({ cluster: { "certificate-authority-data": undefined } }),
      "not signed by an authority that is trusted here",
    ],
    [
      "a certificate for another name",
      { certificate: { names: ["elsewhere"], addresses: [] } },
      () => ({}),
      "is for another name",
    ],
    [
      "another tls-server-name",
      {},
      () => ({ cluster: { "tls-server-name": "elsewhere" } }),
      "is for another name",
    ],
    [
      "a certificate that has expired",
      { certificate: { notAfter: Date.now() - 60_000 } },
      () => ({}),
      "has expired",
    ],
  ])("%s: nothing is sent, whatever the environment says", async (_name, options, entries, why) => {
    const [server, other] = [await shop(options), await apiServerFor()];
    const before = process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
    process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0";
    onTestFinished(() => {
      if (before === undefined) delete process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
      else process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = before;
    });
    const reading = await read(kubeconfig(server, entries(server, other)));
    expect(reading).toMatchObject({ kind: "failed", reason: "tls" });
    expect(sentenceOf(reading)).toContain(why);
    expect(server.log()).toEqual([]);
  });

  it("a certificate for the tls-server-name that the kubeconfig names is taken", async () => {
    const server = await shop({ certificate: { names: ["elsewhere"], addresses: [] } });
    expect(await read(kubeconfig(server, { cluster: { "tls-server-name": "elsewhere" } }))).toMatchObject({
      kind: "observed",
    });
  });

  it("insecure-skip-tls-verify is obeyed, and said", async () => {
    const server = await shop({ certificate: { notAfter: Date.now() - 60_000 } });
    const path = kubeconfig(server, {
      cluster: { "insecure-skip-tls-verify": true, "certificate-authority-data": undefined },
    });
    const cluster = await openedCluster(path);
    expect(cluster.facts.warnings).toEqual([expect.stringContaining("is NOT checked")]);
    expect(await roundWith(cluster).get(web)).toMatchObject({ kind: "observed" });
  });

  it("a server that speaks no TLS is said so, and one without http never gets a token", async () => {
    const headers: unknown[] = [];
    const plain = createServer((request, response) => {
      headers.push(request.headers.authorization ?? null);
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
    await new Promise<void>((resolve) => plain.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void plain.close());
    const { port } = plain.address() as AddressInfo;
    const server = await shop();
    const secure = kubeconfig(server, { cluster: { server: `https://127.0.0.1:${port}` } });
    expect(await read(secure)).toMatchObject({ kind: "failed", reason: "tls" });
    const open = kubeconfig(server, {
      cluster: { server: `http://127.0.0.1:${port}`, "certificate-authority-data": undefined },
    });
    const cluster = await openedCluster(open);
    expect(cluster.facts.warnings).toEqual([expect.stringContaining("without TLS")]);
    await roundWith(cluster).get(web);
    expect(headers).toEqual([null]);
  });

  it("nothing listens: unreachable, with what to do", async () => {
    const server = await shop();
    const cluster = await openedCluster(kubeconfig(server));
    await server.refuse();
    const reading = await roundWith(cluster).get(web);
    expect(reading).toMatchObject({ kind: "failed", reason: "unreachable", exchanges: [{ status: null }] });
    expect(sentenceOf(reading)).toContain("nothing listens there (ECONNREFUSED); check the server's address");
    await server.accept();
    expect(await roundWith(cluster).get(web)).toMatchObject({ kind: "observed" });
  });
});

describe("who asks", () => {
  const users = [
    { name: "admin", token: "admin-token", rules: "all" },
    { name: "alice", rules: "all" },
    { name: "bob", rules: [] },
  ] as const;

  it("a client certificate", async () => {
    const server = await shop({ users });
    const { cert, key } = server.certificateFor("alice");
    const path = kubeconfig(server, {
      user: { token: undefined, "client-certificate-data": base64(cert), "client-key-data": base64(key) },
    });
    expect(await read(path)).toMatchObject({ kind: "observed" });
    expect(server.log()).toMatchObject([{ user: "alice" }]);
  });

  it("a certificate and key in files, relative to the kubeconfig", async () => {
    const server = await shop({ users });
    const { cert, key } = server.certificateFor("alice");
    const path = kubeconfig(server, {
      user: { token: undefined, "client-certificate": "alice.pem", "client-key": "./alice.key" },
      cluster: { "certificate-authority-data": undefined, "certificate-authority": "ca.pem" },
    });
    for (const [name, text] of [
      ["alice.pem", cert],
      ["alice.key", key],
      ["ca.pem", server.ca],
    ] as const)
      writeFileSync(join(path, "..", name), text);
    expect(await read(path)).toMatchObject({ kind: "observed" });
  });

  it.each<[string, object, string]>([
    [
      "a key without its certificate",
      { token: undefined, "client-key-data": base64("x") },
      "where both are needed",
    ],
    [
      "a certificate that is none",
      { token: undefined, "client-certificate-data": base64("x"), "client-key-data": base64("y") },
      "cannot be read, or that do not belong together",
    ],
    ["a token file that is not there", { token: undefined, tokenFile: "none" }, "none is not there"],
    ["a token file that never ends", { token: undefined, tokenFile: "/dev/zero" }, "is a device"],
    [
      "a certificate that is a folder",
      { token: undefined, "client-certificate": "/", "client-key": "/" },
      "is a folder",
    ],
    ["a token with a line break", { token: "a\nb: c" }, "characters that cannot be sent"],
    ["an auth-provider", { token: undefined, "auth-provider": { name: "gcp" } }, "auth-provider gcp"],
  ])("%s: nothing is asked, and it is said", async (_name, user, why) => {
    const server = await shop();
    const reading = await read(kubeconfig(server, { user }));
    expect(reading).toMatchObject({ kind: "failed", reason: "credentials", exchanges: [] });
    expect(sentenceOf(reading)).toContain(why);
    expect(server.log()).toEqual([]);
  });

  it("a token that nobody knows is denied, and says nothing about what is there", async () => {
    const server = await shop();
    const reading = await read(kubeconfig(server, { user: { token: "a-wrong-token" } }));
    expect(reading).toMatchObject({ kind: "denied", reason: "unauthorized", exchanges: [{ status: 401 }] });
    expect(sentenceOf(reading)).not.toContain("a-wrong-token");
  });

  it("impersonation is sent, and said", async () => {
    const server = await shop({ users });
    const cluster = await openedCluster(
      kubeconfig(server, { user: { as: "bob", "as-groups": ["dev", "ops"] } }),
    );
    expect(cluster.facts.warnings).toEqual(['asked as "bob" (impersonation)']);
    expect(await roundWith(cluster).get(web)).toMatchObject({ reason: "forbidden" });
    expect(server.log()).toMatchObject([{ user: "bob" }]);
  });

  it("a token file is read anew when the server refuses what it held", async () => {
    const server = await shop();
    const file = join(folder, "token");
    writeFileSync(file, "old-token\n");
    const cluster = await openedCluster(kubeconfig(server, { user: { token: undefined, tokenFile: file } }));
    const before = await roundWith(cluster).get(web);
    expect(before).toMatchObject({ reason: "unauthorized" });
    // Once more with what the file holds, and no third time.
    expect(server.log()).toHaveLength(2);
    writeFileSync(file, "admin-token\n");
    expect(await roundWith(cluster).get(web)).toMatchObject({ kind: "observed" });
  });

  it("and after a minute, when it was not refused", async () => {
    const clock = manualClock();
    const server = await shop({
      users: [
        { name: "first", token: "first-token", rules: "all" },
        { name: "second", token: "second-token", rules: "all" },
      ],
    });
    const file = join(folder, "renewed");
    writeFileSync(file, "first-token");
    const cluster = await openedCluster(kubeconfig(server, { user: { token: undefined, tokenFile: file } }), {
      clock,
    });
    await roundWith(cluster).get(web);
    writeFileSync(file, "second-token");
    await roundWith(cluster).get(web);
    clock.advance(60_000);
    await roundWith(cluster).get(web);
    expect(server.log().map(({ user }) => user)).toEqual(["first", "first", "second"]);
  });

  it("E5: what a server sends back of our token is not in any sentence", async () => {
    const server = await shop();
    server.setFaults([{ fault: { do: "reply", status: 400, body: "bad header: Bearer admin-token!" } }]);
    const reading = await read(kubeconfig(server));
    expect(sentenceOf(reading)).toContain('It said: "bad header: Bearer (hidden)!"');
  });

  it("hostile text from a server is neutral in the sentence", async () => {
    const server = await shop();
    server.setFaults([{ fault: { do: "reply", status: 500, body: "\u001b[2Jgone\r\n::error::x\u202e" } }]);
    const sentence = sentenceOf(await read(kubeconfig(server)));
    expect(sentence).toContain("\\x1b[2Jgone ::error::x\\u202e");
    expect(sentence.split("\n")).toHaveLength(1);
  });
});

describe("an exec plug-in", () => {
  /** A program that prints its answer and notes that it ran. */
  const plugin = (
    name: string,
    prints: string,
    then = "",
  ): { readonly path: string; runs(): number; seen(): string } => {
    const [path, log, info] = [join(folder, name), join(folder, `${name}.log`), join(folder, `${name}.info`)];
    writeFileSync(log, "");
    writeFileSync(
      path,
      `#!/bin/sh\necho ran >> ${log}\nprintf %s "$KUBERNETES_EXEC_INFO" > ${info}\n${then}\ncat <<'END'\n${prints}\nEND\n`,
    );
    chmodSync(path, 0o755);
    return {
      path,
      runs: () => readFileSync(log, "utf8").split("\n").length - 1,
      seen: () => readFileSync(info, "utf8"),
    };
  };
  const V1 = "client.authentication.k8s.io/v1";
  const credential = (status: object): string =>
    JSON.stringify({ kind: "ExecCredential", apiVersion: V1, status });
  const user = (command: string, more: object = {}): object => ({
    token: undefined,
    exec: { apiVersion: V1, command, args: ["get-token", "it's"], interactiveMode: "Never", ...more },
  });

  it("is not run unless it is allowed, and what would run is shown", async () => {
    const server = await shop();
    const { path, runs } = plugin("denied", credential({ token: "admin-token" }));
    for (const allow of [[], ["denied"], [`${path}x`], ["/"]]) {
      const reading = await read(kubeconfig(server, { user: user(path) }), {
        exec: { allow, show: () => undefined },
      });
      expect(reading).toMatchObject({ kind: "failed", reason: "credentials" });
      expect(sentenceOf(reading)).toContain(`not allowed: ${path} get-token 'it'\\''s'. Nothing was run`);
    }
    expect(runs()).toBe(0);
    expect(server.log()).toEqual([]);
  });

  it("allowed by its path, it is shown, run once, and its token sent until it ends", async () => {
    const clock = manualClock();
    const server = await shop();
    const expirationTimestamp = new Date(clock.now() + 120_000).toISOString();
    const { path, runs, seen } = plugin("allowed", credential({ token: "admin-token", expirationTimestamp }));
    const shown: string[] = [];
    const cluster = await openedCluster(
      kubeconfig(server, { user: user(path, { provideClusterInfo: true }) }),
      {
        clock,
        exec: { allow: [path], show: (line) => shown.push(line) },
      },
    );
    const round = roundWith(cluster, 600_000);
    await Promise.all([round.get(web), round.get(inShop(DEPLOYMENTS, "other")), round.find("widgets")]);
    expect(await round.get(web)).toMatchObject({ kind: "observed" });
    expect(runs()).toBe(1);
    expect(shown).toEqual([`running ${path} get-token 'it'\\''s', for credentials`]);
    expect(JSON.parse(seen())).toMatchObject({
      apiVersion: V1,
      kind: "ExecCredential",
      spec: {
        interactive: false,
        cluster: { server: server.url, "certificate-authority-data": base64(server.ca) },
      },
    });
    clock.advance(120_000);
    await roundWith(cluster).get(web);
    expect(runs()).toBe(2);
  });

  it("allowed by a bare name, it is found in PATH, and only by that name", async () => {
    const server = await shop();
    plugin("by-name", credential({ token: "admin-token" }));
    const environment = { PATH: `relative:${folder}:${process.env["PATH"]}` };
    const exec = { allow: ["by-name"], show: () => undefined };
    expect(await read(kubeconfig(server, { user: user("by-name") }), { environment, exec })).toMatchObject({
      kind: "observed",
    });
    const path = join(folder, "by-name");
    const reading = await read(kubeconfig(server, { user: user(path) }), { environment, exec });
    expect(sentenceOf(reading)).toContain("not allowed");
  });

  it("may bring a certificate", async () => {
    const server = await shop({ users: [{ name: "alice", rules: "all" }] });
    const { cert, key } = server.certificateFor("alice");
    const { path } = plugin("certificate", credential({ clientCertificateData: cert, clientKeyData: key }));
    const reading = await read(kubeconfig(server, { user: user(path) }), {
      exec: { allow: [path], show: () => undefined },
    });
    expect(reading).toMatchObject({ kind: "observed" });
  });

  it("is run anew when the server refuses what it brought, once", async () => {
    const server = await shop();
    const { path, runs } = plugin("refused", credential({ token: "nobody-knows" }));
    const reading = await read(kubeconfig(server, { user: user(path) }), {
      exec: { allow: [path], show: () => undefined },
    });
    expect(reading).toMatchObject({ reason: "unauthorized" });
    expect(runs()).toBe(2);
  });

  it.each<[string, string, string, object, string]>([
    ["no JSON", "hello", "", {}, "printed no JSON"],
    ["another kind", JSON.stringify({ kind: "Status" }), "", {}, "printed no ExecCredential"],
    [
      "another version",
      JSON.stringify({
        kind: "ExecCredential",
        apiVersion: "client.authentication.k8s.io/v1beta1",
        status: { token: "x" },
      }),
      "",
      {},
      "another apiVersion",
    ],
    ["no status", JSON.stringify({ kind: "ExecCredential", apiVersion: V1 }), "", {}, "without a status"],
    ["nothing in it", credential({}), "", {}, "neither a token nor a certificate"],
    ["half a pair", credential({ clientKeyData: "x" }), "", {}, "where both are needed"],
    ["an end that is no time", credential({ token: "x", expirationTimestamp: "soon" }), "", {}, "no time"],
    [
      "a bad end",
      credential({ token: "x" }),
      "echo 'sign in first' >&2; exit 3",
      {},
      'ended with 3; it said: "sign in first"',
    ],
    ["too much", "", "yes | head -c 3000000", {}, "more than 1 MiB"],
    [
      "a protocol of old",
      credential({ token: "x" }),
      "",
      { apiVersion: "client.authentication.k8s.io/v1alpha1" },
      "does not speak",
    ],
    [
      "a wish for a terminal",
      credential({ token: "x" }),
      "",
      { interactiveMode: "Always" },
      "needs a terminal",
    ],
  ])("%s: nothing is asked of the server, and it is said", async (name, prints, then, more, why) => {
    const server = await shop();
    const { path } = plugin(name.replaceAll(/\W/g, "-"), prints, then);
    const reading = await read(kubeconfig(server, { user: user(path, more) }), {
      exec: { allow: [path], show: () => undefined },
    });
    expect(reading).toMatchObject({ kind: "failed", reason: "credentials" });
    expect(sentenceOf(reading)).toContain(why);
    expect(server.log()).toEqual([]);
  });

  it("that hangs ends with the deadline, and all that it started with it", async () => {
    const clock = manualClock();
    const server = await shop();
    const { path, runs } = plugin("hangs", "", `sleep 600 & echo $! > ${join(folder, "hangs.pid")}; wait`);
    const cluster = await openedCluster(kubeconfig(server, { user: user(path) }), {
      clock,
      exec: { allow: [path], show: () => undefined },
    });
    const reading = roundWith(cluster, 5_000).get(web);
    const pidOf = (): number => {
      try {
        return Number(readFileSync(join(folder, "hangs.pid"), "utf8"));
      } catch {
        return 0;
      }
    };
    while (pidOf() === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    clock.advance(5_000);
    expect(await reading).toMatchObject({ reason: "credentials" });
    expect(sentenceOf(await reading)).toContain("did not end in time");
    expect(runs()).toBe(1);
    const isAlive = (): boolean => {
      try {
        return readFileSync(`/proc/${pidOf()}/stat`, "utf8").split(") ")[1]?.[0] !== "Z";
      } catch {
        return false;
      }
    };
    while (isAlive()) await new Promise((resolve) => setTimeout(resolve, 10));
  });

  it("that is not there: its own hint, made safe", async () => {
    const server = await shop();
    const reading = await read(
      kubeconfig(server, { user: user("no-such-plugin", { installHint: "get it\u001b[31m" }) }),
      { exec: { allow: ["no-such-plugin"], show: () => undefined } },
    );
    expect(sentenceOf(reading)).toContain("there is no program no-such-plugin; get it\\x1b[31m");
  });
});

describe("in a Pod, with no kubeconfig", () => {
  it("the service account's server, authority, token and namespace are taken", async () => {
    const server = await shop();
    const serviceAccount = tempFolder("service-account");
    for (const [name, text] of [
      ["token", "admin-token"],
      ["ca.crt", server.ca],
      ["namespace", "shop\n"],
    ] as const)
      writeFileSync(join(serviceAccount, name), text);
    const { hostname, port } = new URL(server.url);
    const environment = { KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port, HOME: folder };
    const options = { ...optionsFor(""), kubeconfig: null, environment, serviceAccount };
    const opened = await openCluster(options);
    if (opened.kind === "refused") throw new Error(opened.sentence);
    onTestFinished(() => opened.cluster.close());
    expect(opened.cluster.facts).toEqual({
      server: server.url,
      context: null,
      namespace: "shop",
      warnings: [],
    });
    expect(await roundWith(opened.cluster).get(web)).toMatchObject({ kind: "observed" });
    // A person's own wish comes first.
    expect(await openCluster({ ...options, context: "mine" })).toMatchObject({ kind: "refused" });
  });
});

describe("connections", () => {
  it("questions one after another share one, through the cluster's proxy", async () => {
    const proxy = await connectProxy();
    const server = await shop();
    const { port } = new URL(server.url);
    const path = kubeconfig(server, { cluster: { "proxy-url": proxy.url } });
    const cluster = await openedCluster(path);
    for (let turn = 0; turn < 5; turn += 1)
      expect(await roundWith(cluster).get(web)).toMatchObject({ kind: "observed" });
    expect(proxy.asked).toEqual([`127.0.0.1:${port}`]);
    expect(proxy.authorizations).toEqual([null]);
  });

  it("a proxy's name and password are sent to it alone", async () => {
    const proxy = await connectProxy();
    const server = await shop();
    const url = proxy.url.replace("http://", "http://user:p%40ss@");
    expect(await read(kubeconfig(server, { cluster: { "proxy-url": url } }))).toMatchObject({
      kind: "observed",
    });
    expect(proxy.authorizations).toEqual([`Basic ${base64("user:p@ss")}`]);
  });

  it.each([403, 407, 502])("a proxy that answers %i is said, and nothing was sent", async (status) => {
    const proxy = await connectProxy(status);
    const server = await shop();
    const reading = await read(kubeconfig(server, { cluster: { "proxy-url": proxy.url } }));
    expect(reading).toMatchObject({ kind: "failed", reason: "proxy" });
    expect(sentenceOf(reading)).toContain(`refused the way (${status})`);
    expect(server.log()).toEqual([]);
  });

  it.each([false, true])("through a SOCKS 5 proxy, one byte at a time %s", async (slow) => {
    const proxy = await socksProxy({ slow });
    const server = await shop();
    const cluster = await openedCluster(kubeconfig(server, { cluster: { "proxy-url": proxy.url } }));
    for (let turn = 0; turn < 3; turn += 1)
      expect(await roundWith(cluster).get(web)).toMatchObject({ kind: "observed" });
    expect(proxy.asked).toEqual([`127.0.0.1:${new URL(server.url).port}`]);
  });

  it("through a SOCKS 5 proxy that asks for a password, and by a name that it looks up itself", async () => {
    const proxy = await socksProxy({ password: "p@ss" });
    const server = await shop();
    const { port } = new URL(server.url);
    const url = proxy.url.replace("socks5://", "socks5h://user:p%40ss@");
    const cluster = { "proxy-url": url, server: `https://localhost:${port}` };
    expect(await read(kubeconfig(server, { cluster }))).toMatchObject({ kind: "observed" });
    expect([proxy.asked, proxy.passwords]).toEqual([[`localhost:${port}`], ["p@ss"]]);
  });

  it.each<[string, SocksOptions, string, string]>([
    ["that refuses", { refuses: 5 }, "", "refused the way: nothing listens there"],
    ["that refuses in a way of its own", { refuses: 77 }, "", "refused the way: it answered 77"],
    ["that asks for a password", { password: "x" }, "", "asks for a name and password"],
    ["that does not take the password", { password: "x" }, "user:y@", "does not take the name and password"],
  ])("a SOCKS 5 proxy %s is said, and nothing was sent", async (_name, options, secret, why) => {
    const proxy = await socksProxy(options);
    const server = await shop();
    const url = proxy.url.replace("socks5://", `socks5://${secret}`);
    const reading = await read(kubeconfig(server, { cluster: { "proxy-url": url } }));
    expect(reading).toMatchObject({ kind: "failed", reason: "proxy" });
    expect(sentenceOf(reading)).toContain(why);
    expect(server.log()).toEqual([]);
  });

  it("a proxy that speaks something else, or nothing, is said", async () => {
    const server = await shop();
    const http = await connectProxy();
    const mute = await read(
      kubeconfig(server, { cluster: { "proxy-url": http.url.replace("http:", "socks5:") } }),
    );
    expect(mute).toMatchObject({ kind: "failed", reason: "proxy" });
    expect(sentenceOf(mute)).toMatch(/does not speak SOCKS 5|closed the way/);
    const nobody = await read(kubeconfig(server, { cluster: { "proxy-url": "socks5://127.0.0.1:9" } }));
    expect(sentenceOf(nobody)).toContain("cannot be reached (ECONNREFUSED)");
  });

  it("a kept connection that was closed meanwhile is replaced, and the question asked on a new one", async () => {
    const { server, cluster } = await fakeCluster();
    server.put({ resource: "deployments.apps", namespace: "shop", name: "web" }, {});
    server.setFaults([{ nth: 2, fault: { do: "cut", at: "before" } }]);
    expect(await roundWith(cluster).get(web)).toMatchObject({ kind: "observed" });
    expect(await roundWith(cluster).get(web)).toMatchObject({ kind: "observed" });
    expect(server.log()).toHaveLength(3);
  });

  it("control: a new connection that breaks is a failure, asked once", async () => {
    const { server, cluster } = await fakeCluster();
    server.setFaults([{ nth: 1, fault: { do: "cut", at: "before" } }]);
    expect(await roundWith(cluster).get(web)).toMatchObject({ kind: "failed", reason: "cut" });
    expect(server.log()).toHaveLength(1);
  });

  it("V6 and W1: nothing but GET is ever sent", async () => {
    const { server, cluster } = await fakeCluster();
    server.put({ resource: "deployments.apps", namespace: "shop", name: "web" }, {});
    const round = roundWith(cluster);
    await round.get(web);
    await round.find("widgets");
    await round.untilChanged(allInShop(DEPLOYMENTS), "0");
    await round.list(allInShop(DEPLOYMENTS));
    expect(new Set(server.log().map(({ method }) => method))).toEqual(new Set(["GET"]));
    expect(server.log().length).toBeGreaterThan(3);
  });
});
