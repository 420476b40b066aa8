/** Builds the bytes of a changing request, our key in its place. The same call always gives the same bytes. */
import type { Call } from "../../domain/committed-intent.ts";
import { isJsonObject, type JsonValue } from "../../domain/json.ts";
import type { Outgoing } from "./exchange.ts";
import { at, parentOf, withAt } from "./pointer.ts";
import { get, type Line, nameOf, urlOf } from "./read.ts";
import type { CallSpec, ChangeSpec, HttpSpec } from "./spec.ts";

/** `gone`: the read that was to give the ETag says that nothing is there to destroy. */
export type Built = { readonly outgoing: Outgoing } | { readonly fault: string } | { readonly gone: true };

/**
 * A create carries the key. An update that replaces the whole object must carry it again, or the object would lose the
 * mark by which it is found; a patch only where it sends the key's surroundings.
 */
const bodyOf = (spec: HttpSpec, call: Call, how: CallSpec): JsonValue => {
  const { body } = how;
  const pointer = spec.key.body;
  if (pointer === null) return body;
  if (call.action === "create") return withAt(isJsonObject(body) ? body : {}, pointer, call.key) ?? body;
  if (call.action !== "update" || !isJsonObject(body)) return body;
  const surrounds = parentOf(pointer) !== "" && at(body, parentOf(pointer)) !== undefined;
  return how.method === "PUT" || surrounds ? (withAt(body, pointer, call.key) ?? body) : body;
};

const etagOf = async (
  line: Line,
  call: Call,
): Promise<{ readonly etag: string } | Exclude<Built, { outgoing: Outgoing }>> => {
  const reading = line.spec.observe?.get ?? null;
  const id = call.identity?.id;
  if (reading === null || id === undefined)
    return { fault: "without an id there is nothing to take an ETag from" };
  const url = urlOf(line.spec, reading.path, { id });
  if ("fault" in url) return url;
  const read = await get(line, url.url, reading.headers);
  if (read.kind === "missing" && call.action === "destroy") return { gone: true };
  if (read.kind !== "reply") return { fault: `the ETag could not be read: ${read.reason}` };
  const etag = read.reply.headers["etag"];
  if (etag === undefined)
    return {
      fault: `${nameOf("GET", url.url)} gave no ETag; leave 'ifMatch' out, or ask the server's owner`,
    };
  if (etag.startsWith("W/"))
    return { fault: `${nameOf("GET", url.url)} gave a weak ETag, which If-Match never matches` };
  return { etag };
};

export const outgoingOf = async (line: Line, call: Call, how: CallSpec | ChangeSpec): Promise<Built> => {
  const { spec } = line;
  const id = call.identity?.id;
  const to = urlOf(spec, how.path, { key: call.key, ...(id === undefined ? {} : { id }) });
  if ("fault" in to)
    return {
      fault: id === undefined && how.path.includes("{id}") ? "no id is known for this step" : to.fault,
    };
  const value = bodyOf(spec, call, how);
  const asked = "ifMatch" in how && how.ifMatch ? await etagOf(line, call) : { etag: null };
  if (!("etag" in asked)) return asked;
  const headers = {
    accept: "application/json",
    ...(value === null ? {} : { "content-type": "application/json" }),
    ...spec.headers,
    ...how.headers,
    ...(call.action === "create" && spec.key.header !== null ? { [spec.key.header]: call.key } : {}),
    ...(asked.etag === null ? {} : { "if-match": asked.etag }),
  };
  const body = value === null ? null : Buffer.from(JSON.stringify(value));
  return { outgoing: { method: how.method, url: to.url, headers, body, ca: line.caText } };
};
