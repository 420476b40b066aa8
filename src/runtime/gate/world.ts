/**
 * The healthy world of `gate test`: a release of which everything is proven that a gate's own expectations can ask. Its replies
 * are what the gate expects, so that what the gate does not look at can be changed without it noticing: that is what is tested.
 */
import { NOTHING_EXPECTED } from "../../domain/expected.ts";
import type { JsonObject, JsonValue } from "../../domain/json.ts";
import type { Question } from "../../domain/question.ts";
import {
  type ExpectedReply,
  type JsonPath,
  type ResponseExpectation,
  viaText,
} from "../../domain/response.ts";
import { sha256 } from "../../domain/sha256.ts";
import { SERVER, type WorldFiles } from "./world-files.ts";
import {
  APPLICATION,
  application,
  type Bearer,
  bearerOf,
  COMMIT,
  configMaps,
  deployment,
  IMAGE,
  NAMESPACE,
  pod,
  replicaSet,
  SETTINGS,
  service,
  settingsDigest,
  slice,
  WEB,
} from "./world-objects.ts";
import { at, READ, uidOf } from "./world-times.ts";

const listOf = (items: readonly JsonObject[]): JsonObject => ({
  apiVersion: "v1",
  kind: "List",
  metadata: { resourceVersion: "" },
  items: [...items],
});

/** The Pods of the release, and one of the release before, which is gone. */
export const PODS: readonly [JsonObject, JsonObject] = [pod("v2", 0), pod("v2", 1)];
export const OLD_POD: JsonObject = pod("v1", 0);

/** `responses`: those that the gate expects; each is answered as it wants. */
export const healthyWorld = (responses: readonly ResponseExpectation[]): WorldFiles => ({
  "deployments.json": listOf([deployment()]),
  "replicasets.json": listOf([replicaSet("v1", 0), replicaSet("v2", 2)]),
  "pods.json": listOf(PODS),
  "services.json": listOf([service()]),
  "endpointslices.json": listOf([slice(PODS)]),
  "horizontalpodautoscalers.json": listOf([]),
  "events.json": listOf([]),
  "configmaps.json": listOf(configMaps()),
  "applications.argoproj.io.json": listOf([application()]),
  "answers.json": responses.map((response) => answerTo(response, bearerOf(PODS[0]))),
  "snapshot.json": {
    at: at(READ),
    from: at(READ),
    to: at(READ),
    cluster: { server: SERVER },
    target: { resource: "deployments", group: "apps", namespace: NAMESPACE, name: WEB },
  },
});

/** `told`: what the reply says of the Pod; left out: its name. */
export const answerTo = (response: ResponseExpectation, from: Bearer): JsonObject => {
  const { via, pod: teller, expect, path } = response;
  const body = bodyOf(expect, teller?.kind === "json" ? { path: teller.path, word: from.name } : null);
  const headers = Object.fromEntries(expect.headers);
  const id = "6c1f0a52-5b0e-4a6e-9d0b-0f3f6f0e7a11";
  return {
    at: at(READ - 5),
    via: viaText(via),
    url: via.kind === "url" ? via.url : `http://10.96.0.20${path}`,
    service: WEB,
    through: "direct",
    unshown: null,
    grpc:
      expect.health === null ? null : { service: expect.health.service, code: 0, health: expect.health.is },
    status: expect.status,
    headers: teller?.kind === "header" ? { ...headers, [teller.name]: from.name } : headers,
    body,
    bodySha256: expect.bodySha256 ?? sha256(body),
    pod: via.kind === "pod" ? { name: from.name, uid: from.uid, ip: from.ip } : null,
    requestId: teller?.kind === "log" ? id : null,
    log:
      teller?.kind === "log"
        ? { found: [{ name: from.name, uid: from.uid, container: WEB }], unread: [] }
        : null,
    podsBefore: PODS.map((one) => ({ name: bearerOf(one).name, uid: bearerOf(one).uid })),
    endpointsBefore: PODS.map((one) => bearerOf(one).uid),
    failure: null,
  };
};

/** A body that has what is expected of it, and where it is told the Pod's name. */
const bodyOf = (
  expect: ExpectedReply,
  told: { readonly path: JsonPath; readonly word: string } | null,
): string => {
  const members: readonly (readonly [JsonPath, JsonValue])[] = [
    ...expect.json.map(({ path, is }) => [path, is] as const),
    ...(told === null ? [] : [[told.path, told.word] as const]),
  ];
  const body = members.reduce<JsonValue>((inside, [path, value]) => set(inside, path, value), {});
  return JSON.stringify(body);
};

const set = (inside: JsonValue | undefined, [key, ...rest]: JsonPath, value: JsonValue): JsonValue => {
  if (key === undefined) return value;
  if (typeof key === "number") {
    const list = Array.isArray(inside) ? [...(inside as readonly JsonValue[])] : [];
    while (list.length <= key) list.push(null);
    list[key] = set(list[key], rest, value);
    return list;
  }
  const object = typeof inside === "object" && inside !== null && !Array.isArray(inside) ? inside : {};
  const own = Object.hasOwn(object, key) ? (object as JsonObject)[key] : undefined;
  return { ...object, [key]: set(own, rest, value) };
};

/**
 * A gate's question, asked of this world: its target and what is expected become this world's, and what is asked stays the same.
 * A workload of another kind stands for a Deployment here.
 */
export const askedOfWorld = (question: Question): Question => {
  const { expected, claims } = question;
  const isApplication = /^applications?(\.|$)/i.test(question.kind);
  const [kind, namespace, name] = isApplication
    ? ["Application", APPLICATION.namespace, APPLICATION.name]
    : ["Deployment", NAMESPACE, WEB];
  return {
    kind,
    namespace,
    name,
    expected: {
      ...NOTHING_EXPECTED,
      uid: expected.uid === null ? null : uidOf(kind, name),
      replicas: expected.replicas === null ? null : 2,
      images: expected.images.size === 0 ? new Map() : new Map([[WEB, IMAGE.v2]]),
      config:
        expected.config.size === 0
          ? new Map()
          : new Map([[SETTINGS, { sha256: settingsDigest(), version: null }]]),
      response: expected.response,
      commit:
        expected.commit === null ? null : { sha: COMMIT.v2, tree: null, repository: null, source: null },
      application: expected.application === null ? null : APPLICATION,
    },
    claims: claims === null ? null : claims.filter((claim) => !NOT_IN_WORLD.has(claim)),
  };
};

/** Claims that no state of one moment shows: nothing is tested of them. */
export const NOT_IN_WORLD: ReadonlySet<string> = new Set([
  "pod-replaced",
  "bystanders-unchanged",
  "absent",
  "as-released",
  "reported-ready",
]);
