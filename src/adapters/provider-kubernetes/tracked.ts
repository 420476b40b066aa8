/**
 * What may be a step's own, and what is: the places that the inventory or the ledger names, each with the UID that is
 * recorded of it. An object is ours by its recorded UID; where none is recorded (a reply was lost), by the owner mark alone
 * (R4). Under the same name with another UID it is somebody else's, whatever its mark says.
 */
import { isJsonObject, type JsonObject, type JsonValue } from "../../domain/json.ts";
import type { ObjectRef } from "../../ports/cluster.ts";
import { placeOf } from "./inventory.ts";
import type { There } from "./reach.ts";

export interface Tracked {
  readonly ref: ObjectRef;
  /** null: it was to be made, and no reply told its UID. */
  readonly uid: string | null;
}

/** By place. */
export type TrackedObjects = ReadonlyMap<string, Tracked>;

/** What the ledger knows of one incarnation. */
export interface Recorded {
  /** Of the Namespace kube-system, by which a cluster is told from another; null: it could not be read. */
  readonly cluster: string | null;
  /** Where the inventory was written. */
  readonly home: string;
  readonly objects: readonly Tracked[];
}

const textOf = (value: JsonValue | undefined): string | null => (typeof value === "string" ? value : null);

const trackedIn = (value: JsonValue): Tracked | undefined => {
  if (!isJsonObject(value)) return undefined;
  const apiVersion = textOf(value["apiVersion"]);
  const kind = textOf(value["kind"]);
  const resource = textOf(value["resource"]);
  const name = textOf(value["name"]);
  if (apiVersion === null || kind === null || resource === null || name === null) return undefined;
  const cut = apiVersion.lastIndexOf("/");
  const namespace = textOf(value["namespace"]);
  return {
    ref: {
      resource: {
        group: apiVersion.slice(0, Math.max(0, cut)),
        version: apiVersion.slice(cut + 1),
        resource,
        kind,
        namespaced: namespace !== null,
      },
      namespace,
      name,
    },
    uid: textOf(value["uid"]),
  };
};

/** null: they are not of that incarnation, or tell nothing (an import). */
export const recordedIn = (outputs: JsonObject, mark: string): Recorded | null => {
  const { inventory, objects } = outputs;
  if (!isJsonObject(inventory) || inventory["name"] !== mark || !Array.isArray(objects)) return null;
  const home = textOf(inventory["namespace"]);
  const listed = (objects as readonly JsonValue[]).map(trackedIn);
  if (home === null || listed.some((one) => one === undefined)) return null;
  return { cluster: textOf(outputs["cluster"]), home, objects: listed as readonly Tracked[] };
};

const apiVersionOf = ({ resource: { group, version } }: ObjectRef): string =>
  group === "" ? version : `${group}/${version}`;

/** As `confirm` and the next call read them; the objects in the order in which they are made. */
export const outputsOf = (
  cluster: string | null,
  inventory: ObjectRef,
  objects: Iterable<Tracked>,
): JsonObject => ({
  cluster,
  inventory: { namespace: inventory.namespace, name: inventory.name },
  objects: [...objects].map(({ ref, uid }) => ({
    apiVersion: apiVersionOf(ref),
    kind: ref.resource.kind,
    resource: ref.resource.resource,
    namespace: ref.namespace,
    name: ref.name,
    uid,
  })),
});

/** Those of the inventory and of the ledger together: somebody may have changed the one, a crash the other. */
export const trackedObjects = (
  listed: readonly ObjectRef[],
  recorded: readonly Tracked[],
): TrackedObjects => {
  const all = new Map<string, Tracked>(listed.map((ref) => [placeOf(ref), { ref, uid: null }]));
  for (const one of recorded) all.set(placeOf(one.ref), one);
  return all;
};

export type Belongs = "ours" | "unmarked" | "other-mark" | "other-uid";

/** Whose the object is that stands at a place. */
export const belongs = (there: There, tracked: Tracked | undefined, mark: string): Belongs => {
  if (there.mark !== null && there.mark !== mark) return "other-mark";
  const uid = tracked === undefined ? null : tracked.uid;
  if (uid !== null) return uid === there.uid ? "ours" : "other-uid";
  return there.mark === mark ? "ours" : "unmarked";
};
