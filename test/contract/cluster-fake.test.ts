/** The adapter over the fake API server, and that server itself. `test/e2e/cluster-contract.test.ts` has the same over a real one. */
import { openCluster } from "../../src/adapters/cluster-https/open.ts";
import { openWritableCluster } from "../../src/adapters/cluster-https/write/open.ts";
import type { Cluster } from "../../src/ports/cluster.ts";
import type { User } from "../../src/testing/api-server/access.ts";
import { startApiServer } from "../../src/testing/api-server/start.ts";
import { kubeconfigFile, optionsFor } from "../support/cluster.ts";
import { writerFor } from "../support/cluster-writer.ts";
import { apiServerContract } from "./api-server.ts";
import { type ClusterHarness, clusterContract } from "./cluster.ts";
import { clusterWriterContract } from "./cluster-writer.ts";

const harness = async (): Promise<ClusterHarness> => {
  const namespace = "contract";
  const users: User[] = [{ name: "admin", token: "admin-token", rules: "all" }];
  const server = await startApiServer({ users });
  server.put({ resource: "namespaces", name: namespace }, {});
  const opened: Cluster[] = [];
  const open = async (user: string): Promise<Cluster> => {
    const one = await openCluster(optionsFor(kubeconfigFile(server.kubeconfig({ user }))));
    if (one.kind === "refused") throw new Error(one.sentence);
    opened.push(one.cluster);
    return one.cluster;
  };
  return {
    writer: await writerFor(kubeconfigFile(server.kubeconfig())),
    namespace,
    open: () => open("admin"),
    openWritable: async () => {
      const one = await openWritableCluster(optionsFor(kubeconfigFile(server.kubeconfig())));
      if (one.kind === "refused") throw new Error(one.sentence);
      opened.push(one.cluster);
      return one;
    },
    openAs: async ({ rules, scope }) => {
      const name = `limited-${users.length}`;
      const token = `${name}-token`;
      users.push(
        scope === "cluster"
          ? { name, token, rules }
          : { name, token, rules: [], inNamespace: { [namespace]: rules } },
      );
      const path = kubeconfigFile(server.kubeconfig({ user: name }));
      return { cluster: await open(name), writer: await writerFor(path) };
    },
    compact: () => server.compact(),
    dispose: async () => {
      for (const one of opened) one.close();
      await server.close();
    },
  };
};

clusterContract("cluster-https over the fake API server", harness);
apiServerContract("the fake API server", harness);
clusterWriterContract("the fake API server", harness);
