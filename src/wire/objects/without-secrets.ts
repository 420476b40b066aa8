/**
 * An object without what is never written (E5): the data of Secrets, the literal values of environment variables wherever a
 * Pod template stands, and the annotation in which kubectl keeps a copy of all of it. In place of each stands a keyed digest,
 * so that two equal values still are equal, and two others are not.
 */
import { createHmac } from "node:crypto";
import type { JsonObject, JsonValue } from "../../domain/json.ts";
import { isJsonObject } from "../../domain/json.ts";

export interface Kept {
  readonly object: JsonObject;
  /** RFC 6901 pointers, below the one that was given. */
  readonly removed: readonly string[];
}

const COPY = "kubectl.kubernetes.io/last-applied-configuration";

/** HMAC-SHA-256, 64 hex digits. */
export const keyedHex = (value: string | Uint8Array, key: Uint8Array): string =>
  createHmac("sha256", key).update(value).digest("hex");

/** `key`: for the digests; whoever has it can try values. */
export const withoutSecrets = (object: JsonObject, isSecret: boolean, key: Uint8Array, at = ""): Kept => {
  const removed: string[] = [];
  const digest = (value: JsonValue, pointer: string): string => {
    removed.push(pointer);
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return `removed:hmac-sha256:${keyedHex(text, key)}`;
  };
  const variable = (value: JsonValue, pointer: string): JsonValue =>
    isJsonObject(value) && value["value"] !== undefined && value["value"] !== ""
      ? { ...value, value: digest(value["value"], `${pointer}/value`) }
      : value;
  const look = (value: JsonValue, pointer: string): JsonValue => {
    if (Array.isArray(value)) return value.map((one, index) => look(one, `${pointer}/${index}`));
    if (!isJsonObject(value)) return value;
    const members = Object.entries(value).map(([name, member]): [string, JsonValue] => {
      const place = `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
      if (name === COPY) return [name, digest(member, place)];
      if (name === "env" && Array.isArray(member))
        return [name, member.map((one, index) => variable(one, `${place}/${index}`))];
      return [name, look(member, place)];
    });
    // A member may be named __proto__, which only a definition makes an ordinary one.
    return Object.fromEntries(members);
  };
  const kept = look(object, at) as JsonObject;
  if (!isSecret) return { object: kept, removed };
  const data = ["data", "stringData"].flatMap((name) => {
    const values = kept[name];
    if (!isJsonObject(values)) return [];
    const gone = Object.entries(values).map(([entry, value]) => [
      entry,
      digest(value, `${at}/${name}/${entry.replaceAll("~", "~0").replaceAll("/", "~1")}`),
    ]);
    return [[name, Object.fromEntries(gone) as JsonObject] as const];
  });
  return { object: { ...kept, ...Object.fromEntries(data) }, removed };
};
