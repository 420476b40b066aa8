/**
 * A saved file as evidence keeps it: byte for byte as it was read, unless something in it is never written (E5). Then, and
 * where it is YAML, whose comments nobody judges, it is the same value as JSON under the same name: JSON is YAML too.
 */
import type { JsonObject, JsonValue } from "../../domain/json.ts";
import { isJsonObject } from "../../domain/json.ts";
import { withoutSecrets } from "../objects/without-secrets.ts";

export interface KeptFile {
  readonly bytes: Uint8Array;
  /** RFC 6901 pointers into the file. */
  readonly removed: readonly string[];
}

export const keptFile = (
  { name, bytes, value }: { readonly name: string; readonly bytes: Uint8Array; readonly value: JsonValue },
  key: Uint8Array,
): KeptFile => {
  const removed: string[] = [];
  const kept = (object: JsonObject, isSecret: boolean, at: string): JsonObject => {
    const made = withoutSecrets(object, isSecret, key, at, "leave");
    removed.push(...made.removed);
    return made.object;
  };
  const look = (one: JsonValue, isSecret: boolean, at: string): JsonValue =>
    isJsonObject(one) ? kept(withoutCredentials(one, removed, at), isSecret || isSecretObject(one), at) : one;
  const made = looked(value, look);
  const isJson = /\.json$/i.test(name);
  if (isJson && removed.length === 0) return { bytes, removed };
  return { bytes: new TextEncoder().encode(`${JSON.stringify(made, null, 1)}\n`), removed };
};

/** One object, each item of a List, or each of a plain list: of its own. */
const looked = (
  value: JsonValue,
  look: (one: JsonValue, isSecret: boolean, at: string) => JsonValue,
): JsonValue => {
  if (Array.isArray(value)) return value.map((one: JsonValue, index) => look(one, false, `/${index}`));
  if (!isJsonObject(value)) return value;
  const items = Object.hasOwn(value, "items") ? value["items"] : undefined;
  if (!Array.isArray(items)) return look(value, false, "");
  const ofSecrets = isSecretObject(value) || value["kind"] === "SecretList";
  return {
    ...(look({ ...value, items: [] }, false, "") as JsonObject),
    items: items.map((one: JsonValue, index) => look(one, ofSecrets, `/items/${index}`)),
  };
};

const isSecretObject = ({ kind }: JsonObject): boolean => kind === "Secret";

/** Of a recorded answer: what a server or a client is told by. */
const CREDENTIALS = /^(set-cookie|cookie|www-authenticate|authorization|proxy-.*)$/i;

const withoutCredentials = (object: JsonObject, removed: string[], at: string): JsonObject => {
  const headers = Object.hasOwn(object, "headers") ? object["headers"] : undefined;
  if (!isJsonObject(headers) || !Object.hasOwn(object, "via")) return object;
  const told = Object.entries(headers).filter(([name]) => CREDENTIALS.test(name));
  if (told.length === 0) return object;
  removed.push(...told.map(([name]) => `${at}/headers/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`));
  const left = Object.entries(headers).filter(([name]) => !CREDENTIALS.test(name));
  return { ...object, headers: Object.fromEntries(left) };
};
