/** Ingresses, Gateways and HTTPRoutes on a real cluster, with Traefik as their controller, by one look and by a watch. */
import { afterAll, beforeAll, describe, expect } from "vitest";
import { NETWORK } from "../../testbed/place.ts";
import { deployment, service } from "./app.ts";
import { seenBoth, storyWith, type Wanted } from "./asfound.ts";
import { atRest } from "./at-rest.ts";
import { eventually } from "./eventually.ts";
import { kubectl, type Namespace, ownNamespace } from "./kubectl.ts";
import { has } from "./lack.ts";
import { testbed } from "./testbed.ts";

const story = storyWith("testbed");
const GATEWAY = "gateway.networking.k8s.io";
/** Of this file alone: classes belong to no namespace. */
const [SERVED, NOBODYS] = ["served", "nobodys"].map((name) => `${name}-${crypto.randomUUID().slice(0, 8)}`);

let here: Namespace;
let there: Namespace;
beforeAll(async () => {
  if (!has("testbed")) return;
  await testbed("start", "traefik");
  [here, there] = await Promise.all([ownNamespace(), ownNamespace()]);
  await kubectl(
    ["apply", "-f", "-"],
    JSON.stringify({
      apiVersion: "v1",
      kind: "List",
      items: [
        gatewayClass(SERVED, "traefik.io/gateway-controller"),
        gatewayClass(NOBODYS, "nobody.test/controller"),
      ],
    }),
  );
  await here.apply(deployment("web"), service("web"), service("lonely"), gateway("front", SERVED));
  await atRest(here, "web");
});
afterAll(async () => {
  if (!has("testbed")) return;
  for (const one of [here, there]) await one?.[Symbol.asyncDispose]();
  await kubectl(["delete", "gatewayclass", String(SERVED), String(NOBODYS), "--ignore-not-found"]);
});

const gatewayClass = (name: string | undefined, controllerName: string): object => ({
  apiVersion: `${GATEWAY}/v1`,
  kind: "GatewayClass",
  metadata: { name },
  spec: { controllerName },
});
const gateway = (name: string, gatewayClassName: string | undefined, port = 80): object => ({
  apiVersion: `${GATEWAY}/v1`,
  kind: "Gateway",
  metadata: { name },
  spec: {
    gatewayClassName,
    listeners: [{ name: "web", protocol: "HTTP", port, allowedRoutes: { namespaces: { from: "All" } } }],
  },
});
const route = (name: string, backend: object, parent: object = { name: "front" }): object => ({
  apiVersion: `${GATEWAY}/v1`,
  kind: "HTTPRoute",
  metadata: { name },
  spec: {
    parentRefs: [parent],
    hostnames: [`${name}.test`],
    rules: [{ backendRefs: [{ port: 80, ...backend }] }],
  },
});
const ingress = (name: string, backend: string, ingressClassName = "traefik", port = 80): object => ({
  apiVersion: "networking.k8s.io/v1",
  kind: "Ingress",
  metadata: { name },
  spec: {
    ingressClassName,
    rules: [
      {
        host: `${name}.test`,
        http: {
          paths: [
            {
              path: "/",
              pathType: "Prefix",
              backend: { service: { name: backend, port: { number: port } } },
            },
          ],
        },
      },
    ],
  },
});

const seen = (target: string, wanted: Wanted, namespace = here): Promise<void> =>
  seenBoth([target, "-n", namespace.name], wanted);

interface Said {
  readonly type: string;
  readonly status: string;
  readonly observedGeneration?: number;
}
/** Until its controller has said that of its generation; it may say something else before. */
const reported = (resource: string, name: string, said: Readonly<Record<string, string>>, namespace = here) =>
  eventually(async () => {
    const { metadata, status } = await namespace.get(resource, name);
    const list: readonly Said[] =
      (resource === "gateway" ? status?.conditions : status?.parents?.[0]?.conditions) ?? [];
    const ofNow = list.filter(({ observedGeneration }) => observedGeneration === metadata.generation);
    expect(Object.fromEntries(ofNow.map(({ type, status: is }) => [type, is]))).toMatchObject(said);
  });
