/** Which server is asked, how it is trusted, and as whom: chosen from a kubeconfig, or from the Pod asfound runs in. */
import { isIP } from "node:net";
import { join } from "node:path";
import type { JsonValue } from "../../domain/json.ts";
import { printable } from "../../wire/redact/printable.ts";
import type { ClusterEntry, Kubeconfig, UserEntry } from "./kubeconfig/entries.ts";
import type { Environment, Loaded } from "./kubeconfig/load.ts";
import { readSmallText } from "./small-file.ts";

export interface Trust {
  /** PEM; null: the certificates that this machine trusts. */
  readonly ca: string | null;
  /** The certificate is not checked at all. */
  readonly insecure: boolean;
  /** Which name the certificate must be for; null: the server's own. */
  readonly serverName: string | null;
}

export interface Connection {
  /** With a path where the server has one (Rancher); without a slash at the end. */
  readonly server: URL;
  readonly trust: Trust;
  readonly proxyUrl: string | null;
  readonly disableCompression: boolean;
  readonly user: UserEntry;
  /** For messages. */
  readonly userName: string;
  readonly execConfig: JsonValue;
  readonly context: string | null;
  readonly namespace: string;
  readonly warnings: readonly string[];
}

export type Chosen = { readonly connection: Connection } | { readonly fault: string };

const ANONYMOUS: UserEntry = {
  token: null,
  tokenFile: null,
  certFile: null,
  certData: null,
  keyFile: null,
  keyData: null,
  username: null,
  password: null,
  exec: null,
  authProvider: null,
  as: null,
};

const serverOf = (text: string): URL | null => {
  // kubectl takes a bare host for a host that speaks HTTP.
  const full = text.includes("://") ? text : `http://${text}`;
  if (!URL.canParse(full)) return null;
  const url = new URL(full);
  if (url.protocol !== "https:" && url.protocol !== "http:") return null;
  url.search = "";
  url.hash = "";
  url.pathname = url.pathname.replace(/\/+$/, "");
  return url;
};

const quoted = (name: string): string => `"${printable(name)}"`;

const trustOf = async (
  cluster: ClusterEntry,
  named: string,
): Promise<{ readonly trust: Trust } | { readonly fault: string }> => {
  const { caFile, caData, insecure, serverName } = cluster;
  if (caFile !== null && caData !== null)
    return { fault: `${named} has both certificate-authority and certificate-authority-data; keep one` };
  if (insecure && (caFile !== null || caData !== null))
    return { fault: `${named} has certificates to trust and insecure-skip-tls-verify beside them; keep one` };
  if (caFile === null) return { trust: { ca: caData, insecure, serverName } };
  const file = await readSmallText(caFile);
  return "fault" in file
    ? { fault: `${named}: its certificate-authority ${printable(caFile)} ${file.fault}` }
    : { trust: { ca: file.text, insecure, serverName } };
};

const warningsOf = (server: URL, trust: Trust, user: UserEntry): readonly string[] => {
  const warnings: string[] = [];
  if (server.protocol === "http:")
    warnings.push(
      `${server.host} is asked without TLS: anyone on the way can change what it says, and no credentials are sent`,
    );
  else if (trust.insecure)
    warnings.push(
      `the certificate of ${server.host} is NOT checked (insecure-skip-tls-verify): whoever answers there is believed, and gets our credentials`,
    );
  if (user.as !== null) warnings.push(`asked as ${quoted(user.as.user)} (impersonation)`);
  return warnings;
};

const namesOf = (map: ReadonlyMap<string, unknown>): string =>
  map.size === 0
    ? "there are none"
    : `there are ${[...map.keys()]
        .slice(0, 20)
        .map((name) => printable(name))
        .join(", ")}`;

