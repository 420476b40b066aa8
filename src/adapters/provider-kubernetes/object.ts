/** One declared object: whether it is one at all, and in which order they are made. */
import { isJsonObject, type JsonObject, type JsonValue } from "../../domain/json.ts";

export const metadataOf = (object: JsonObject): JsonObject => {
  const { metadata } = object;
  return isJsonObject(metadata) ? metadata : {};
};

export const annotation = (object: JsonObject, name: string): string | null => {
  const { annotations } = metadataOf(object);
  const value = isJsonObject(annotations) ? annotations[name] : undefined;
  return typeof value === "string" ? value : null;
};

const isText = (value: JsonValue | undefined): value is string => typeof value === "string" && value !== "";

/** What no object may be called (apimachinery, IsValidPathSegmentName). */
const isSegment = (name: string): boolean => name !== "." && name !== ".." && !/[/%]/.test(name);

/** Why it cannot be applied; one sentence without its values. */
export const objectFault = (value: JsonValue): string | undefined => {
  if (!isJsonObject(value)) return "it is not a Kubernetes object";
  const { apiVersion, kind } = value;
  if (!isText(apiVersion) || !isText(kind)) return "an object needs apiVersion and kind";
  if (kind.endsWith("List") && Array.isArray(value["items"]))
    return `a ${kind} is no object; write its items as objects of their own`;
  const metadata = metadataOf(value);
  if (metadata["generateName"] !== undefined)
    return `a ${kind} has generateName: each apply would make another one; give it a name`;
  const { name, namespace } = metadata;
  if (!isText(name)) return `a ${kind} has no metadata.name`;
  if (namespace !== undefined && !isText(namespace)) return `the namespace of ${kind} ${name} is not a text`;
  if (!isSegment(name) || (namespace !== undefined && !isSegment(namespace)))
    return `no object can have the name or namespace of ${kind} ${name}`;
  const { annotations } = metadata;
  if (annotations !== undefined && annotations !== null && !isJsonObject(annotations))
    return `the annotations of ${kind} ${name} are not a mapping`;
  return kind === "Secret" && apiVersion === "v1" ? secretFault(value, name) : undefined;
};

/** A server's own sentence about it would hold the value. */
const secretFault = (object: JsonObject, name: string): string | undefined => {
  for (const part of ["data", "stringData"]) {
    const values = object[part];
    if (values === undefined || values === null) continue;
    if (!isJsonObject(values) || Object.values(values).some((value) => typeof value !== "string"))
      return `the ${part} of Secret ${name} must be texts; put its values in quotes`;
  }
  return undefined;
};

/** Before what needs them; whatever is not named comes after these, and webhooks last of all. */
const FIRST = [
  "Namespace",
  "CustomResourceDefinition",
  "PriorityClass",
  "StorageClass",
  "ServiceAccount",
  "ResourceQuota",
  "LimitRange",
  "NetworkPolicy",
  "ClusterRole",
  "ClusterRoleBinding",
  "Role",
  "RoleBinding",
  "Secret",
  "ConfigMap",
  "PersistentVolume",
  "PersistentVolumeClaim",
  "Service",
];
const LAST = ["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"];

const rank = ({ kind }: JsonObject): number => {
  const first = FIRST.indexOf(String(kind));
  if (first >= 0) return first;
  return LAST.includes(String(kind)) ? FIRST.length + 1 : FIRST.length;
};

/** In the order in which they can be made; among equals as written. */
export const inOrder = (objects: readonly JsonObject[]): readonly JsonObject[] =>
  objects.toSorted((a, b) => rank(a) - rank(b));

/** What a server makes, and a person did not mean to declare: exported objects carry it. */
const SERVER_MADE = new Set([
  "uid",
  "resourceVersion",
  "generation",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
  "selfLink",
  "managedFields",
]);

export const withoutServerMade = (object: JsonObject): JsonObject => {
  const kept = Object.entries(metadataOf(object)).filter(([name]) => !SERVER_MADE.has(name));
  return { ...object, metadata: Object.fromEntries(kept) };
};
