/**
 * Opens the way to a cluster as kubectl would: `--kubeconfig`, else the files of KUBECONFIG, else ~/.kube/config, else the
 * service account of the Pod that asfound runs in. Nothing is asked of the server yet, and no program is run.
 */
import { createSecureContext } from "node:tls";
import type { Reached } from "../../domain/crash-point.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Cluster } from "../../ports/cluster.ts";
import { type Agent, agentOf } from "./agent.ts";
import { type Chosen, type Connection, chooseContext, inCluster, SERVICE_ACCOUNT } from "./connection.ts";
import { type Credentials, credentialsOf } from "./credentials.ts";
import { finder } from "./discovery/find.ts";
import type { ExecPermission } from "./exec-plugin.ts";
import { type Environment, loadKubeconfig } from "./kubeconfig/load.ts";
import { proxyFor } from "./proxy.ts";
import { roundOf } from "./round.ts";

export interface ClusterOptions {
  readonly clock: Clock;
  readonly environment: Environment;
  readonly workingDirectory: string;
  /** `--kubeconfig`, `--context`, `-n`; null: not given. */
  readonly kubeconfig: string | null;
  readonly context: string | null;
  readonly namespace: string | null;
  readonly exec: ExecPermission;
  /** Where a Pod's service account lies, for tests. */
  readonly serviceAccount?: string;
  /** Crash points of what writes; left out: nobody is told. */
  readonly reached?: Reached;
}

export type OpenedCluster =
  | { readonly kind: "opened"; readonly cluster: Cluster }
  /** One sentence: what is wrong, where, what to do. */
  | { readonly kind: "refused"; readonly sentence: string };

const choose = async (options: ClusterOptions): Promise<Chosen> => {
  const { environment, workingDirectory, context, namespace } = options;
  const loaded = await loadKubeconfig({ explicit: options.kubeconfig, environment, workingDirectory });
  if ("fault" in loaded) return loaded;
  const { config } = loaded;
  const isEmpty = config.contexts.size === 0 && config.currentContext === null && context === null;
  const pod = isEmpty
    ? await inCluster(environment, options.serviceAccount ?? SERVICE_ACCOUNT, namespace)
    : null;
  return pod ?? chooseContext(loaded, { context, namespace });
};

/** Whether the certificates to trust can be used at all: better said here than as a failed connection. */
const certificateFault = ({ trust, server }: Connection): string | null => {
  if (trust.ca === null) return null;
  if (!trust.ca.includes("-----BEGIN"))
    return `the certificate authority for ${server.host} is not a PEM certificate; check the kubeconfig`;
  try {
    createSecureContext({ ca: trust.ca });
    return null;
  } catch {
    return `the certificate authority for ${server.host} cannot be read; check the kubeconfig`;
  }
};

/** The way to a cluster, with what a half that writes would take beside the reader. */
export interface Way {
  readonly kind: "opened";
  readonly cluster: Cluster;
  readonly connection: Connection;
  readonly credentials: Credentials;
  /** A connection that has served nobody. */
  readonly freshAgent: () => Agent;
}

/** A verifier cannot come by the half that writes (`write/open.ts`), and does not load it. */
export const openCluster = async (options: ClusterOptions): Promise<OpenedCluster> => {
  const way = await openWay(options);
  return way.kind === "refused" ? way : { kind: "opened", cluster: way.cluster };
};

export const openWay = async (
  options: ClusterOptions,
): Promise<Way | Extract<OpenedCluster, { kind: "refused" }>> => {
  const chosen = await choose(options);
  if ("fault" in chosen) return { kind: "refused", sentence: chosen.fault };
  const { connection } = chosen;
  const { clock, environment, exec } = options;
  const fault = certificateFault(connection);
  if (fault !== null) return { kind: "refused", sentence: fault };
  const proxy = proxyFor(connection.server, connection.proxyUrl, environment);
  if ("fault" in proxy) return { kind: "refused", sentence: proxy.fault };
  const agent = agentOf(connection, proxy.proxy);
  const credentials = credentialsOf({ connection, clock, environment, exec });
  const shared = { line: { connection, agent, clock }, credentials, finder: finder() };
  const { server, context, namespace, warnings } = connection;
  return {
    kind: "opened",
    cluster: {
      facts: {
        server: `${server.origin}${server.pathname.replace(/\/$/, "")}`,
        context,
        namespace,
        warnings,
      },
      round: (limits) => roundOf(shared, limits),
      close: () => agent.destroy(),
    },
    connection,
    credentials,
    freshAgent: () => agentOf(connection, proxy.proxy),
  };
};
