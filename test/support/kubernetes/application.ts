/** Applications of Argo CD as its controller writes them (argoproj.io/v1alpha1, Argo CD 3). */
import type { JsonObject } from "../../../src/domain/json.ts";
import type { Files } from "./deployment.ts";
import { at, list, metadata } from "./object.ts";

/** Three commits: whole SHA-1s. */
export const COMMIT = {
  v1: "1f0c9b2e4d6a8c0e2f4a6b8c0d2e4f6a8b0c2d4e",
  v2: "2a4c6e8f0b1d3f5a7c9e1b3d5f7a9c1e3b5d7f9a",
  v3: "3b5d7f9a1c2e4a6b8d0f2a4c6e8b0d2f4a6c8e0b",
} as const;

export interface DeclaredObject {
  readonly kind: string;
  readonly name: string;
  readonly status?: "Synced" | "OutOfSync";
  /** Argo CD 3 keeps it elsewhere by default. */
  readonly health?: string;
  readonly hook?: boolean;
  /** It is not declared any more, and still there. */
  readonly surplus?: boolean;
}

export interface ApplicationWorld {
  /** As targetRevision has it; left out: nothing is written. */
  readonly aims?: string;
  /** The commit that the controller compared the cluster with; null: it reported nothing. */
  readonly compared: string | null;
  readonly sync?: "Synced" | "OutOfSync" | "Unknown";
  readonly health?: string;
  /** Seconds after the fixtures' zero. */
  readonly reconciled?: number;
  readonly operation?: {
    readonly phase: string;
    readonly revision: string;
    readonly finished: number | null;
    readonly message?: string;
  } | null;
  readonly objects?: readonly DeclaredObject[];
  readonly automated?: boolean | JsonObject;
  /** A sync that was asked for and has not begun. */
  readonly asked?: boolean;
  /** Of the source beside repository, path and revision. */
  readonly source?: JsonObject;
  /** A second source beside it, of another repository, which follows a branch. */
  readonly several?: boolean;
  /** As its controller found it. */
  readonly sourceType?: string;
  /** What was compared, where it is not what is declared. */
  readonly comparedTo?: JsonObject;
  readonly conditions?: readonly JsonObject[];
}

const DESTINATION = { server: "https://kubernetes.default.svc", namespace: "shop" };
const GROUP: Readonly<Record<string, string>> = { Deployment: "apps", Service: "", ConfigMap: "" };

const CONFIG_REPOSITORY = "https://git.example/config.git";

const from = (source: JsonObject, { several }: ApplicationWorld): JsonObject =>
  several === true
    ? { sources: [source, { repoURL: CONFIG_REPOSITORY, path: ".", targetRevision: "main" }] }
    : { source };

export const application = (world: ApplicationWorld): JsonObject => {
  const source: JsonObject = {
    repoURL: "https://git.example/shop.git",
    path: "deploy/web",
    ...(world.aims === undefined ? {} : { targetRevision: world.aims }),
    ...world.source,
  };
  const objects = world.objects ?? [
    { kind: "Deployment", name: "web", status: "Synced" },
    { kind: "Service", name: "web", status: "Synced" },
  ];
  const { operation = null } = world;
  const status: JsonObject =
    world.compared === null
      ? {}
      : {
          sync: {
            status: world.sync ?? "Synced",
            ...(world.several === true
              ? { revisions: [world.compared, COMMIT.v3] }
              : { revision: world.compared }),
            comparedTo: { ...from({ ...source, ...world.comparedTo }, world), destination: DESTINATION },
          },
          health: { status: world.health ?? "Healthy", lastTransitionTime: at(-60) },
          reconciledAt: at(world.reconciled ?? 9),
          resourceHealthSource: "appTree",
          ...(world.several === true
            ? { sourceTypes: [world.sourceType ?? "Directory", "Directory"] }
            : { sourceType: world.sourceType ?? "Directory" }),
          summary: { images: ["registry.example/web:v2"] },
          resources: objects.map((one) => ({
            ...(GROUP[one.kind] === "" ? {} : { group: GROUP[one.kind] ?? "example.com" }),
            version: "v1",
            kind: one.kind,
            namespace: "shop",
            name: one.name,
            status: one.status ?? "Synced",
            ...(one.health === undefined ? {} : { health: { status: one.health } }),
            ...(one.hook === true ? { hook: true } : {}),
            ...(one.surplus === true ? { requiresPruning: true } : {}),
          })),
          ...(world.conditions === undefined ? {} : { conditions: [...world.conditions] }),
          ...(operation === null
            ? {}
            : {
                operationState: {
                  phase: operation.phase,
                  startedAt: at(0),
                  ...(operation.finished === null ? {} : { finishedAt: at(operation.finished) }),
                  ...(operation.message === undefined ? {} : { message: operation.message }),
                  operation: { sync: { revision: operation.revision } },
                  syncResult: {
                    ...(world.several === true
                      ? { revisions: [operation.revision, COMMIT.v3] }
                      : { revision: operation.revision }),
                    ...from(source, world),
                  },
                },
              }),
        };
  return {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Application",
    metadata: { ...metadata("Application", { name: "shop", generation: 41 }) },
    spec: {
      project: "default",
      ...from(source, world),
      destination: DESTINATION,
      ...(world.automated === false
        ? {}
        : {
            syncPolicy: {
              automated:
                typeof world.automated === "object" ? world.automated : { prune: true, selfHeal: true },
            },
          }),
    },
    ...(world.asked === true ? { operation: { sync: { revision: world.compared ?? COMMIT.v1 } } } : {}),
    ...(Object.keys(status).length === 0 ? {} : { status }),
  };
};

export const applicationFiles = (world: ApplicationWorld): Files => ({
  "applications.argoproj.io.json": list([application(world)]),
});
