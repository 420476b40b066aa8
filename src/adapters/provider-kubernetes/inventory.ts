/**
 * The inventory: a ConfigMap that is written before the first object of a step and removed after the last. Its name is made
 * from the create's key, so it names one incarnation and is found after a lost reply (R1); the name is the step's identity
 * and the owner mark on every object (R4). It lists what may be there. The ledger has the same list with UIDs (`tracked.ts`),
 * so that whichever of the two is lost, the other one tells.
 */
import { createHmac } from "node:crypto";
import { isJsonObject, type JsonObject, type JsonValue } from "../../domain/json.ts";
import type { ObjectRef, Resource } from "../../ports/cluster.ts";
import { canonicalJson } from "../../wire/canonical.ts";
import { sha256Hex } from "../../wire/digest.ts";
import { annotation } from "./object.ts";

/** The annotation that says whose an object is. */
export const MARK = "asfound.dev/inventory";
const STEP = "asfound.dev/step";
const DECLARED = "asfound.dev/manifests";

const CONFIG_MAPS: Resource = {
  group: "",
  version: "v1",
  resource: "configmaps",
  kind: "ConfigMap",
  namespaced: true,
};

/** The owner mark of the incarnation that a key began. */
export const markOf = (key: string): string => `asfound-${sha256Hex(key).slice(0, 20)}`;

export const inventoryRef = (mark: string, namespace: string): ObjectRef => ({
  resource: CONFIG_MAPS,
  namespace,
  name: mark,
});

/** Keyed: the objects may hold secrets, and whoever may read the inventory must not be able to try values (C6). */
export const manifestsDigest = (key: string, objects: readonly JsonObject[]): string =>
  `hmac-sha256:${createHmac("sha256", key)
    .update(canonicalJson(objects as JsonValue))
    .digest("hex")}`;

export const declaredDigest = (inventory: JsonObject): string | null => annotation(inventory, DECLARED);

export const inventoryObject = (
  ref: ObjectRef,
  owner: string,
  digest: string,
  refs: readonly ObjectRef[],
): JsonObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: {
    name: ref.name,
    ...(ref.namespace === null ? {} : { namespace: ref.namespace }),
    annotations: { [MARK]: ref.name, [STEP]: owner, [DECLARED]: digest },
  },
  data: { objects: JSON.stringify(refs) },
});

const refIn = (value: JsonValue): ObjectRef | undefined => {
  if (!isJsonObject(value) || !isJsonObject(value["resource"])) return undefined;
  const { resource, namespace, name } = value;
  const { group, version, resource: plural, kind, namespaced } = resource;
  if (typeof group !== "string" || typeof version !== "string" || typeof plural !== "string")
    return undefined;
  if (typeof kind !== "string" || typeof namespaced !== "boolean" || typeof name !== "string")
    return undefined;
  if (namespace !== null && typeof namespace !== "string") return undefined;
  return { resource: { group, version, resource: plural, kind, namespaced }, namespace, name };
};

/** null: somebody changed it so that it cannot be read. */
export const refsIn = (inventory: JsonObject): readonly ObjectRef[] | null => {
  const { data } = inventory;
  const text = isJsonObject(data) ? data["objects"] : undefined;
  if (typeof text !== "string") return null;
  try {
    const value: JsonValue = JSON.parse(text);
    if (!Array.isArray(value)) return null;
    const refs = (value as readonly JsonValue[]).map(refIn);
    return refs.some((ref) => ref === undefined) ? null : (refs as readonly ObjectRef[]);
  } catch {
    return null;
  }
};

/** Another version of a kind is the same place. */
export const placeOf = ({ resource, namespace, name }: ObjectRef): string =>
  JSON.stringify([resource.group, resource.kind, namespace, name]);

export const nameOf = ({ resource, namespace, name }: ObjectRef): string =>
  `${resource.kind} ${namespace === null ? "" : `${namespace}/`}${name}`;
