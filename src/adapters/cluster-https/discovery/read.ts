/**
 * Asks a server what it serves. In the aggregated form (Kubernetes 1.26 on: two documents hold everything) where it has
 * that, else one document a group and version.
 */
import type { JsonObject, JsonValue } from "../../../domain/json.ts";
import { isJsonObject } from "../../../domain/json.ts";
import type { Exchange, ReadFailure } from "../../../ports/cluster.ts";
import { printable } from "../../../wire/redact/printable.ts";
import { askForObject, type Caller } from "../ask.ts";
import { failure } from "../failure.ts";
import type { Catalogue, Entry } from "./catalogue.ts";

const AGGREGATED = ["v2", "v2beta1"].map(
  (version) => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`,
);
const ACCEPT = [...AGGREGATED, "application/json"].join(",");
const MAX_BYTES = 64 * 1024 * 1024;
const WHAT = "what the server serves";

const textAt = (object: JsonObject, name: string): string => {
  const value = object[name];
  return typeof value === "string" ? value : "";
};
const listAt = (object: JsonObject, name: string): readonly JsonObject[] => {
  const value = object[name];
  return Array.isArray(value) ? (value as readonly JsonValue[]).filter(isJsonObject) : [];
};
const textsAt = (object: JsonObject, name: string): readonly string[] => {
  const value = object[name];
  return Array.isArray(value)
    ? (value as readonly JsonValue[]).filter((item): item is string => typeof item === "string")
    : [];
};

/** Plurals are DNS labels and groups DNS subdomains (apiextensions.k8s.io); snapshots name files by them. */
const isPlural = (name: string): boolean => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(name);
const isGroup = (name: string): boolean => name === "" || name.split(".").every(isPlural);

/** What can be read with GET or LIST; a resource without a name or kind is none. */
const entryOf = (
  group: string,
  version: string,
  fields: { readonly resource: string; readonly kind: string; readonly namespaced: boolean },
  described: JsonObject,
  singular: string,
): readonly Entry[] => {
  const verbs = textsAt(described, "verbs");
  if (!isPlural(fields.resource) || !isGroup(group)) return [];
  if (fields.kind === "" || !(verbs.includes("get") || verbs.includes("list"))) return [];
  return [
    { resource: { group, version, ...fields }, singular, shortNames: textsAt(described, "shortNames") },
  ];
};

const aggregatedEntries = (document: JsonObject): Catalogue => {
  const entries: Entry[] = [];
  const gaps: string[] = [];
  for (const item of listAt(document, "items")) {
    const group = isJsonObject(item["metadata"]) ? textAt(item["metadata"], "name") : "";
    for (const served of listAt(item, "versions")) {
      const version = textAt(served, "version");
      if (served["freshness"] === "Stale")
        gaps.push(`${printable(group)}/${printable(version)} is not available just now`);
      for (const described of listAt(served, "resources")) {
        const responseKind = isJsonObject(described["responseKind"]) ? described["responseKind"] : {};
        const fields = {
          resource: textAt(described, "resource"),
          kind: textAt(responseKind, "kind"),
          namespaced: described["scope"] === "Namespaced",
        };
        entries.push(...entryOf(group, version, fields, described, textAt(described, "singularResource")));
      }
    }
  }
  return { entries, gaps };
};

const plainEntries = (document: JsonObject, group: string, version: string): readonly Entry[] =>
  listAt(document, "resources").flatMap((described) => {
    const resource = textAt(described, "name");
    // `pods/status` is a part of pods.
    if (resource.includes("/")) return [];
    const fields = {
      resource,
      kind: textAt(described, "kind"),
      namespaced: described["namespaced"] === true,
    };
    return entryOf(group, version, fields, described, textAt(described, "singularName"));
  });

type Document =
  | { readonly object: JsonObject; readonly exchanges: readonly Exchange[]; readonly isAggregated: boolean }
  | ReadFailure;

const document = async (caller: Caller, path: string, kinds: readonly string[]): Promise<Document> => {
  const answer = await askForObject(caller, {
    what: WHAT,
    path,
    accept: ACCEPT,
    maxBytes: MAX_BYTES,
    right: null,
  });
  if (answer.kind === "other") return answer.failure;
  if (answer.kind !== "object") return answer;
  const kind = textAt(answer.object, "kind");
  const isAggregated = kind === "APIGroupDiscoveryList";
  if (isAggregated || kinds.includes(kind))
    return { object: answer.object, exchanges: answer.exchanges, isAggregated };
  return failure(WHAT, "wrong-kind", `${path} is answered with something else`, answer.exchanges);
};

/** Group and version of every document to ask for, each group's preferred version first. */
const versionsIn = (
  root: JsonObject,
  groups: JsonObject,
): readonly (readonly [group: string, version: string])[] => {
  const core = textsAt(root, "versions").map((version) => ["", version] as const);
  const named = listAt(groups, "groups").flatMap((group) => {
    const preferred = isJsonObject(group["preferredVersion"])
      ? textAt(group["preferredVersion"], "version")
      : "";
    const others = listAt(group, "versions").map((served) => textAt(served, "version"));
    const all = new Set([preferred, ...others].filter((version) => version !== ""));
    return [...all].map((version) => [textAt(group, "name"), version] as const);
  });
  return [...core, ...named];
};

const plainCatalogue = async (
  caller: Caller,
  root: JsonObject,
  groups: JsonObject,
): Promise<Catalogue | ReadFailure> => {
  const parts = await Promise.all(
    versionsIn(root, groups).map(async ([group, version]) => {
      const path = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
      return { group, version, read: await document(caller, path, ["APIResourceList"]) };
    }),
  );
  const entries: Entry[] = [];
  const gaps: string[] = [];
  for (const { group, version, read } of parts) {
    if ("sentence" in read) gaps.push(`${printable(group)}/${printable(version)}: ${read.sentence}`);
    else entries.push(...plainEntries(read.object, group, version));
  }
  return { entries, gaps };
};

export const readCatalogue = async (caller: Caller): Promise<Catalogue | ReadFailure> => {
  const [root, groups] = await Promise.all([
    document(caller, "/api", ["APIVersions"]),
    document(caller, "/apis", ["APIGroupList"]),
  ]);
  if ("sentence" in root) return root;
  if ("sentence" in groups) return groups;
  if (root.isAggregated !== groups.isAggregated)
    return failure(WHAT, "inconsistent", "/api and /apis are answered in different forms", [
      ...root.exchanges,
      ...groups.exchanges,
    ]);
  if (!root.isAggregated) return plainCatalogue(caller, root.object, groups.object);
  const [core, named] = [aggregatedEntries(root.object), aggregatedEntries(groups.object)];
  return { entries: [...core.entries, ...named.entries], gaps: [...core.gaps, ...named.gaps] };
};
