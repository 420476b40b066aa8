/**
 * Whether an address inside the cluster's network, asked from here, is this cluster's. Clusters use the same private addresses
 * again and again: who looks from a Pod of one at another reaches the wrong Pods at them.
 *
 * The Service `default/kubernetes` is the API server by an address of that network. Who shows a certificate of the
 * kubeconfig's authority there is this cluster's API server. Only the handshake is made: no credentials go there.
 */
import { isIP } from "node:net";
import { checkServerIdentity, connect } from "node:tls";
import { isJsonObject, type JsonValue } from "../../domain/json.ts";
import type { OwnNetwork, Resource } from "../../ports/cluster.ts";
import type { Caller } from "./ask.ts";
import { brokenBy } from "./broken.ts";
import { getObject } from "./get.ts";

const SERVICES: Resource = {
  group: "",
  version: "v1",
  resource: "services",
  kind: "Service",
  namespaced: true,
};
const API_SERVER = { resource: SERVICES, namespace: "default", name: "kubernetes" } as const;
/** The name that its certificate has for whoever is inside, whatever its address. */
const NAME = "kubernetes.default.svc";
const HANDSHAKE_MS = 2_000;

const notShown = (why: string): OwnNetwork => ({ kind: "not-shown", why });

export const ownNetwork = async (caller: Caller): Promise<OwnNetwork> => {
  const { context, trust } = caller.line.connection;
  // From inside a Pod, by that Pod's own service account.
  if (context === null) return { kind: "shown" };
  if (trust.ca === null || trust.insecure)
    return notShown(
      "the kubeconfig names no authority by which the API server would be known at an address of the cluster's network",
    );
  const reading = await getObject(caller, API_SERVER);
  if (reading.kind === "absent") return notShown("there is no Service kubernetes in namespace default");
  if (reading.kind !== "observed") return notShown(reading.sentence);
  const address = addressIn(reading.object["spec"]);
  if (address === null) return notShown("the Service default/kubernetes has no address and port");
  const why = await handshake(address, trust.ca, caller.allowance.signal);
  return why === null
    ? { kind: "shown" }
    : notShown(
        `at ${address.host}:${address.port}, where the API server stands inside the cluster, it is not found from here: ${why}`,
      );
};

interface Address {
  readonly host: string;
  readonly port: number;
}

const addressIn = (spec: JsonValue | undefined): Address | null => {
  if (!isJsonObject(spec)) return null;
  const { clusterIP: host, ports } = spec;
  const [first] = Array.isArray(ports) ? ports : [];
  const port = isJsonObject(first) ? first["port"] : undefined;
  return typeof host === "string" && isIP(host) !== 0 && typeof port === "number" && port > 0 && port < 65_536
    ? { host, port }
    : null;
};

/** A clause; null: it is there. */
const handshake = ({ host, port }: Address, ca: string, stop: AbortSignal): Promise<string | null> =>
  new Promise((resolve) => {
    const signal = AbortSignal.any([stop, AbortSignal.timeout(HANDSHAKE_MS)]);
    const end = (why: string | null): void => {
      signal.removeEventListener("abort", late);
      socket.destroy();
      resolve(why);
    };
    const late = (): void => end(`no TLS connection came about within ${HANDSHAKE_MS} ms`);
    const socket = connect(
      {
        host,
        port,
        ca,
        servername: NAME,
        // Written out, so that no environment variable can turn it off.
        rejectUnauthorized: true,
        minVersion: "TLSv1.2",
        checkServerIdentity: (_, certificate) => checkServerIdentity(NAME, certificate),
      },
      () => end(null),
    );
    // Stays: without any listener an error would end the process.
    socket.on("error", (error) => end(brokenBy(error).why));
    if (signal.aborted) late();
    else signal.addEventListener("abort", late, { once: true });
  });
