/** Where a reply is asked for, as the target's own objects say, and who stands behind it. */
import type { PodBefore } from "../domain/answer.ts";
import { HEALTH_PATH } from "../domain/grpc-health.ts";
import type { JsonObject, JsonValue } from "../domain/json.ts";
import { isJsonObject } from "../domain/json.ts";
import type { ResponseExpectation } from "../domain/response.ts";
import { hint, LIST, OBJECT, TEXT, WHOLE } from "../judge/read.ts";
import { labelsOf, selects, serviceSelects } from "../judge/selector.ts";
import type { ProxyRef, Round } from "../ports/cluster.ts";

/** One address to ask. */
export interface Address {
  readonly url: string;
  /** null: the URL's own host. */
  readonly ip: string | null;
  readonly host: string | null;
  readonly service: string | null;
  readonly pod: (PodBefore & { readonly ip: string | null }) | null;
  /** null: there is no other way to it. */
  readonly proxy: ProxyRef | null;
}

/** The target and what was listed around it. */
export interface Around {
  readonly namespace: string | null;
  readonly target: JsonObject;
  readonly isService: boolean;
  readonly services: readonly JsonObject[];
  readonly slices: readonly JsonObject[];
  /** The Pods that the target's selector takes in. */
  readonly pods: readonly ListedPod[];
  /** The same, as answers carry them: made once for all of them. */
  readonly podsBefore: readonly PodBefore[];
  /** UIDs behind the Service that is asked; null: no Service is. */
  readonly endpoints: readonly string[] | null;
}

export interface ListedPod extends PodBefore {
  readonly raw: JsonObject;
}

export type Addresses =
  | { readonly addresses: readonly Address[] }
  /** A clause: why nothing can be asked. */
  | { readonly why: string; readonly url: string };

const nameOf = (raw: JsonObject): string => hint(raw, ["metadata", "name"], TEXT) ?? "?";

export const aroundOf = (
  response: ResponseExpectation,
  given: Pick<Around, "namespace" | "target" | "isService" | "services" | "slices"> & {
    readonly pods: readonly JsonObject[];
  },
): Around => {
  const pods = podsOf(given);
  const podsBefore = pods.map(({ name, uid }): PodBefore => ({ name, uid }));
  const around = { ...given, pods, podsBefore, endpoints: null };
  if (response.via.kind !== "service") return around;
  const service = serviceOf(response.via.name, around);
  return "why" in service ? around : { ...around, endpoints: endpointsOf(service.service, given.slices) };
};

const podsOf = ({
  target,
  isService,
  pods,
}: {
  readonly target: JsonObject;
  readonly isService: boolean;
  readonly pods: readonly JsonObject[];
}): readonly ListedPod[] => {
  const selector = hint(target, ["spec", "selector"], OBJECT);
  return pods.flatMap((raw) => {
    const labels = labelsOf(raw, "metadata", "labels");
    const isIts = isService
      ? serviceSelects(labelsOf(target, "spec", "selector"), labels)
      : selector !== undefined && selects(selector, labels) === true;
    const [name, uid] = [hint(raw, ["metadata", "name"], TEXT), hint(raw, ["metadata", "uid"], TEXT)];
    return isIts && name !== undefined && uid !== undefined ? [{ name, uid, raw }] : [];
  });
};

/** Ready or not: a Service without any ready endpoint sends requests to terminating ones. */
const endpointsOf = (service: JsonObject, slices: readonly JsonObject[]): readonly string[] =>
  slices
    .filter(
      (slice) => labelsOf(slice, "metadata", "labels").get("kubernetes.io/service-name") === nameOf(service),
    )
    .flatMap((slice) => hint(slice, ["endpoints"], LIST) ?? [])
    .flatMap((endpoint) => hint(endpoint, ["targetRef", "uid"], TEXT) ?? []);

/** The API server's proxy carries no gRPC: such a call goes straight, or not at all. */
export const addressesFor = async (
  round: Round,
  asked: ResponseExpectation,
  around: Around,
): Promise<Addresses> => {
  if (asked.expect.health === null) return waysFor(round, asked, around);
  const found = await waysFor(round, { ...asked, path: HEALTH_PATH }, around);
  return "why" in found ? found : { addresses: found.addresses.map((one) => ({ ...one, proxy: null })) };
};

