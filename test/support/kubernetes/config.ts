/** Workloads that take something from ConfigMaps, and those ConfigMaps. */
import type { JsonObject } from "../../../src/domain/json.ts";
import type { Files } from "./deployment.ts";
import { at, changed, list, metadata } from "./object.ts";

export interface ConfigMapMade {
  readonly created?: number;
  /** When its one writer wrote it last. */
  readonly written?: number;
  readonly namespace?: string;
  readonly data?: Readonly<Record<string, string>>;
  readonly more?: JsonObject;
}

export const configMap = (name: string, made: ConfigMapMade = {}): JsonObject => {
  const { created = 400, written = created, namespace = "shop", data = { MODE: "fast" }, more = {} } = made;
  const managedFields = [
    {
      manager: "ci",
      operation: "Apply",
      apiVersion: "v1",
      time: at(written),
      fieldsType: "FieldsV1",
      fieldsV1: { "f:data": Object.fromEntries(Object.keys(data).map((key) => [`f:${key}`, {}])) },
    },
  ];
  const its = metadata("ConfigMap", { name: `${namespace}/${name}`, created, more: { managedFields } });
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { ...its, name, namespace },
    data: { ...data },
    ...more,
  };
};

/** What a container takes, as fields of its own and of its Pod's spec. */
export interface Taken {
  readonly container: JsonObject;
  readonly spec?: JsonObject;
}

export const byEnv = (name: string, key = "MODE"): Taken => ({
  container: { env: [{ name: key, valueFrom: { configMapKeyRef: { name, key } } }] },
});

export const byVolume = (name: string, mount: JsonObject = {}): Taken => ({
  container: { volumeMounts: [{ name: "config", mountPath: "/config", ...mount }] },
  spec: { volumes: [{ name: "config", configMap: { name } }] },
});

const TEMPLATES: Readonly<Record<string, readonly string[]>> = {
  "pods.json": ["spec"],
  "jobs.json": ["spec", "template", "spec"],
  "cronjobs.json": ["spec", "jobTemplate", "spec", "template", "spec"],
};

/** Every Pod and template in the files takes it with its first container; `of`: by its namespace and the first word of its name. */
export const taking = (files: Files, of: (place: string) => Taken | null): Files =>
  Object.fromEntries(
    Object.entries(files).map(([file, value]) => [
      file,
      list((value["items"] as readonly JsonObject[]).map((object) => given(object, file, of))),
    ]),
  );

const given = (object: JsonObject, file: string, of: (place: string) => Taken | null): JsonObject => {
  const { namespace, name } = object["metadata"] as { readonly namespace: string; readonly name: string };
  const taken = of(`${namespace}/${name.replace(/-.*$/, "")}`);
  const path = TEMPLATES[file] ?? ["spec", "template", "spec"];
  const spec = path.reduce<unknown>((inside, key) => (inside as JsonObject | undefined)?.[key], object);
  if (taken === null || spec === undefined) return object;
  const { containers, ...others } = spec as JsonObject & { readonly containers: readonly JsonObject[] };
  const [first, ...rest] = containers;
  return changed(object, path, {
    ...others,
    ...taken.spec,
    containers: [{ ...first, ...taken.container }, ...rest],
  });
};
