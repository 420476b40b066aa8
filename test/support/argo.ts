/** A scripted controller of Argo CD over the fake API server, and a step that pins an Application there. */
import { setTimeout as sleep } from "node:timers/promises";
import { argocdOver } from "../../src/compose/kubernetes.ts";
import { isJsonObject, type JsonObject } from "../../src/domain/json.ts";
import type { ApiServerOptions } from "../../src/testing/api-server/api-server.ts";
import type { ApiFault, ApiFaultRule } from "../../src/testing/api-server/fault.ts";
import { type ApiServer, type Harness, type HarnessOptions, harness } from "../../src/testing.ts";
import { apiServerFor, kubeconfigFile } from "./cluster.ts";
import { COMMIT } from "./kubernetes/application.ts";
import { KUBE_SYSTEM } from "./kubernetes-step.ts";

export const SHOP = { resource: "applications.argoproj.io", namespace: "argocd", name: "shop" };
const NOW = "2026-01-05T10:00:00Z";

/** What the controller does with a sync that is asked for. */
export interface Script {
  /** `away`: it takes nothing up. `busy`: it begins, and never ends. `fails`: as it says. */
  does: "syncs" | "away" | "busy" | "fails";
  /** Called when a sync has begun, before it ends. */
  begun: () => Promise<void> | void;
}

const object = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});

/** As sync.go and appcontroller.go do it: the state is merged in, and `operation` goes when the sync has ended. */
const patched = (server: ApiServer, uid: unknown, change: (app: JsonObject) => JsonObject): void => {
  const app = server.get(SHOP);
  if (app !== undefined && object(app["metadata"])["uid"] === uid) server.put(SHOP, change(app));
};

const syncOnce = async (server: ApiServer, script: Script, app: JsonObject): Promise<void> => {
  const { uid } = object(app["metadata"]);
  const operation = object(app["operation"]);
  const source = object(object(app["spec"])["source"]);
  const revision = object(operation["sync"])["revision"] ?? source["targetRevision"] ?? "main";
  const state = { operation, startedAt: NOW, syncResult: { revision, source } };
  patched(server, uid, (now) => ({
    ...now,
    status: { ...object(now["status"]), operationState: { ...state, phase: "Running" } },
  }));
  await script.begun();
  if (script.does === "busy") return;
  const fails = script.does === "fails";
  patched(server, uid, ({ operation: _asked, ...now }) => {
    const status = object(now["status"]);
    const history = Array.isArray(status["history"]) ? status["history"] : [];
    const entry = {
      id: history.length,
      revision,
      source,
      deployedAt: NOW,
      initiatedBy: operation["initiatedBy"] ?? {},
    };
    const compared = {
      source: object(now["spec"])["source"] ?? {},
      destination: object(now["spec"])["destination"] ?? {},
    };
    const end = fails
      ? { phase: "Failed", message: "one or more objects failed to apply" }
      : { phase: "Succeeded", message: "successfully synced (all tasks run)" };
    return {
      ...now,
      status: {
        ...status,
        ...(fails ? {} : { history: [...history, entry] }),
        sync: { status: fails ? "OutOfSync" : "Synced", revision, comparedTo: compared },
        health: { status: "Healthy" },
        reconciledAt: "2026-01-05T10:00:09Z",
        operationState: { ...state, ...end, finishedAt: "2026-01-05T10:00:05Z" },
      },
    };
  });
};

/** Takes up each sync that is asked for, one at a time, as the script says. */
export const argoController = (server: ApiServer): Script => {
  const script: Script = { does: "syncs", begun: () => undefined };
  let isAtWork = false;
  server.onChanged((changed) => {
    const asked = changed["kind"] === "Application" && changed["operation"] !== undefined;
    if (!asked || isAtWork || script.does === "away") return;
    isAtWork = true;
    const work = async (): Promise<void> => {
      await sleep(5);
      const app = server.get(SHOP);
      if (app?.["operation"] !== undefined) await syncOnce(server, script, app);
      isAtWork = false;
    };
    void work();
  });
  return script;
};

