/**
 * Digests of config as stock tools reproduce them (C3): a key's is SHA-256 of its exact bytes, an object's SHA-256 of what
 * `sha256sum` prints over its keys as files, in the order of LC_ALL=C.
 */
import { isJsonObject, type JsonObject } from "./json.ts";
import { sha256 } from "./sha256.ts";

/** The exact bytes by key; null: something in it is neither text nor base64. Keys are `[-._a-zA-Z0-9]+` in the API. */
export const keyBytes = (object: JsonObject): ReadonlyMap<string, Uint8Array> | null => {
  const all = new Map<string, Uint8Array>();
  for (const [field, bytesOf] of [
    ["data", (value: string) => new TextEncoder().encode(value)],
    ["binaryData", (value: string) => fromBase64(value)],
  ] as const) {
    const content = Object.hasOwn(object, field) ? object[field] : undefined;
    if (content === undefined || content === null) continue;
    if (!isJsonObject(content)) return null;
    for (const [key, value] of Object.entries(content)) {
      const bytes = typeof value === "string" ? bytesOf(value) : null;
      if (bytes === null) return null;
      all.set(key, bytes);
    }
  }
  return all;
};

/** By key, 64 hex digits each; null: something in it is neither text nor base64. */
export const keyDigests = (object: JsonObject): ReadonlyMap<string, string> | null => {
  const bytes = keyBytes(object);
  return bytes === null ? null : new Map([...bytes].map(([key, value]) => [key, sha256(value)]));
};

/** Of a whole ConfigMap: `(cd DIR && sha256sum *) | sha256sum`, where DIR has a file for each key. */
export const configDigest = (object: JsonObject): string | null => {
  const digests = keyDigests(object);
  return digests === null ? null : objectDigest(digests);
};

/** From those of its keys. */
export const objectDigest = (digests: ReadonlyMap<string, string>): string => sha256(linesOf(digests));

/** Of several objects by name, the same way once more; of one it is the digest itself. What `checksum/config` is (ADR 0041). */
export const checksumOf = (digests: ReadonlyMap<string, string>): string =>
  digests.size === 1 ? String([...digests.values()][0]) : objectDigest(digests);

/** What `sha256sum` prints over the keys as files. */
export const linesOf = (digests: ReadonlyMap<string, string>): string =>
  [...digests]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, digest]) => `${digest}  ${name}\n`)
    .join("");

const fromBase64 = (text: string): Uint8Array | null => {
  const bytes = Buffer.from(text, "base64");
  return bytes.toString("base64") === text ? bytes : null;
};

/** Of a Secret, whose `data` is base64 throughout; null: something in it is not. For keyed digests alone (C6). */
export const secretBytes = (object: JsonObject): ReadonlyMap<string, Uint8Array> | null => {
  const { data } = object;
  if (data === undefined || data === null) return new Map();
  if (!isJsonObject(data)) return null;
  const all = new Map<string, Uint8Array>();
  for (const [key, value] of Object.entries(data)) {
    const bytes = typeof value === "string" ? fromBase64(value) : null;
    if (bytes === null) return null;
    all.set(key, bytes);
  }
  return all;
};
