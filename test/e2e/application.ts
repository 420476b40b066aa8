/** Applications on the testbed's Argo CD, one in the name of each test's namespace, and what they declare. */
import assert from "node:assert/strict";
import type { JsonObject } from "../../src/domain/json.ts";
import { ARGOCD_NAMESPACE } from "../../testbed/place.ts";
import { imageReference } from "./app.ts";
import { eventually } from "./eventually.ts";
import { type Repository, repository } from "./git-repository.ts";
import { type KubeObject, kubectl, type Namespace, ownNamespace } from "./kubectl.ts";

export interface Declaring {
  /** A branch or a commit (main). */
  readonly revision?: string;
  /** Null: nothing syncs it by itself. */
  readonly automated?: JsonObject | null;
}

const application = (
  name: string,
  { url }: Pick<Repository, "url">,
  { revision = "main", automated = {} }: Declaring = {},
): object => ({
  apiVersion: "argoproj.io/v1alpha1",
  kind: "Application",
  metadata: { name, namespace: ARGOCD_NAMESPACE },
  spec: {
    project: "default",
    source: { repoURL: url, path: "deploy", targetRevision: revision },
    destination: { server: "https://kubernetes.default.svc", namespace: name },
    // A sync that fails is not tried again for minutes.
    syncPolicy: { ...(automated === null ? {} : { automated }), retry: { limit: 0 } },
  },
});

/** A story's own: a namespace, a repository and an Application, all of one name. */
export interface Delivery extends AsyncDisposable {
  readonly name: string;
  readonly namespace: Namespace;
  readonly repository: Repository;
  declare(declaring?: Declaring): Promise<void>;
  /** Asks Argo CD to look at its repository and its objects now. */
  refresh(): Promise<void>;
  /** Its sync status, health and last operation's phase, and the revision that it was last compared with. */
  state(): Promise<State>;
  /** Asks until it is so. */
  becomes(wanted: Partial<State>): Promise<void>;
  /** Has it look again until it has looked in a later second than the one in which the sync ended. */
  looksAfterSync(): Promise<void>;
  object(): Promise<KubeObject>;
}

export interface State {
  readonly sync: string | null;
  readonly health: string | null;
  readonly phase: string | null;
  readonly revision: string | null;
}

/** `server`: another Git server than the testbed's own. */
export const delivery = async (server?: string): Promise<Delivery> => {
  const namespace = await ownNamespace();
  const { name } = namespace;
  const own = await repository(name, server);
  const argocd = (...words: readonly string[]): Promise<string> =>
    kubectl(["-n", ARGOCD_NAMESPACE, ...words]);
  const object = async (): Promise<KubeObject> =>
    JSON.parse(await argocd("get", "application", name, "-o", "json")) as KubeObject;
  const refresh = async (): Promise<void> => {
    await argocd("annotate", "application", name, "argocd.argoproj.io/refresh=normal", "--overwrite");
  };
  const state = async (): Promise<State> => {
    const { status = {} } = await object();
    return {
      sync: status.sync?.status ?? null,
      health: status.health?.status ?? null,
      phase: status.operationState?.phase ?? null,
      revision: status.sync?.revision || null,
    };
  };
  return {
    name,
    namespace,
    repository: own,
    declare: async (declaring) => {
      await kubectl(["apply", "-f", "-"], JSON.stringify(application(name, own, declaring)));
    },
    refresh,
    state,
    becomes: (wanted) =>
      eventually(async () => {
        const is = await state();
        const deployments = await namespace.list("deployments");
        const said = JSON.stringify(deployments.map(({ status }) => status?.conditions));
        const text = (one: State): string => Object.values(one).join(", ");
        assert.equal(text(is), text({ ...is, ...wanted }), `it is ${text(is)}; its Deployments say ${said}`);
      }),
    looksAfterSync: () =>
      eventually(async () => {
        const { status } = await object();
        if (status.reconciledAt > status.operationState.finishedAt) return;
        await refresh();
        throw new Error(`it last looked at ${status.reconciledAt}`);
      }),
    object,
    [Symbol.asyncDispose]: async () => {
      await argocd("delete", "application", name, "--ignore-not-found", "--wait=false");
      await namespace[Symbol.asyncDispose]();
      own[Symbol.dispose]();
    },
  };
};

export interface Web {
  /** What nginx is asked before it counts as ready: it has `/`, and no `/not-readyz`. */
  readonly readiness?: string;
  readonly strategy?: "RollingUpdate" | "Recreate";
  readonly replicas?: number;
  /** Seconds after which a rollout that goes on counts as failed. */
  readonly deadline?: number;
}

/** nginx with its Service, as files of a repository. */
export const web = ({
  readiness = "/",
  strategy = "RollingUpdate",
  replicas = 2,
  deadline = 60,
}: Web = {}): string => {
  const labels = { app: "web" };
  const objects = [
    {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "web" },
      spec: {
        replicas,
        selector: { matchLabels: labels },
        strategy:
          strategy === "Recreate"
            ? { type: strategy }
            : { type: strategy, rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
        progressDeadlineSeconds: deadline,
        template: {
          metadata: { labels },
          spec: {
            terminationGracePeriodSeconds: 1,
            containers: [
              {
                name: "nginx",
                image: imageReference("nginx", ":1"),
                ports: [{ containerPort: 80 }],
                readinessProbe: {
                  httpGet: { path: readiness, port: 80 },
                  periodSeconds: 1,
                  failureThreshold: 1,
                },
              },
            ],
          },
        },
      },
    },
    {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "web" },
      spec: { selector: labels, ports: [{ port: 80, targetPort: 80 }] },
    },
  ];
  return objects.map((one) => `${JSON.stringify(one, null, 2)}\n`).join("---\n");
};