const waysFor = async (round: Round, response: ResponseExpectation, around: Around): Promise<Addresses> => {
  const { via } = response;
  switch (via.kind) {
    case "pod":
      return podAddresses(response, around);
    case "service":
      return serviceAddresses(via.name, response, around);
    case "url":
      return {
        addresses: [
          {
            url: urlBelow(via.url, response.path),
            ip: null,
            host: null,
            service: null,
            pod: null,
            proxy: null,
          },
        ],
      };
    default:
      return gateAddresses(round, via.kind, via.name, response, around);
  }
};

/** `--path` is below the URL's own; nothing said leaves the URL as it is. */
const urlBelow = (url: string, path: string): string => (path === "/" ? url : new URL(path, url).href);

const isAskable = ({ raw }: ListedPod): boolean =>
  hint(raw, ["status", "phase"], TEXT) === "Running" &&
  hint(raw, ["metadata", "deletionTimestamp"], TEXT) === undefined &&
  hint(raw, ["status", "podIP"], TEXT) !== undefined;

const podAddresses = (response: ResponseExpectation, { pods, namespace }: Around): Addresses => {
  const url = "http://pod/";
  const askable = pods.filter(isAskable);
  if (askable.length === 0) return { why: "none of its Pods runs and has an address", url };
  const addresses = askable.map(({ name, uid, raw }): Address | string => {
    const port = response.port ?? firstPort(raw);
    if (port === undefined) return name;
    const ip = String(hint(raw, ["status", "podIP"], TEXT));
    return {
      url: `http://${bracketed(ip)}:${port}${response.path}`,
      ip,
      host: null,
      service: null,
      pod: { name, uid, ip },
      proxy: proxyTo("pods", namespace, name, "http", port, response.path),
    };
  });
  const portless = addresses.find((one) => typeof one === "string");
  if (portless !== undefined) return { why: `Pod ${portless} declares no port; say which one (--port)`, url };
  return { addresses: addresses.filter((one) => typeof one !== "string") };
};

const firstPort = (pod: JsonObject): number | undefined =>
  (hint(pod, ["spec", "containers"], LIST) ?? [])
    .flatMap((container) => hint(container, ["ports"], LIST) ?? [])
    .map((port) => hint(port, ["containerPort"], WHOLE))
    .find((port) => port !== undefined);

const serviceOf = (
  name: string | null,
  { target, isService, services }: Pick<Around, "target" | "isService" | "services">,
): { readonly service: JsonObject } | { readonly why: string } => {
  const all = isService ? [target, ...services] : services;
  if (name !== null) {
    const found = all.find((one) => nameOf(one) === name);
    return found === undefined ? { why: `there is no Service ${name} in its namespace` } : { service: found };
  }
  if (isService) return { service: target };
  const labels = labelsOf(target, "spec", "template", "metadata", "labels");
  const selecting = all.filter((one) => serviceSelects(labelsOf(one, "spec", "selector"), labels));
  const [only] = selecting;
  if (only === undefined) return { why: "no Service selects its Pods" };
  return selecting.length === 1
    ? { service: only }
    : { why: `${selecting.length} Services select its Pods; say which one (--via service/NAME)` };
};

const serviceAddresses = (name: string | null, response: ResponseExpectation, around: Around): Addresses => {
  const url = "http://service/";
  const found = serviceOf(name, around);
  if ("why" in found) return { why: found.why, url };
  const { service } = found;
  const its = nameOf(service);
  const ip = hint(service, ["spec", "clusterIP"], TEXT);
  if (ip === undefined || ip === "" || ip === "None")
    return { why: `Service ${its} has no address of its own; ask its Pods (--via pod)`, url };
  const ports = hint(service, ["spec", "ports"], LIST) ?? [];
  const chosen = ports.find((one) => response.port === null || hint(one, ["port"], WHOLE) === response.port);
  const port = chosen === undefined ? undefined : hint(chosen, ["port"], WHOLE);
  if (chosen === undefined || port === undefined)
    return { why: `Service ${its} has no port ${response.port ?? ""}`.trimEnd(), url };
  const scheme = isSecure(chosen, port) ? "https" : "http";
  return {
    addresses: [
      {
        url: `${scheme}://${bracketed(ip)}:${port}${response.path}`,
        ip,
        host: null,
        service: its,
        pod: null,
        proxy: proxyTo("services", around.namespace, its, scheme, port, response.path),
      },
    ],
  };
};

