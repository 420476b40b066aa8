/** Traefik as a real Ingress and Gateway controller: routes by host, says what it accepted, answers 503 without endpoints. */
import { writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { authority } from "../../src/testing/api-server/certificate.ts";
import { NETWORK } from "../../testbed/place.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { type Description, deployment, service, steerAll } from "./app.ts";
import { expectVerdict, verify } from "./asfound.ts";
import { atRest } from "./at-rest.ts";
import { eventually } from "./eventually.ts";
import { kubectl, type Namespace, ownNamespace } from "./kubectl.ts";
import { has, needing } from "./lack.ts";
import { testbed } from "./testbed.ts";

let namespace: Namespace;
beforeAll(async () => {
  if (!has("testbed")) return;
  await testbed("start", "traefik");
  namespace = await ownNamespace();
  await namespace.apply(deployment("web"), service("web"));
  await atRest(namespace, "web");
});
afterAll(async () => {
  if (!has("testbed")) return;
  await namespace[Symbol.asyncDispose]();
  // The one thing here that belongs to no namespace.
  await kubectl(["delete", "gatewayclass", "traefik", "--ignore-not-found"]);
});
beforeEach(needing("testbed"));

interface Reply {
  readonly status: number;
  readonly text: string;
}

/** Asks the node's port 80 for that host. */
const ask = (host: string): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const asked = request(
      { host: NETWORK.node, headers: { host }, agent: false, timeout: 5_000 },
      (reply) => {
        let text = "";
        reply.setEncoding("utf8").on("data", (chunk: string) => {
          text += chunk;
        });
        reply.once("end", () => resolve({ status: reply.statusCode ?? 0, text }));
      },
    );
    asked.once("timeout", () => asked.destroy(new Error("no answer within 5 s")));
    asked.once("error", reject);
    asked.end();
  });

/** Holds once every ready Pod of `web`, known by UID, has answered for that host. */
const answeredByAll = async (host: string): Promise<void> => {
  const uids = (await namespace.list("pods", "app=web")).map(({ metadata }) => metadata.uid).sort();
  const answered = new Set<string>();
  await eventually(async () => {
    const { status, text } = await ask(host);
    expect(status).toBe(200);
    answered.add((JSON.parse(text) as Description).uid);
    expect([...answered].sort()).toEqual(uids);
  });
};

const conditions = (
  list: readonly { readonly type: string; readonly status: string; readonly reason: string }[] = [],
) => Object.fromEntries(list.map(({ type, status, reason }) => [type, `${status} ${reason}`]));

const route = (name: string, backend: string): object => ({
  apiVersion: "gateway.networking.k8s.io/v1",
  kind: "HTTPRoute",
  metadata: { name },
  spec: {
    parentRefs: [{ name: "gateway" }],
    hostnames: [`${name}.test`],
    rules: [{ backendRefs: [{ name: backend, port: 80 }] }],
  },
});

const routeConditions = async (name: string) =>
  conditions((await namespace.get("httproute", name)).status.parents?.[0]?.conditions);

describe("an Ingress", () => {
  it("routes its host to each Pod, and is given the controller's address", async () => {
    await namespace.apply({
      apiVersion: "networking.k8s.io/v1",
      kind: "Ingress",
      metadata: { name: "web" },
      spec: {
        ingressClassName: "traefik",
        rules: [
          {
            host: "ingress.test",
            http: {
              paths: [
                {
                  path: "/",
                  pathType: "Prefix",
                  backend: { service: { name: "web", port: { number: 80 } } },
                },
              ],
            },
          },
        ],
      },
    });
    await answeredByAll("ingress.test");
    await eventually(async () =>
      expect((await namespace.get("ingress", "web")).status.loadBalancer.ingress).toEqual([
        { ip: NETWORK.node },
      ]),
    );
    expect((await ask("nobody.test")).status).toBe(404);
    // As verify asks: at the published address, for the rule's host.
    const by = ["deployment/web", "-n", namespace.name, "--via", "ingress/web", "--pod", "$.uid"];
    expectVerdict(await verify(...by), {
      verdict: "proven",
      findings: { "answered-by-new-pod": ["proven", "new-pods-answered"] },
    });
    expectVerdict(await verify(...by, "--host", "nobody.test"), {
      verdict: "refuted",
      findings: { response: ["refuted", "other-reply"] },
    });
  });
});

