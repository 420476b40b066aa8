/** What the server serves, as documents: aggregated where the client asks for that and the server has it, else plain. */
import type { JsonObject } from "../../domain/json.ts";
import { groupVersionOf, type ServedResource } from "./resources.ts";
import { type Answer, json, noSuchPath } from "./status.ts";

const VERBS = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"];

export interface DiscoveryOptions {
  readonly resources: readonly ServedResource[];
  /** Kubernetes from 1.26 on. */
  readonly aggregated: boolean;
  /** Groups whose server cannot be reached: their resources are not known just now. */
  readonly stale: ReadonlySet<string>;
}

const groupsOf = (resources: readonly ServedResource[]): readonly string[] => [
  ...new Set(resources.map(({ group }) => group)),
];
const versionsOf = (resources: readonly ServedResource[], group: string): readonly string[] => [
  ...new Set(resources.filter((one) => one.group === group).map(({ version }) => version)),
];

const aggregatedResource = (one: ServedResource): JsonObject => ({
  resource: one.resource,
  responseKind: { group: one.group, version: one.version, kind: one.kind },
  scope: one.namespaced ? "Namespaced" : "Cluster",
  singularResource: one.singular,
  verbs: VERBS,
  ...(one.shortNames.length === 0 ? {} : { shortNames: one.shortNames }),
});

const aggregated = ({ resources, stale }: DiscoveryOptions, groups: readonly string[]): Answer => ({
  status: 200,
  headers: { "content-type": "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList" },
  body: {
    kind: "APIGroupDiscoveryList",
    apiVersion: "apidiscovery.k8s.io/v2",
    metadata: {},
    items: groups.map((group) => ({
      metadata: { name: group, creationTimestamp: null },
      versions: versionsOf(resources, group).map((version) => ({
        version,
        ...(stale.has(group)
          ? { freshness: "Stale" }
          : {
              resources: resources
                .filter((one) => one.group === group && one.version === version)
                .map(aggregatedResource),
              freshness: "Current",
            }),
      })),
    })),
  },
});

const plainGroups = ({ resources }: DiscoveryOptions): Answer =>
  json(200, {
    kind: "APIGroupList",
    apiVersion: "v1",
    groups: groupsOf(resources)
      .filter((group) => group !== "")
      .map((group) => {
        const versions = versionsOf(resources, group).map((version) => ({
          groupVersion: `${group}/${version}`,
          version,
        }));
        return { name: group, versions, preferredVersion: versions[0] ?? {} };
      }),
  });

const plainResources = ({ resources, stale }: DiscoveryOptions, groupVersion: string): Answer => {
  const served = resources.filter((one) => groupVersionOf(one) === groupVersion);
  const [first] = served;
  if (first === undefined) return noSuchPath;
  if (stale.has(first.group)) return { status: 503, headers: {}, body: "service unavailable\n" };
  return json(200, {
    kind: "APIResourceList",
    apiVersion: "v1",
    groupVersion,
    resources: served.flatMap((one) => {
      const described = {
        name: one.resource,
        singularName: one.singular,
        namespaced: one.namespaced,
        kind: one.kind,
        verbs: VERBS,
        ...(one.shortNames.length === 0 ? {} : { shortNames: one.shortNames }),
      };
      const part = {
        ...described,
        name: `${one.resource}/status`,
        singularName: "",
        verbs: ["get", "patch", "update"],
      };
      return [described, part];
    }),
  });
};

export const discover = (options: DiscoveryOptions, path: string, accept: string): Answer => {
  const wants = options.aggregated && accept.includes("as=APIGroupDiscoveryList");
  const groups = groupsOf(options.resources);
  if (path === "/api")
    return wants
      ? aggregated(
          options,
          groups.filter((group) => group === ""),
        )
      : json(200, { kind: "APIVersions", versions: ["v1"], serverAddressByClientCIDRs: [] });
  if (path === "/apis")
    return wants
      ? aggregated(
          options,
          groups.filter((group) => group !== ""),
        )
      : plainGroups(options);
  const [, root, ...rest] = path.split("/");
  return (root === "api" && rest.length === 1) || (root === "apis" && rest.length === 2)
    ? plainResources(options, rest.join("/"))
    : noSuchPath;
};
