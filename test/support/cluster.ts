/** A fake API server and the adapter over it, both gone when the test ends. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type ClusterOptions, openCluster } from "../../src/adapters/cluster-https/open.ts";
import { systemClock } from "../../src/adapters/system/clock.ts";
import type { Cluster, CollectionRef, ObjectRef, Resource, Round } from "../../src/ports/cluster.ts";
import type { ApiServer, ApiServerOptions } from "../../src/testing/api-server/api-server.ts";
import { startApiServer } from "../../src/testing/api-server/start.ts";
import { tempFolder } from "./temp-folder.ts";

const folder = tempFolder("cluster");
let files = 0;

/** Writes a kubeconfig to a file of its own. */
export const kubeconfigFile = (text: string): string => {
  files += 1;
  const path = join(folder, `kubeconfig-${files}`);
  writeFileSync(path, text);
  return path;
};

export const optionsFor = (kubeconfig: string, more: Partial<ClusterOptions> = {}): ClusterOptions => ({
  clock: systemClock,
  environment: {},
  workingDirectory: folder,
  kubeconfig,
  context: null,
  namespace: null,
  exec: { allow: [], show: () => undefined },
  ...more,
});

/** Fails where the way cannot be opened; closes it when the test ends. */
export const openedCluster = async (
  kubeconfig: string,
  more: Partial<ClusterOptions> = {},
): Promise<Cluster> => {
  const opened = await openCluster(optionsFor(kubeconfig, more));
  if (opened.kind === "refused") throw new Error(opened.sentence);
  onTestFinished(() => opened.cluster.close());
  return opened.cluster;
};

export interface Fake {
  readonly server: ApiServer;
  readonly cluster: Cluster;
}

export const apiServerFor = async (options: ApiServerOptions = {}): Promise<ApiServer> => {
  const server = await startApiServer(options);
  onTestFinished(() => server.close());
  return server;
};

export const fakeCluster = async (
  options: ApiServerOptions = {},
  more: Partial<ClusterOptions> = {},
): Promise<Fake> => {
  const server = await apiServerFor(options);
  return { server, cluster: await openedCluster(kubeconfigFile(server.kubeconfig()), more) };
};

/** A round that ends with the test. Ten seconds are far more than loopback needs. */
export const roundWith = (
  cluster: Cluster,
  deadlineMs = 10_000,
  stop = new AbortController().signal,
): Round => {
  const round = cluster.round({ deadlineMs, stop });
  onTestFinished(() => round.end());
  return round;
};

export const PODS: Resource = { group: "", version: "v1", resource: "pods", kind: "Pod", namespaced: true };
export const CONFIG_MAPS: Resource = {
  group: "",
  version: "v1",
  resource: "configmaps",
  kind: "ConfigMap",
  namespaced: true,
};
export const DEPLOYMENTS: Resource = {
  group: "apps",
  version: "v1",
  resource: "deployments",
  kind: "Deployment",
  namespaced: true,
};
export const NODES: Resource = {
  group: "",
  version: "v1",
  resource: "nodes",
  kind: "Node",
  namespaced: false,
};

export const inShop = (resource: Resource, name: string): ObjectRef => ({
  resource,
  namespace: "shop",
  name,
});
export const allInShop = (resource: Resource, more: Partial<CollectionRef> = {}): CollectionRef => ({
  resource,
  namespace: "shop",
  labelSelector: null,
  fieldSelector: null,
  ...more,
});
