/**
 * Many Deployments as a real cluster answers them: the recorded complete rollout over and over, each under its own name and
 * with its own UIDs, and with the managedFields that a server sends and `kubectl get -o json` leaves out. Each has a
 * ReplicaSet, its Pods, a Service, an EndpointSlice and one Event.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { JsonObject, JsonValue } from "../src/domain/json.ts";
import { isJsonObject } from "../src/domain/json.ts";
import type { ObjectPlace } from "../src/testing.ts";

const RECORDED = new URL("../test/fixtures/kubernetes/recorded/complete/", import.meta.url);
/** As many in one namespace. */
const A_NAMESPACE = 50;

const recorded = (file: string): JsonObject => {
  const { items } = JSON.parse(readFileSync(new URL(file, RECORDED), "utf8")) as { items: JsonObject[] };
  const [first] = items;
  if (first === undefined) throw new Error(`${file} is empty`);
  return first;
};

const metadataOf = (object: JsonObject): JsonObject => object["metadata"] as JsonObject;

/** What replaces the recorded object's names, counts and UIDs. `own`: the part of a Pod's name that is its alone. */
interface Renaming {
  readonly name: string;
  readonly namespace: string;
  readonly replicas: number;
  readonly own: string;
}

const recordedPod = recorded("pods.json");
const recordedPodName = String(metadataOf(recordedPod)["name"]);
const podUid = String(metadataOf(recordedPod)["uid"]);

const uidOf = (text: string): string => {
  const hex = createHash("sha256").update(text).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

const renamed = (text: string, { name, namespace, replicas, own }: Renaming): JsonObject =>
  JSON.parse(
    text
      .replaceAll(recordedPodName, `web-5bf7c49645-${own}`)
      .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (uid) =>
        uidOf(`${name} ${uid} ${uid === podUid ? own : ""}`),
      )
      .replaceAll(/([Rr]eplicas\\?"):2/g, `$1:${replicas}`)
      .replaceAll(/(?<=["/])web(?=["\\-])/g, name)
      .replaceAll(/(?<=")shop(?=["\\])/g, namespace),
  ) as JsonObject;

/** As a server writes down which fields somebody set (FieldsV1). */
const fieldsOf = (value: JsonValue): JsonObject => {
  if (Array.isArray(value))
    return Object.fromEntries(
      (value as readonly JsonValue[]).flatMap((one) => {
        if (!isJsonObject(one)) return [];
        const by = ["name", "type", "uid", "ip", "key", "containerPort"].find((key) => key in one);
        return by === undefined ? [] : [[`k:${JSON.stringify({ [by]: one[by] })}`, fieldsOf(one)]];
      }),
    );
  if (!isJsonObject(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [`f:${key}`, fieldsOf(one)]));
};

const withWriters = (object: JsonObject): JsonObject => {
  const metadata = metadataOf(object);
  const { labels, ownerReferences, creationTimestamp } = metadata;
  const entry = (manager: string, fields: JsonObject, more: JsonObject): JsonObject => ({
    manager,
    operation: "Update",
    apiVersion: object["apiVersion"] ?? null,
    time: creationTimestamp ?? null,
    fieldsType: "FieldsV1",
    fieldsV1: fieldsOf(fields),
    ...more,
  });
  const declared = { metadata: { labels: labels ?? {}, ownerReferences: ownerReferences ?? [] } };
  const { spec, status } = object;
  const managedFields = [
    entry("kube-controller-manager", spec === undefined ? declared : { ...declared, spec }, {}),
    ...(status === undefined ? [] : [entry("kubelet", { status }, { subresource: "status" })]),
  ];
  return { ...object, metadata: { ...metadata, managedFields } };
};

const event = (deployment: JsonObject): JsonObject => {
  const { name, namespace, uid, creationTimestamp } = metadataOf(deployment) as Readonly<
    Record<string, string>
  >;
  return {
    apiVersion: "v1",
    kind: "Event",
    metadata: { name: `${name}.18a`, namespace: namespace ?? "", creationTimestamp: creationTimestamp ?? "" },
    involvedObject: {
      apiVersion: "apps/v1",
      kind: "Deployment",
      namespace: namespace ?? "",
      name: name ?? "",
      uid: uid ?? "",
    },
    reason: "ScalingReplicaSet",
    message: `Scaled up replica set ${name}-5bf7c49645 from 0 to 10`,
    source: { component: "deployment-controller" },
    type: "Normal",
    count: 1,
    firstTimestamp: creationTimestamp ?? "",
    lastTimestamp: creationTimestamp ?? "",
  };
};

/** One endpoint a Pod, as the recorded slice has them. */
const withEndpoints = (slice: JsonObject, pods: readonly JsonObject[]): JsonObject => {
  const [first] = slice["endpoints"] as readonly JsonObject[];
  return {
    ...slice,
    endpoints: pods.map((pod, at) => {
      const { name, namespace, uid } = metadataOf(pod);
      return {
        ...first,
        addresses: [`10.88.0.${at + 2}`],
        targetRef: { kind: "Pod", name: name ?? "", namespace: namespace ?? "", uid: uid ?? "" },
      };
    }),
  };
};

/** A container that takes one key by env and one object as files, and one object that all of the namespace share. */
const taking = (object: JsonObject, podSpec: readonly string[], name: string): JsonObject => {
  const [key = "", ...rest] = podSpec;
  const inside = object[key] as JsonObject;
  if (rest.length > 0) return { ...object, [key]: taking(inside, rest, name) };
  const [first, ...others] = inside["containers"] as readonly JsonObject[];
  return {
    ...object,
    [key]: {
      ...inside,
      volumes: [
        ...((inside["volumes"] ?? []) as readonly JsonObject[]),
        { name: "files", configMap: { name } },
      ],
      containers: [
        {
          ...first,
          env: [{ name: "MODE", valueFrom: { configMapKeyRef: { name, key: "MODE" } } }],
          envFrom: [{ configMapRef: { name: "shared" } }],
          volumeMounts: [
            ...((first?.["volumeMounts"] ?? []) as readonly JsonObject[]),
            { name: "files", mountPath: "/files" },
          ],
        },
        ...others,
      ],
    },
  };
};

/** Written before any Pod of the crowd was made. */
const configMap = (namespace: string, name: string): JsonObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: {
    name,
    namespace,
    uid: uidOf(`${namespace}/${name}`),
    creationTimestamp: "2020-01-01T00:00:00Z",
    managedFields: [
      {
        manager: "ci",
        operation: "Apply",
        apiVersion: "v1",
        time: "2020-01-01T00:00:00Z",
        fieldsType: "FieldsV1",
        fieldsV1: { "f:data": { "f:MODE": {}, "f:text": {} } },
      },
    ],
  },
  data: { MODE: "fast", text: "a line of a file that is mounted\n".repeat(30) },
});

