/**
 * `kubernetes-config`: writes ConfigMaps from the bytes that a release recorded: those that are gone are made again, mutable
 * ones that hold something else are written back. Internal: `asfound rollback run` makes its step. Secrets are never written.
 *
 * Laws: what is written into is the very object that was looked at, as it was then (uid, resourceVersion); what is made is
 * taken from nobody (server-side apply without force). One after the other; the first that is refused ends it.
 */
import { isUtf8 } from "node:buffer";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../domain/json.ts";
import { known, unreadable } from "../../../domain/known.ts";
import type { Outcome, Reading } from "../../../domain/outcome.ts";
import type { Applied } from "../../../ports/cluster-writer.ts";
import type { Provider, Question } from "../../../ports/provider.ts";
import type { Fence } from "../call.ts";
import { nameOf } from "../inventory.ts";
import { type ClusterReach, type Look, lookAt, type Parts } from "../reach.ts";
import { type ConfigObject, type ConfigSpec, parseConfig } from "./spec.ts";
import { refused, rollbackProvider } from "./step.ts";

/** What was text is text again; the digest is of the bytes either way. */
const fieldsOf = ({
  content,
}: ConfigObject): { readonly data: JsonObject; readonly binaryData: JsonObject } => {
  const all = [...content];
  const texts = all.filter(([, bytes]) => isUtf8(bytes));
  const others = all.filter(([, bytes]) => !isUtf8(bytes));
  return {
    data: Object.fromEntries(texts.map(([key, bytes]) => [key, bytes.toString("utf8")])),
    binaryData: Object.fromEntries(others.map(([key, bytes]) => [key, bytes.toString("base64")])),
  };
};

const contentIn = (object: JsonObject): ReadonlyMap<string, Buffer> | undefined => {
  const all = new Map<string, Buffer>();
  for (const [field, encoding] of [
    ["data", "utf8"],
    ["binaryData", "base64"],
  ] as const) {
    const value: JsonValue | undefined = Object.hasOwn(object, field) ? object[field] : undefined;
    if (value === undefined || value === null) continue;
    if (!isJsonObject(value)) return undefined;
    for (const [key, text] of Object.entries(value)) {
      if (typeof text !== "string") return undefined;
      all.set(key, Buffer.from(text, encoding));
    }
  }
  return all;
};

const isAsWanted = (wanted: ConfigObject, look: Look | undefined): boolean => {
  if (look === undefined || look.kind === "absent" || look.there.leaving) return false;
  const content = contentIn(look.there.object);
  if (content === undefined || content.size !== wanted.content.size) return false;
  // What is written back is the object that was there; what is made may have any uid.
  if (wanted.was !== null && look.there.uid !== wanted.was.uid) return false;
  return [...wanted.content].every(([key, bytes]) => content.get(key)?.equals(bytes) === true);
};

/** RFC 7396: a key that is not in the release goes. */
const patchOf = (wanted: ConfigObject, object: JsonObject): JsonObject => {
  const fields = fieldsOf(wanted);
  const gone = (field: "data" | "binaryData"): JsonObject => {
    const now = object[field];
    const names = isJsonObject(now)
      ? Object.keys(now).filter((key) => !Object.hasOwn(fields[field], key))
      : [];
    return { ...Object.fromEntries(names.map((key) => [key, null])), ...fields[field] };
  };
  return { data: gone("data"), binaryData: gone("binaryData") };
};

