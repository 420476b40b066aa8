/** Reads the requests that change something: create, update, destroy, compensate, owed. */
import type { JsonValue } from "../../domain/json.ts";
import { type Fields, isReference } from "./fields.ts";
import { at, pointerFault } from "./pointer.ts";
import type { CallSpec, ChangeSpec, CreateSpec, Headers, IdAt, OutputsAt, PollSpec } from "./spec.ts";

export const REQUEST = ["method", "path", "headers", "body", "expect", "outputs", "poll", "owes"] as const;
export const CREATE = [...REQUEST, "id", "idInError"] as const;
export const CHANGE = [...REQUEST, "ifMatch"] as const;

/** Set by the connection itself, or by us. */
const OURS = new Set([
  "host",
  "connection",
  "content-length",
  "transfer-encoding",
  "keep-alive",
  "upgrade",
  "te",
  "trailer",
  "expect",
  "if-match",
  "accept-encoding",
]);

export const headersOf = (fields: Fields): Headers => {
  const headers = fields.map("headers", (name, value) => {
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) return "this is no header name";
    if (OURS.has(name.toLowerCase()))
      return `the header '${name}' is set by the connection itself; leave it out`;
    if (typeof value !== "string") return "a header's value must be a text; quote it";
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
    if (/[\u0000-\u0008\u000a-\u001f\u007f]|[^\u0000-\u00ff]/.test(value))
      return "a header's value must be one line of Latin-1 text without control characters";
    return undefined;
  });
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      typeof value === "string" ? [[name.toLowerCase(), value] as const] : [],
    ),
  );
};

const pointerEntry = (_name: string, value: JsonValue): string | undefined => {
  if (typeof value !== "string") return "an output is a JSON pointer into the reply, e.g. /ip";
  if (isReference(value)) return "a JSON pointer must be written out";
  return pointerFault(value);
};

export const outputsOf = (fields: Fields): OutputsAt => {
  const found = fields.map("outputs", pointerEntry);
  return Object.fromEntries(
    Object.entries(found).flatMap(([name, value]) =>
      typeof value === "string" ? [[name, value] as const] : [],
    ),
  );
};

const POLL = ["path", "pointer", "done", "failed", "every", "id", "outputs"];

const pollOf = (fields: Fields, may: readonly string[]): PollSpec | null => {
  const poll = fields.object("poll", POLL);
  if (poll === undefined) return null;
  const pointer = poll.pointer("pointer");
  if (!poll.has("pointer"))
    poll.fault("'pointer' is missing: say where the state stands in the reply, e.g. /status");
  const done = poll.texts("done");
  if (!poll.has("done")) poll.fault("'done' is missing: list the states that mean the work is finished");
  const everyMs = poll.duration("every") ?? 2_000;
  if (everyMs < 10) poll.fault("'every' must be at least 10ms", "every");
  return {
    path: poll.has("path") ? (poll.route("path", may) ?? null) : null,
    pointer: pointer ?? "",
    done: done ?? [],
    failed: poll.texts("failed") ?? [],
    everyMs: Math.max(10, everyMs),
    id: poll.pointer("id") ?? null,
    outputs: outputsOf(poll),
  };
};

const METHODS = ["POST", "PUT", "PATCH", "DELETE"];

const callOf = (
  fields: Fields,
  usual: string,
  may: readonly string[],
  must: string | undefined,
): CallSpec => {
  const method = fields.literal("method") ?? usual;
  if (!METHODS.includes(method))
    fields.fault(`'method' must be one of ${METHODS.join(", ")}, in capitals`, "method");
  return {
    method,
    path: fields.route("path", may, must) ?? "/",
    headers: headersOf(fields),
    body: fields.json("body") ?? null,
    expect: fields.numbers("expect") ?? [200, 201, 202, 204],
    outputs: outputsOf(fields),
    poll: pollOf(fields, ["id", "key"]),
    owes: fields.texts("owes") ?? [],
  };
};

const idOf = (fields: Fields): IdAt | null => {
  const id = fields.json("id");
  if (id === undefined) return null;
  if (typeof id === "string") {
    const pointer = fields.pointer("id");
    return pointer === undefined ? null : { pointer };
  }
  const inner = fields.object("id", ["header"]);
  if (inner === undefined) return null;
  if (inner.literal("header")?.toLowerCase() === "location") return { header: "location" };
  inner.fault(
    "an id comes from the body (a JSON pointer) or from {header: location}, whose last segment it is",
  );
  return null;
};

export const createOf = (fields: Fields): CreateSpec => {
  const call = callOf(fields, "POST", ["key"], undefined);
  const id = idOf(fields);
  const { poll } = call;
  if (id !== null && "header" in id && poll !== null && poll.path === null && poll.id === null)
    fields.fault(
      "the Location is followed to learn how the work goes, so it names no object: say where 'poll.id' is",
      "poll",
    );
  if (id === null && poll?.path?.includes("{id}") === true)
    fields.fault("'poll.path' needs {id}, so say where the reply names it ('create.id')", "poll", "path");
  return { ...call, id, idInError: fields.pointer("idInError") ?? null };
};

export const changeOf = (fields: Fields, usual: string): ChangeSpec => {
  const written = fields.json("ifMatch");
  if (written !== undefined && written !== "etag") fields.fault("'ifMatch' can only be 'etag'", "ifMatch");
  return { ...callOf(fields, usual, ["id", "key"], "id"), ifMatch: written === "etag" };
};

export const plainOf = (fields: Fields): CallSpec => callOf(fields, "POST", ["id", "key"], undefined);

/** What the step declares at that place: the update's body says more about today than the create's. */
export const declaredAt = (bodies: readonly JsonValue[], pointer: string): JsonValue | undefined => {
  for (const body of bodies) {
    const found = body === null ? undefined : at(body, pointer);
    if (found !== undefined) return found;
  }
  return undefined;
};
