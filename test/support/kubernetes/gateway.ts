/** Ingresses, Gateways and routes with status as Traefik 3 writes it on the testbed's cluster, any part of it changeable. */
import type { JsonObject } from "../../../src/domain/json.ts";
import { at, metadata } from "./object.ts";

const CONTROLLER = "traefik.io/gateway-controller";

/** How a condition stands: of this generation, of an earlier one, not there, as the API server makes it, or without a generation. */
export const CONDITION_STATES = [
  "True",
  "False",
  "Unknown",
  "pending",
  "stale",
  "absent",
  "made",
  "unnumbered",
] as const;
export type ConditionState = (typeof CONDITION_STATES)[number];

const GENERATION = 3;

const condition = (type: string, state: ConditionState): readonly JsonObject[] => {
  const said = (status: string, reason: string, observedGeneration: number | undefined): JsonObject => ({
    type,
    status,
    reason,
    message: "as it says",
    lastTransitionTime: at(100),
    ...(observedGeneration === undefined ? {} : { observedGeneration }),
  });
  switch (state) {
    case "True":
      return [said("True", type, GENERATION)];
    case "False":
      return [said("False", "Invalid", GENERATION)];
    case "Unknown":
      return [said("Unknown", "NobodyKnows", GENERATION)];
    case "pending":
      return [said("False", "Pending", GENERATION)];
    case "stale":
      return [said("True", type, GENERATION - 1)];
    case "absent":
      return [];
    case "made":
      return [said("Unknown", "Pending", undefined)];
    case "unnumbered":
      return [said("True", type, undefined)];
  }
};

/** By its type. */
export type States = Readonly<Record<string, ConditionState>>;

const conditions = (states: States): readonly JsonObject[] =>
  Object.entries(states).flatMap(([type, state]) => condition(type, state));

const named = (kind: string, name: string, namespace: string | null): JsonObject => {
  const { namespace: _, ...meta } = metadata(kind, { name, generation: GENERATION });
  return namespace === null ? meta : { ...meta, namespace };
};

export const gatewayClass = (name: string, controllerName = CONTROLLER): JsonObject => ({
  apiVersion: "gateway.networking.k8s.io/v1",
  kind: "GatewayClass",
  metadata: named("GatewayClass", name, null),
  spec: { controllerName },
});

export interface GatewayState {
  readonly name?: string;
  readonly namespace?: string;
  readonly class?: string;
  readonly own?: States;
  /** null: its status has nothing of it. */
  readonly listeners?: readonly (States | null)[];
}

export const FINE: States = { Accepted: "True", Programmed: "True" };
const FINE_LISTENER: States = { ...FINE, ResolvedRefs: "True" };

export const gateway = ({
  name = "front",
  namespace = "shop",
  class: gatewayClassName = "traefik",
  own = FINE,
  listeners = [FINE_LISTENER],
}: GatewayState = {}): JsonObject => ({
  apiVersion: "gateway.networking.k8s.io/v1",
  kind: "Gateway",
  metadata: named("Gateway", name, namespace),
  spec: {
    gatewayClassName,
    listeners: listeners.map((_, index) => ({ name: `web-${index}`, protocol: "HTTP", port: 80 + index })),
  },
  status: {
    addresses: [{ type: "IPAddress", value: "10.77.0.10" }],
    conditions: [...conditions(own)],
    listeners: listeners.flatMap((states, index) =>
      states === null
        ? []
        : [
            {
              name: `web-${index}`,
              attachedRoutes: 1,
              supportedKinds: [],
              conditions: [...conditions(states)],
            },
          ],
    ),
  },
});

export interface ParentState {
  readonly name: string;
  readonly namespace?: string;
  readonly sectionName?: string;
  /** null: nobody has reported. */
  readonly says: States | null;
  readonly controller?: string;
}

export interface RouteState {
  readonly kind?: "HTTPRoute" | "GRPCRoute";
  readonly parents?: readonly ParentState[];
  readonly backends?: readonly JsonObject[];
}

export const ACCEPTED: States = { Accepted: "True", ResolvedRefs: "True" };

const refOf = ({ name, namespace, sectionName }: ParentState): JsonObject => ({
  name,
  ...(namespace === undefined ? {} : { namespace }),
  ...(sectionName === undefined ? {} : { sectionName }),
});

export const route = ({
  kind = "HTTPRoute",
  parents = [{ name: "front", says: ACCEPTED }],
  backends = [{ name: "web", port: 80 }],
}: RouteState = {}): JsonObject => ({
  apiVersion: "gateway.networking.k8s.io/v1",
  kind,
  metadata: named(kind, "way", "shop"),
  spec: { parentRefs: parents.map(refOf), rules: [{ backendRefs: [...backends] }] },
  status: {
    parents: parents.flatMap((parent) =>
      parent.says === null
        ? []
        : [
            {
              // As controllers write it, with what the route leaves out.
              parentRef: { group: "gateway.networking.k8s.io", kind: "Gateway", ...refOf(parent) },
              controllerName: parent.controller ?? CONTROLLER,
              conditions: [...conditions(parent.says)],
            },
          ],
    ),
  },
});

export const ingressClass = (name: string, controller = "traefik.io/ingress-controller"): JsonObject => ({
  apiVersion: "networking.k8s.io/v1",
  kind: "IngressClass",
  metadata: named("IngressClass", name, null),
  spec: { controller },
});

export interface IngressState {
  readonly class?: string | null;
  readonly addresses?: readonly JsonObject[];
  readonly backends?: readonly JsonObject[];
  readonly defaultBackend?: JsonObject;
}

export const ingress = ({
  class: ingressClassName = "traefik",
  addresses = [{ ip: "10.77.0.10" }],
  backends = [{ service: { name: "web", port: { number: 80 } } }],
  defaultBackend,
}: IngressState = {}): JsonObject => ({
  apiVersion: "networking.k8s.io/v1",
  kind: "Ingress",
  metadata: named("Ingress", "door", "shop"),
  spec: {
    ...(ingressClassName === null ? {} : { ingressClassName }),
    ...(defaultBackend === undefined ? {} : { defaultBackend }),
    rules: [
      {
        host: "shop.test",
        http: { paths: backends.map((backend) => ({ path: "/", pathType: "Prefix", backend })) },
      },
    ],
  },
  status: { loadBalancer: addresses.length === 0 ? {} : { ingress: [...addresses] } },
});
