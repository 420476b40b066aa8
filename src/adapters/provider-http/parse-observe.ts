/** Reads how a thing is looked for: by its id, and by our keys. */
import type { JsonObject, JsonValue } from "../../domain/json.ts";
import { type Fields, isReference } from "./fields.ts";
import { declaredAt, headersOf, outputsOf } from "./parse-call.ts";
import { placeholders } from "./placeholder.ts";
import { pointerFault } from "./pointer.ts";
import type { FindSpec, NextAt, ObserveSpec, ReadySpec } from "./spec.ts";

export const OBSERVE = ["get", "find", "object", "outputs", "declared", "asDeclared", "ready"];

const nextOf = (find: Fields): NextAt => {
  const next = find.json("next");
  if (next === undefined)
    find.fault(
      "'next' is missing: say where the reply names its next page (a JSON pointer, 'link', or {token, query}), or 'none'; a list cut short proves nothing",
    );
  if (next === "link") return { by: "link" };
  if (typeof next === "string" && next !== "none") {
    const pointer = find.pointer("next");
    return pointer === undefined ? { by: "none" } : { by: "url", pointer };
  }
  if (next === undefined || next === "none") return { by: "none" };
  const inner = find.object("next", ["token", "query"]);
  const pointer = inner?.pointer("token");
  const query = inner?.literal("query");
  if (pointer !== undefined && query !== undefined) return { by: "token", pointer, query };
  inner?.fault("a page token needs both: {token: JSON pointer in the reply, query: name of the parameter}");
  return { by: "none" };
};

const matchOf = (find: Fields): FindSpec["match"] => {
  const match = find.map("match", (pointer, value) => {
    const wrong = pointerFault(pointer);
    if (wrong !== undefined) return wrong;
    if (typeof value !== "string") return undefined;
    const strange = placeholders(value).find((name) => name !== "key");
    return strange === undefined ? undefined : `{${strange}} is not known here; known is {key}`;
  });
  if (Object.keys(match).length === 0)
    find.fault(
      "'match' is missing: say what proves that an item is ours, e.g. {/labels/asfound-key: \"{key}\"}",
    );
  return match;
};

const findOf = (fields: Fields): FindSpec | null => {
  const find = fields.object("find", ["path", "headers", "items", "id", "match", "next"]);
  if (find === undefined) return null;
  for (const name of ["items", "id"])
    if (!find.has(name)) find.fault(`'${name}' is missing: a JSON pointer, e.g. /${name}`);
  return {
    path: find.route("path", ["key"]) ?? "/",
    headers: headersOf(find),
    items: find.pointer("items") ?? "",
    id: find.pointer("id") ?? "",
    match: matchOf(find),
    next: nextOf(find),
  };
};

const readyOf = (fields: Fields): ReadySpec | null => {
  const ready = fields.object("ready", ["pointer", "is", "pending", "failed", "gone"]);
  if (ready === undefined) return null;
  for (const name of ["pointer", "is"])
    if (!ready.has(name))
      ready.fault(`'${name}' is missing: where the state stands, and which states mean ready`);
  return {
    pointer: ready.pointer("pointer") ?? "",
    is: ready.texts("is") ?? [],
    pending: ready.texts("pending") ?? [],
    failed: ready.texts("failed") ?? [],
    gone: ready.texts("gone") ?? [],
  };
};

const declaredOf = (fields: Fields, bodies: readonly JsonValue[]): JsonObject => {
  const expected: { [pointer: string]: JsonValue } = {};
  for (const [index, pointer] of (fields.texts("declared") ?? []).entries()) {
    const wrong = isReference(pointer) ? "a JSON pointer must be written out" : pointerFault(pointer);
    const value = wrong === undefined ? declaredAt(bodies, pointer) : undefined;
    if (value === undefined)
      fields.fault(
        wrong ?? `nothing stands at ${pointer} in the body of create or update`,
        "declared",
        index,
      );
    else expected[pointer] = value;
  }
  return { ...expected, ...fields.map("asDeclared", (pointer) => pointerFault(pointer)) };
};

/** `bodies`: the update's, then the create's. */
export const observeOf = (fields: Fields, bodies: readonly JsonValue[]): ObserveSpec => {
  const get = fields.object("get", ["path", "headers"]);
  const find = findOf(fields);
  if (!fields.has("get") && !fields.has("find"))
    fields.fault("say how the thing is read: 'get' (by its id), 'find' (by our key), or both");
  return {
    get: get === undefined ? null : { path: get.route("path", ["id"], "id") ?? "/", headers: headersOf(get) },
    find,
    object: fields.pointer("object") ?? "",
    outputs: outputsOf(fields),
    asDeclared: declaredOf(fields, bodies),
    ready: readyOf(fields),
  };
};
