/** What a request changes, with the preconditions that Kubernetes keeps: UID and resourceVersion, finalizers, dry runs. */
import type { JsonObject } from "../../domain/json.ts";
import { isJsonObject } from "../../domain/json.ts";
import { mergePatch } from "../cloud/things.ts";
import { afterUpdate, applyTo } from "./apply.ts";
import type { Asked } from "./asked.ts";
import { jsonPatch } from "./json-patch.ts";
import type { Objects, Place } from "./objects.ts";
import type { ServedResource } from "./resources.ts";
import {
  type Answer,
  alreadyExists,
  applyConflict,
  badRequest,
  conflict,
  deleted,
  json,
  notFound,
  otherUid,
  patchFails,
  preconditionUid,
  unsupportedMediaType,
} from "./status.ts";

export interface Sent {
  readonly asked: Asked;
  readonly contentType: string;
  /** null: none. */
  readonly body: JsonObject | null;
  /** Of a JSON patch; null: it is none. */
  readonly operations: readonly JsonObject[] | null;
}

/** What one request changed, for the log. */
export interface ApiEffect {
  readonly what: "created" | "updated" | "deleted";
  readonly resource: string;
  readonly namespace: string | null;
  readonly name: string;
  readonly uid: string;
}

export interface Changed {
  readonly answer: Answer;
  readonly effect: ApiEffect | null;
}

const refused = (answer: Answer): Changed => ({ answer, effect: null });

const metadataOf = (object: JsonObject): JsonObject =>
  isJsonObject(object["metadata"]) ? object["metadata"] : {};

const STALE = "the object has been modified; please apply your changes to the latest version and try again";

const effectOf = (
  what: ApiEffect["what"],
  { served, namespace, name }: Place,
  object: JsonObject,
): ApiEffect => ({
  what,
  resource: served.resource,
  namespace,
  name,
  uid: String(metadataOf(object)["uid"]),
});

/** Ownership is kept of whoever names itself (`fieldManager`), and of what was ever applied. */
const owned = (
  { asked }: Sent,
  before: JsonObject | undefined,
  after: JsonObject,
  nowIso: string,
): JsonObject => {
  const manager = asked.query.get("fieldManager");
  const isKept = before !== undefined && metadataOf(before)["managedFields"] !== undefined;
  if (manager === null && !isKept) return after;
  return afterUpdate(before, after, manager ?? "unknown", nowIso);
};

const create = (objects: Objects, sent: Sent, served: ServedResource, nowIso: string): Changed => {
  const { asked, body } = sent;
  const name = metadataOf(body ?? {})["name"];
  if (body === null || typeof name !== "string")
    return refused(badRequest("name or generateName is required"));
  const place: Place = { served, namespace: asked.namespace, name };
  if (objects.get(place) !== undefined) return refused(alreadyExists(served, name));
  if (asked.query.get("dryRun") === "All") return refused(json(201, body));
  const object = objects.create(place, owned(sent, undefined, body, nowIso));
  return { answer: json(201, object), effect: effectOf("created", place, object) };
};

const APPLY = "application/apply-patch+yaml";
const JSON_PATCH = "application/json-patch+json";

/** A uid in what is applied pins the incarnation (apiserver, handlers/patch.go and validation of updates). */
const uidFault = (body: JsonObject, place: Place, before: JsonObject | undefined): Answer | undefined => {
  const wanted = metadataOf(body)["uid"];
  if (wanted === undefined) return undefined;
  if (before === undefined) return preconditionUid(place.served, place.name, String(wanted));
  const { uid } = metadataOf(before);
  return wanted === uid ? undefined : otherUid(place.served, place.name, String(wanted));
};

const apply = (objects: Objects, sent: Sent, place: Place, nowIso: string): Changed => {
  const { asked, body } = sent;
  const manager = asked.query.get("fieldManager");
  if (body === null) return refused(badRequest("the body is missing"));
  if (manager === null || manager === "")
    return refused(
      badRequest(
        'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
      ),
    );
  if (metadataOf(body)["managedFields"] !== undefined)
    return refused(badRequest("metadata.managedFields must be nil"));
  const live = objects.get(place);
  const fault = uidFault(body, place, live);
  if (fault !== undefined) return refused(fault);
  const force = asked.query.get("force") === "true";
  const result = applyTo({ live, applied: body, manager, force, nowIso });
  if ("conflicts" in result) return refused(applyConflict(result.conflicts));
  const isDry = asked.query.get("dryRun") === "All";
  if (live === undefined) {
    if (isDry) {
      const { name, namespace } = place;
      const inNamespace = namespace === null ? {} : { namespace };
      const metadata = { ...metadataOf(result.object), name, ...inNamespace, uid: DRY_UID };
      return refused(json(201, { ...result.object, metadata }));
    }
    const object = objects.create(place, result.object);
    return { answer: json(201, object), effect: effectOf("created", place, object) };
  }
  if (isDry || !result.changed) return refused(json(200, result.object));
  const object = objects.update(place, result.object);
  return { answer: json(200, object), effect: effectOf("updated", place, object) };
};

