/**
 * `config bind` as a kustomize function (KRM Functions Specification v1): its ResourceList's `functionConfig` says what flags say
 * otherwise, and `results` what was left.
 */
import { isJsonObject, type JsonObject, type JsonValue } from "../../domain/json.ts";
import type { Binding } from "./bind.ts";
import type { Manifest } from "./manifest.ts";
import { type BindSettings, bindSettings, NO_SETTINGS } from "./settings.ts";

/** The fault is one sentence. */
export const functionConfigIn = (resourceList: JsonObject): BindSettings | { readonly fault: string } => {
  const { functionConfig } = resourceList;
  if (functionConfig === undefined || functionConfig === null) return NO_SETTINGS;
  const { apiVersion, kind, spec } = isJsonObject(functionConfig) ? functionConfig : {};
  if (kind !== "ConfigBind" || apiVersion !== "asfound.dev/v1alpha1")
    return { fault: "functionConfig must be a ConfigBind of asfound.dev/v1alpha1" };
  if (spec === undefined || spec === null) return NO_SETTINGS;
  if (!isJsonObject(spec)) return { fault: "functionConfig: its spec is not a mapping" };
  const settings = bindSettings(spec);
  return "fault" in settings ? { fault: `functionConfig: spec${settings.fault}` } : settings;
};

/** One for each place that was left, and for each ConfigMap that was bound. */
export const functionResults = (
  { bound, places }: Binding,
  manifests: readonly Manifest[],
): readonly JsonObject[] => [
  ...bound.map(({ name, boundAs, references }) => ({
    message: `ConfigMap ${name} is bound as ${boundAs} (${references === 1 ? "1 reference" : `${references} references`})`,
    severity: "info",
  })),
  ...places
    .filter(({ to }) => to === null)
    .map(({ manifest, kind, name, path, why }) => ({
      message: `${kind} ${String(name)} is left: ${why}`,
      severity: "info",
      resourceRef: resourceRef(manifests[manifest]?.object),
      field: { path: path.join(".") },
    })),
];

const resourceRef = (object: JsonObject | undefined): JsonObject => {
  if (object === undefined) return {};
  const { apiVersion, kind, metadata } = object;
  const { name, namespace } = isJsonObject(metadata) ? metadata : {};
  return {
    apiVersion: apiVersion as JsonValue,
    kind: kind as JsonValue,
    ...(name === undefined ? {} : { name }),
    ...(namespace === undefined ? {} : { namespace }),
  };
};
