/**
 * A Deployment whose v1 took `settings-v1` and whose v2 takes `settings-v2`, both immutable, in the state after v2 came up
 * broken; all that a rollback's preflight reads beside it; and the release that was recorded of v1 while it was well.
 */
import { createHash } from "node:crypto";
import { instant } from "../../../src/domain/ids.ts";
import type { JsonObject } from "../../../src/domain/json.ts";
import type { Release, ReleasedConfig } from "../../../src/domain/release.ts";
import { canonicalJson } from "../../../src/wire/canonical.ts";
import { type Files, setName, templateOf, type World, worldFiles } from "./deployment.ts";
import { at, list, metadata, uidOf } from "./object.ts";

const sha256 = (data: string | Uint8Array): string => createHash("sha256").update(data).digest("hex");

/** As stock tools make it: `sha256sum` over a file for each key, over what it prints (C3). */
const objectDigest = (data: Readonly<Record<string, string>>): string =>
  sha256(
    Object.keys(data)
      .sort()
      .map((key) => `${sha256(data[key] as string)}  ${key}\n`)
      .join(""),
  );

export const DATA_V1 = { MODE: "fast", "app.conf": "limit=10\n" };
export const DATA_V2 = { MODE: "broken", "app.conf": "limit=0\n" };

export const configMap = (
  name: string,
  data: Readonly<Record<string, string>>,
  more: { readonly life?: number; readonly created?: number; readonly immutable?: boolean } = {},
): JsonObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: metadata("ConfigMap", {
    name,
    life: more.life ?? 1,
    created: more.created ?? 50,
    more: {
      managedFields: [
        {
          manager: "ci",
          operation: "Update",
          apiVersion: "v1",
          time: at(more.created ?? 50),
          fieldsType: "FieldsV1",
          fieldsV1: {
            "f:data": Object.fromEntries(
              [".", ...Object.keys(data).map((key) => `f:${key}`)].map((key) => [key, {}]),
            ),
          },
        },
      ],
    },
  }),
  ...(more.immutable === false ? {} : { immutable: true }),
  data: { ...data },
});

/** Takes one key by env, and all of it as files. */
const consuming = (version: string): JsonObject => ({
  env: [{ name: "MODE", valueFrom: { configMapKeyRef: { name: `settings-${version}`, key: "MODE" } } }],
  volumeMounts: [{ name: "config", mountPath: "/etc/app" }],
});

const podSpec = (spec: JsonObject, version: string): JsonObject => {
  const [web, ...others] = spec["containers"] as readonly JsonObject[];
  return {
    ...spec,
    containers: [{ ...web, ...consuming(version) }, ...others],
    volumes: [{ name: "config", configMap: { name: `settings-${version}`, defaultMode: 420 } }],
  };
};

const templateWith = (version: string): JsonObject => {
  const template = templateOf(version);
  return { ...template, spec: podSpec(template["spec"] as JsonObject, version) };
};

const versionIn = (object: JsonObject): string => (JSON.stringify(object).includes("web:v1") ? "v1" : "v2");

const inTemplate = (object: JsonObject): JsonObject => {
  const spec = object["spec"] as JsonObject;
  const template = spec["template"] as JsonObject;
  const its = { ...template, spec: podSpec(template["spec"] as JsonObject, versionIn(object)) };
  return { ...object, spec: { ...spec, template: its } };
};

const managed = (
  manager: string,
  operation: string,
  containers: readonly string[],
  volumes: readonly string[],
): JsonObject => ({
  manager,
  operation,
  apiVersion: "apps/v1",
  time: at(600),
  fieldsType: "FieldsV1",
  fieldsV1: {
    "f:spec": {
      "f:template": {
        "f:spec": {
          "f:containers": Object.fromEntries(
            containers.map((name) => [`k:{"name":"${name}"}`, { ".": {}, "f:name": {} }]),
          ),
          "f:volumes": Object.fromEntries(
            volumes.map((name) => [`k:{"name":"${name}"}`, { ".": {}, "f:name": {} }]),
          ),
        },
      },
    },
  },
});

const BROKEN: World = {
  replicas: 2,
  fresh: { version: "v2", pods: ["crash-loop"] },
  old: [{ version: "v1", pods: ["ready", "ready"] }],
};

export const rollbackFiles = (world: World = BROKEN): Files => {
  const files = worldFiles(world);
  const items = (name: string): readonly JsonObject[] =>
    (files[name] as JsonObject)["items"] as readonly JsonObject[];
  const deployment = (object: JsonObject): JsonObject => ({
    ...inTemplate(object),
    metadata: {
      ...(object["metadata"] as JsonObject),
      managedFields: [managed("kubectl-client-side-apply", "Update", ["web"], ["config"])],
    },
  });
  return {
    ...files,
    "deployments.json": list(items("deployments.json").map(deployment)),
    "replicasets.json": list(items("replicasets.json").map(inTemplate)),
    "pods.json": list(
      items("pods.json").map((pod) => ({ ...pod, spec: podSpec(pod["spec"] as JsonObject, versionIn(pod)) })),
    ),
    "configmaps.json": list([
      configMap("settings-v1", DATA_V1),
      configMap("settings-v2", DATA_V2, { created: 590 }),
    ]),
    "poddisruptionbudgets.json": list([]),
    "resourcequotas.json": list([]),
    "roles.rbac.authorization.k8s.io.json": list([]),
    "rolebindings.rbac.authorization.k8s.io.json": list([]),
  };
};

/** A ConfigMap as the release recorded it. */
export const recorded = (name: string, data: Readonly<Record<string, string>>, life = 1): ReleasedConfig => ({
  kind: "ConfigMap",
  name,
  uid: uidOf("ConfigMap", name, life),
  resourceVersion: "1050",
  immutable: true,
  digest: objectDigest(data),
  keys: new Map(Object.entries(data).map(([key, value]) => [key, sha256(value)])),
  content: new Map(Object.entries(data).map(([key, value]) => [key, new TextEncoder().encode(value)])),
});

export const releaseOfV1 = (more: Partial<Release> = {}): Release => {
  const template = templateWith("v1");
  return {
    id: "rel_01933f00-0000-7000-8000-000000000001",
    name: "v1",
    provenAt: instant(Date.parse(at(200))),
    cluster: { server: "https://cluster.test", uid: null },
    target: {
      group: "apps",
      version: "v1",
      kind: "Deployment",
      namespace: "shop",
      name: "web",
      uid: uidOf("Deployment", "web"),
      generation: 1,
    },
    template,
    removed: new Map(),
    templateDigest: sha256(canonicalJson(template)),
    revision: { kind: "ReplicaSet", name: setName("v1"), uid: uidOf("ReplicaSet", setName("v1")), number: 1 },
    images: [{ container: "web", image: "web:v1", digests: [`sha256:${"1".repeat(64)}`] }],
    injected: [],
    config: [recorded("settings-v1", DATA_V1)],
    unheld: [],
    keyId: null,
    source: null,
    irreversible: [],
    limits: [],
    verdict: "0".repeat(64),
    ...more,
  };
};

/** A list of a file, changed. */
export const withItems = (
  files: Files,
  file: string,
  change: (items: readonly JsonObject[]) => readonly JsonObject[],
): Files => ({
  ...files,
  [file]: list(change((files[file] as JsonObject)["items"] as readonly JsonObject[])),
});

export const managedBy = managed;
