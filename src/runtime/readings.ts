/**
 * Readings of a cluster as evidence: objects with where each was read, and what was asked (`domain/evidence.ts`). A question
 * without an answer stays one, with its reason (R2).
 */
import { type Answer as Reply, rawOf, seenAnswer } from "../domain/answer.ts";
import type { Answer, Asked, Cited, Seen } from "../domain/evidence.ts";
import type { JsonObject } from "../domain/json.ts";
import { isJsonObject } from "../domain/json.ts";
import { RESOURCES } from "../domain/resource.ts";
import type {
  Cluster,
  CollectionRef,
  Exchange,
  ListKept,
  ListObserved,
  ListReading,
  ObjectRef,
  ReadFailure,
  Resource,
  Round,
} from "../ports/cluster.ts";
import { keysOnly } from "../wire/objects/keys-only.ts";
import { type ServerTime, serverTime } from "./server-time.ts";

/** A list as it was answered, for whoever keeps it. */
export interface ReadList {
  readonly resource: Resource;
  readonly reading: ListReading;
}

const ALL: ListKept = { bytes: true, writers: true };

/** All of a resource by its name as RBAC writes it; one that the server does not serve is a question without an answer. */
export const listNamed = async (
  round: Round,
  name: string,
  namespace: string | null,
  keptOf: (resource: Resource) => ListKept = () => ALL,
): Promise<ReadList> => {
  const served = await servedAs(round, name, namespace);
  const { resource } = served;
  if (served.failed !== null) return { resource, reading: served.failed };
  if (!isSecret(resource))
    return { resource, reading: await round.list(served.collection, keptOf(resource)) };
  // C6: neither the bytes nor what the keys hold goes on from here.
  const reading = await round.list(served.collection, { ...keptOf(resource), bytes: false });
  return { resource, reading: reading.kind === "observed" ? withKeysOnly(reading) : reading };
};

const isSecret = ({ group, resource }: Resource): boolean =>
  group === RESOURCES.Secret.group && resource === RESOURCES.Secret.plural;

const withKeysOnly = (reading: ListObserved): ListObserved => {
  const pages = reading.pages.map((page) => ({ ...page, items: page.items.map(keysOnly) }));
  return { ...reading, pages, items: pages.flatMap(({ items }) => items) };
};

/** All of what a name means, as it is asked for; else why that is not known. */
export const servedAs = async (
  round: Round,
  name: string,
  namespace: string | null,
): Promise<
  | { readonly resource: Resource; readonly collection: CollectionRef; readonly failed: null }
  | { readonly resource: Resource; readonly failed: ReadFailure }
> => {
  const found = await round.find(name);
  if (found.kind === "found") {
    const { resource } = found;
    const scope = resource.namespaced ? namespace : null;
    return {
      resource,
      collection: { resource, namespace: scope, labelSelector: null, fieldSelector: null },
      failed: null,
    };
  }
  const [resource = "", ...group] = name.split(".");
  return {
    // Without a kind: nobody has said which it is.
    resource: { group: group.join("."), version: "v1", resource, kind: "", namespaced: true },
    failed: found.kind === "unknown" ? noSuchResource(found.sentence) : found,
  };
};

const noSuchResource = (sentence: string): ReadFailure => ({
  kind: "failed",
  reason: "no-such-resource",
  sentence,
  missing: null,
  exchanges: [],
});

/** Named by its request, and by which of them it was. */
export const seenReply = (answer: Reply, at: number): Seen =>
  seenAnswer(rawOf(answer), `number ${String(at + 1).padStart(6, "0")}`, {
    evidence: `${answer.grpc === null ? "GET" : "gRPC"} ${answer.url} (reply ${at + 1}, ${answer.at})`,
    pointer: "",
  });

/** What limits all that was read of a cluster, and the time at which it is judged. */
export const momentOf = ({ facts }: Cluster, exchanges: readonly Exchange[]): ServerTime => {
  const { server, context, warnings } = facts;
  const time = serverTime(exchanges);
  return {
    at: time.at,
    limits: [
      `read from ${server}${context === null ? "" : ` (context ${context})`}: nothing but this machine's word shows it`,
      ...warnings,
      ...time.limits,
    ],
  };
};

export const evidenceOf = (
  { resource, reading }: ReadList,
  namespace: string | null,
): { readonly objects: readonly Seen[]; readonly asked: Asked } => {
  const version = reading.kind === "observed" ? reading.resourceVersion : null;
  const asked: Asked = {
    group: resource.group,
    resource: resource.resource,
    namespaces: namespace === null ? "all" : [namespace],
    name: null,
    answer:
      reading.kind === "observed" ? { kind: "observed" } : { kind: reading.kind, why: reading.sentence },
    source:
      reading.kind === "observed"
        ? sourceOf(
            reading.pages.slice(0, 1).map(({ exchange }) => exchange),
            version,
            resource,
          )
        : sourceOf(reading.exchanges, null, resource),
  };
  if (reading.kind !== "observed") return { objects: [], asked };
  const objects = reading.pages.flatMap(({ exchange, items }) => {
    const { evidence } = sourceOf([exchange], version, resource);
    return items.map((item, at) => seenIn(resource, item, { evidence, pointer: `/items/${at}` }));
  });
  return { objects, asked };
};

/** `WHAT could not be read: WHY`. */
export const clauseOf = (sentence: string): string => sentence.replace(/^.*? could not be read: /s, "");

export const askedFor = ({ resource, namespace, name }: ObjectRef, answer: Answer, source: Cited): Asked => ({
  group: resource.group,
  resource: resource.resource,
  namespaces: namespace === null ? "all" : [namespace],
  name,
  answer,
  source,
});

/** The adapter has checked what it is: kind, version, name and namespace. Items of built-in kinds carry no kind. */
export const seenIn = (resource: Resource, raw: JsonObject, source: Cited): Seen => {
  const metadata = raw["metadata"] as JsonObject;
  const { namespace, name, uid } = metadata;
  return {
    group: resource.group,
    version: resource.version,
    kind: resource.kind,
    namespace: typeof namespace === "string" && namespace !== "" ? namespace : null,
    name: String(name),
    uid: typeof uid === "string" && uid !== "" ? uid : null,
    raw,
    source,
  };
};

/** A reading is named by its request, and by the moment that it shows. */
export const sourceOf = (
  exchanges: readonly Exchange[],
  resourceVersion: string | null,
  resource: Resource,
): Cited => {
  const last = exchanges.at(-1);
  const request = last === undefined ? `no request for ${qualified(resource)}` : last.request;
  return {
    evidence: resourceVersion === null ? request : `${request} (resourceVersion ${shown(resourceVersion)})`,
    pointer: "",
  };
};

export const generationOf = ({ metadata }: JsonObject): number | null => {
  const generation = isJsonObject(metadata) ? metadata["generation"] : undefined;
  return Number.isSafeInteger(generation) ? (generation as number) : null;
};

/** UIDs and versions are the server's texts, of any length. */
export const shown = (text: string | null): string =>
  text === null ? "none" : text.length > 64 ? `${text.slice(0, 64)}…` : text;

export const dotted = (word: string, group: string): string => (group === "" ? word : `${word}.${group}`);

/** As RBAC writes it: `deployments.apps`. */
export const qualified = ({ group, resource }: Resource): string => dotted(resource, group);
