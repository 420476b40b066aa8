/** Generated states of Ingresses, Gateways and routes, with what is true of each. */
import fc from "fast-check";
import type { JsonObject } from "../../src/domain/json.ts";
import { type Files, worldFiles } from "../support/kubernetes/deployment.ts";
import {
  ACCEPTED,
  CONDITION_STATES,
  type ConditionState,
  FINE,
  gateway,
  gatewayClass,
  ingress,
  ingressClass,
  type ParentState,
  route,
  type States,
} from "../support/kubernetes/gateway.ts";
import { list } from "../support/kubernetes/object.ts";
import { isReadyState, POD_STATES, type PodState } from "../support/kubernetes/pod.ts";
import type { Made } from "./made.ts";

const state: fc.Arbitrary<ConditionState> = fc.oneof(
  { weight: 6, arbitrary: fc.constant<ConditionState>("True") },
  fc.constantFrom(...CONDITION_STATES),
);
/** Whether the controller has come to this generation, whatever it says of it. */
const isCurrent = (of: ConditionState | undefined): boolean =>
  of === "True" || of === "False" || of === "Unknown" || of === "pending";
const allTrue = (states: States): boolean => Object.values(states).every((one) => one === "True");

const own: fc.Arbitrary<States> = fc.record({ Accepted: state, Programmed: state });
const listener: fc.Arbitrary<States> = fc.record({ Accepted: state, ResolvedRefs: state, Programmed: state });
const GATEWAYS = "gateways.gateway.networking.k8s.io.json";
const CLASSES = "gatewayclasses.gateway.networking.k8s.io.json";

export const gatewayMade: fc.Arbitrary<Made> = fc
  .record({
    hasClass: fc.constantFrom(true, true, true, false),
    own,
    listeners: fc.array(fc.option(listener, { freq: 6 }), { minLength: 1, maxLength: 2 }),
  })
  .map(({ hasClass, own: its, listeners }): Made => {
    const bad = [its, ...listeners].some(
      (states) => states !== null && Object.values(states).includes("False"),
    );
    const done = hasClass && allTrue(its) && listeners.every((one) => one !== null && allTrue(one));
    return {
      files: {
        [GATEWAYS]: list([gateway({ own: its, listeners })]),
        [CLASSES]: list([gatewayClass("other"), ...(hasClass ? [gatewayClass("traefik")] : [])]),
      },
      truth: { "spec-observed": isCurrent(its["Accepted"]), "reported-ready": done },
      ...(bad || !hasClass ? { finding: ["reported-ready", "refuted"] as const } : {}),
    };
  });

const podState = fc.oneof(
  { weight: 4, arbitrary: fc.constant<PodState>("ready") },
  fc.constantFrom(...POD_STATES),
);

/** What stands behind a Service `web`, and whether it leads to anything by the name and port that are asked. */
interface Behind {
  readonly files: Files;
  readonly serves: boolean;
  readonly isWrong: boolean;
}

const behind = fc
  .record({
    pods: fc.array(podState, { minLength: 1, maxLength: 3 }),
    name: fc.constantFrom("web", "web", "web", "nowhere"),
    port: fc.constantFrom(80, 80, 80, 81),
    read: fc.constantFrom("all", "all", "all", "no slices", "no services"),
  })
  .map(({ pods, name, port, read }): Behind & { readonly name: string; readonly port: number } => {
    const {
      "services.json": services,
      "endpointslices.json": slices,
      "pods.json": all,
    } = worldFiles({ replicas: 1, fresh: { version: "v2", pods } });
    const isWrong = read !== "no services" && (name !== "web" || port !== 80);
    return {
      name,
      port,
      isWrong,
      serves: read === "all" && !isWrong && pods.some(isReadyState),
      files: {
        "pods.json": all as JsonObject,
        ...(read === "no services" ? {} : { "services.json": services as JsonObject }),
        ...(read === "no slices" ? {} : { "endpointslices.json": slices as JsonObject }),
      },
    };
  });

interface ParentDrawn {
  readonly isThere: boolean;
  readonly hasClass: boolean;
  readonly programmed: ConditionState;
  readonly says: States | null;
  readonly byStranger: boolean;
  readonly inInfra: boolean;
}

