/**
 * `config bind` as a kustomize function (KRM Functions Specification v1): its ResourceList's `functionConfig` says what flags say
 * otherwise, and `results` what was left.
 */
import { isJsonObject, type JsonObject, type JsonValue } from "../../domain/json.ts";
import type { Binding } from "./bind.ts";
import { type DeclaredPath, parseDeclaredPath } from "./declared-path.ts";
import type { Manifest } from "./manifest.ts";

export interface FunctionSource {
  readonly name: string;
  readonly namespace: string | null;
  /** A file or folder. */
  readonly path: string;
}

export interface FunctionConfig {
  readonly sources: readonly FunctionSource[];
  readonly namespace: string | null;
  readonly allow: readonly string[];
  readonly references: readonly DeclaredPath[];
  readonly templates: readonly DeclaredPath[];
}

const NOTHING: FunctionConfig = { sources: [], namespace: null, allow: [], references: [], templates: [] };

const KNOWN = ["sources", "namespace", "allow", "references", "templates"];

const isText = (value: JsonValue | undefined): value is string => typeof value === "string" && value !== "";

/** The fault is one sentence. */
export const functionConfigIn = (resourceList: JsonObject): FunctionConfig | { readonly fault: string } => {
  const { functionConfig } = resourceList;
  if (functionConfig === undefined || functionConfig === null) return NOTHING;
  const fault = (message: string) => ({ fault: `functionConfig: ${message}` });
  if (!isJsonObject(functionConfig)) return fault("it is not a mapping");
  const { apiVersion, kind, spec } = functionConfig;
  if (kind !== "ConfigBind" || apiVersion !== "asfound.dev/v1alpha1")
    return fault("it must be a ConfigBind of asfound.dev/v1alpha1");
  if (spec === undefined || spec === null) return NOTHING;
  if (!isJsonObject(spec)) return fault("its spec is not a mapping");
  const unknown = Object.keys(spec).find((name) => !KNOWN.includes(name));
  if (unknown !== undefined) return fault(`spec.${unknown} is not known here; known are ${KNOWN.join(", ")}`);
  const listOf = (name: string): readonly JsonValue[] | null => {
    const value = spec[name];
    return value === undefined ? [] : Array.isArray(value) ? value : null;
  };
  const { namespace } = spec;
  if (namespace !== undefined && !isText(namespace)) return fault("spec.namespace must be a text");
  const allow = listOf("allow");
  if (allow === null || !allow.every(isText)) return fault("spec.allow is a list of NAME/KEY");
  const sources = listOf("sources")?.map(sourceIn) ?? null;
  if (sources === null || sources.some((one) => one === null))
    return fault("spec.sources is a list of { name, path }, each with a namespace if it needs one");
  const declared: Record<"references" | "templates", DeclaredPath[]> = { references: [], templates: [] };
  for (const name of ["references", "templates"] as const)
    for (const text of listOf(name) ?? [null]) {
      const parsed = isText(text ?? undefined)
        ? parseDeclaredPath(String(text))
        : { fault: "must be a list of KIND[.GROUP]:PATH" };
      if ("fault" in parsed) return fault(`spec.${name} ${parsed.fault}`);
      declared[name].push(parsed);
    }
  return {
    sources: sources.filter((one) => one !== null),
    namespace: namespace === undefined ? null : namespace,
    allow,
    ...declared,
  };
};

const sourceIn = (value: JsonValue): FunctionSource | null => {
  if (!isJsonObject(value)) return null;
  const { name, namespace, path } = value;
  if (!isText(name) || !isText(path)) return null;
  if (namespace !== undefined && !isText(namespace)) return null;
  return { name, namespace: namespace === undefined ? null : namespace, path };
};

/** One for each place that was left, and for each ConfigMap that was bound. */
export const functionResults = (
  { bound, places }: Binding,
  manifests: readonly Manifest[],
): readonly JsonObject[] => [
  ...bound.map(({ name, boundAs, references }) => ({
    message: `ConfigMap ${name} is bound as ${boundAs} (${references} references)`,
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