export interface AppWorld {
  readonly aims?: string | null;
  readonly automated?: boolean;
  readonly annotations?: JsonObject;
  readonly owner?: string;
  /** Revisions that were deployed, the newest last. */
  readonly deployed?: readonly string[];
  readonly more?: JsonObject;
}

export const REPOSITORY = "https://git.example/shop.git";
const DESTINATION = { server: "https://kubernetes.default.svc", namespace: "shop" };

export const appOf = ({
  aims = "main",
  automated = false,
  annotations,
  owner,
  deployed = [COMMIT.v1],
  more,
}: AppWorld): JsonObject => {
  const source = {
    repoURL: REPOSITORY,
    path: "deploy/web",
    ...(aims === null ? {} : { targetRevision: aims }),
  };
  const last = deployed.at(-1);
  return {
    metadata: {
      ...(annotations === undefined ? {} : { annotations }),
      ...(owner === undefined
        ? {}
        : {
            ownerReferences: [
              { apiVersion: "argoproj.io/v1alpha1", kind: "ApplicationSet", name: owner, uid: "set-1" },
            ],
          }),
    },
    spec: {
      project: "default",
      source,
      destination: DESTINATION,
      ...(automated ? { syncPolicy: { automated: { selfHeal: true } } } : {}),
    },
    status: {
      ...(last === undefined
        ? {}
        : {
            sync: { status: "Synced", revision: last, comparedTo: { source, destination: DESTINATION } },
            health: { status: "Healthy" },
            reconciledAt: "2026-01-05T09:00:09Z",
          }),
      resources: [
        {
          group: "apps",
          version: "v1",
          kind: "Deployment",
          namespace: "shop",
          name: "web",
          status: "Synced",
        },
      ],
      history: deployed.map((revision, id) => ({
        id,
        revision,
        source,
        deployedAt: `2026-01-05T0${Math.min(id, 9)}:00:00Z`,
        initiatedBy: { username: "admin" },
      })),
    },
    ...more,
  };
};

export const pinTo = (kubeconfig: string, revision: string, more: JsonObject = {}): JsonObject => ({
  application: "argocd/shop",
  revision,
  kubeconfig,
  ...more,
});

export interface PinWorld {
  readonly server: ApiServer;
  readonly script: Script;
  readonly at: Harness;
  readonly kubeconfig: string;
  readonly told: readonly string[];
  app(): JsonObject;
}

export const pinWorld = async (
  world: AppWorld | null = {},
  inputs: JsonObject = {},
  options: Partial<HarnessOptions> = {},
  cluster: ApiServerOptions = {},
): Promise<PinWorld> => {
  const server = await apiServerFor(cluster);
  server.put(KUBE_SYSTEM, {});
  const script = argoController(server);
  if (world !== null) server.put(SHOP, appOf(world));
  const kubeconfig = kubeconfigFile(server.kubeconfig());
  const told: string[] = [];
  const at = harness({
    provider: argocdOver({}),
    with: pinTo(kubeconfig, COMMIT.v2, inputs),
    onProgress: (event) => {
      if (event.kind === "progress") told.push(event.text);
    },
    ...options,
  });
  return { server, script, at, kubeconfig, told, app: () => server.get(SHOP) ?? {} };
};

/** The syncs that were ever asked for by us, and all writes of ours. */
export const patches = (server: ApiServer): number =>
  server
    .log()
    .filter(({ verb, effect, path }) => verb === "patch" && path.includes("/applications/") && effect != null)
    .length;

export const onPatch = (fault: ApiFault): ApiFaultRule => ({
  verb: "patch",
  path: "/apis/argoproj.io/v1alpha1/namespaces/argocd/applications/shop",
  dryRun: false,
  nth: 1,
  fault,
});
