/**
 * Server-side apply (KEP-555): who owns which field is kept in managedFields; a field of another owner with another value is
 * a conflict unless forced; what a manager owned alone and applies no more is removed. Defaults are not filled in here.
 */
import type { JsonObject, JsonValue } from "../../domain/json.ts";
import { isJsonObject } from "../../domain/json.ts";
import { fieldsIn, fieldsV1, fieldText, placesIn, withField } from "./field-set.ts";

export interface Ownership {
  readonly manager: string;
  readonly operation: "Apply" | "Update";
  readonly apiVersion: string;
  readonly places: ReadonlySet<string>;
  readonly time: string;
}

export interface Conflict {
  readonly message: string;
  readonly field: string;
}

/** Not fields that anybody owns. */
const UNOWNED =
  /^\["f:(apiVersion|kind)"|^\["f:metadata","f:(name|namespace|uid|resourceVersion|generation|creationTimestamp|managedFields|deletionTimestamp|deletionGracePeriodSeconds)"/;

const ownedIn = (object: JsonObject): ReadonlyMap<string, JsonValue> =>
  new Map([...fieldsIn(object)].filter(([place]) => !UNOWNED.test(place)));

const metadataOf = (object: JsonObject): JsonObject =>
  isJsonObject(object["metadata"]) ? object["metadata"] : {};

const ownershipsOf = (object: JsonObject): readonly Ownership[] => {
  const kept = metadataOf(object)["managedFields"];
  if (!Array.isArray(kept)) return [];
  return (kept as readonly JsonValue[]).filter(isJsonObject).map((one) => ({
    manager: String(one["manager"]),
    operation: one["operation"] === "Apply" ? "Apply" : "Update",
    apiVersion: String(one["apiVersion"]),
    places: placesIn(one["fieldsV1"]),
    time: String(one["time"]),
  }));
};

const withOwnerships = (object: JsonObject, owners: readonly Ownership[]): JsonObject => {
  const { managedFields: _before, ...metadata } = metadataOf(object);
  const managedFields = owners
    .filter(({ places }) => places.size > 0)
    .map(({ manager, operation, apiVersion, places, time }) => ({
      manager,
      operation,
      apiVersion,
      time,
      fieldsType: "FieldsV1",
      fieldsV1: fieldsV1(places),
    }));
  return { ...object, metadata: managedFields.length === 0 ? metadata : { ...metadata, managedFields } };
};

const equal = (a: JsonValue | undefined, b: JsonValue | undefined): boolean => {
  if (a === b || a === undefined || b === undefined) return a === b;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((one: JsonValue, index) => equal(one, b[index] as JsonValue));
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => equal(a[name], b[name]));
};

export interface Applying {
  /** undefined: nothing is there yet. */
  readonly live: JsonObject | undefined;
  readonly applied: JsonObject;
  readonly manager: string;
  readonly force: boolean;
  readonly nowIso: string;
}

export type ApplyResult =
  | { readonly conflicts: readonly Conflict[] }
  /** `changed`: anything but managedFields' times is other than before. */
  | { readonly object: JsonObject; readonly changed: boolean };

const without = (places: ReadonlySet<string>, taken: ReadonlySet<string>): ReadonlySet<string> =>
  new Set([...places].filter((place) => !taken.has(place)));

export const applyTo = ({ live, applied, manager, force, nowIso }: Applying): ApplyResult => {
  const wanted = ownedIn(applied);
  const there = live === undefined ? new Map<string, JsonValue>() : ownedIn(live);
  const owners = live === undefined ? [] : ownershipsOf(live);
  const isOurs = (one: Ownership): boolean => one.manager === manager && one.operation === "Apply";
  const others = owners.filter((one) => !isOurs(one));
  const before = owners.find(isOurs)?.places ?? new Set<string>();

  const differing = new Set(
    [...wanted].filter(([place, value]) => !equal(there.get(place), value)).map(([place]) => place),
  );
  const conflicts = others.flatMap((one) =>
    [...differing]
      .filter((place) => one.places.has(place))
      .map((place) => ({
        message: `conflict with "${one.manager}"${one.operation === "Update" ? ` using ${one.apiVersion}` : ""}`,
        field: fieldText(place),
      })),
  );
  if (conflicts.length > 0 && !force) return { conflicts };

  let next: JsonValue | undefined = live ?? {};
  for (const place of before)
    if (!wanted.has(place) && !others.some((one) => one.places.has(place)))
      next = withField(next, place, undefined);
  for (const place of differing) next = withField(next, place, wanted.get(place));
  const object: JsonObject = isJsonObject(next) ? next : {};
  const ours: Ownership = {
    manager,
    operation: "Apply",
    apiVersion: String(applied["apiVersion"]),
    places: new Set(wanted.keys()),
    time: nowIso,
  };
  const left = others.map((one) => ({ ...one, places: without(one.places, differing) }));
  const isSame =
    live !== undefined &&
    equal([...ownedIn(object)].sort(), [...there].sort()) &&
    equal([...before].sort(), [...ours.places].sort());
  const identity = { apiVersion: applied["apiVersion"] ?? "", kind: applied["kind"] ?? "" };
  return {
    object: isSame ? live : withOwnerships({ ...object, ...identity }, [...left, ours]),
    changed: !isSame,
  };
};

/** After a plain write by `manager`: it owns what it changed, and nobody owns what is gone. */
export const afterUpdate = (
  before: JsonObject | undefined,
  after: JsonObject,
  manager: string,
  nowIso: string,
): JsonObject => {
  const [was, is] = [before === undefined ? new Map<string, JsonValue>() : ownedIn(before), ownedIn(after)];
  const changed = new Set(
    [...is].filter(([place, value]) => !equal(was.get(place), value)).map(([place]) => place),
  );
  const owners = before === undefined ? [] : ownershipsOf(before);
  const mine = owners.find((one) => one.manager === manager && one.operation === "Update");
  const gone = new Set([...was.keys()].filter((place) => !is.has(place)));
  const lost = new Set([...changed, ...gone]);
  const left = owners
    .filter((one) => one !== mine)
    .map((one) => ({ ...one, places: without(one.places, lost) }));
  const places = new Set([...without(mine?.places ?? new Set(), gone), ...changed]);
  const own: Ownership = {
    manager,
    operation: "Update",
    apiVersion: String(after["apiVersion"] ?? before?.["apiVersion"]),
    places,
    time: nowIso,
  };
  return withOwnerships(after, [...left, own]);
};
