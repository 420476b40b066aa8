/**
 * What exists in the fake cluster: every object with all its versions, so that any moment of the past can be shown. One
 * counter numbers every change, as etcd's revision does. A UID names one incarnation and is never used again.
 */
import type { JsonObject } from "../../domain/json.ts";
import { isJsonObject } from "../../domain/json.ts";
import { groupVersionOf, type ServedResource } from "./resources.ts";

export interface Place {
  readonly served: ServedResource;
  /** null: in none. */
  readonly namespace: string | null;
  readonly name: string;
}

export interface Change {
  readonly revision: number;
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly place: Place;
  /** As it is then; for DELETED as it was last. */
  readonly object: JsonObject;
}

export interface Objects {
  readonly revision: number;
  /** `at`: a revision; default: now. */
  get(place: Place, at?: number): JsonObject | undefined;
  /** By namespace and name, as etcd keeps them. */
  list(served: ServedResource, namespace: string | null, at?: number): readonly JsonObject[];
  /** `given`: what of its metadata is as given, rather than as a server makes it. */
  create(place: Place, body: JsonObject, given?: JsonObject): JsonObject;
  /** Keeps UID and creation time; counts the generation up if anything but metadata and status changed. */
  update(place: Place, body: JsonObject, given?: JsonObject): JsonObject;
  remove(place: Place): JsonObject | undefined;
  /** All changes after a revision, in order. */
  since(revision: number): readonly Change[];
  onChange(listener: (change: Change) => void): () => void;
}

interface Version {
  readonly revision: number;
  /** null: gone from here on. */
  readonly object: JsonObject | null;
}

const keyOf = ({ served, namespace, name }: Place): string =>
  JSON.stringify([served.group, served.resource, namespace ?? "", name]);

const metadataOf = (object: JsonObject): JsonObject =>
  isJsonObject(object["metadata"]) ? object["metadata"] : {};

const withoutFleeting = ({ metadata: _metadata, status: _status, ...rest }: JsonObject): string =>
  JSON.stringify(rest);

export const objects = (nowIso: () => string): Objects => {
  const kept = new Map<string, { readonly place: Place; readonly versions: Version[] }>();
  const changes: Change[] = [];
  const listeners = new Set<(change: Change) => void>();
  let revision = 0;
  let incarnations = 0;

  const at = (versions: readonly Version[], moment: number): JsonObject | undefined =>
    versions.findLast((version) => version.revision <= moment)?.object ?? undefined;

  const write = (place: Place, type: Change["type"], body: JsonObject, metadata: JsonObject): JsonObject => {
    revision += 1;
    const { served, namespace, name } = place;
    const object: JsonObject = {
      ...body,
      apiVersion: groupVersionOf(served),
      kind: served.kind,
      metadata: {
        ...metadata,
        name,
        ...(namespace === null ? {} : { namespace }),
        resourceVersion: String(revision),
      },
    };
    const entry = kept.get(keyOf(place)) ?? { place, versions: [] };
    kept.set(keyOf(place), entry);
    entry.versions.push({ revision, object: type === "DELETED" ? null : object });
    const change: Change = { revision, type, place, object };
    changes.push(change);
    for (const listener of listeners) listener(change);
    return object;
  };

  return {
    get revision() {
      return revision;
    },
    get: (place, moment = revision) => at(kept.get(keyOf(place))?.versions ?? [], moment),
    list: (served, namespace, moment = revision) =>
      [...kept]
        .filter(
          ([, { place }]) =>
            place.served.group === served.group &&
            place.served.resource === served.resource &&
            (namespace === null || place.namespace === namespace),
        )
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([, { versions }]) => at(versions, moment))
        .filter((object) => object !== undefined)
        // One resource may be served in several versions: the same object under another apiVersion.
        .map((object) => ({ ...object, apiVersion: groupVersionOf(served) })),
    create: (place, body, given = {}) => {
      incarnations += 1;
      return write(place, "ADDED", body, {
        ...metadataOf(body),
        uid: `00000000-0000-4000-8000-${String(incarnations).padStart(12, "0")}`,
        creationTimestamp: nowIso(),
        generation: 1,
        ...given,
      });
    },
    update: (place, body, given = {}) => {
      const before = at(kept.get(keyOf(place))?.versions ?? [], revision) ?? {};
      const { uid, creationTimestamp, generation } = metadataOf(before);
      const changed =
        withoutFleeting(before) !==
        withoutFleeting({ ...body, apiVersion: before["apiVersion"] ?? "", kind: before["kind"] ?? "" });
      return write(place, "MODIFIED", body, {
        ...metadataOf(body),
        uid: uid ?? "",
        creationTimestamp: creationTimestamp ?? "",
        generation: Number(generation ?? 0) + (changed ? 1 : 0),
        ...given,
      });
    },
    remove: (place) => {
      const before = at(kept.get(keyOf(place))?.versions ?? [], revision);
      return before === undefined ? undefined : write(place, "DELETED", before, metadataOf(before));
    },
    since: (moment) => changes.filter((change) => change.revision > moment),
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};
