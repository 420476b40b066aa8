/** A fake cluster in which v1 was well and recorded as a release, and v2 has come up broken since; a controller that follows. */
import { onTestFinished } from "vitest";
import type { ApiServer, ApiServerOptions } from "../../src/testing/api-server/api-server.ts";
import { type ServedResource, USUAL_RESOURCES } from "../../src/testing/api-server/resources.ts";
import { asfound, folder, type Ran } from "../faces/terminal.ts";
import { apiServerFor, kubeconfigFile } from "./cluster.ts";
import { type Files, READ_AT } from "./kubernetes/deployment.ts";
import { rollbackFiles, withItems } from "./kubernetes/rollback.ts";
import { clockAt, serve } from "./kubernetes/served.ts";

const served = (group: string, kind: string, resource: string): ServedResource => ({
  group,
  version: "v1",
  resource,
  kind,
  singular: kind.toLowerCase(),
  shortNames: [],
  namespaced: true,
});

const RBAC = "rbac.authorization.k8s.io";
const RESOURCES = [
  ...USUAL_RESOURCES,
  served("", "ResourceQuota", "resourcequotas"),
  served(RBAC, "Role", "roles"),
  served(RBAC, "RoleBinding", "rolebindings"),
];

/** The state in which v1 was recorded. */
const WELL: Files = withItems(
  rollbackFiles({ replicas: 2, fresh: { version: "v1", pods: ["ready", "ready"], created: 100 }, old: [] }),
  "configmaps.json",
  (items) => items.slice(0, 1),
);

/** v2 is broken, and the old Pods serve. */
const BROKEN: Files = rollbackFiles();

/** As after a rollback to v1 that went well: its ReplicaSet is the newest revision again. */
export const BACK: Files = rollbackFiles({
  replicas: 2,
  fresh: { version: "v1", pods: ["ready", "ready"], created: 100 },
  old: [{ version: "v2", pods: [], created: 600 }],
  generation: 3,
});

export const DEPLOYMENT = { resource: "deployments.apps", namespace: "shop", name: "web" };
export const configMapAt = (name: string) => ({ resource: "configmaps", namespace: "shop", name });

export interface RollbackWorld {
  readonly server: ApiServer;
  readonly cwd: string;
  readonly kubeconfig: string;
  readonly run: (...words: readonly string[]) => Promise<Ran>;
  /** A verb that asks no cluster. */
  readonly bare: (...words: readonly string[]) => Promise<Ran>;
  /** Makes the server hold these objects. */
  readonly holds: (files: Files) => void;
  /** From now on a controller carries out what the template says, once it is v1's. */
  readonly follows: (back?: Files) => void;
}

/** Beside every list of variables stands another one, with this value. */
const withLiteral = (files: Files, value: string): Files =>
  JSON.parse(
    JSON.stringify(files).replaceAll(
      '"env":[',
      `"env":[{"name":"LITERAL","value":${JSON.stringify(value)}},`,
    ),
  ) as Files;

/** `literal`: a value that stands in the templates themselves. */
export const rollbackWorld = async ({
  literal,
  ...options
}: ApiServerOptions & { readonly literal?: string } = {}): Promise<RollbackWorld> => {
  const server = await apiServerFor({ clock: clockAt(READ_AT), resources: RESOURCES, ...options });
  server.put(
    { resource: "namespaces", name: "kube-system" },
    { apiVersion: "v1", kind: "Namespace", metadata: { name: "kube-system", uid: "the-cluster" } },
  );
  const kubeconfig = kubeconfigFile(server.kubeconfig({ namespace: "shop" }));
  const cwd = folder();
  let before: Files = {};
  const holds = (given: Files): void => {
    const files = literal === undefined ? given : withLiteral(given, literal);
    serve(server, files, before);
    before = files;
  };
  const run = (...words: readonly string[]): Promise<Ran> =>
    asfound({ cwd }, ...words, "--kubeconfig", kubeconfig, "-n", "shop");
  holds(WELL);
  const recorded = await run("release", "record", "deployment/web", "--name", "v1");
  if (recorded.code !== 0) throw new Error(`the release was not recorded: ${recorded.out}${recorded.err}`);
  holds(BROKEN);
  const follows = (back: Files = BACK): void => {
    const timer = setInterval(() => {
      if (!JSON.stringify(server.get(DEPLOYMENT)).includes('"image":"web:v1"')) return;
      clearInterval(timer);
      holds(back);
    }, 20);
    onTestFinished(() => clearInterval(timer));
  };
  const bare = (...words: readonly string[]): Promise<Ran> => asfound({ cwd }, ...words);
  return { server, cwd, kubeconfig, run, bare, holds, follows };
};

/** What was changed by requests, in order. */
export const changesOf = (server: ApiServer): readonly string[] =>
  server
    .log()
    .flatMap(({ effect }) =>
      effect === undefined || effect === null ? [] : [`${effect.what} ${effect.resource}/${effect.name}`],
    );

export const imageOf = (server: ApiServer): string => {
  const spec = server.get(DEPLOYMENT)?.["spec"] as {
    template: { spec: { containers: { image: string }[] } };
  };
  return String(spec.template.spec.containers[0]?.image);
};
