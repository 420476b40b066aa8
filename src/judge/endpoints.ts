/**
 * `endpoints-ready`: the Services that select a workload's Pods have ready endpoints, and whose they are is said (O5).
 * Rules: discovery.k8s.io/v1 (the label kubernetes.io/service-name and the owner UID tie a slice to its Service; a
 * terminating endpoint is never ready).
 */
import type { Seen } from "../domain/evidence.ts";
import { RESOURCES } from "../domain/resource.ts";
import type { Case, Rule } from "./case.ts";
import { controllerOf } from "./collection.ts";
import { sameIncarnation } from "./generation.ts";
import { type Found, Inquiry } from "./inquiry.ts";
import { indexed, oncePerNamespace } from "./once-per-namespace.ts";
import type { Population } from "./population.ts";
import { FLAG, LIST, type Path, TEXT, valueAt } from "./read.ts";
import { labelsOf, serviceSelects } from "./selector.ts";
import { beingDeleted } from "./whole.ts";
import { counted, nameOf } from "./words.ts";

/** Services whose selector takes the workload's Pods in; the labels are those of its template. */
export const servicesOf = ({ target, collection }: Case, labels: Path): readonly Seen[] => {
  const its = labelsOf(target.raw, ...(labels as readonly string[]));
  const bySelector = selectorsIn(collection, target.namespace);
  return [...its]
    .flatMap((pair) => bySelector(pairKey(pair)))
    .filter(({ selector }) => serviceSelects(selector, its))
    .map(({ service }) => service)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
};

/** Services by the first pair of their selector: one that selects the Pods has it among their labels. */
const selectorsIn = oncePerNamespace((collection, namespace) =>
  indexed(
    collection
      .seen(RESOURCES.Service, namespace)
      .map((service) => ({ service, selector: labelsOf(service.raw, "spec", "selector") })),
    ({ selector }) => {
      const [first] = selector;
      return first === undefined ? undefined : pairKey(first);
    },
  ),
);

const pairKey = ([key, value]: readonly [string, string]): string => JSON.stringify([key, value]);

const slicesIn = oncePerNamespace((collection, namespace) =>
  indexed(collection.seen(RESOURCES.EndpointSlice, namespace), serviceNameOf),
);

const podUidsIn = oncePerNamespace((collection, namespace) =>
  uids(collection.seen(RESOURCES.Pod, namespace)),
);

export const endpointsReady =
  (labels: Path, population: (given: Case) => Population | undefined): Rule =>
  (given) => {
    const inquiry = new Inquiry("endpoints-ready");
    const stop = sameIncarnation(inquiry, given.target, given.expected);
    if (stop !== undefined) return stop;
    const listed = given.collection.list(RESOURCES.Service, given.target.namespace);
    const services = servicesOf(given, labels);
    if (services.length === 0) {
      if (listed.kind === "known")
        return inquiry.undetermined(
          "no-service",
          "no Service selects its Pods, so there are no endpoints to look at",
        );
      inquiry.lack("services", given.target.namespace, listed);
      return inquiry.unknown();
    }
    if (listed.kind === "unreadable") {
      inquiry.lack("services", given.target.namespace, listed);
      return inquiry.unknown();
    }
    const [only] = services;
    // With several, what one of them lacks in its selector only means that it is not of these.
    if (only !== undefined && services.length === 1) inquiry.cite(only, ["spec", "selector"]);
    const members = membersOf(given, given.target.namespace, population(given));
    return combined(
      inquiry,
      given,
      services.map((service) => serviceEndpoints(inquiry, given, service, members)),
    );
  };

/** A Service as the target itself. */
export const serviceReady: Rule = (given) => {
  const inquiry = new Inquiry("endpoints-ready");
  const { target } = given;
  const stop = sameIncarnation(inquiry, target, given.expected) ?? beingDeleted(inquiry, target);
  if (stop !== undefined) return stop;
  if (valueAt(target.raw, ["spec", "type"]) === "ExternalName")
    return inquiry.undetermined("external-name", "it is a name for another host, and has no endpoints");
  return combined(inquiry, given, [
    serviceEndpoints(inquiry, given, target, strangersTo(given, target.namespace)),
  ]);
};

/** Whose an endpoint is, by the Pod's UID. */
export interface Members {
  readonly fresh: ReadonlySet<string | null>;
  readonly old: ReadonlySet<string | null>;
  /** Whether there is a workload that they could be of. */
  readonly ofWorkload: boolean;
  /** All Pods there are; null: not all were read. */
  readonly all: ReadonlySet<string | null> | null;
}

const uids = (pods: readonly Seen[]): ReadonlySet<string | null> => new Set(pods.map(({ uid }) => uid));

const membersOf = (
  { collection }: Case,
  namespace: string | null,
  population: Population | undefined,
): Members => {
  const pods = collection.list(RESOURCES.Pod, namespace);
  return {
    fresh: uids(population === undefined ? [] : population.fresh),
    old: uids(population === undefined ? [] : [...population.old, ...population.held]),
    ofWorkload: true,
    all: pods.kind === "known" ? podUidsIn(collection, namespace) : null,
  };
};

/** Where no workload is in question, an endpoint is only told from one whose Pod is gone. */
export const strangersTo = (given: Case, namespace: string | null): Members => ({
  ...membersOf(given, namespace, undefined),
  ofWorkload: false,
});

export interface Endpoints {
  readonly ready: number;
  readonly says: string;
}