/** A sentence: it is not as it was looked at, and nothing is sent. */
const writeOne = async (
  reach: ClusterReach,
  one: ConfigObject,
  look: Look | undefined,
  fence: Fence,
): Promise<Applied | { readonly kind: "not-sent"; readonly sentence: string }> => {
  const name = nameOf(one.ref);
  const stop = (sentence: string) => ({ kind: "not-sent" as const, sentence });
  if (one.was === null) {
    if (look?.kind === "there") return stop(`${name} is there by now, and holds something else`);
    const { data, binaryData } = fieldsOf(one);
    const object: JsonObject = {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: one.ref.name, namespace: one.ref.namespace },
      data,
      ...(Object.keys(binaryData).length === 0 ? {} : { binaryData }),
      ...(one.immutable ? { immutable: true } : {}),
    };
    return reach.writer.apply({ ref: one.ref, object, force: false }, reach.limits(), fence.late);
  }
  if (look?.kind !== "there") return stop(`${name} is not there any more`);
  const { there } = look;
  if (there.uid !== one.was.uid || there.resourceVersion !== one.was.resourceVersion)
    return stop(`${name} has changed since it was looked at; look again, and decide again`);
  return reach.writer.patch(
    { ref: one.ref, preconditions: one.was, patch: { kind: "merge", body: patchOf(one, there.object) } },
    reach.limits(),
    fence.late,
  );
};

const send = async (reach: ClusterReach, spec: ConfigSpec, fence: Fence, id: string): Promise<Outcome> => {
  const { objects } = spec;
  const looked = await lookAt(
    reach,
    objects.map(({ ref }) => ref),
  );
  if (!("looks" in looked)) return refused(looked.sentence);
  let written = 0;
  for (const [at, one] of objects.entries()) {
    if (isAsWanted(one, looked.looks[at])) continue;
    const came = await writeOne(reach, one, looked.looks[at], fence);
    if (came.kind === "applied") {
      written += 1;
      continue;
    }
    const isSent = came.kind === "failed" || came.kind === "unknown";
    if (written === 0 && !isSent) return refused(came.sentence);
    const before = written === 0 ? "" : `${written} of ${objects.length} ConfigMaps were written, and then: `;
    const kind = came.kind === "unknown" ? "unknown" : "failed";
    return { kind, reason: `${before}${came.sentence}`, id: null, outputs: {}, owes: [] };
  }
  return { kind: "done", id, outputs: outputsOf(spec), owes: [] };
};

const outputsOf = ({ objects }: ConfigSpec): JsonObject => ({
  objects: objects.map(({ ref }) => nameOf(ref)),
});

const idOf = ({ workload }: ConfigSpec): string => `config of ${nameOf(workload)}`;

const isAboutAnother = (spec: ConfigSpec, { previousInputs, inDoubt }: Question): boolean => {
  if (inDoubt === true || previousInputs === null) return false;
  const before = parseConfig(previousInputs);
  return "spec" in before && told(before.spec) !== told(spec);
};

const told = ({ objects }: ConfigSpec): string =>
  JSON.stringify(
    objects.map(({ ref, was, content }) => [
      ref.name,
      was,
      [...content].map(([key, bytes]) => [key, bytes.toString("base64")]),
    ]),
  );

const look = async (reach: ClusterReach, spec: ConfigSpec, question: Question): Promise<Reading> => {
  const id = question.identity?.id ?? idOf(spec);
  if (isAboutAnother(spec, question))
    return {
      kind: "observed",
      id,
      outputs: {},
      asDeclared: unreadable("the last rollback wrote other config"),
      reason: null,
    };
  const looked = await lookAt(
    reach,
    spec.objects.map(({ ref }) => ref),
  );
  if (!("looks" in looked)) return { kind: looked.kind, reason: looked.sentence };
  const open = spec.objects.filter((one, at) => !isAsWanted(one, looked.looks[at]));
  if (open.length === 0)
    return { kind: "observed", id, outputs: outputsOf(spec), asDeclared: known(true), reason: null };
  if (question.identity === null && open.length === spec.objects.length) return { kind: "absent" };
  const reason = `${open.map(({ ref }) => nameOf(ref)).join(", ")} ${open.length === 1 ? "does" : "do"} not hold what the release recorded`;
  return { kind: "observed", id, outputs: {}, asDeclared: known(false), reason };
};

export const configProvider = (parts: Parts): Provider =>
  rollbackProvider(parts, {
    name: "kubernetes-config",
    cannotKnow: "Labels and annotations of a ConfigMap are in no release: one that is made again has none.",
    parse: parseConfig,
    send,
    look,
    idOf,
  });
