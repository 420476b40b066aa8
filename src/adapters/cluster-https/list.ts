/**
 * A whole list, page by page, as it was at one moment. A page that does not fit the others, a list that breaks off, a
 * token that has expired again and again: each is a failure, never a shorter list (R2), for a complete list proves what
 * is absent (V5).
 */
import type { JsonObject, JsonValue } from "../../domain/json.ts";
import { isJsonObject } from "../../domain/json.ts";
import type { CollectionRef, Exchange, ListPage, ListReading, ReadFailure } from "../../ports/cluster.ts";
import { askForObject, type Caller, type ObjectAnswer } from "./ask.ts";
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

/** A text, empty or not at all: a token of another type would pass for the end of the list. */
const isTextOrNothing = (value: JsonValue | undefined): boolean =>
  value === undefined || typeof value === "string";

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
  if (!isTextOrNothing(metadata["continue"])) return wrong("its metadata.continue is not a text");
  if (!isTextOrNothing(metadata["resourceVersion"]))
    return wrong("its metadata.resourceVersion is not a text");
  const next = textOf(metadata["continue"]);
  const remaining = metadata["remainingItemCount"];
  if (remaining !== undefined && typeof remaining !== "number")
    return wrong("its metadata.remainingItemCount is not a number");
  if (next === null && remaining !== undefined && remaining > 0)
    return { reason: "truncated", why: `it ends, and says that ${remaining} more would follow` };
  return {
    items: checked as readonly JsonObject[],
    resourceVersion: textOf(metadata["resourceVersion"]),
    next,
  };
};

/** At one moment no two objects of a kind have one name in one namespace. */
const placeOf = ({ metadata }: JsonObject): string => {
  const { namespace, name } = metadata as JsonObject;
  return JSON.stringify([namespace ?? null, name ?? null]);
};

/** Why a page does not belong to those before it. `again`: another walk may well be whole. */
interface Misfit {
  readonly again: boolean;
  readonly reason: ReadFailure["reason"];
  readonly why: string;
}

/** The pages of one walk so far. */
class Gathered {
  readonly items: JsonObject[] = [];
  readonly pages: ListPage[] = [];
  resourceVersion: string | null = null;
  readonly #seen = new Set<string>();
  readonly #tokens = new Set<string>();
  #bytes = 0;

  add(page: Page, exchange: Exchange): Misfit | null {
    this.pages.push({ exchange, items: page.items });
    this.#bytes += exchange.body.length;
    if (this.#bytes > MAX_LIST_BYTES)
      return {
        again: false,
        reason: "too-large",
        why: `it has more than ${MAX_LIST_BYTES} bytes; narrow it down`,
      };
    if (this.pages.length > 1 && page.resourceVersion !== this.resourceVersion)
      return { again: true, reason: "inconsistent", why: "its pages are from different moments" };
    this.resourceVersion = page.resourceVersion;
    for (const item of page.items) {
      this.#seen.add(placeOf(item));
      this.items.push(item);
    }
    if (this.#seen.size < this.items.length)
      return { again: true, reason: "inconsistent", why: "it shows one object twice" };
    if (page.next !== null && this.#tokens.has(page.next))
      return {
        again: false,
        reason: "inconsistent",
        why: "it does not end: a page leads back to an earlier one",
      };
    if (page.next !== null) this.#tokens.add(page.next);
    return null;
  }
}

interface Asked {
  readonly caller: Caller;
  readonly ref: CollectionRef;
  readonly what: string;
  /** All exchanges of this reading so far; each walk adds its own. */
  readonly exchanges: Exchange[];
}

const askForPage = async (
  { caller, ref, what, exchanges }: Asked,
  query: Readonly<Record<string, string>>,
): Promise<ObjectAnswer> => {
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

type Walk =
  | { readonly kind: "whole"; readonly gathered: Gathered }
  | { readonly kind: "broken"; readonly again: boolean; readonly failure: ReadFailure };

/** From the first page to the last; `limit`: items a page, null: all in one. */
const walk = async (asked: Asked, limit: number | null): Promise<Walk> => {
  const { ref, what, exchanges } = asked;
  const broken = (failed: ReadFailure, again = false): Walk => ({
    kind: "broken",
    again,
    failure: { ...failed, exchanges },
  });
  const gathered = new Gathered();
  let token: string | null = null;
  for (;;) {
    const answer = await askForPage(asked, {
      ...(limit === null ? {} : { limit: String(limit) }),
      ...(token === null ? {} : { continue: token }),
    });
    // 410: the moment of the first page is forgotten. The token for the rest that comes with it is from another one.
    if (answer.kind === "other") return broken(answer.failure, answer.last.status === 410);
    if (answer.kind !== "object") return broken(answer);
    const page = pageOf(answer.object, ref);
    if ("why" in page) return broken(failure(what, page.reason, page.why, exchanges));
    const misfit = gathered.add(page, answer.last);
    if (misfit !== null) return broken(failure(what, misfit.reason, misfit.why, exchanges), misfit.again);
    if (page.next === null) return { kind: "whole", gathered };
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
      const { items, resourceVersion, pages } = walked.gathered;
      return { kind: "observed", items, resourceVersion, pages, exchanges: asked.exchanges };
    }
    if (!walked.again || restarts === MAX_RESTARTS) return walked.failure;
  }
};