const parentDrawn: fc.Arbitrary<ParentDrawn> = fc.record({
  isThere: fc.constantFrom(true, true, true, true, false),
  hasClass: fc.constantFrom(true, true, true, true, false),
  programmed: state,
  says: fc.option(
    fc.oneof(
      fc.constant(ACCEPTED),
      fc.record({ Accepted: state, ResolvedRefs: state }) as fc.Arbitrary<States>,
    ),
    { freq: 6 },
  ),
  byStranger: fc.constantFrom(false, false, false, false, true),
  inInfra: fc.boolean(),
});

const routeOf = (kind: "HTTPRoute" | "GRPCRoute"): fc.Arbitrary<Made> =>
  fc
    .record({ parents: fc.array(parentDrawn, { minLength: 1, maxLength: 2 }), backend: behind })
    .map(({ parents, backend }): Made => {
      const stated = parents.map(
        ({ says, byStranger, inInfra }, index): ParentState => ({
          name: `front-${index}`,
          ...(inInfra ? { namespace: "infra" } : {}),
          says,
          ...(byStranger ? { controller: "example.com/another" } : {}),
        }),
      );
      const gateways = parents.flatMap(({ isThere, hasClass, programmed, inInfra }, index) =>
        isThere
          ? [
              gateway({
                name: `front-${index}`,
                namespace: inInfra ? "infra" : "shop",
                class: hasClass ? "traefik" : "nobodys",
                own: { ...FINE, Programmed: programmed },
              }),
            ]
          : [],
      );
      const files: Files = {
        ...backend.files,
        [`${kind.toLowerCase()}s.gateway.networking.k8s.io.json`]: list([
          route({ kind, parents: stated, backends: [{ name: backend.name, port: backend.port }] }),
        ]),
        // Of two namespaces beside, so that all were asked for.
        [GATEWAYS]: list([
          gateway({ name: "other", namespace: "infra" }),
          gateway({ name: "other", namespace: "shop" }),
          ...gateways,
        ]),
        [CLASSES]: list([gatewayClass("traefik")]),
      };
      const isKnown = ({ isThere, hasClass, byStranger }: ParentDrawn): boolean =>
        isThere && hasClass && !byStranger;
      return {
        files,
        truth: {
          "spec-observed": parents.every((one) => isKnown(one) && isCurrent(one.says?.["Accepted"])),
          "reported-ready": parents.every(
            (one) => isKnown(one) && one.says !== null && allTrue(one.says) && one.programmed === "True",
          ),
          "endpoints-ready": backend.serves,
        },
        ...(backend.isWrong ? { finding: ["endpoints-ready", "refuted"] as const } : {}),
      };
    });

export const httpRouteMade = routeOf("HTTPRoute");
export const grpcRouteMade = routeOf("GRPCRoute");

export const ingressMade: fc.Arbitrary<Made> = fc
  .record({
    class: fc.constantFrom("traefik", "traefik", "nobodys", null),
    addresses: fc.constantFrom<readonly JsonObject[]>(
      [{ ip: "10.77.0.10" }],
      [{ hostname: "lb.example.com" }],
      [{ ip: "10.77.0.10" }, { ip: "10.77.0.11" }],
      [{ ports: [] }],
      [],
    ),
    backend: behind,
    isDefault: fc.boolean(),
  })
  .map(({ class: name, addresses, backend, isDefault }): Made => {
    const its = { service: { name: backend.name, port: { number: backend.port } } };
    const isPublished = addresses.length > 0 && addresses.every((one) => "ip" in one || "hostname" in one);
    return {
      files: {
        ...backend.files,
        "ingresses.networking.k8s.io.json": list([
          ingress({
            class: name,
            addresses,
            ...(isDefault ? { backends: [], defaultBackend: its } : { backends: [its] }),
          }),
        ]),
        "ingressclasses.networking.k8s.io.json": list([ingressClass("traefik")]),
      },
      truth: { "reported-ready": isPublished && name !== "nobodys", "endpoints-ready": backend.serves },
      ...(name === "nobodys" ? { finding: ["reported-ready", "refuted"] as const } : {}),
    };
  });
