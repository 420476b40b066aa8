/**
 * The adapter over a real API server: the testbed's, or the one that `ASFOUND_E2E_KUBECONFIG` names. It works in a
 * namespace of its own. An API server and etcd are enough, no controller or node is needed.
 */
import { describe, it } from "vitest";
import { openCluster } from "../../src/adapters/cluster-https/open.ts";
import { openWritableCluster } from "../../src/adapters/cluster-https/write/open.ts";
import type { JsonObject } from "../../src/domain/json.ts";
import type { Cluster } from "../../src/ports/cluster.ts";
import { apiServerContract } from "../contract/api-server.ts";
import { type ClusterHarness, clusterContract, type Limits } from "../contract/cluster.ts";
import { clusterWriterContract } from "../contract/cluster-writer.ts";
import { kubeconfigFile, optionsFor } from "../support/cluster.ts";
import { type Writer, writerFor, written } from "../support/cluster-writer.ts";
import { LACK, needing } from "./lack.ts";

const KUBECONFIG = process.env["KUBECONFIG"];
const RBAC = "/apis/rbac.authorization.k8s.io/v1";

const textIn = (object: JsonObject, ...path: readonly string[]): string =>
  String(path.reduce<unknown>((value, key) => (value as JsonObject)[key], object));

/** A service account that may do just that, and its token. */
const accountWith = async (
  writer: Writer,
  namespace: string,
  name: string,
  limits: Limits,
): Promise<string> => {
  const post = (path: string, body: JsonObject) => written(writer.send("POST", path, body));
  const isWide = limits.scope === "cluster";
  const place = isWide ? RBAC : `${RBAC}/namespaces/${namespace}`;
  const [role, binding] = isWide ? ["ClusterRole", "ClusterRoleBinding"] : ["Role", "RoleBinding"];
  // What is at the cluster scope has a name of its own, and outlives the namespace.
  const roleName = isWide ? `${namespace}-${name}` : name;
  await post(`/api/v1/namespaces/${namespace}/serviceaccounts`, { metadata: { name } });
  await post(`${place}/${role.toLowerCase()}s`, {
    metadata: { name: roleName },
    rules: limits.rules as unknown as JsonObject[],
  });
  await post(`${place}/${binding.toLowerCase()}s`, {
    metadata: { name: roleName },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: role, name: roleName },
    subjects: [{ kind: "ServiceAccount", name, namespace }],
  });
  const { status } = await post(`/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`, {
    apiVersion: "authentication.k8s.io/v1",
    kind: "TokenRequest",
    spec: { expirationSeconds: 3_600 },
  });
  return textIn(status as JsonObject, "token");
};

/** The authorizer sees a new role a moment after it was made. */
const untilAllowed = async (
  writer: Writer,
  namespace: string,
  name: string,
  limits: Limits,
): Promise<void> => {
  const [rule] = limits.rules;
  for (;;) {
    const review = await written(
      writer.send("POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews", {
        apiVersion: "authorization.k8s.io/v1",
        kind: "SubjectAccessReview",
        spec: {
          user: `system:serviceaccount:${namespace}:${name}`,
          resourceAttributes: {
            namespace,
            verb: rule?.verbs[0] ?? "",
            group: rule?.apiGroups?.[0] ?? "",
            resource: rule?.resources?.[0] ?? "",
          },
        },
      }),
    );
    if ((review["status"] as JsonObject)["allowed"] === true) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

const realHarness = async (kubeconfig: string): Promise<ClusterHarness> => {
  const writer = await writerFor(kubeconfig);
  const namespace = `asfound-contract-${Date.now()}`;
  await written(writer.send("POST", "/api/v1/namespaces", { metadata: { name: namespace } }));
  const opened: Cluster[] = [];
  const wide: string[] = [];
  let accounts = 0;
  const open = async (path: string): Promise<Cluster> => {
    const one = await openCluster(optionsFor(path));
    if (one.kind === "refused") throw new Error(one.sentence);
    opened.push(one.cluster);
    return one.cluster;
  };
  return {
    writer,
    namespace,
    open: () => open(kubeconfig),
    openWritable: async () => {
      const one = await openWritableCluster(optionsFor(kubeconfig));
      if (one.kind === "refused") throw new Error(one.sentence);
      opened.push(one.cluster);
      return one;
    },
    openAs: async (limits) => {
      accounts += 1;
      const name = `limited-${accounts}`;
      if (limits.scope === "cluster") wide.push(`${namespace}-${name}`);
      const token = await accountWith(writer, namespace, name, limits);
      await untilAllowed(writer, namespace, name, limits);
      const { server, trust } = writer.connection;
      const path = kubeconfigFile(
        JSON.stringify({
          "current-context": "limited",
          clusters: [
            {
              name: "real",
              cluster: {
                server: server.href,
                ...(trust.ca === null
                  ? {}
                  : { "certificate-authority-data": Buffer.from(trust.ca).toString("base64") }),
                "insecure-skip-tls-verify": trust.insecure,
              },
            },
          ],
          users: [{ name, user: { token } }],
          contexts: [{ name: "limited", context: { cluster: "real", user: name } }],
        }),
      );
      return { cluster: await open(path), writer: await writerFor(path) };
    },
    dispose: async () => {
      for (const one of opened) one.close();
      for (const name of wide) {
        await writer.send("DELETE", `${RBAC}/clusterrolebindings/${name}`);
        await writer.send("DELETE", `${RBAC}/clusterroles/${name}`);
      }
      await writer.send("DELETE", `/api/v1/namespaces/${namespace}`);
    },
  };
};

if (KUBECONFIG === undefined || LACK !== null)
  describe("the cluster's contract, kept by cluster-https over a real API server", () => {
    it("is run", needing());
  });
else {
  clusterContract("cluster-https over a real API server", () => realHarness(KUBECONFIG));
  apiServerContract("a real API server", () => realHarness(KUBECONFIG));
  clusterWriterContract("a real API server", () => realHarness(KUBECONFIG));
}