describe("an Ingress over TLS", () => {
  it("is proven by the authority that --ca names, for the rule's host; without it the certificate is not trusted", async () => {
    const own = authority(Date.now());
    const { cert, key } = own.issue({ commonName: "secure", names: ["secure.test"] });
    const folder = tempFolder("gateway-ca");
    writeFileSync(join(folder, "ca.pem"), own.cert);
    const backend = { service: { name: "web", port: { number: 80 } } };
    await namespace.apply(
      {
        apiVersion: "v1",
        kind: "Secret",
        metadata: { name: "secure" },
        type: "kubernetes.io/tls",
        stringData: { "tls.crt": cert, "tls.key": key },
      },
      {
        apiVersion: "networking.k8s.io/v1",
        kind: "Ingress",
        metadata: {
          name: "secure",
          annotations: {
            "traefik.ingress.kubernetes.io/router.entrypoints": "websecure",
            "traefik.ingress.kubernetes.io/router.tls": "true",
          },
        },
        spec: {
          ingressClassName: "traefik",
          tls: [{ hosts: ["secure.test"], secretName: "secure" }],
          rules: [{ host: "secure.test", http: { paths: [{ path: "/", pathType: "Prefix", backend }] } }],
        },
      },
    );
    const by = ["deployment/web", "-n", namespace.name, "--via", "ingress/secure", "--pod", "$.uid"];
    await eventually(async () =>
      expectVerdict(await verify(...by, "--ca", join(folder, "ca.pem")), {
        verdict: "proven",
        findings: { "answered-by-new-pod": ["proven", "new-pods-answered"] },
      }),
    );
    expectVerdict(await verify(...by), {
      verdict: "undetermined",
      findings: { response: ["undetermined", "no-reply"] },
      says: /not signed by an authority that is trusted here/,
    });
  });
});

describe("a Gateway", () => {
  it("is programmed, and its route, accepted and resolved, leads to each Pod", async () => {
    await namespace.apply(
      {
        apiVersion: "gateway.networking.k8s.io/v1",
        kind: "GatewayClass",
        metadata: { name: "traefik" },
        spec: { controllerName: "traefik.io/gateway-controller" },
      },
      {
        apiVersion: "gateway.networking.k8s.io/v1",
        kind: "Gateway",
        metadata: { name: "gateway" },
        spec: { gatewayClassName: "traefik", listeners: [{ name: "web", protocol: "HTTP", port: 80 }] },
      },
      route("gateway", "web"),
    );
    await answeredByAll("gateway.test");
    const by = ["deployment/web", "-n", namespace.name, "--via", "gateway/gateway", "--pod", "$.uid"];
    await eventually(async () =>
      expectVerdict(await verify(...by, "--host", "gateway.test"), {
        verdict: "proven",
        findings: { "answered-by-new-pod": ["proven", "new-pods-answered"] },
      }),
    );
    // Its listener takes any host, so which is asked for has to be said.
    expectVerdict(await verify(...by), {
      verdict: "undetermined",
      findings: { response: ["undetermined", "no-reply"] },
      says: /--host/,
    });
    await eventually(async () => {
      expect(conditions((await namespace.get("gateway", "gateway")).status.conditions)).toMatchObject({
        Accepted: "True Accepted",
        Programmed: "True Programmed",
      });
      expect(await routeConditions("gateway")).toMatchObject({
        Accepted: "True Accepted",
        ResolvedRefs: "True ResolvedRefs",
      });
    });
  });

  it("says of a route whose Service is not there that its backend was not found", async () => {
    await namespace.apply(route("astray", "nowhere"));
    await eventually(async () =>
      expect(await routeConditions("astray")).toMatchObject({ ResolvedRefs: "False BackendNotFound" }),
    );
    await eventually(async () => expect((await ask("astray.test")).status).toBe(500));
  });

  it("answers 503 once no endpoint is ready, as the Ingress does", async () => {
    await steerAll(namespace, "web", 2, { ready: false });
    for (const host of ["gateway.test", "ingress.test"])
      await eventually(async () => expect((await ask(host)).status).toBe(503));
  });
});