/** A dry run gives a uid as well, and it is nobody's. */
const DRY_UID = "00000000-0000-4000-8000-00000000dead";

/** null: none that is not met. */
const unmet = (preconditions: JsonObject, object: JsonObject): string | null => {
  const { uid, resourceVersion } = metadataOf(object);
  const wanted = preconditions["uid"];
  if (wanted !== undefined && wanted !== uid)
    return `the UID in the precondition (${wanted}) does not match the UID in record (${uid}). The object might have been deleted and then recreated`;
  const version = preconditions["resourceVersion"];
  return version !== undefined && version !== resourceVersion
    ? `the ResourceVersion in the precondition (${version}) does not match the ResourceVersion in record (${resourceVersion}). The object might have been modified`
    : null;
};

const remove = (
  objects: Objects,
  { asked, body }: Sent,
  place: Place,
  before: JsonObject,
  nowIso: string,
): Changed => {
  const { served, name } = place;
  const metadata = metadataOf(before);
  const preconditions = isJsonObject(body?.["preconditions"]) ? body["preconditions"] : {};
  const why = unmet(preconditions, before);
  // Here the API says the kind where it says the resource everywhere else (apiserver, registry/rest/delete.go).
  if (why !== null) return refused(conflict({ group: served.group, resource: served.kind }, name, why));
  // The query counts only where no options are sent (apiserver, handlers/delete.go).
  const told = body === null ? asked.query.getAll("dryRun") : body["dryRun"];
  if (Array.isArray(told) && told.includes("All")) return refused(json(200, before));
  const { finalizers } = metadata;
  if (Array.isArray(finalizers) && finalizers.length > 0) {
    const leaving = objects.update(place, {
      ...before,
      metadata: { ...metadata, deletionTimestamp: nowIso },
    });
    return { answer: json(200, leaving), effect: effectOf("updated", place, leaving) };
  }
  objects.remove(place);
  return {
    answer: deleted(served, name, String(metadata["uid"])),
    effect: effectOf("deleted", place, before),
  };
};

const change = (objects: Objects, sent: Sent, place: Place, before: JsonObject, nowIso: string): Changed => {
  const { asked, body, contentType, operations } = sent;
  if (operations !== null && contentType.startsWith(JSON_PATCH)) {
    const patched = jsonPatch(before, operations);
    return patched === null ? refused(patchFails) : changeTo(objects, sent, place, before, patched, nowIso);
  }
  if (body === null) return refused(badRequest("the body is missing"));
  if (asked.verb === "patch" && !contentType.startsWith("application/merge-patch+json"))
    return refused(unsupportedMediaType("application/merge-patch+json"));
  const { uid, resourceVersion: version } = metadataOf(body);
  if (uid !== undefined && uid !== metadataOf(before)["uid"])
    return refused(
      conflict(
        place.served,
        place.name,
        `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${metadataOf(before)["uid"]}`,
      ),
    );
  if (version !== undefined && version !== metadataOf(before)["resourceVersion"])
    return refused(conflict(place.served, place.name, STALE));
  const after = asked.verb === "patch" ? mergePatch(before, body) : body;
  return changeTo(objects, sent, place, before, after, nowIso);
};

const changeTo = (
  objects: Objects,
  sent: Sent,
  place: Place,
  before: JsonObject,
  after: JsonObject,
  nowIso: string,
): Changed => {
  const { asked } = sent;
  if (asked.query.get("dryRun") === "All") return refused(json(200, after));
  const object = objects.update(place, owned(sent, before, after, nowIso));
  const { finalizers, deletionTimestamp } = metadataOf(object);
  const isFree = !Array.isArray(finalizers) || finalizers.length === 0;
  if (deletionTimestamp !== undefined && isFree) {
    objects.remove(place);
    return { answer: json(200, object), effect: effectOf("deleted", place, object) };
  }
  return { answer: json(200, object), effect: effectOf("updated", place, object) };
};

export const carryOut = (objects: Objects, sent: Sent, served: ServedResource, nowIso: string): Changed => {
  const { asked } = sent;
  if (asked.verb === "create") return create(objects, sent, served, nowIso);
  const place: Place = { served, namespace: asked.namespace, name: asked.name ?? "" };
  if (asked.verb === "patch" && sent.contentType.startsWith(APPLY))
    return apply(objects, sent, place, nowIso);
  const before = objects.get(place);
  if (before === undefined) return refused(notFound(served, place.name));
  return asked.verb === "delete"
    ? remove(objects, sent, place, before, nowIso)
    : change(objects, sent, place, before, nowIso);
};
