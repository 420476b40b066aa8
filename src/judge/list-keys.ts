/**
 * Which member tells the items of a list apart, where their order is not what tells them: `x-kubernetes-list-map-keys` of
 * the API's own description (apps/v1, batch/v1, v1). `metadata.managedFields` names items by the same keys.
 */
import type { JsonObject, JsonValue } from "../domain/json.ts";
import { isJsonObject } from "../domain/json.ts";

const NAMED = [["name"]];

const KEYS: ReadonlyMap<string, readonly (readonly string[])[]> = new Map([
  ["containers", NAMED],
  ["initContainers", NAMED],
  ["ephemeralContainers", NAMED],
  ["env", NAMED],
  ["volumes", NAMED],
  ["imagePullSecrets", NAMED],
  ["resourceClaims", NAMED],
  ["volumeMounts", [["mountPath"]]],
  ["volumeDevices", [["devicePath"]]],
  ["hostAliases", [["ip"]]],
  [
    "ports",
    [
      ["containerPort", "protocol"],
      ["port", "protocol"],
    ],
  ],
  ["topologySpreadConstraints", [["topologyKey", "whenUnsatisfiable"]]],
  ["ownerReferences", [["uid"]]],
]);

/** The keys that tell all items of these lists apart; undefined: only their places do. */
export const keysOf = (
  member: string,
  ...lists: readonly (readonly JsonValue[])[]
): readonly string[] | undefined =>
  KEYS.get(member)?.find((keys) => lists.every((items) => tellsApart(items, keys)));

const tellsApart = (items: readonly JsonValue[], keys: readonly string[]): boolean => {
  const seen = new Set<string>();
  for (const item of items) {
    if (!isJsonObject(item) || !keys.every((key) => isScalar(item, key))) return false;
    seen.add(JSON.stringify(keyIn(item, keys)));
  }
  return seen.size === items.length;
};

const isScalar = (item: JsonObject, key: string): boolean =>
  Object.hasOwn(item, key) && (typeof item[key] === "string" || typeof item[key] === "number");

/** The members that are the item's key, in the table's order. */
export const keyIn = (item: JsonValue, keys: readonly string[]): JsonObject =>
  Object.fromEntries(keys.flatMap((key) => (isJsonObject(item) ? [[key, item[key] as JsonValue]] : [])));