const ACCEPTED = { Accepted: "True", ResolvedRefs: "True" };
const UNRESOLVED = { Accepted: "True", ResolvedRefs: "False" };

describe("an Ingress", () => {
  const published = (name: string) =>
    eventually(async () =>
      expect((await here.get("ingress", name)).status.loadBalancer.ingress).toEqual([{ ip: NETWORK.node }]),
    );

  story("with an address and ready endpoints is proven, and says what that leaves open", async () => {
    await here.apply(ingress("good", "web"));
    await published("good");
    await seen("ingress/good", {
      verdict: "proven",
      findings: {
        "reported-ready": ["proven", "address-published"],
        "endpoints-ready": ["proven", "endpoints-ready"],
      },
    });
  });
  story("that leads to a Service that is not there is refuted, whatever address it has", async () => {
    await here.apply(ingress("astray", "nowhere"));
    await published("astray");
    await seen("ingress/astray", {
      verdict: "refuted",
      findings: {
        "reported-ready": ["proven", "address-published"],
        "endpoints-ready": ["refuted", "no-service"],
      },
    });
  });
  story("that names a port which the Service does not have is refuted", async () => {
    await here.apply(ingress("portless", "web", "traefik", 81));
    await seen("ingress/portless", {
      verdict: "refuted",
      findings: { "endpoints-ready": ["refuted", "no-port"] },
    });
  });
  story("whose Service has no ready endpoint is refuted", async () => {
    await here.apply(ingress("empty", "lonely"));
    await published("empty");
    await seen("ingress/empty", {
      verdict: "refuted",
      findings: { "endpoints-ready": ["refuted", "no-ready-endpoint"] },
    });
  });
  story("of a class that is not there is refuted: nobody takes it", async () => {
    await here.apply(ingress("classless", "web", "no-such-class"));
    await seen("ingress/classless", {
      verdict: "refuted",
      findings: { "reported-ready": ["refuted", "no-class"] },
      says: /no IngressClass no-such-class/,
    });
  });
});

describe("a Gateway", () => {
  story("that is programmed is proven, with its listener's routes said", async () => {
    await reported("gateway", "front", { Accepted: "True", Programmed: "True" });
    await seen("gateway/front", {
      verdict: "proven",
      findings: { "spec-observed": ["proven", "observed"], "reported-ready": ["proven", "programmed"] },
      says: /traefik\.io\/gateway-controller has programmed it at .*attached to its listener web/,
    });
  });
  story("whose listener's port nobody opens is refuted, with the controller's reason", async () => {
    await here.apply(gateway("shut", SERVED, 81));
    await reported("gateway", "shut", { Accepted: "False" });
    await seen("gateway/shut", {
      verdict: "refuted",
      findings: { "reported-ready": ["refuted", "not-accepted"] },
      says: /ListenersNotValid|PortUnavailable/,
    });
  });
  story(
    "that no controller has taken is undetermined: what the API server put there is nobody's word",
    async () => {
      await here.apply(gateway("waiting", NOBODYS));
      await seen("gateway/waiting", {
        verdict: "undetermined",
        findings: {
          "spec-observed": ["undetermined", "not-reported"],
          "reported-ready": ["undetermined", "not-reported"],
        },
      });
    },
  );
  story("of a class that is not there is refuted", async () => {
    await here.apply(gateway("classless", "no-such-class"));
    await seen("gateway/classless", {
      verdict: "refuted",
      findings: { "reported-ready": ["refuted", "no-class"] },
    });
  });
  story(
    "whose status is of an earlier generation is progressing, and proven again once it is not",
    async () => {
      await here.apply(gateway("slow", NOBODYS));
      const say = async (observedGeneration: number): Promise<void> => {
        const conditions = (types: readonly string[]) =>
          types.map((type) => ({
            type,
            status: "True",
            reason: type,
            message: "",
            observedGeneration,
            lastTransitionTime: "2026-01-01T00:00:00Z",
          }));
        const status = {
          conditions: conditions(["Accepted", "Programmed"]),
          listeners: [
            {
              name: "web",
              attachedRoutes: 0,
              supportedKinds: [],
              conditions: conditions(["Accepted", "ResolvedRefs", "Programmed"]),
            },
          ],
        };
        await here.run(
          "patch",
          "gateway/slow",
          "--subresource=status",
          "--type=merge",
          "-p",
          JSON.stringify({ status }),
        );
      };
      await say(1);
      await seen("gateway/slow", { verdict: "proven" });
      await here.apply(gateway("slow", NOBODYS, 8080));
      await seen("gateway/slow", {
        verdict: "progressing",
        findings: {
          "spec-observed": ["progressing", "generation-behind"],
          "reported-ready": ["progressing", "generation-behind"],
        },
      });
      await say(2);
      await seen("gateway/slow", { verdict: "proven" });
    },
  );
});

