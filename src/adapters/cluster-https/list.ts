/**
 * A whole list, page by page, as it was at one moment. A page that does not fit the others, a list that breaks off, a
 * token that has expired again and again: each is a failure, never a shorter list (R2), for a complete list proves what
 * is absent (V5).
 */
import type { JsonObject, JsonValue } from "../../domain/json.ts";
import { isJsonObject } from "../../domain/json.ts";
import type { CollectionRef, Exchange, ListPage, ListReading, ReadFailure } from "../../ports/cluster.ts";
import { askForObject, type Caller } from "./ask.ts";
import { saying } from "./body.ts";
import { failure } from "./failure.ts";
import { collectionPath, groupVersion, isSegment, nameOfCollection } from "./name.ts";
import { isStatus, statusIn } from "./status.ts";

/** As kubectl asks. */
const PAGE_ITEMS = 500;
const MAX_PAGE_BYTES = 256 * 1024 * 1024;
const MAX_LIST_BYTES = 512 * 1024 * 1024;
/** A token lasts five minutes, so a list that expires twice will do it again: the last try asks for all of it at once. */
const MAX_RESTARTS = 2;

interface Page {
  readonly items: readonly JsonObject[];
  readonly resourceVersion: string | null;
  /** null: the last one. */
  readonly next: string | null;
}

type Faulty = { readonly reason: "wrong-kind" | "truncated"; readonly why: string };

const textOf = (value: JsonValue | undefined): string | null =>
  typeof value === "string" && value !== "" ? value : null;

/** Why an item is none of this list, as a clause. Items of built-in kinds carry no kind of their own. */
const misfit = (item: JsonValue, { resource, namespace }: CollectionRef): string | null => {
  if (!isJsonObject(item)) return "is not an object";
  if (item["kind"] !== undefined && item["kind"] !== resource.kind)
    return `is not of the kind ${resource.kind}`;
  const { metadata } = item;
  if (!isJsonObject(metadata) || textOf(metadata["name"]) === null) return "has no metadata.name";
  if (namespace !== null && metadata["namespace"] !== namespace) return "is in another namespace";
  if (resource.namespaced && textOf(metadata["namespace"]) === null) return "has no metadata.namespace";
  return null;
};

const pageOf = (object: JsonObject, ref: CollectionRef): Page | Faulty => {
  const wrong = (why: string): Faulty => ({ reason: "wrong-kind", why });
  const { kind, apiVersion, metadata, items } = object;
  if (isStatus(object)) return wrong(`a Status came with 200${saying(statusIn(object).message, [])}`);
  if (apiVersion !== groupVersion(ref.resource))
    return wrong(`its apiVersion is not ${groupVersion(ref.resource)}`);
  if (typeof kind !== "string" || !kind.endsWith("List")) return wrong("its kind is no list");
  if (!isJsonObject(metadata)) return wrong("it has no metadata");
  // Go writes a list without items as null where it was never made; a list without the field is none.
  const all = items === null ? [] : items;
  if (!Array.isArray(all)) return wrong("it has no items");
  const checked = all as readonly JsonValue[];
  for (const [index, item] of checked.entries()) {
    const why = misfit(item, ref);
    if (why !== null) return wrong(`items[${index}] ${why}`);
  }
  const next = textOf(metadata["continue"]);
  const remaining = metadata["remainingItemCount"];
  if (next === null && typeof remaining === "number" && remaining > 0)
    return { reason: "truncated", why: `it ends, and says that ${remaining} more would follow` };
  return {
    items: checked as readonly JsonObject[],
    resourceVersion: textOf(metadata["resourceVersion"]),
    next,
  };
};

const identityOf = ({ metadata }: JsonObject): string => {
  const { uid, namespace, name } = metadata as JsonObject;
  return JSON.stringify([uid ?? null, namespace ?? null, name ?? null]);
};

