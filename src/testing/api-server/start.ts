/** Starts a fake API server: HTTPS on loopback, on a port that the system chooses, with an authority of its own. */
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import type { JsonObject } from "../../domain/json.ts";
import { isJsonObject } from "../../domain/json.ts";
import { realClock } from "../cloud/real-clock.ts";
import type { User } from "./access.ts";
import type { ApiServer, ApiServerOptions, ObjectPlace } from "./api-server.ts";
import { authority } from "./certificate.ts";
import type { ContainerFiles } from "./exec.ts";
import { apiFaults } from "./fault.ts";
import { handle, type Parts } from "./handle.ts";
import type { World } from "./list.ts";
import { objects, type Place } from "./objects.ts";
import type { PodReply } from "./pod-port.ts";
import { USUAL_RESOURCES } from "./resources.ts";
import { handleUpgrade } from "./upgrade.ts";

const ADMIN: User = { name: "admin", token: "admin-token", rules: "all" };

const listen = async (server: Server, port: number): Promise<number> => {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  return (server.address() as AddressInfo).port;
};

/** What a test says itself of an object's identity, so that others can refer to it. */
const givenIn = ({ metadata }: JsonObject): JsonObject =>
  isJsonObject(metadata)
    ? Object.fromEntries(
        ["uid", "creationTimestamp", "generation"].flatMap((field) =>
          metadata[field] === undefined ? [] : [[field, metadata[field]]],
        ),
      )
    : {};

const shut = async (server: Server): Promise<void> => {
  if (!server.listening) return;
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
};

const kubeconfigText = (url: string, ca: string, user: User, namespace: string | undefined): string =>
  JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": "fake",
    clusters: [
      {
        name: "fake",
        cluster: { server: url, "certificate-authority-data": Buffer.from(ca).toString("base64") },
      },
    ],
    users: [{ name: user.name, user: user.token === undefined ? {} : { token: user.token } }],
    contexts: [
      {
        name: "fake",
        context: { cluster: "fake", user: user.name, ...(namespace === undefined ? {} : { namespace }) },
      },
    ],
  });

export const startApiServer = async (options: ApiServerOptions = {}): Promise<ApiServer> => {
  const clock = options.clock ?? realClock;
  const users = options.users ?? [ADMIN];
  const resources = options.resources ?? USUAL_RESOURCES;
  const world: World = {
    objects: objects(() => `${new Date(clock.now()).toISOString().slice(0, 19)}Z`),
    compacted: 0,
  };
  const faults = apiFaults(options.faults ?? []);
  const closing = new AbortController();
  const logs = new Map<string, string>();
  const ports = new Map<string, PodReply | null>();
  const files = new Map<string, ContainerFiles>();
  const parts: Parts = {
    clock,
    world,
    faults,
    users,
    discovery: {
      resources,
      aggregated: options.aggregatedDiscovery ?? true,
      stale: new Set(options.staleGroups ?? []),
    },
    entries: [],
    logs,
    ports,
    files,
    listeners: new Set(),
    closing: closing.signal,
  };
  // Certificates are checked against the machine's own clock, whatever clock the test moves.
  const ca = authority(realClock.now());
  const own = ca.issue({
    commonName: "api-server",
    names: ["localhost"],
    addresses: ["127.0.0.1"],
    ...options.certificate,
  });
  const serve = (): Server => {
    const made = createServer(
      { cert: own.cert, key: own.key, ca: ca.cert, requestCert: true, rejectUnauthorized: false },
      (request, response) => {
        // A client that went away in the middle is no news to a server.
        response.on("error", () => undefined);
        handle(parts, request, response).catch(() => response.destroy());
      },
    );
    return made.on("upgrade", (request, socket) => handleUpgrade(parts, request, socket));
  };
  let server = serve();
  const port = await listen(server, 0);
  const url = `https://127.0.0.1:${port}`;

  const placeOf = ({ resource, namespace, name }: ObjectPlace): Place => {
    const cut = resource.indexOf(".");
    const [plural, group] = cut < 0 ? [resource, ""] : [resource.slice(0, cut), resource.slice(cut + 1)];
    const served = resources.find((one) => one.resource === plural && one.group === group);
    if (served === undefined) throw new Error(`the fake API server does not serve ${resource}`);
    return { served, namespace: namespace ?? null, name };
  };
  return {
    setFiles: ({ namespace, name, container }, its) =>
      void files.set(
        JSON.stringify([namespace, name, container]),
        its === null ? null : new Map(Object.entries(its)),
      ),
    setPodPort: ({ namespace, name, port: its }, reply) =>
      void ports.set(JSON.stringify([namespace, `${name}:${its}`]), reply),
    setPodLog: ({ namespace, name, container }, text) =>
      void logs.set(JSON.stringify([namespace, name, container]), text),
    url,
    ca: ca.cert,
    log: () => parts.entries.map((entry) => ({ ...entry })),
    onAsked: (listener) => {
      parts.listeners.add(listener);
      return () => void parts.listeners.delete(listener);
    },
    onChanged: (listener) =>
      world.objects.onChange(({ type, object }) => type !== "DELETED" && listener(object)),
    setFaults: (rules) => faults.set(rules),
    put: (place, body) => {
      const at = placeOf(place);
      const kept = givenIn(body);
      const before = world.objects.get(at);
      if (before === undefined) return world.objects.create(at, body, kept);
      const { uid } = givenIn(before);
      if (kept["uid"] === undefined || kept["uid"] === uid) return world.objects.update(at, body, kept);
      world.objects.remove(at);
      return world.objects.create(at, body, kept);
    },
    remove: (place) => void world.objects.remove(placeOf(place)),
    get: (place) => world.objects.get(placeOf(place)),
    revision: () => world.objects.revision,
    compact: () => {
      world.compacted = world.objects.revision;
    },
    kubeconfig: ({ user, namespace } = {}) => {
      const one = users.find(({ name, token }) => (user === undefined ? token !== undefined : name === user));
      if (one === undefined) throw new Error(`the fake API server has no user ${user ?? "with a token"}`);
      return kubeconfigText(url, ca.cert, one, namespace);
    },
    certificateFor: (user) => ca.issue({ commonName: user }),
    refuse: () => shut(server),
    accept: async () => {
      if (server.listening) return;
      server = serve();
      await listen(server, port);
    },
    close: async () => {
      closing.abort();
      await shut(server);
    },
  };
};
