/**
 * `endpoints-ready` of what leads to Services by their names (an Ingress, a route): each Service that it names is there, has
 * the port that is named, and has a ready endpoint. That a request is led there is not shown by it (V9).
 */
import { RESOURCES } from "../domain/resource.ts";
import type { Case, Rule } from "./case.ts";
import { combined, type Endpoints, serviceEndpoints, strangersTo } from "./endpoints.ts";
import { sameIncarnation } from "./generation.ts";
import { Inquiry } from "./inquiry.ts";
import type { Followed } from "./kind-rule.ts";
import { hint, LIST, type Path, TEXT, valueAt, WHOLE } from "./read.ts";
import { beingDeleted } from "./whole.ts";
import { nameOf, quoted } from "./words.ts";

/** A Service as an Ingress or a route names it. */
export interface Backend {
  readonly namespace: string | null;
  readonly name: string;
  /** By number, or (an Ingress) by name; undefined: none is named. */
  readonly port: number | string | undefined;
  /** Where it stands in the target: the field that holds its name. */
  readonly path: Path;
}

export interface Named {
  readonly backends: readonly Backend[];
  /** What it names beside Services, each a clause; nothing is said of those. */
  readonly others: readonly string[];
  /** Fields that have to name a Service, and do not: without them nothing is known of what stands behind. */
  readonly nameless: readonly Path[];
}

export type BackendsOf = (given: Pick<Case, "target">) => Named;

export const backendsReady =
  (backendsOf: BackendsOf): Rule =>
  (given) => {
    const inquiry = new Inquiry("endpoints-ready");
    const { target } = given;
    const stop = sameIncarnation(inquiry, target, given.expected) ?? beingDeleted(inquiry, target);
    if (stop !== undefined) return stop;
    const { backends, others, nameless } = backendsOf(given);
    for (const other of others) inquiry.limit(`nothing is said of ${other}`);
    if (backends.length === 0 && nameless.length === 0)
      return inquiry.undetermined("no-service", `${nameOf(target)} names no Service`);
    inquiry.limit("that a request is led there is shown by one alone (--via)");
    for (const path of [...backends.map(({ path }) => path), ...nameless]) inquiry.need(target, path, TEXT);
    const wrong = backends.flatMap((backend) => wrongBackend(inquiry, given, backend));
    const [first] = wrong;
    if (first !== undefined)
      return inquiry.refuted(first.reason, [...new Set(wrong.map(({ says }) => says))].join("; "));
    if (nameless.length > 0) return inquiry.unknown();
    return combined(
      inquiry,
      given,
      distinct(backends).map((backend) => endpointsBehind(inquiry, given, backend)),
    );
  };

interface Wrong {
  readonly reason: "no-service" | "no-port";
  readonly says: string;
}

/** A Service that is not there, or has no such port, leads nowhere whatever else is so. */
const wrongBackend = (
  inquiry: Inquiry,
  { collection }: Case,
  { namespace, name, port }: Backend,
): readonly Wrong[] => {
  const service = collection.object(RESOURCES.Service, namespace, name);
  const named = nameOf({ kind: "Service", namespace, name: quoted(name) });
  if (service.kind === "absent") {
    inquiry.citeAbsence(collection, RESOURCES.Service, namespace, name);
    return [{ reason: "no-service", says: `there is no ${named}, which it leads to` }];
  }
  if (service.kind !== "known" || port === undefined || isExternal(service.value.raw)) return [];
  const ports = hint(service.value.raw, ["spec", "ports"], LIST);
  if (ports === undefined || ports.some((one) => hasPort(one, port))) return [];
  inquiry.cite(service.value, ["spec", "ports"]);
  return [{ reason: "no-port", says: `${named} has no port ${quoted(String(port))}, which it leads to` }];
};

const hasPort = (of: Parameters<typeof hint>[0], port: number | string): boolean =>
  typeof port === "number" ? hint(of, ["port"], WHOLE) === port : hint(of, ["name"], TEXT) === port;

const isExternal = (raw: Parameters<typeof valueAt>[0]): boolean =>
  valueAt(raw, ["spec", "type"]) === "ExternalName";

/** undefined: something is missing, and named. */
const endpointsBehind = (
  inquiry: Inquiry,
  given: Case,
  { namespace, name, port }: Backend,
): Endpoints | undefined => {
  const service = given.collection.object(RESOURCES.Service, namespace, name);
  if (service.kind !== "known") {
    inquiry.lack(`services "${quoted(name)}"`, namespace, service);
    return undefined;
  }
  if (isExternal(service.value.raw)) {
    inquiry.miss(`endpoints of ${nameOf(service.value)} (ExternalName: a name for another host has none)`);
    return undefined;
  }
  if (port !== undefined && inquiry.need(service.value, ["spec", "ports"], LIST) === undefined)
    return undefined;
  return serviceEndpoints(inquiry, given, service.value, strangersTo(given, namespace));
};

const distinct = (backends: readonly Backend[]): readonly Backend[] => [
  ...new Map(backends.map((one) => [JSON.stringify([one.namespace, one.name]), one])).values(),
];

/** Services of another namespace than the target's, with what tells their endpoints. */
export const followBackends = (given: Pick<Case, "target">, backendsOf: BackendsOf): readonly Followed[] =>
  distinct(backendsOf(given).backends)
    .filter(({ namespace }) => namespace !== given.target.namespace)
    .flatMap(({ namespace, name }): readonly Followed[] => [
      { resource: RESOURCES.Service, namespace, name },
      { resource: RESOURCES.EndpointSlice, namespace, name: null },
      { resource: RESOURCES.Pod, namespace, name: null },
    ]);

/** Endpoints count where there is a Service to have them. */
export const requiresEndpoints =
  (backendsOf: BackendsOf) =>
  (given: Case): readonly "endpoints-ready"[] => {
    const { backends, nameless } = backendsOf(given);
    return backends.length + nameless.length > 0 ? ["endpoints-ready"] : [];
  };

/** All that several parts name. */
export const together = (parts: readonly Named[]): Named => ({
  backends: parts.flatMap(({ backends }) => backends),
  others: [...new Set(parts.flatMap(({ others }) => others))],
  nameless: parts.flatMap(({ nameless }) => nameless),
});