/** The entry of a context, or the sentence that says what is missing. */
const lookUp = (
  { config, lookedFor }: Loaded,
  wanted: string | null,
):
  | { readonly context: string; readonly cluster: ClusterEntry; readonly clusterName: string }
  | { readonly fault: string } => {
  const context = wanted ?? config.currentContext;
  if (context === null)
    return {
      fault:
        config.contexts.size === 0
          ? `no cluster is configured: looked in ${lookedFor.map((path) => printable(path)).join(", ") || "no file, as HOME is not set"}; name one with --kubeconfig`
          : `no current context is set; choose with --context: ${namesOf(config.contexts)}`,
    };
  const entry = config.contexts.get(context);
  if (entry === undefined)
    return { fault: `there is no context ${quoted(context)}; ${namesOf(config.contexts)}` };
  const cluster = config.clusters.get(entry.cluster);
  if (cluster === undefined)
    return {
      fault: `the context ${quoted(context)} is for a cluster ${quoted(entry.cluster)}, which no kubeconfig describes`,
    };
  return { context, cluster, clusterName: entry.cluster };
};

const userOf = (
  config: Kubeconfig,
  context: string,
): { readonly name: string; readonly user: UserEntry } | { readonly fault: string } => {
  const name = config.contexts.get(context)?.user ?? null;
  if (name === null) return { name: "nobody", user: ANONYMOUS };
  const user = config.users.get(name);
  return user === undefined
    ? {
        fault: `the context ${quoted(context)} is for a user ${quoted(name)}, whom no kubeconfig describes`,
      }
    : { name, user };
};

/** `context`, `namespace`: as named by flags; null: the kubeconfig's own. */
export const chooseContext = async (
  loaded: Loaded,
  wanted: { readonly context: string | null; readonly namespace: string | null },
): Promise<Chosen> => {
  const entry = lookUp(loaded, wanted.context);
  if ("fault" in entry) return entry;
  const { context, cluster } = entry;
  const named = `the cluster ${quoted(entry.clusterName)}`;
  const who = userOf(loaded.config, context);
  if ("fault" in who) return who;
  const server = serverOf(cluster.server);
  if (server === null)
    return { fault: `${named} has no server that can be asked; it is a URL like https://10.0.0.1:6443` };
  const trust = await trustOf(cluster, named);
  if ("fault" in trust) return trust;
  return {
    connection: {
      server,
      trust: trust.trust,
      proxyUrl: cluster.proxyUrl,
      disableCompression: cluster.disableCompression,
      user: server.protocol === "https:" ? who.user : ANONYMOUS,
      userName: who.name,
      execConfig: cluster.execConfig,
      context,
      namespace: wanted.namespace ?? loaded.config.contexts.get(context)?.namespace ?? "default",
      warnings: warningsOf(server, trust.trust, who.user),
    },
  };
};

/** Where the kubelet puts a Pod's service account. */
export const SERVICE_ACCOUNT = "/var/run/secrets/kubernetes.io/serviceaccount";

/** null: asfound does not run in a Pod with a service account. */
export const inCluster = async (
  environment: Environment,
  folder: string,
  namespace: string | null,
): Promise<Chosen | null> => {
  const host = environment["KUBERNETES_SERVICE_HOST"] ?? "";
  const port = environment["KUBERNETES_SERVICE_PORT"] ?? "";
  if (host === "" || port === "") return null;
  const tokenFile = join(folder, "token");
  const text = async (name: string): Promise<string | null> => {
    const file = await readSmallText(join(folder, name));
    return "fault" in file ? null : file.text;
  };
  const [token, ca, own] = await Promise.all([text("token"), text("ca.crt"), text("namespace")]);
  if (token === null) return null;
  const server = serverOf(`https://${isIP(host) === 6 ? `[${host}]` : host}:${port}`);
  if (server === null) return { fault: "KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT name no server" };
  return {
    connection: {
      server,
      trust: { ca, insecure: false, serverName: null },
      proxyUrl: null,
      disableCompression: false,
      user: { ...ANONYMOUS, tokenFile },
      userName: "the Pod's service account",
      execConfig: null,
      context: null,
      namespace: namespace ?? (own?.trim() || "default"),
      warnings: [],
    },
  };
};