/** One walk through all pages. `expired`: the server no longer has the moment of the first page. */
type Walk =
  | {
      readonly kind: "whole";
      readonly items: readonly JsonObject[];
      readonly resourceVersion: string | null;
      readonly pages: readonly ListPage[];
    }
  | { readonly kind: "expired" | "inconsistent"; readonly failure: ReadFailure }
  | { readonly kind: "failed"; readonly failure: ReadFailure };

interface Asked {
  readonly caller: Caller;
  readonly ref: CollectionRef;
  readonly what: string;
  /** All exchanges of this reading so far; the walk adds its own. */
  readonly exchanges: Exchange[];
}

const askForPage = async (
  { caller, ref, what, exchanges }: Asked,
  query: Readonly<Record<string, string>>,
) => {
  const { group, resource } = ref.resource;
  const answer = await askForObject(caller, {
    what,
    path: collectionPath(ref, query),
    accept: "application/json",
    maxBytes: MAX_PAGE_BYTES,
    right: { verb: "list", group, resource, namespace: ref.namespace, name: null },
  });
  exchanges.push(...answer.exchanges);
  return answer;
};

const walk = async (asked: Asked, limit: number | null): Promise<Walk> => {
  const { ref, what, exchanges } = asked;
  const items: JsonObject[] = [];
  const pages: ListPage[] = [];
  const seen = new Set<string>();
  const tokens = new Set<string>();
  let resourceVersion: string | null = null;
  let token: string | null = null;
  let bytes = 0;
  const stop = (kind: "inconsistent" | "failed", reason: ReadFailure["reason"], why: string): Walk => ({
    kind,
    failure: failure(what, reason, why, exchanges),
  });
  for (;;) {
    const answer = await askForPage(asked, {
      ...(limit === null ? {} : { limit: String(limit) }),
      ...(token === null ? {} : { continue: token }),
    });
    if (answer.kind === "other" && answer.last.status === 410)
      return { kind: "expired", failure: { ...answer.failure, exchanges } };
    if (answer.kind === "other") return { kind: "failed", failure: { ...answer.failure, exchanges } };
    if (answer.kind !== "object") return { kind: "failed", failure: { ...answer, exchanges } };
    const page = pageOf(answer.object, ref);
    if ("why" in page) return stop("failed", page.reason, page.why);
    pages.push({ exchange: answer.last, items: page.items });
    bytes += answer.last.body.length;
    if (bytes > MAX_LIST_BYTES)
      return stop("failed", "too-large", `it has more than ${MAX_LIST_BYTES} bytes; narrow it down`);
    if (pages.length > 1 && page.resourceVersion !== resourceVersion)
      return stop("inconsistent", "inconsistent", "its pages are from different moments");
    resourceVersion = page.resourceVersion;
    for (const item of page.items) {
      const identity = identityOf(item);
      if (seen.has(identity)) return stop("inconsistent", "inconsistent", "it shows one object twice");
      seen.add(identity);
      items.push(item);
    }
    if (page.next === null) return { kind: "whole", items, resourceVersion, pages };
    if (tokens.has(page.next))
      return stop("failed", "inconsistent", "it does not end: a page leads back to an earlier one");
    tokens.add(page.next);
    token = page.next;
  }
};

export const listObjects = async (caller: Caller, ref: CollectionRef): Promise<ListReading> => {
  const what = nameOfCollection(ref);
  if (ref.namespace !== null && (!ref.resource.namespaced || !isSegment(ref.namespace)))
    return failure(what, "invalid-name", "it is in no such namespace", []);
  const asked: Asked = { caller, ref, what, exchanges: [] };
  for (let restarts = 0; ; restarts += 1) {
    const walked = await walk(asked, restarts === MAX_RESTARTS ? null : PAGE_ITEMS);
    if (walked.kind === "whole") {
      const { items, resourceVersion, pages } = walked;
      return { kind: "observed", items, resourceVersion, pages, exchanges: asked.exchanges };
    }
    if (walked.kind === "failed" || restarts === MAX_RESTARTS) return walked.failure;
  }
};
