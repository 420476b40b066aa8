/**
 * What a lying, broken or half-read API server does to a question, and what may not come out of it: never `absent`, never
 * an observation, never a shorter list (R2). Each lie is told once, and the same question without it is answered.
 */
import type { Cluster, FailureReason, ListReading, ObjectReading } from "../../src/ports/cluster.ts";
import type { ApiServer } from "../../src/testing/api-server/api-server.ts";
import type { ApiFault } from "../../src/testing/api-server/fault.ts";
import { allInShop, DEPLOYMENTS, inShop } from "../support/cluster.ts";

export interface Lie {
  readonly name: string;
  readonly fault: ApiFault;
  readonly reason: FailureReason;
}

const html = "<!doctype html><title>Sign in</title>";
const reply = (body: string, more: Partial<Extract<ApiFault, { do: "reply" }>> = {}): ApiFault => ({
  do: "reply",
  body,
  ...more,
});
const status = (code: number, reason: string, details: object = {}): string =>
  JSON.stringify({
    kind: "Status",
    apiVersion: "v1",
    status: "Failure",
    reason,
    message: "no",
    details,
    code,
  });
const about = { name: "web", kind: "deployments", group: "apps" };
const deep = `{"kind":"Deployment","x":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;

/** Lies that an object and a list suffer alike. */
const ALIKE: readonly Lie[] = [
  { name: "a login page with 200", fault: reply(html, { contentType: "text/html" }), reason: "not-json" },
  { name: "a login page that says it is JSON", fault: reply(html), reason: "not-json" },
  { name: "nothing at all", fault: reply(""), reason: "not-json" },
  { name: "no content type", fault: reply("{}", { contentType: null }), reason: "not-json" },
  {
    name: "protobuf",
    fault: reply("k8s\0", { contentType: "application/vnd.kubernetes.protobuf" }),
    reason: "not-json",
  },
  { name: "half of its JSON", fault: { do: "half" }, reason: "truncated" },
  { name: "two values", fault: reply("{} {}"), reason: "not-json" },
  { name: "a list of JSON", fault: reply("[]"), reason: "wrong-kind" },
  { name: "null", fault: reply("null"), reason: "wrong-kind" },
  { name: "an empty object", fault: reply("{}"), reason: "wrong-kind" },
  { name: "a hundred thousand levels", fault: reply(deep), reason: "not-json" },
  { name: "a Status with 200", fault: reply(status(200, "Success")), reason: "wrong-kind" },
  { name: "a Status NotFound with 200", fault: reply(status(404, "NotFound", about)), reason: "wrong-kind" },
  { name: "another kind", fault: { do: "twist", patch: { kind: "Secret" } }, reason: "wrong-kind" },
  {
    name: "another apiVersion",
    fault: { do: "twist", patch: { apiVersion: "apps/v1beta1" } },
    reason: "wrong-kind",
  },
  { name: "no kind", fault: { do: "twist", patch: { kind: null } }, reason: "wrong-kind" },
  { name: "no metadata", fault: { do: "twist", patch: { metadata: null } }, reason: "wrong-kind" },
  {
    name: "the plain 404 of a path",
    fault: reply("404 page not found\n", { status: 404, contentType: "text/plain" }),
    reason: "no-such-resource",
  },
  { name: "a 404 without a body", fault: reply("", { status: 404 }), reason: "no-such-resource" },
  {
    name: "a 404 as HTML",
    fault: reply(html, { status: 404, contentType: "text/html" }),
    reason: "no-such-resource",
  },
  {
    name: "a Status NotFound about nothing",
    fault: reply(status(404, "NotFound"), { status: 404 }),
    reason: "no-such-resource",
  },
  {
    name: "a Status NotFound about another name",
    fault: reply(status(404, "NotFound", { ...about, name: "other" }), { status: 404 }),
    reason: "no-such-resource",
  },
  {
    name: "a Status NotFound about another kind",
    fault: reply(status(404, "NotFound", { ...about, kind: "pods" }), { status: 404 }),
    reason: "no-such-resource",
  },
  {
    name: "a Status NotFound about another group",
    fault: reply(status(404, "NotFound", { ...about, group: "extensions" }), { status: 404 }),
    reason: "no-such-resource",
  },
  {
    name: "a Status with another reason and 404",
    fault: reply(status(404, "Gone", about), { status: 404 }),
    reason: "no-such-resource",
  },
  {
    name: "403 of a proxy",
    fault: reply(html, { status: 403, contentType: "text/html" }),
    reason: "forbidden",
  },
  { name: "401", fault: reply(status(401, "Unauthorized"), { status: 401 }), reason: "unauthorized" },
  { name: "500", fault: reply(status(500, "InternalError"), { status: 500 }), reason: "unexpected-status" },
  {
    name: "502 as HTML",
    fault: reply(html, { status: 502, contentType: "text/html" }),
    reason: "unexpected-status",
  },
  { name: "203", fault: reply("{}", { status: 203 }), reason: "unexpected-status" },
  { name: "206", fault: reply("{}", { status: 206 }), reason: "unexpected-status" },
  { name: "503 without a wait", fault: { do: "unavailable", retryAfter: null }, reason: "unavailable" },
  {
    name: "503 with a wait beyond the time",
    fault: { do: "unavailable", retryAfter: "3600" },
    reason: "unavailable",
  },
  { name: "429 without a wait", fault: { do: "throttle", retryAfter: null }, reason: "throttled" },
  {
    name: "429 with a wait beyond the time",
    fault: { do: "throttle", retryAfter: "3600" },
    reason: "throttled",
  },
  { name: "a redirect", fault: { do: "redirect", to: "https://127.0.0.1:9/" }, reason: "redirected" },
  { name: "a connection that is dropped", fault: { do: "cut", at: "before" }, reason: "cut" },
  { name: "a connection that breaks in the body", fault: { do: "cut", at: "middle" }, reason: "cut" },
  { name: "a gzip that is none", fault: { do: "encoding", name: "gzip" }, reason: "not-json" },
  { name: "an encoding that was not asked for", fault: { do: "encoding", name: "br" }, reason: "not-json" },
];

/** Lies about one object. */
const OF_OBJECTS: readonly Lie[] = [
  ...ALIKE,
  {
    name: "another name",
    fault: { do: "twist", patch: { metadata: { name: "other" } } },
    reason: "wrong-kind",
  },
  {
    name: "another namespace",
    fault: { do: "twist", patch: { metadata: { namespace: "other" } } },
    reason: "wrong-kind",
  },
  { name: "the kind as a number", fault: { do: "twist", patch: { kind: 7 } }, reason: "wrong-kind" },
  {
    name: "a UID that is a number",
    fault: { do: "twist", patch: { metadata: { uid: 7 } } },
    reason: "wrong-kind",
  },
  {
    name: "a resourceVersion that is a number",
    fault: { do: "twist", patch: { metadata: { resourceVersion: 7 } } },
    reason: "wrong-kind",
  },
  { name: "410", fault: reply(status(410, "Expired"), { status: 410 }), reason: "expired" },
  {
    name: "a gzip that holds far more",
    fault: { do: "huge", bytes: 20 * 1024 * 1024, gzip: true },
    reason: "too-large",
  },
  {
    name: "more bytes than an object can have",
    fault: { do: "huge", bytes: 20 * 1024 * 1024 },
    reason: "too-large",
  },
];

/** Lies about a list. */
const OF_LISTS: readonly Lie[] = [
  ...ALIKE,
  {
    name: "a list that does not say it is one",
    fault: { do: "twist", patch: { kind: "Deployment" } },
    reason: "wrong-kind",
  },
  { name: "no items", fault: { do: "twist", patch: { items: null } }, reason: "wrong-kind" },
  { name: "items that are no list", fault: { do: "twist", patch: { items: "none" } }, reason: "wrong-kind" },
  {
    name: "an item that is no object",
    fault: { do: "twist", patch: { items: ["web"] } },
    reason: "wrong-kind",
  },
  {
    name: "an item without a name",
    fault: { do: "twist", patch: { items: [{ metadata: {} }] } },
    reason: "wrong-kind",
  },
  { name: "an item without metadata", fault: { do: "twist", patch: { items: [{}] } }, reason: "wrong-kind" },
  {
    name: "an item of another namespace",
    fault: { do: "twist", patch: { items: [{ metadata: { name: "web", namespace: "other" } }] } },
    reason: "wrong-kind",
  },
  {
    name: "an item of another kind",
    fault: {
      do: "twist",
      patch: { items: [{ kind: "Secret", metadata: { name: "web", namespace: "shop" } }] },
    },
    reason: "wrong-kind",
  },
  {
    name: "a continue token that is no text",
    fault: { do: "twist", patch: { metadata: { continue: 7 } } },
    reason: "wrong-kind",
  },
  {
    name: "a resourceVersion that is a number",
    fault: { do: "twist", patch: { metadata: { resourceVersion: 7 } } },
    reason: "wrong-kind",
  },
  {
    name: "a count of what follows that is no number",
    fault: { do: "twist", patch: { metadata: { remainingItemCount: "7" } } },
    reason: "wrong-kind",
  },
  {
    name: "one name twice, with two identities",
    fault: {
      do: "twist",
      patch: {
        items: [1, 2].map((uid) => ({ metadata: { name: "web", namespace: "shop", uid: String(uid) } })),
      },
    },
    reason: "inconsistent",
  },
  { name: "fewer items, and word of more", fault: { do: "shorten", items: 1 }, reason: "truncated" },
  { name: "410 without end", fault: reply(status(410, "Expired"), { status: 410 }), reason: "expired" },
];

/** Three Deployments in a namespace, and no fault yet. */
export const prepare = (server: ApiServer): void => {
  for (const name of ["web", "api", "db"])
    server.put({ resource: "deployments.apps", namespace: "shop", name }, { spec: { replicas: 3 } });
};

type Reading = ObjectReading | ListReading;

/** What is wrong with a reading that a lie was told in, as one line; null: it is the failure that it should be. */
const wrongIn = (reading: Reading, { reason }: Lie): string | null => {
  if (reading.kind === "observed") return "is taken for an observation";
  if (reading.kind === "absent") return "is taken for an absence";
  if (reading.reason !== reason) return `is said to be ${reading.reason}, and not ${reason}`;
  if (!/ could not be read: ./.test(reading.sentence)) return `has no sentence: ${reading.sentence}`;
  if (/[\p{Cc}]/u.test(reading.sentence)) return "has control characters in its sentence";
  if (reading.exchanges.length === 0) return "keeps no evidence";
  return null;
};

const ask = async (cluster: Cluster, what: "object" | "list"): Promise<Reading> => {
  const round = cluster.round({ deadlineMs: 20_000, stop: new AbortController().signal });
  try {
    return what === "object"
      ? await round.get(inShop(DEPLOYMENTS, "web"))
      : await round.list(allInShop(DEPLOYMENTS));
  } finally {
    round.end();
  }
};

/** One line for each lie that is not seen through, and for each question that has no answer without a lie. */
export const complaints = async (server: ApiServer, cluster: Cluster): Promise<readonly string[]> => {
  const lines: string[] = [];
  for (const [what, lies] of [
    ["object", OF_OBJECTS],
    ["list", OF_LISTS],
  ] as const)
    for (const lie of lies) {
      server.setFaults([{ fault: lie.fault, resource: "deployments" }]);
      const wrong = wrongIn(await ask(cluster, what), lie);
      if (wrong !== null) lines.push(`${what}: ${lie.name} ${wrong}`);
      server.setFaults([]);
      const honest = await ask(cluster, what);
      if (honest.kind !== "observed") lines.push(`${what}: without ${lie.name} there is no answer either`);
    }
  return lines;
};

export const LIES = { object: OF_OBJECTS, list: OF_LISTS };
