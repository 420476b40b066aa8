/** One object. It is observed only if it is what was asked for, and absent only by the server's word about exactly it (R2). */
import type { JsonObject } from "../../domain/json.ts";
import { isJsonObject } from "../../domain/json.ts";
import type { Exchange, ObjectReading, ObjectRef } from "../../ports/cluster.ts";
import { askForObject, type Caller } from "./ask.ts";
import { saying } from "./body.ts";
import { failure } from "./failure.ts";
import { groupVersion, isSegment, nameOfObject, objectPath } from "./name.ts";
import { isStatus, saysAbsent, statusIn, statusOf } from "./status.ts";

/** One object is at most about 3 MiB (etcd's limit is 1.5 MiB for what it stores). */
const MAX_OBJECT_BYTES = 16 * 1024 * 1024;

const textOf = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);

/** What of `object` is not as asked, as a clause; null: it is the one. */
const mismatch = (object: JsonObject, { resource, namespace, name }: ObjectRef): string | null => {
  if (isStatus(object)) return `a Status came with 200${saying(statusIn(object).message, [])}`;
  if (object["kind"] !== resource.kind) return `its kind is not ${resource.kind}`;
  if (object["apiVersion"] !== groupVersion(resource))
    return `its apiVersion is not ${groupVersion(resource)}`;
  const { metadata } = object;
  if (!isJsonObject(metadata)) return "it has no metadata";
  if (metadata["name"] !== name) return "its metadata.name is another";
  if ((metadata["namespace"] ?? null) !== namespace) return "its metadata.namespace is another";
  for (const field of ["uid", "resourceVersion"])
    if (metadata[field] !== undefined && typeof metadata[field] !== "string")
      return `its metadata.${field} is not a text`;
  return null;
};

const observed = (object: JsonObject, exchanges: readonly Exchange[]): ObjectReading => {
  const metadata = object["metadata"] as JsonObject;
  return {
    kind: "observed",
    object,
    uid: textOf(metadata["uid"]),
    resourceVersion: textOf(metadata["resourceVersion"]),
    exchanges,
  };
};

export const getObject = async (caller: Caller, ref: ObjectRef): Promise<ObjectReading> => {
  const what = nameOfObject(ref);
  const { resource, namespace, name } = ref;
  if (!isSegment(name) || (namespace !== null && !isSegment(namespace)))
    return failure(what, "invalid-name", "no object can have that name or namespace", []);
  if (resource.namespaced !== (namespace !== null))
    return failure(
      what,
      "invalid-name",
      resource.namespaced
        ? "it is in a namespace, and none is named"
        : "it is in no namespace, and one is named",
      [],
    );
  const answer = await askForObject(caller, {
    what,
    path: objectPath(ref),
    accept: "application/json",
    maxBytes: MAX_OBJECT_BYTES,
    right: { verb: "get", group: resource.group, resource: resource.resource, namespace, name },
  });
  if (answer.kind === "object") {
    const wrong = mismatch(answer.object, ref);
    return wrong === null
      ? observed(answer.object, answer.exchanges)
      : failure(what, "wrong-kind", `the answer is not it: ${wrong}`, answer.exchanges);
  }
  if (answer.kind !== "other") return answer;
  const status = answer.last.status === 404 ? statusOf(answer.last) : null;
  if (status !== null && saysAbsent(status, ref)) return { kind: "absent", exchanges: answer.exchanges };
  return answer.failure;
};
