/** Objects as the API server shows them: metadata with UID, generation, times, owners. Deterministic: a name makes the UID. */
import { createHash } from "node:crypto";
import type { JsonObject, JsonValue } from "../../../src/domain/json.ts";

type Loose = { [key: string]: JsonValue };

const NAMESPACE = "shop";
const BASE_MS = Date.parse("2026-11-30T03:00:00Z");

/** Seconds after the fixtures' zero, as Kubernetes writes times. */
export const at = (seconds: number): string =>
  new Date(BASE_MS + seconds * 1000).toISOString().replace(".000", "");

/** One UID for each thing in each life. */
export const uidOf = (kind: string, name: string, life = 1): string => {
  const hex = createHash("sha256").update(`${kind}/${name}#${life}`).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

export interface Meta {
  readonly name: string;
  readonly life?: number;
  readonly created?: number;
  readonly generation?: number;
  readonly labels?: JsonObject;
  readonly annotations?: JsonObject;
  readonly owner?: {
    readonly apiVersion: string;
    readonly kind: string;
    readonly name: string;
    readonly uid: string;
  };
  readonly more?: JsonObject;
}

export const metadata = (kind: string, meta: Meta): JsonObject => ({
  name: meta.name,
  namespace: NAMESPACE,
  uid: uidOf(kind, meta.name, meta.life),
  resourceVersion: String(1000 + (meta.created ?? 0)),
  creationTimestamp: at(meta.created ?? 0),
  ...(meta.generation === undefined ? {} : { generation: meta.generation }),
  ...(meta.labels === undefined ? {} : { labels: meta.labels }),
  ...(meta.annotations === undefined ? {} : { annotations: meta.annotations }),
  ...(meta.owner === undefined
    ? {}
    : { ownerReferences: [{ ...meta.owner, controller: true, blockOwnerDeletion: true }] }),
  ...meta.more,
});

/** A counter as Go writes it with omitempty: a zero is left out. */
export const counters = (all: Readonly<Record<string, number>>): JsonObject =>
  Object.fromEntries(Object.entries(all).filter(([, count]) => count !== 0));

export const list = (items: readonly JsonObject[]): JsonObject => ({
  apiVersion: "v1",
  kind: "List",
  metadata: { resourceVersion: "" },
  items: [...items],
});

/** A copy with one field set (undefined: taken away); the path as members and indexes. */
export const changed = (
  object: JsonObject,
  path: readonly (string | number)[],
  value: JsonValue | undefined,
): JsonObject => {
  const copy = structuredClone(object) as Loose;
  let inside: Loose = copy;
  for (const key of path.slice(0, -1)) {
    inside[key] ??= {};
    inside = inside[key] as Loose;
  }
  const last = path.at(-1) as string;
  if (value === undefined) {
    if (Array.isArray(inside)) inside.splice(Number(last), 1);
    else delete inside[last];
  } else inside[last] = value;
  return copy;
};
