/** Lists in pages, all from the moment of the first one, until that moment is forgotten. */
import type { JsonObject } from "../../domain/json.ts";
import type { Asked } from "./asked.ts";
import { type ApiFault, met } from "./fault.ts";
import type { Objects } from "./objects.ts";
import { groupVersionOf, type ServedResource } from "./resources.ts";
import { selectorOf } from "./selector.ts";
import { type Answer, badRequest, continueExpired, json } from "./status.ts";

export interface World {
  readonly objects: Objects;
  /** Moments before this one are forgotten (etcd compacts). */
  compacted: number;
}

interface Token {
  readonly revision: number;
  /** How many items came before. */
  readonly from: number;
}

const written = (token: Token): string => Buffer.from(JSON.stringify(token)).toString("base64url");

const readToken = (text: string): Token | null => {
  try {
    const token: unknown = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
    const isToken = typeof token === "object" && token !== null && "revision" in token && "from" in token;
    return isToken ? (token as Token) : null;
  } catch {
    return null;
  }
};

/** Items of built-in kinds carry no kind; those of custom resources do. */
const asItem = (served: ServedResource, object: JsonObject): JsonObject => {
  if (served.group.includes(".") && !served.group.endsWith(".k8s.io")) return object;
  const { kind: _kind, apiVersion: _apiVersion, ...item } = object;
  return item;
};

/** What a client may ask for instead of the objects (apiserver, endpoints/handlers/response.go). */
export const METADATA = /\bas=PartialObjectMetadata(List)?\b/;
export const META = { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1" };

/** `accept`: METADATA in it means that each item is its metadata alone. */
export const list = (
  world: World,
  asked: Asked,
  served: ServedResource,
  faults: readonly ApiFault[],
  accept = "",
): Answer => {
  const { query, namespace } = asked;
  const { objects } = world;
  const text = query.get("continue");
  const token = text === null ? null : readToken(text);
  if (text !== null && token === null) return badRequest("continue key is not valid");
  const from = token?.from ?? 0;
  const stale = met(faults, "stale");
  const revision = token?.revision ?? objects.revision - (stale?.revisions ?? 0);
  const isForgotten = token !== null && revision < world.compacted;
  if (isForgotten || (token !== null && met(faults, "expire") !== undefined))
    return continueExpired(written({ revision: objects.revision, from }));

  const selects = selectorOf(query.get("labelSelector"), query.get("fieldSelector"));
  const isSelective = query.has("labelSelector") || query.has("fieldSelector");
  const all = objects.list(served, namespace, revision).filter(selects);
  const shorten = met(faults, "shorten");
  const limit = shorten?.items ?? Number(query.get("limit") ?? 0);
  const items = all.slice(from, limit === 0 ? undefined : from + limit);
  const left = all.length - from - items.length;
  const more = left > 0 && shorten?.silent !== true;
  const next =
    met(faults, "circle") !== undefined
      ? written({ revision, from: 0 })
      : written({ revision, from: from + items.length });
  const isPartial = METADATA.test(accept);
  return json(200, {
    kind: isPartial ? `${META.kind}List` : `${served.kind}List`,
    apiVersion: isPartial ? META.apiVersion : groupVersionOf(served),
    metadata: {
      resourceVersion: String(revision),
      ...(more && shorten === undefined ? { continue: next } : {}),
      // With a selector the server does not know how many would follow.
      ...(more && !isSelective ? { remainingItemCount: left } : {}),
    },
    items: items.map((item) =>
      isPartial ? { ...META, metadata: item["metadata"] as JsonObject } : asItem(served, item),
    ),
  });
};
