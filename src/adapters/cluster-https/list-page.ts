/** One page of a list: what it has to be, and what it says of the page behind it. */
import type { JsonObject, JsonValue } from "../../domain/json.ts";
import { isJsonObject } from "../../domain/json.ts";
import type { CollectionRef, Exchange, ListForm } from "../../ports/cluster.ts";
import { saying } from "./body.ts";
import { groupVersion } from "./name.ts";
import { isStatus, statusIn } from "./status.ts";

export interface Page {
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

/** How each form is asked for: what of an object is not wanted is not sent (kubernetes.io/docs, "Fetching as metadata"). */
export const ACCEPTED: Readonly<Record<ListForm, string>> = {
  whole: "application/json",
  metadata: "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1",
};
const PARTIAL = { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1" } as const;
const OF_PARTIAL: ReadonlySet<string> = new Set(["kind", "apiVersion", "metadata"]);

/** Why an item is none of this list, as a clause. Items of built-in kinds carry no kind of their own. */
const misfit = (item: JsonValue, { resource, namespace }: CollectionRef, form: ListForm): string | null => {
  if (!isJsonObject(item)) return "is not an object";
  const kind = form === "metadata" ? PARTIAL.kind : resource.kind;
  if (item["kind"] !== undefined && item["kind"] !== kind) return `is not of the kind ${kind}`;
  if (form === "metadata" && Object.keys(item).some((member) => !OF_PARTIAL.has(member)))
    return "has more than its metadata";
  const { metadata } = item;
  if (!isJsonObject(metadata) || textOf(metadata["name"]) === null) return "has no metadata.name";
  if (namespace !== null && metadata["namespace"] !== namespace) return "is in another namespace";
  if (resource.namespaced && textOf(metadata["namespace"]) === null) return "has no metadata.namespace";
  return null;
};

export const pageOf = (object: JsonObject, ref: CollectionRef, form: ListForm): Page | Faulty => {
  const wrong = (why: string): Faulty => ({ reason: "wrong-kind", why });
  const { kind, apiVersion, metadata, items } = object;
  if (isStatus(object)) return wrong(`a Status came with 200${saying(statusIn(object).message, [])}`);
  const version = form === "metadata" ? PARTIAL.apiVersion : groupVersion(ref.resource);
  if (apiVersion !== version) return wrong(`its apiVersion is not ${version}`);
  if (typeof kind !== "string" || !kind.endsWith("List")) return wrong("its kind is no list");
  if (!isJsonObject(metadata)) return wrong("it has no metadata");
  // Go writes a list without items as null where it was never made; a list without the field is none.
  const all = items === null ? [] : items;
  if (!Array.isArray(all)) return wrong("it has no items");
  const checked = all as readonly JsonValue[];
  for (const [index, item] of checked.entries()) {
    const why = misfit(item, ref, form);
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

/** Where lists of built-in kinds have it, before their items; those of custom resources have it behind them. */
const TOKEN =
  /^\{"kind":"\w+","apiVersion":"[\w./]+","metadata":\{(?:"\w+":"[^"\\]*",)*"continue":"([\w=-]+)"/;
const TOKEN_WITHIN_BYTES = 4096;

/** The token of the page behind this one, as its first bytes tell it; null: to be seen when all of it is read. */
export const tokenAhead = ({ status, body }: Exchange): string | null => {
  if (status !== 200) return null;
  const start = new TextDecoder().decode(body.subarray(0, TOKEN_WITHIN_BYTES));
  return TOKEN.exec(start)?.[1] ?? null;
};
