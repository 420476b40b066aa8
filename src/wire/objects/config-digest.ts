/**
 * Digests of config as stock tools reproduce them (C3): a key's is SHA-256 of its exact bytes, an object's SHA-256 of what
 * `sha256sum` prints over its keys as files, in the order of LC_ALL=C.
 */
import { isJsonObject, type JsonObject } from "../../domain/json.ts";
import { sha256Hex } from "../digest.ts";

/** By key, 64 hex digits each; null: something in it is neither text nor base64. Keys are `[-._a-zA-Z0-9]+` in the API. */
export const keyDigests = (object: JsonObject): ReadonlyMap<string, string> | null => {
  const digests = new Map<string, string>();
  for (const [field, bytesOf] of [
    ["data", (value: string) => value],
    ["binaryData", (value: string) => fromBase64(value)],
  ] as const) {
    const content = object[field];
    if (content === undefined || content === null) continue;
    if (!isJsonObject(content)) return null;
    for (const [key, value] of Object.entries(content)) {
      const bytes = typeof value === "string" ? bytesOf(value) : null;
      if (bytes === null) return null;
      digests.set(key, sha256Hex(bytes));
    }
  }
  return digests;
};

/** Of a whole ConfigMap: `(cd DIR && sha256sum *) | sha256sum`, where DIR has a file for each key. */
export const configDigest = (object: JsonObject): string | null => {
  const digests = keyDigests(object);
  if (digests === null) return null;
  const names = [...digests.keys()].sort((a, b) => (a < b ? -1 : 1));
  return sha256Hex(names.map((name) => `${digests.get(name)}  ${name}\n`).join(""));
};

const fromBase64 = (text: string): Uint8Array | null => {
  const bytes = Buffer.from(text, "base64");
  return bytes.toString("base64") === text ? bytes : null;
};
