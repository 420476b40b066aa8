/** A step over the fake API server by the real provider, and what that server did. */
import { kubernetesOver } from "../../src/compose/kubernetes.ts";
import type { JsonObject } from "../../src/domain/json.ts";
import type { ApiServerOptions } from "../../src/testing/api-server/api-server.ts";
import type { ApiFault, ApiFaultRule } from "../../src/testing/api-server/fault.ts";
import { type ApiServer, type Harness, type HarnessOptions, harness } from "../../src/testing.ts";
import { apiServerFor, kubeconfigFile } from "./cluster.ts";

export const settings = (value: string, name = "settings"): JsonObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name },
  data: { colour: value },
});

export const inputsFor = (kubeconfig: string, ...objects: JsonObject[]): JsonObject => ({
  kubeconfig,
  namespace: "shop",
  objects,
});

export const place = (name = "settings") => ({ resource: "configmaps", namespace: "shop", name });

export interface World {
  readonly server: ApiServer;
  readonly at: Harness;
  readonly inputs: (...objects: JsonObject[]) => JsonObject;
  /** All that was told as progress or as what is waited for. */
  readonly told: readonly string[];
}

/** kube-system is there, as in every cluster: by its uid one is told from another. */
export const KUBE_SYSTEM = { resource: "namespaces", name: "kube-system" };

export const worldOf = async (
  objects: readonly JsonObject[],
  options: Partial<HarnessOptions> = {},
  cluster: ApiServerOptions = {},
): Promise<World> => {
  const server = await apiServerFor(cluster);
  server.put(KUBE_SYSTEM, {});
  const kubeconfig = kubeconfigFile(server.kubeconfig());
  const told: string[] = [];
  const at = harness({
    provider: kubernetesOver({}),
    with: inputsFor(kubeconfig, ...objects),
    onProgress: (event) => {
      if (event.kind === "progress") told.push(event.text);
      if (event.kind === "waiting") told.push(event.why);
    },
    ...options,
  });
  return { server, at, told, inputs: (...more) => inputsFor(kubeconfig, ...more) };
};

/** The inventories that are there, by name. */
export const inventories = (server: ApiServer): readonly string[] =>
  [
    ...new Set(
      server
        .log()
        .flatMap(({ effect }) =>
          effect?.what === "created" && effect.name.startsWith("asfound-") ? [effect.name] : [],
        ),
    ),
  ].filter((name) => server.get(place(name)) !== undefined);

/** What was really changed, in order: `created settings`. */
export const effects = (server: ApiServer): readonly string[] =>
  server
    .log()
    .flatMap(({ effect }) =>
      effect === null || effect === undefined
        ? []
        : [`${effect.what} ${effect.name.startsWith("asfound-") ? "inventory" : effect.name}`],
    );

/** The real apply or delete of one object, not a rehearsal of it. */
export const on = (verb: "patch" | "delete", name: string, fault: ApiFault): ApiFaultRule => ({
  verb,
  path: `/api/v1/namespaces/shop/configmaps/${name}`,
  dryRun: false,
  nth: 1,
  fault,
});

/** A Status, as the API server itself refuses or fails. */
export const status = (code: number, reason: string, message: string): ApiFault => ({
  do: "reply",
  status: code,
  body: JSON.stringify({ kind: "Status", apiVersion: "v1", status: "Failure", reason, message, code }),
});
