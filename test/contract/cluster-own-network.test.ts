/**
 * Whose an address inside the cluster's network is from here (ADR 0046): this cluster's only where the API server is found at
 * the address that it has there. Another cluster's network, with the same addresses, is the case that must not pass.
 */
import { writeFileSync } from "node:fs";
import { createServer as createPlain, type Server } from "node:net";
import { join } from "node:path";
import { createServer } from "node:tls";
import { describe, expect, it, onTestFinished } from "vitest";
import { openCluster } from "../../src/adapters/cluster-https/open.ts";
import type { OwnNetwork } from "../../src/ports/cluster.ts";
import type { ApiServer } from "../../src/testing/api-server/api-server.ts";
import { authority } from "../../src/testing/api-server/certificate.ts";
import { apiServerFor, fakeCluster, kubeconfigFile, optionsFor, roundWith } from "../support/cluster.ts";
import { tempFolder } from "../support/temp-folder.ts";

const NAMES = ["localhost", "kubernetes.default.svc"];
const SERVICE = { resource: "services", namespace: "default", name: "kubernetes" } as const;

const service = (clusterIP: unknown, port: unknown): Parameters<ApiServer["put"]>[1] =>
  ({
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "kubernetes", namespace: "default" },
    spec: { clusterIP, ports: [{ name: "https", port, protocol: "TCP" }] },
  }) as Parameters<ApiServer["put"]>[1];

const listening = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
};

/** Asked of a cluster whose Service says that the API server stands at this port. */
const told = async (
  port: (server: ApiServer) => number | Promise<number>,
): Promise<OwnNetwork & { readonly why?: string }> => {
  const { server, cluster } = await fakeCluster({ certificate: { names: NAMES } });
  server.put(SERVICE, service("127.0.0.1", await port(server)));
  return roundWith(cluster).ownNetwork();
};
const itself = (server: ApiServer): number => Number(new URL(server.url).port);

const other = async (names: readonly string[]): Promise<number> => {
  const { cert, key } = authority(Date.now()).issue({ commonName: "kubernetes", names });
  const server = createServer({ cert, key }, (socket) => socket.on("error", () => undefined));
  server.on("tlsClientError", () => undefined);
  return listening(server);
};

describe("addresses inside the cluster's network are its own from here", () => {
  it("where its API server is found at one", async () => {
    expect(await told(itself)).toEqual({ kind: "shown" });
  });

  it("not where another cluster's API server is found there, though it has the same names", async () => {
    const network = await told(() => other(NAMES));
    expect(network).toMatchObject({ kind: "not-shown", why: expect.stringMatching(/not signed by/) });
  });

  it("not where somebody of the same authority is found there who is no API server", async () => {
    const { server, cluster } = await fakeCluster();
    server.put(SERVICE, service("127.0.0.1", itself(server)));
    expect(await roundWith(cluster).ownNetwork()).toMatchObject({
      kind: "not-shown",
      why: expect.stringContaining("for another name"),
    });
  });

  it("not where nothing speaks TLS there, or nobody answers", async () => {
    const talks = createPlain((socket) => socket.on("error", () => undefined).end("HTTP/1.1 200 OK\r\n\r\n"));
    expect((await told(() => listening(talks))).kind).toBe("not-shown");
    const silent = createPlain((socket) => socket.on("error", () => undefined));
    expect(await told(() => listening(silent))).toMatchObject({
      why: expect.stringContaining("within 2000 ms"),
    });
    const closed = createPlain();
    const port = await listening(closed);
    await new Promise((resolve) => closed.close(resolve));
    expect(await told(() => port)).toMatchObject({ why: expect.stringContaining("ECONNREFUSED") });
  });

  it.each([
    ["None", 443],
    [undefined, 443],
    ["kubernetes.default.svc", 443],
    ["127.0.0.1", "443"],
    ["127.0.0.1", 0],
  ])("not where the Service has the address %j and the port %j", async (address, port) => {
    const { server, cluster } = await fakeCluster({ certificate: { names: NAMES } });
    server.put(SERVICE, service(address, port));
    expect(await roundWith(cluster).ownNetwork()).toMatchObject({
      kind: "not-shown",
      why: expect.stringContaining("no address and port"),
    });
  });

  it("not where the Service is not there, or may not be read", async () => {
    const { cluster } = await fakeCluster();
    expect(await roundWith(cluster).ownNetwork()).toMatchObject({
      why: expect.stringContaining("there is no Service kubernetes"),
    });
    const { cluster: denied } = await fakeCluster({
      users: [{ name: "nobody", token: "nobody", rules: [] }],
    });
    expect(await roundWith(denied).ownNetwork()).toMatchObject({
      why: expect.stringContaining("kubernetes"),
    });
  });

  it("where asfound runs in a Pod of it, by that Pod's own account; nothing is asked for it", async () => {
    const server = await apiServerFor();
    const { hostname, port } = new URL(server.url);
    const serviceAccount = tempFolder("own-network");
    writeFileSync(join(serviceAccount, "token"), "admin-token");
    writeFileSync(join(serviceAccount, "ca.crt"), server.ca);
    const opened = await openCluster({
      ...optionsFor(""),
      kubeconfig: null,
      environment: { KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port, HOME: serviceAccount },
      serviceAccount,
    });
    if (opened.kind === "refused") throw new Error(opened.sentence);
    onTestFinished(() => opened.cluster.close());
    expect(await roundWith(opened.cluster).ownNetwork()).toEqual({ kind: "shown" });
    expect(server.log()).toEqual([]);
  });

  it("not where the kubeconfig does not check whom it asks", async () => {
    const server = await apiServerFor({ certificate: { names: NAMES } });
    server.put(SERVICE, service("127.0.0.1", itself(server)));
    const config = JSON.parse(server.kubeconfig()) as { clusters: { cluster: Record<string, unknown> }[] };
    for (const { cluster } of config.clusters) {
      delete cluster["certificate-authority-data"];
      cluster["insecure-skip-tls-verify"] = true;
    }
    const opened = await openCluster(optionsFor(kubeconfigFile(JSON.stringify(config))));
    if (opened.kind === "refused") throw new Error(opened.sentence);
    onTestFinished(() => opened.cluster.close());
    expect(await roundWith(opened.cluster).ownNetwork()).toMatchObject({
      why: expect.stringContaining("names no authority"),
    });
  });
});
