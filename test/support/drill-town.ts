/** A Deployment with its Pods in the fake API server, and what its controllers do: whoever goes is replaced. */
import { onTestFinished } from "vitest";
import { instant } from "../../src/domain/ids.ts";
import type { JsonObject } from "../../src/domain/json.ts";
import type { ApiServer, ApiServerOptions } from "../../src/testing/api-server/api-server.ts";
import { startApiServer } from "../../src/testing/api-server/start.ts";
import { realClock } from "../../src/testing/cloud/real-clock.ts";
import { kubeconfigFile } from "./cluster.ts";
import { READ_AT, type World, worldFiles } from "./kubernetes/deployment.ts";
import { at } from "./kubernetes/object.ts";
import { serve } from "./kubernetes/served.ts";
import { KUBE_SYSTEM } from "./kubernetes-step.ts";

type Raw = JsonObject & { readonly metadata: JsonObject & { readonly name: string; readonly uid: string } };

export interface Town {
  readonly server: ApiServer;
  readonly kubeconfig: string;
  /** UIDs of the Pods as they were first. */
  readonly first: readonly string[];
  pods(): readonly Raw[];
  /** UIDs of Pods that a request removed, in order. */
  removed(): readonly string[];
  /** Words that drill it. */
  words(...more: readonly string[]): readonly string[];
  put(pod: JsonObject): void;
}

const EVERY_MS = 25;

const placeOf = (name: string) => ({ resource: "pods", namespace: "shop", name });

/** `replaces`: how what comes in a Pod's place is; null: nothing comes. */
export const drillTown = async (
  world: World,
  replaces: ((pod: Raw) => JsonObject) | null = (pod) => pod,
  options: ApiServerOptions = {},
): Promise<Town> => {
  const began = realClock.now();
  // It is the fixtures' time there, and goes on.
  const now = () => instant(Date.parse(at(READ_AT)) + (realClock.now() - began));
  const server = await startApiServer({ clock: { ...realClock, now }, ...options });
  server.put(KUBE_SYSTEM, {});
  server.put(
    { resource: "nodes", name: "node-1" },
    { metadata: { name: "node-1" }, status: { conditions: [{ type: "Ready", status: "True" }] } },
  );
  const files = worldFiles(world);
  serve(server, files);
  const names = new Set((files["pods.json"] as { items: Raw[] }).items.map(({ metadata }) => metadata.name));
  const pods = (): readonly Raw[] =>
    [...names].flatMap((name) => {
      const pod = server.get(placeOf(name)) as Raw | undefined;
      return pod === undefined ? [] : [pod];
    });
  const known = new Map(pods().map((pod) => [pod.metadata.name, pod]));
  let made = 0;
  const timer = setInterval(() => {
    if (replaces === null) return;
    for (const [name, pod] of known) {
      if (server.get(placeOf(name)) !== undefined) continue;
      known.delete(name);
      made += 1;
      const { uid: _, resourceVersion: __, ...metadata } = pod.metadata;
      const named = `${name.replace(/-new\d+$/, "")}-new${made}`;
      const next = { ...pod, metadata: { ...metadata, name: named, creationTimestamp: at(READ_AT + made) } };
      const put = server.put(placeOf(named), replaces(next as unknown as Raw)) as Raw;
      names.add(named);
      known.set(named, put);
    }
  }, EVERY_MS);
  onTestFinished(async () => {
    clearInterval(timer);
    await server.close();
  });
  const kubeconfig = kubeconfigFile(server.kubeconfig({ namespace: "shop" }));
  return {
    server,
    kubeconfig,
    first: pods().map(({ metadata }) => metadata.uid),
    pods,
    removed: () =>
      server
        .log()
        .flatMap(({ effect }) =>
          effect?.resource === "pods" && effect.what === "deleted" ? [effect.uid] : [],
        ),
    words: (...more) => [
      ...["drill", "deployment/web", "--kubeconfig", kubeconfig, "--allow-namespace", "shop", "--yes"],
      ...["--progress", "quiet", "-o", "json", ...more],
    ],
    put: (pod) => void server.put(placeOf(String((pod["metadata"] as JsonObject)["name"])), pod),
  };
};

/** A world at rest, without a Service. */
export const atRest = (replicas: number): World => ({
  replicas,
  fresh: { version: "v2", pods: Array.from({ length: replicas }, () => "ready" as const) },
  old: [],
  service: false,
});