const isSecure = (port: JsonValue, number: number): boolean => {
  const protocol = hint(port, ["appProtocol"], TEXT);
  return protocol === undefined
    ? number === 443 || hint(port, ["name"], TEXT) === "https"
    : /^https$/i.test(protocol);
};

const proxyTo = (
  resource: ProxyRef["resource"],
  namespace: string | null,
  name: string,
  scheme: ProxyRef["scheme"],
  port: number,
  path: string,
): ProxyRef | null =>
  namespace === null ? null : { resource, namespace, name, scheme, port, path, headers: {} };

const bracketed = (ip: string): string => (ip.includes(":") ? `[${ip}]` : ip);

/** An Ingress or Gateway at the address that its controller published for it. */
const gateAddresses = async (
  round: Round,
  kind: "ingress" | "gateway",
  name: string,
  response: ResponseExpectation,
  { namespace }: Around,
): Promise<Addresses> => {
  const url = `http://${kind}/`;
  const word = kind === "ingress" ? "ingresses.networking.k8s.io" : "gateways.gateway.networking.k8s.io";
  const found = await round.find(word);
  if (found.kind !== "found") return { why: found.sentence, url };
  const reading = await round.get({ resource: found.resource, namespace, name });
  if (reading.kind === "absent") return { why: `there is no ${kind} ${name} in namespace ${namespace}`, url };
  if (reading.kind !== "observed") return { why: reading.sentence, url };
  const gate = kind === "ingress" ? ingressOf(reading.object) : gatewayOf(reading.object, response.port);
  if (gate.address === undefined) return { why: `${kind} ${name} has no address yet`, url };
  const host = response.host ?? gate.host;
  if (host === undefined)
    return { why: `${kind} ${name} names no host; say which one to ask for (--host)`, url };
  const port = response.port ?? gate.port;
  const isName = /[a-z]/i.test(gate.address) && !gate.address.includes(":");
  return {
    addresses: [
      {
        url: `${gate.scheme}://${isName ? gate.address : bracketed(gate.address)}:${port}${response.path}`,
        ip: isName ? null : gate.address,
        host,
        service: null,
        pod: null,
        proxy: null,
      },
    ],
  };
};

interface Gate {
  readonly address: string | undefined;
  readonly host: string | undefined;
  readonly scheme: "http" | "https";
  readonly port: number;
}

const ingressOf = (raw: JsonObject): Gate => {
  const [first] = hint(raw, ["status", "loadBalancer", "ingress"], LIST) ?? [];
  const [rule] = hint(raw, ["spec", "rules"], LIST) ?? [];
  const host = rule === undefined ? undefined : hint(rule, ["host"], TEXT);
  const secured = (hint(raw, ["spec", "tls"], LIST) ?? []).flatMap((one) => hint(one, ["hosts"], LIST) ?? []);
  const isTls = host !== undefined && secured.includes(host);
  return {
    address: first === undefined ? undefined : (hint(first, ["ip"], TEXT) ?? hint(first, ["hostname"], TEXT)),
    host: plainHost(host),
    scheme: isTls ? "https" : "http",
    port: isTls ? 443 : 80,
  };
};

const gatewayOf = (raw: JsonObject, port: number | null): Gate => {
  const [first] = hint(raw, ["status", "addresses"], LIST) ?? [];
  const listeners = (hint(raw, ["spec", "listeners"], LIST) ?? []).filter(isJsonObject);
  const listener = listeners.find((one) => port === null || hint(one, ["port"], WHOLE) === port);
  const isTls = listener !== undefined && hint(listener, ["protocol"], TEXT) === "HTTPS";
  return {
    address: first === undefined ? undefined : hint(first, ["value"], TEXT),
    host: plainHost(listener === undefined ? undefined : hint(listener, ["hostname"], TEXT)),
    scheme: isTls ? "https" : "http",
    port: (listener === undefined ? undefined : hint(listener, ["port"], WHOLE)) ?? (isTls ? 443 : 80),
  };
};

/** `*.example.com` stands for many, so which one is asked for has to be said. */
const plainHost = (host: string | undefined): string | undefined =>
  host === undefined || host.includes("*") ? undefined : host;