/**
 * The same crowd, where every Pod takes something from a ConfigMap of its Deployment and from one that all share: all in one
 * namespace, and on one node, where whatever grows with the square of something does so.
 */
export function* crowdWithConfig(
  deployments: number,
  replicas: number,
): Generator<readonly [ObjectPlace, JsonObject]> {
  const namespace = "team-0";
  yield [{ resource: "configmaps", namespace, name: "shared" }, configMap(namespace, "shared")];
  for (let at = 0; at < deployments; at += 1)
    yield [{ resource: "configmaps", namespace, name: `app-${at}` }, configMap(namespace, `app-${at}`)];
  for (const [place, object] of crowd(deployments, replicas, deployments)) {
    const [, app = ""] = /^(app-\d+)/.exec(place.name) ?? [];
    const path = PODS_BY[place.resource];
    yield [place, path === undefined ? object : taking(object, path, app)];
  }
}

const PODS_BY: Readonly<Record<string, readonly string[]>> = {
  pods: ["spec"],
  "deployments.apps": ["spec", "template", "spec"],
  "replicasets.apps": ["spec", "template", "spec"],
};

/** All objects of `deployments` complete rollouts of `replicas` Pods each; `together`: as many in one namespace. */
export function* crowd(
  deployments: number,
  replicas: number,
  together = A_NAMESPACE,
): Generator<readonly [ObjectPlace, JsonObject]> {
  const texts = Object.fromEntries(
    ["deployments", "replicasets", "pods", "services", "endpointslices"].map((name) => [
      name,
      JSON.stringify(recorded(`${name}.json`)),
    ]),
  );
  for (let at = 0; at < deployments; at += 1) {
    const namespace = `team-${Math.floor(at / together)}`;
    const named = (file: string, own = ""): JsonObject =>
      renamed(texts[file] ?? "", { name: `app-${at}`, namespace, replicas, own });
    const placed = (resource: string, object: JsonObject): readonly [ObjectPlace, JsonObject] => [
      { resource, namespace, name: String(metadataOf(object)["name"]) },
      withWriters(object),
    ];
    const deployment = named("deployments");
    const pods = Array.from({ length: replicas }, (_, pod) =>
      named("pods", `p${String(pod).padStart(4, "0")}`),
    );
    yield placed("deployments.apps", deployment);
    yield placed("replicasets.apps", named("replicasets"));
    for (const pod of pods) yield placed("pods", pod);
    yield placed("services", named("services"));
    yield placed("endpointslices.discovery.k8s.io", withEndpoints(named("endpointslices"), pods));
    yield placed("events", event(deployment));
  }
}