/** All Services have to have one; what any of them lacks decides. */
export const combined = (inquiry: Inquiry, given: Case, found: readonly (Endpoints | undefined)[]): Found => {
  const known = found.filter((one) => one !== undefined);
  const empty = known.find(({ ready }) => ready === 0);
  if (empty !== undefined) {
    const rollout = given.before.get("rollout-complete");
    if (rollout?.reason === "vacuous")
      return inquiry.undetermined("vacuous", `${empty.says}, and no Pod is wanted`);
    return rollout?.finding === "progressing"
      ? inquiry.progressing("waiting-for", `${empty.says}; the rollout is under way`)
      : inquiry.refuted("no-ready-endpoint", empty.says);
  }
  if (known.length < found.length) return inquiry.unknown();
  return inquiry.proven("endpoints-ready", known.map(({ says }) => says).join("; "));
};

/** undefined: something is missing, and named. */
export const serviceEndpoints = (
  inquiry: Inquiry,
  given: Case,
  service: Seen,
  members: Members,
): Endpoints | undefined => {
  const uid = inquiry.need(service, ["metadata", "uid"], TEXT);
  const list = inquiry.needList(given.collection, RESOURCES.EndpointSlice, service.namespace);
  if (uid === undefined || list === undefined) return undefined;
  if (valueAt(service.raw, ["spec", "publishNotReadyAddresses"]) === true)
    inquiry.limit(
      `${nameOf(service)} publishes addresses that are not ready, so they say nothing of its Pods`,
    );
  const slices = slicesIn(given.collection, service.namespace)(service.name);
  const named = service.namespace === given.target.namespace ? `Service ${service.name}` : nameOf(service);
  return endpointsOf(inquiry, named, slices, uid, members);
};

/** `owner`: the Service's UID, which the slices have to be of. */
const endpointsOf = (
  inquiry: Inquiry,
  what: string,
  slices: readonly Seen[],
  owner: string,
  members: Members,
): Endpoints | undefined => {
  const all = slices.flatMap((slice) => endpointsIn(inquiry, slice, owner, members));
  if (all.includes(undefined)) return undefined;
  const endpoints = all as readonly Endpoint[];
  const ready = endpoints.filter((one) => one.ready && one.whose !== "gone");
  return { ready: ready.length, says: told(what, endpoints, ready, members.ofWorkload) };
};

/** One slice as the target itself: a part of what its Service has. */
export const sliceReady: Rule = (given) => {
  const inquiry = new Inquiry("endpoints-ready");
  const { target } = given;
  const stop = sameIncarnation(inquiry, target, given.expected) ?? beingDeleted(inquiry, target);
  if (stop !== undefined) return stop;
  const owner = controllerOf(target);
  if (owner === undefined) {
    inquiry.miss(`${nameOf(target)} metadata.ownerReferences`);
    return inquiry.unknown();
  }
  inquiry.limit("one slice is a part of its Service's endpoints");
  return combined(inquiry, given, [
    endpointsOf(
      inquiry,
      `EndpointSlice ${target.name}`,
      [target],
      owner.uid,
      strangersTo(given, target.namespace),
    ),
  ]);
};

const serviceNameOf = ({ raw }: Seen): string | undefined =>
  labelsOf(raw, "metadata", "labels").get("kubernetes.io/service-name");

type Whose = "new" | "old" | "gone" | "other";

interface Endpoint {
  readonly ready: boolean;
  readonly whose: Whose;
}

const endpointsIn = (
  inquiry: Inquiry,
  slice: Seen,
  service: string,
  members: Members,
): readonly (Endpoint | undefined)[] => {
  const owner = controllerOf(slice);
  if (owner === undefined) {
    inquiry.miss(`${nameOf(slice)} metadata.ownerReferences`);
    return [undefined];
  }
  // V3: an older Service of the same name left it.
  if (owner.uid !== service) return [];
  inquiry.cite(slice, ["metadata", "ownerReferences", owner.at, "uid"]);
  // `endpoints` is null where there is none (the Go type has no omitempty).
  if (valueAt(slice.raw, ["endpoints"]) === undefined) return [];
  const endpoints = inquiry.need(slice, ["endpoints"], LIST);
  if (endpoints === undefined) return [undefined];
  return endpoints.map((_, at): Endpoint | undefined => {
    const ready = inquiry.need(slice, ["endpoints", at, "conditions", "ready"], FLAG);
    const uid = inquiry.need(slice, ["endpoints", at, "targetRef", "uid"], TEXT);
    return ready === undefined || uid === undefined ? undefined : { ready, whose: whoseIs(uid, members) };
  });
};

const whoseIs = (uid: string, { fresh, old, all }: Members): Whose => {
  if (fresh.has(uid)) return "new";
  if (old.has(uid)) return "old";
  return all !== null && !all.has(uid) ? "gone" : "other";
};

const told = (
  what: string,
  all: readonly Endpoint[],
  ready: readonly Endpoint[],
  ofWorkload: boolean,
): string => {
  const of = (kind: Whose, some: readonly Endpoint[]) => some.filter(({ whose: its }) => its === kind).length;
  const parts = [
    [of("new", ready), "of the new template"],
    [of("old", ready), "of another template"],
    [ofWorkload ? of("other", ready) : 0, "of Pods that are not known to be of this workload"],
  ] as const;
  const named = parts.flatMap(([count, text]) => (count === 0 ? [] : [`${count} ${text}`]));
  const gone = of("gone", all);
  return (
    `${what} has ${counted(ready.length, "ready endpoint")} of ${all.length}` +
    (named.length === 0 ? "" : `, ${named.join(" and ")}`) +
    (gone === 0
      ? ""
      : ` (${gone} of a Pod that is not there any more ${gone === 1 ? "is" : "are"} not counted)`)
  );
};
