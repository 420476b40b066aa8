/**
 * Which ReplicaSet runs a Deployment's template.
 *
 * Rule: the Deployment controller takes for the new ReplicaSet the one whose template equals its own, the label
 * pod-template-hash aside, the oldest where several do (pkg/controller/deployment/util, EqualIgnoreHash and
 * FindNewReplicaSet). Revision numbers only tell an order.
 */
import type { JsonValue } from "../domain/json.ts";
import { isJsonObject } from "../domain/json.ts";

const HASH_LABEL = "pod-template-hash";

export const sameTemplate = (a: JsonValue, b: JsonValue): boolean => same(withoutHash(a), withoutHash(b));

export const withoutHash = (template: JsonValue): JsonValue => {
  if (!isJsonObject(template)) return template;
  const metadata = template["metadata"];
  if (!isJsonObject(metadata)) return template;
  const labels = metadata["labels"];
  if (!isJsonObject(labels) || !Object.hasOwn(labels, HASH_LABEL)) return template;
  const { [HASH_LABEL]: _, ...others } = labels;
  return { ...template, metadata: { ...metadata, labels: others } };
};

/** In Go an absent field, a null and an empty list or map are one; an empty object that is a pointer to a struct is not. */
const isNothing = (value: JsonValue | undefined): boolean =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0);

const same = (a: JsonValue | undefined, b: JsonValue | undefined): boolean => {
  if (a === b || (isNothing(a) && isNothing(b))) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((one, at) => same(one, b[at]));
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => same(own(a, key), own(b, key)));
};

const own = (object: { readonly [key: string]: JsonValue }, key: string): JsonValue | undefined =>
  Object.hasOwn(object, key) ? object[key] : undefined;
