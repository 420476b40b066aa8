/** Reads and checks a step's `with`: as written, before anything runs (W5), and again as resolved, before each call. */
import { isJsonObject, type JsonObject, type JsonValue } from "../../domain/json.ts";
import type { InputFault } from "../../ports/provider.ts";
import { type Fields, fieldsOf, isReference } from "./fields.ts";
import { CHANGE, CREATE, changeOf, createOf, headersOf, plainOf, REQUEST } from "./parse-call.ts";
import { OBSERVE, observeOf } from "./parse-observe.ts";
import { at, withAt } from "./pointer.ts";
import type { HttpSpec, KeySpec } from "./spec.ts";

const ACTIONS = ["create", "update", "destroy", "compensate", "owed"] as const;
const TOP = ["base", "headers", "ca", "key", "observe", ...ACTIONS];

export type Parsed = { readonly spec: HttpSpec } | { readonly faults: readonly InputFault[] };

const baseFault = (base: string): string | undefined => {
  if (isReference(base)) return undefined;
  if (!URL.canParse(base)) return "'base' must be a URL such as https://api.example/v1";
  const url = new URL(base);
  if (url.protocol !== "http:" && url.protocol !== "https:")
    return "'base' must begin with https:// (or http://)";
  if (url.username !== "" || url.password !== "")
    return "'base' must hold no user or password; send them as the header 'authorization', from a secret";
  if (base.includes("?") || base.includes("#")) return "'base' must have no query and no fragment";
  return undefined;
};

const baseOf = (fields: Fields): string => {
  const base = fields.text("base");
  if (base === undefined) return "";
  const wrong = baseFault(base);
  if (wrong !== undefined) fields.fault(wrong, "base");
  return base.replace(/\/+$/, "");
};

/** With a base, every path is below it, so the headers meant for it go nowhere else. */
const checkRoutes = (fields: Fields, base: string): void => {
  const look = (value: JsonValue, path: readonly (string | number)[]): void => {
    if (!isJsonObject(value)) return;
    const route = value["path"];
    if (typeof route === "string" && base !== "" && /^https?:/.test(route))
      fields.fault("with a 'base', a path is below it: begin with '/'", ...path, "path");
    if (typeof route === "string" && base === "" && route.startsWith("/"))
      fields.fault("without a 'base', a path must be a whole URL", ...path, "path");
    if (typeof route === "string" && /^https?:/.test(route) && !isReference(route)) {
      const wrong = URL.canParse(route) ? undefined : "this is no URL";
      const named =
        wrong === undefined && new URL(route).username !== "" ? "a URL must hold no user or password" : wrong;
      if (named !== undefined) fields.fault(named, ...path, "path");
    }
    for (const name of ["get", "find", "poll"]) look(value[name] ?? null, [...path, name]);
  };
  for (const name of [...ACTIONS, "observe"]) look(fields.json(name) ?? null, [name]);
};

const keyOf = (fields: Fields): KeySpec => {
  const key = fields.object("key", ["header", "body"]);
  if (key === undefined) return { header: null, body: null };
  const header = key.literal("header") ?? null;
  const body = key.pointer("body") ?? null;
  if (!key.has("header") && !key.has("body"))
    key.fault("say where our key goes: 'header', 'body' (a JSON pointer), or both");
  if (header !== null && !/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(header))
    key.fault("this is no header name", "header");
  if (body === "") key.fault("our key is one field of the body: write e.g. /labels/asfound-key", "body");
  return { header: header === null ? null : header.toLowerCase(), body };
};

/** Our key needs a free place in the create's request. */
const checkKey = (fields: Fields, spec: HttpSpec): void => {
  const { key, create } = spec;
  if (create === null) return;
  if (key.header !== null && Object.hasOwn({ ...spec.headers, ...create.headers }, key.header))
    fields.fault(`the header '${key.header}' is set by hand too; our key needs the place`, "key", "header");
  if (key.body === null || key.body === "") return;
  const body = create.body ?? {};
  if (!isJsonObject(body))
    fields.fault("our key goes into the body, so the body must be an object", "create", "body");
  else if (at(body, key.body) !== undefined)
    fields.fault(
      `the body of create already has a value at ${key.body}; our key needs the place`,
      "key",
      "body",
    );
  else if (withAt(body, key.body, "") === undefined)
    fields.fault(`something on the way to ${key.body} in the body of create is not an object`, "key", "body");
};

const checkTogether = (fields: Fields, spec: HttpSpec): void => {
  checkKey(fields, spec);
  for (const name of ["update", "destroy"] as const)
    if (spec[name]?.ifMatch === true && (spec.observe === null || spec.observe.get === null))
      fields.fault(
        "'ifMatch' takes the ETag from a GET just before, so 'observe.get' is needed",
        name,
        "ifMatch",
      );
  const asks = JSON.stringify(spec.observe?.find ?? null).includes("{key}");
  if (asks && spec.create !== null && spec.key.header === null && spec.key.body === null)
    fields.fault(
      "'find' looks for our key, yet no create carries it: say where it goes with 'key'",
      "observe",
      "find",
    );
  if (
    spec.create !== null &&
    spec.create.id === null &&
    spec.create.poll?.id == null &&
    spec.observe?.find == null &&
    spec.destroy !== null
  )
    fields.fault(
      "'id' is missing: say where the reply names the new object (a JSON pointer or {header: location}), or how to 'find' it",
      "create",
    );
};

/** All faults at once. */
export const parse = (inputs: JsonObject): Parsed => {
  const faults: InputFault[] = [];
  const fields = fieldsOf(inputs, [], TOP, faults);
  const part = <T>(name: string, known: readonly string[], read: (inner: Fields) => T): T | null => {
    const inner = fields.object(name, known);
    return inner === undefined ? null : read(inner);
  };
  const create = part("create", CREATE, createOf);
  const update = part("update", CHANGE, (inner) => changeOf(inner, "PATCH"));
  const spec: HttpSpec = {
    base: baseOf(fields),
    headers: headersOf(fields),
    ca: fields.text("ca") ?? null,
    key: keyOf(fields),
    create,
    update,
    observe: part("observe", OBSERVE, (inner) =>
      observeOf(inner, [update?.body ?? null, create?.body ?? null]),
    ),
    destroy: part("destroy", CHANGE, (inner) => changeOf(inner, "DELETE")),
    compensate: part("compensate", REQUEST, plainOf),
    owed: part("owed", REQUEST, plainOf),
  };
  if (![...ACTIONS, "observe"].some((name) => fields.has(name)))
    fields.fault("nothing is declared: say at least how to 'create' or how to 'observe'");
  // What does not fit together is only said of parts that are right by themselves.
  if (faults.length === 0) {
    checkRoutes(fields, spec.base);
    checkTogether(fields, spec);
  }
  return faults.length === 0 ? { spec } : { faults };
};
