/** What `question.json` has to be, member for member. Whatever does not fit is one clause that names the member. */
import { isClaimName } from "../../domain/claim.ts";
import { GRPC_HEALTHS } from "../../domain/grpc-health.ts";
import { MOST_SAMPLES, type PodTeller, type Via } from "../../domain/response.ts";
import { parseTime } from "../../domain/time.ts";
import { API_VERSION } from "../api/document.ts";
import {
  anyObject,
  count,
  flag,
  is,
  listOf,
  name,
  oneOf,
  orNull,
  type Shape,
  sha256,
  text,
} from "../shape.ts";
import { anyOf, byKind, exactly } from "./exact.ts";
import { customRule, keysInto } from "./rule-shape.ts";

const time = is("a time (RFC 3339)", (value) => typeof value === "string" && parseTime(value) !== undefined);
const claim = is("a claim", (value) => typeof value === "string" && isClaimName(value));
const claims = orNull(listOf(claim));
const texts = listOf(text);
const port = is("a port", (value) => within(value, 1, 65_535));
const within = (value: unknown, least: number, most: number): boolean =>
  Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most;

const judging = {
  claims,
  only: claims,
  secrets: orNull(flag),
  rules: orNull(listOf(customRule)),
};

const VIAS = {
  pod: {},
  service: { name: orNull(name) },
  ingress: { name },
  gateway: { name },
  url: { url: is("an http(s) URL without a user", isPlainUrl) },
} satisfies Readonly<Record<Via["kind"], Readonly<Record<string, Shape>>>>;
const via = byKind(VIAS);

function isPlainUrl(value: unknown): boolean {
  if (typeof value !== "string" || !URL.canParse(value)) return false;
  const { protocol, username, password } = new URL(value);
  return /^https?:$/.test(protocol) && username === "" && password === "";
}

const anyJson: Shape = is("a JSON value", (value) => value !== undefined);

const PODS = {
  json: { path: keysInto },
  header: { name },
  log: { header: name },
  port: { header: name, port, path: text },
} satisfies Readonly<Record<PodTeller["kind"], Readonly<Record<string, Shape>>>>;

const response = exactly({
  via,
  path: is("a request's path", (value) => typeof value === "string" && value.startsWith("/")),
  host: orNull(name),
  port: orNull(port),
  ca: orNull(name),
  samples: is("a number of requests", (value) => within(value, 1, MOST_SAMPLES)),
  pod: orNull(byKind(PODS)),
  expect: exactly({
    health: orNull(exactly({ service: text, is: oneOf(...GRPC_HEALTHS) })),
    status: is("a status", (value) => within(value, 100, 599)),
    headers: listOf(exactly({ name, value: text })),
    json: listOf(exactly({ path: keysInto, is: anyJson, isText: flag })),
    bodySha256: orNull(sha256),
  }),
});

const cited = exactly({ evidence: text, pointer: text });

const seen = exactly({
  group: text,
  version: text,
  kind: name,
  namespace: orNull(text),
  name: text,
  uid: orNull(text),
  raw: anyObject,
  source: cited,
});

const answer = byKind({
  observed: {},
  absent: {},
  denied: { why: text },
  failed: { why: text },
  "timed-out": { why: text },
});

const asked = exactly({
  group: text,
  resource: text,
  namespaces: anyOf(oneOf("all"), texts),
  name: orNull(text),
  answer,
  source: cited,
});

const before = exactly({
  named: text,
  server: orNull(text),
  unsteady: listOf(
    exactly({ group: text, kind: text, namespace: orNull(text), name: text, whole: flag, says: text }),
  ),
  evidence: exactly({ at: time, limits: texts, objects: listOf(seen), asked: listOf(asked) }),
});

const bystander = exactly({
  kind: name,
  namespace: orNull(text),
  name,
  uid: orNull(text),
  generation: orNull(count),
  ready: orNull(count),
});

const release = exactly({
  text,
  uid: text,
  cluster: exactly({ server: orNull(text), uid: orNull(text) }),
  template: anyObject,
  removed: texts,
  revision: orNull(exactly({ kind: text, name: text, uid: text, number: orNull(count) })),
  notCounted: listOf(claim),
  limits: texts,
});

const reply = exactly({ kind: name, namespace: orNull(text), name, response });

const expected = exactly({
  uid: orNull(text),
  replicas: orNull(count),
  images: listOf(exactly({ container: text, digest: text })),
  injected: texts,
  config: listOf(exactly({ name: text, sha256, version: orNull(text) })),
  response: orNull(response),
  bystanders: orNull(
    exactly({ named: orNull(listOf(bystander)), before: orNull(before), replies: orNull(listOf(reply)) }),
  ),
  replaced: orNull(exactly({ uids: texts, beside: orNull(texts), by: orNull(time), reply: orNull(text) })),
  commit: orNull(
    exactly({ sha: name, tree: orNull(text), repository: orNull(text), source: orNull(anyObject) }),
  ),
  application: orNull(exactly({ namespace: text, name: text })),
  release: orNull(release),
  since: orNull(anyOf(exactly({ at: time }), exactly({ generation: count }))),
});

export const questionShape: Shape = exactly({
  apiVersion: oneOf(API_VERSION),
  kind: oneOf("Question"),
  at: time,
  from: orNull(text),
  limits: texts,
  renamed: listOf(exactly({ kept: name, was: name })),
  removed: listOf(exactly({ file: name, pointer: text })),
  asked: byKind({
    one: { target: exactly({ kind: name, namespace: orNull(text), name }), expected, ...judging },
    sweep: {
      selection: exactly({ kinds: orNull(texts), namespace: orNull(text), selector: orNull(text) }),
      nameless: texts,
      pins: listOf(exactly({ group: text, kind: name, namespace: orNull(text), name, uid: name })),
      ...judging,
    },
  }),
});
