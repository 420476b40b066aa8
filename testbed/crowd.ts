/**
 * Many Deployments on nodes that only seem to be there: each with its ReplicaSet and Pods, by owner references as the
 * controllers would have made them, so that nobody waits for those to make ten thousand. KWOK then runs the Pods, and the
 * controllers, which were away meanwhile, find everything as it should be and write the status. Runs in the testbed's
 * network.
 */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { API, type Api, openApi } from "./api.ts";
import type { ComponentName } from "./component-name.ts";
import { startComponent, until } from "./component-start.ts";
import { stopComponent } from "./component-stop.ts";
import { componentsOf } from "./components.ts";
import { TestbedFault } from "./fault.ts";
import { demandInit } from "./namespaces.ts";
import type { Place } from "./place.ts";
import { componentOf, processesOf } from "./processes.ts";
import { builtTools, type Tools } from "./tools.ts";

const CROWD_NAMESPACE = "crowd";

const PODS_A_NODE = 100;
const AT_ONCE = 32;
const DONE_WITHIN_MS = 1_200_000;
/** Away while the crowd is made. */
const CONTROLLERS = ["kube-controller-manager", "kube-scheduler"] as const;

interface Made {
  readonly metadata: { readonly uid: string };
}

/** Resolves when every Deployment says that all its replicas are available. */
export const makeCrowd = async (
  place: Place,
  tools: Tools,
  deployments: number,
  replicas: number,
  say: (line: string) => void,
): Promise<void> => {
  const init = demandInit(place);
  const components = componentsOf(place, tools);
  const log = (name: ComponentName): string => join(place.logs, `${name}.log`);
  using api = openApi(place);
  const start = (name: ComponentName): Promise<void> =>
    startComponent(place, init, components[name]).ready(api);

  builtTools(place, ["kwok"]);
  if (componentOf(processesOf(place), "kwok") === undefined) await start("kwok");
  await makeNamespace(api, log("kube-controller-manager"));
  for (const name of CONTROLLERS) await stopComponent(place, name, "SIGTERM");
  const nodes = Math.ceil((deployments * replicas) / PODS_A_NODE);
  await each(nodes, (at) => api.create("/api/v1/nodes", node(at)));
  say(`${nodes} nodes made`);
  await each(deployments, (at) => makeDeployment(api, at, replicas, nodes));
  say(`${deployments} Deployments with ${replicas} Pods each made`);
  const wait = (otherwise: string, ask: (api: Api) => Promise<boolean>): Promise<void> =>
    until(otherwise, log("kwok"), () => sleep(2_000).then(() => ask(api)), DONE_WITHIN_MS);
  await wait("some Pods do not run", doAllRun);
  say("all run");
  // Only now: each status is written once, not for every Pod that becomes ready.
  await Promise.all(CONTROLLERS.map(start));
  await wait("some Deployments are not available", areAllAvailable);
  say("all available");
};

/** With the service account that a controller makes in it, without which there are no Pods. */
const makeNamespace = async (api: Api, log: string): Promise<void> => {
  await api.create("/api/v1/namespaces", { metadata: { name: CROWD_NAMESPACE } });
  const account = `${API}/api/v1/namespaces/${CROWD_NAMESPACE}/serviceaccounts/default`;
  await until(
    "the namespace has no service account",
    log,
    async () => (await api.get(account)).status === 200,
  );
};

/** By the API server's cache: it is asked often. */
const doAllRun = async (api: Api): Promise<boolean> => {
  const query = "resourceVersion=0&fieldSelector=status.phase!=Running";
  return (await list(api, `/api/v1/namespaces/${CROWD_NAMESPACE}/pods?${query}`)).length === 0;
};

const areAllAvailable = async (api: Api): Promise<boolean> => {
  const deployments = await list(
    api,
    `/apis/apps/v1/namespaces/${CROWD_NAMESPACE}/deployments?resourceVersion=0`,
  );
  return deployments.every(({ spec, status }) => status.availableReplicas === spec.replicas);
};

interface Listed {
  readonly spec: { readonly replicas?: number };
  readonly status: { readonly availableReplicas?: number };
}

const list = async (api: Api, path: string): Promise<readonly Listed[]> => {
  const { status, text } = await api.get(`${API}${path}`);
  if (status !== 200) throw new TestbedFault("failed", `the API server answered GET ${path} with ${status}`);
  return (JSON.parse(text) as { readonly items: readonly Listed[] }).items;
};

const makeDeployment = async (api: Api, at: number, replicas: number, nodes: number): Promise<void> => {
  const name = `crowd-${at}`;
  const namespaced = `/namespaces/${CROWD_NAMESPACE}`;
  const labels = { app: name };
  const spec = {
    tolerations: [{ key: FAKE, operator: "Exists" }],
    nodeSelector: { type: "kwok" },
    containers: [{ name: "app", image: "nowhere.test/app:1" }],
  };
  const deployment = await api.create<Made>(`/apis/apps/v1${namespaced}/deployments`, {
    metadata: { name, labels },
    spec: { replicas, selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  });
  // The controller takes a ReplicaSet with the same template for its own, whatever the hash is.
  const hashed = { ...labels, "pod-template-hash": "crowd" };
  const replicaSet = await api.create<Made>(`/apis/apps/v1${namespaced}/replicasets`, {
    metadata: {
      name: `${name}-crowd`,
      labels: hashed,
      annotations: {
        "deployment.kubernetes.io/desired-replicas": String(replicas),
        "deployment.kubernetes.io/max-replicas": String(replicas + Math.ceil(replicas / 4)),
        "deployment.kubernetes.io/revision": "1",
      },
      ownerReferences: [owner("Deployment", name, deployment)],
    },
    spec: { replicas, selector: { matchLabels: hashed }, template: { metadata: { labels: hashed }, spec } },
  });
  for (let pod = 0; pod < replicas; pod += 1)
    await api.create(`/api/v1${namespaced}/pods`, {
      metadata: {
        name: `${name}-crowd-${pod}`,
        labels: hashed,
        ownerReferences: [owner("ReplicaSet", `${name}-crowd`, replicaSet)],
      },
      spec: { ...spec, nodeName: nodeName((at * replicas + pod) % nodes) },
    });
};

const owner = (kind: string, name: string, { metadata }: Made): object => ({
  apiVersion: "apps/v1",
  kind,
  name,
  uid: metadata.uid,
  controller: true,
  blockOwnerDeletion: true,
});

const FAKE = "kwok.x-k8s.io/node";
const nodeName = (at: number): string => `crowd-${at}`;
const node = (at: number): object => ({
  metadata: { name: nodeName(at), annotations: { [FAKE]: "fake" }, labels: { type: "kwok" } },
  spec: { taints: [{ key: FAKE, value: "fake", effect: "NoSchedule" }] },
});

/** Does the work for 0 to `count`, some at once. */
const each = async (count: number, work: (at: number) => Promise<unknown>): Promise<void> => {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
};