describe("an HTTPRoute", () => {
  story("that its parent's controller accepted, with ready endpoints, is proven", async () => {
    await here.apply(route("good", { name: "web" }));
    await reported("httproute", "good", ACCEPTED);
    await seen("httproute/good", {
      verdict: "proven",
      findings: {
        "spec-observed": ["proven", "observed"],
        "reported-ready": ["proven", "accepted"],
        "endpoints-ready": ["proven", "endpoints-ready"],
      },
    });
  });
  story(
    "that leads to a Service that is not there is refuted, by its controller and by what is there",
    async () => {
      await here.apply(route("astray", { name: "nowhere" }));
      await reported("httproute", "astray", UNRESOLVED);
      await seen("httproute/astray", {
        verdict: "refuted",
        findings: {
          "reported-ready": ["refuted", "refs-not-resolved"],
          "endpoints-ready": ["refuted", "no-service"],
        },
        says: /BackendNotFound/,
      });
    },
  );
  story("whose Service has no ready endpoint is refuted, though it is accepted", async () => {
    await here.apply(route("empty", { name: "lonely" }));
    await reported("httproute", "empty", ACCEPTED);
    await seen("httproute/empty", {
      verdict: "refuted",
      findings: {
        "reported-ready": ["proven", "accepted"],
        "endpoints-ready": ["refuted", "no-ready-endpoint"],
      },
    });
  });
  story("whose parent is not there is refuted", async () => {
    await here.apply(route("orphan", { name: "web" }, { name: "no-such-gateway" }));
    await seen("httproute/orphan", {
      verdict: "refuted",
      findings: { "reported-ready": ["refuted", "no-parent"] },
    });
  });
  story("whose parent nobody serves is undetermined: no controller has reported on it", async () => {
    await here.apply(gateway("idle", NOBODYS), route("unheard", { name: "web" }, { name: "idle" }));
    await seen("httproute/unheard", {
      verdict: "undetermined",
      findings: {
        "spec-observed": ["undetermined", "not-reported"],
        "reported-ready": ["undetermined", "not-reported"],
        "endpoints-ready": ["proven", "endpoints-ready"],
      },
    });
  });
  story(
    "of another namespace than its Gateway and its Service: refused without a grant, proven with one",
    async () => {
      const across = route(
        "across",
        { name: "web", namespace: here.name },
        { name: "front", namespace: here.name },
      );
      await there.apply(across);
      await reported("httproute", "across", UNRESOLVED, there);
      await seen(
        "httproute/across",
        {
          verdict: "refuted",
          findings: {
            "reported-ready": ["refuted", "refs-not-resolved"],
            "endpoints-ready": ["proven", "endpoints-ready"],
          },
          says: /RefNotPermitted/,
        },
        there,
      );
      await here.apply({
        apiVersion: `${GATEWAY}/v1beta1`,
        kind: "ReferenceGrant",
        metadata: { name: "to-web" },
        spec: {
          from: [{ group: GATEWAY, kind: "HTTPRoute", namespace: there.name }],
          to: [{ group: "", kind: "Service", name: "web" }],
        },
      });
      await reported("httproute", "across", ACCEPTED, there);
      await seen("httproute/across", { verdict: "proven" }, there);
    },
  );
});
