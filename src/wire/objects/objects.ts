/**
 * A saved answer of the API as objects and as what was asked: one object, a List as `kubectl get -o json` prints it, a
 * typed list as the API sends it (`PodList`, whose items carry no kind), or a Status, which is an answer that failed.
 * What is in an object is kept as it is; only what says which object it is has to be there.
 */
import type { Answer, Asked, Cited, Seen } from "../../domain/evidence.ts";
import type { JsonObject, JsonValue } from "../../domain/json.ts";
import { isJsonObject } from "../../domain/json.ts";
import { resourceOf } from "../../domain/resource.ts";
import { shown } from "../manifest/fault.ts";
import type { AskedResource } from "./file-name.ts";

export type ReadObjects =
  | { readonly objects: readonly Seen[]; readonly asked: readonly Asked[] }
  /** `pointer` (RFC 6901) says where. */
  | { readonly fault: string; readonly pointer: string };

/** `evidence` names the reading; `named` is what its name says was asked for, perhaps nothing. */
export const readObjects = (
  value: JsonValue,
  evidence: string,
  named: readonly AskedResource[],
): ReadObjects => {
  const source: Cited = { evidence, pointer: "" };
  if (!isJsonObject(value))
    return { fault: "this is not a Kubernetes object; save what kubectl get -o json prints", pointer: "" };
  const kind = textIn(value, "kind");
  if (kind === undefined) return { fault: "this is not a Kubernetes object: it has no kind", pointer: "" };
  if (kind === "Status" && textIn(value, "apiVersion") === "v1") return statusAnswer(value, source, named);
  const items = own(value, "items");
  const read = Array.isArray(items)
    ? readItems(value, kind, items, source)
    : readOne(value, source, undefined);
  if ("fault" in read) return read;
  const stranger = strangerIn(read.objects, named);
  if (stranger !== undefined) return stranger;
  const answer = Array.isArray(items) ? listAnswer(value, evidence) : OBSERVED;
  const asked = named.map(({ group, resource, known }): Asked => {
    const its = read.objects.filter(
      (one) => known === undefined || (one.group === known.group && one.kind === known.kind),
    );
    const [only] = its;
    const name = Array.isArray(items) ? null : only === undefined ? null : only.name;
    return { group, resource, namespaces: namespacesOf(its, name !== null), name, answer, source };
  });
  return { objects: read.objects, asked };
};

/** DNS subdomain names (RFC 1123), the longest that the API takes; UIDs are shorter. */
const MAX_NAME = 253;

const OBSERVED: Answer = { kind: "observed" };

type ObjectsOrFault =
  | { readonly objects: readonly Seen[] }
  | { readonly fault: string; readonly pointer: string };

const readItems = (
  list: JsonObject,
  kind: string,
  items: readonly JsonValue[],
  source: Cited,
): ObjectsOrFault => {
  const typed =
    kind === "List" ? undefined : { kind: kind.replace(/List$/, ""), apiVersion: textIn(list, "apiVersion") };
  const objects: Seen[] = [];
  for (const [at, item] of items.entries()) {
    const read = readOne(item, { ...source, pointer: `/items/${at}` }, typed);
    if ("fault" in read) return read;
    objects.push(...read.objects);
  }
  return { objects };
};

/** `typed`: what the list says its items are, for those that do not say it themselves. */
const readOne = (
  value: JsonValue,
  source: Cited,
  typed: { readonly kind: string; readonly apiVersion: string | undefined } | undefined,
): ObjectsOrFault => {
  const fault = (text: string) => ({ fault: text, pointer: source.pointer });
  if (!isJsonObject(value)) return fault("this is not an object");
  const kind = textIn(value, "kind") ?? typed?.kind;
  const apiVersion = textIn(value, "apiVersion") ?? typed?.apiVersion;
  const metadata = own(value, "metadata");
  const name = isJsonObject(metadata) ? textIn(metadata, "name") : undefined;
  if (kind === undefined || apiVersion === undefined)
    return fault("this object does not say its apiVersion and kind");
  if (name === undefined || !isJsonObject(metadata)) return fault(`this ${shown(kind)} has no metadata.name`);
  for (const field of ["name", "namespace", "uid"]) {
    const length = textIn(metadata, field)?.length;
    if (length !== undefined && length > MAX_NAME)
      return fault(
        `its metadata.${field} has ${length} characters, and Kubernetes' have at most ${MAX_NAME}`,
      );
  }
  const [group, version] = apiVersion.includes("/") ? apiVersion.split("/", 2) : ["", apiVersion];
  const object: Seen = {
    group: String(group),
    version: String(version),
    kind,
    namespace: textIn(metadata, "namespace") ?? null,
    name,
    uid: textIn(metadata, "uid") ?? null,
    raw: value,
    source,
  };
  return { objects: [object] };
};

/** A file that says "pods" and holds something else is not what it says. */
const strangerIn = (objects: readonly Seen[], named: readonly AskedResource[]) => {
  const stranger = objects.find((one) => named.length > 0 && !named.some((asked) => mayBe(one, asked)));
  return stranger === undefined
    ? undefined
    : {
        fault: `the file's name says ${named.map(({ resource }) => resource).join(", ")}, and this is a ${shown(stranger.kind)}; name the file after what was asked for`,
        pointer: stranger.source.pointer,
      };
};

const mayBe = (object: Seen, { group, known }: AskedResource): boolean => {
  if (known === undefined) return object.group === group;
  return resourceOf(object.group, object.kind) === known;
};

/** An empty answer is of whatever namespace was asked; objects of two are an answer for all; else it is of theirs. */
const namespacesOf = (objects: readonly Seen[], single: boolean): "all" | readonly string[] => {
  const seen = new Set(objects.flatMap(({ namespace }) => (namespace === null ? [] : [namespace])));
  return !single && seen.size !== 1 ? "all" : [...seen];
};

/** A list of which the API holds more is no complete one: nothing may follow from what is not in it. */
const listAnswer = (list: JsonObject, evidence: string): Answer => {
  const metadata = own(list, "metadata");
  const more = isJsonObject(metadata) && (textIn(metadata, "continue") ?? "") !== "";
  return more
    ? { kind: "failed", why: `${shown(evidence)} is only the first part of a longer list` }
    : OBSERVED;
};

const statusAnswer = (status: JsonObject, source: Cited, named: readonly AskedResource[]): ReadObjects => {
  const code = own(status, "code");
  const why = `${shown(source.evidence)} is an answer that failed: ${shown(textIn(status, "message") ?? "without a message")}`;
  const kind = code === 401 || code === 403 ? "denied" : code === 504 ? "timed-out" : "failed";
  return {
    objects: [],
    asked: named.map(({ group, resource }) => ({
      group,
      resource,
      namespaces: "all",
      name: null,
      answer: { kind, why },
      source,
    })),
  };
};

const own = (object: JsonObject, key: string): JsonValue | undefined =>
  Object.hasOwn(object, key) ? object[key] : undefined;

const textIn = (object: JsonObject, key: string): string | undefined => {
  const value = own(object, key);
  return typeof value === "string" && value !== "" ? value : undefined;
};
