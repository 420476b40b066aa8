/** What a ConfigMap may hold: from files to `data` and `binaryData`, and why something cannot stand in one. */
import type { ConfigEntry } from "../../domain/config.ts";
import { isJsonObject, type JsonObject } from "../../domain/json.ts";

/** core/v1: `MaxSecretSize`, over the bytes of all values. */
export const MOST_CONFIG_BYTES = 1024 * 1024;

const MOST_KEY = 253;

/** Why the API would not take the key (apimachinery, IsConfigMapKey); undefined: it would. */
export const keyFault = (key: string): string | undefined => {
  if (key.length > MOST_KEY) return `it has more than ${MOST_KEY} characters`;
  if (!/^[-._a-zA-Z0-9]+$/.test(key)) return "a key has letters, digits, '-', '_' and '.' only";
  if (key === "." || key.startsWith("..")) return "a key cannot be '.' or begin with '..'";
  return undefined;
};

export const tooLargeFault = (bytes: number): string | undefined =>
  bytes > MOST_CONFIG_BYTES
    ? `it has ${bytes} bytes, and a ConfigMap takes at most ${MOST_CONFIG_BYTES} (1 MiB); mount large files from a volume, or split it`
    : undefined;

/** Bytes that are UTF-8 go to `data` as they are, a byte order mark included; others to `binaryData`. */
export const contentOf = (entries: readonly ConfigEntry[]): JsonObject => {
  const data: Record<string, string> = {};
  const binary: Record<string, string> = {};
  for (const { key, bytes } of entries.toSorted((a, b) => (a.key < b.key ? -1 : 1))) {
    const text = utf8(bytes);
    if (text === null) binary[key] = Buffer.from(bytes).toString("base64");
    else data[key] = text;
  }
  return {
    ...(Object.keys(data).length === 0 ? {} : { data }),
    ...(Object.keys(binary).length === 0 ? {} : { binaryData: binary }),
  };
};

const utf8 = (bytes: Uint8Array): string | null => {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
};

/** The keys with their texts; null for one that is not text. */
export const textsIn = (object: JsonObject): ReadonlyMap<string, string | null> => {
  const texts = new Map<string, string | null>();
  const { data, binaryData } = object;
  if (isJsonObject(data))
    for (const [key, value] of Object.entries(data)) texts.set(key, typeof value === "string" ? value : null);
  if (isJsonObject(binaryData)) for (const key of Object.keys(binaryData)) texts.set(key, null);
  return texts;
};

/** Why the API would not take what stands in a ConfigMap; `key`: of which of its keys, null: of the whole. */
export const contentFault = (
  object: JsonObject,
): { readonly at: readonly string[]; readonly message: string } | undefined => {
  let total = 0;
  const seen = new Set<string>();
  for (const field of ["data", "binaryData"]) {
    const content = object[field];
    if (content === undefined || content === null) continue;
    if (!isJsonObject(content)) return { at: [field], message: "it is not a mapping of keys to texts" };
    for (const [key, value] of Object.entries(content)) {
      const at = [field, key];
      const fault = keyFault(key);
      if (fault !== undefined) return { at, message: fault };
      if (seen.has(key)) return { at, message: "the key stands in data and in binaryData; remove one" };
      seen.add(key);
      if (typeof value !== "string") return { at, message: "the value is not a text; put it in quotes" };
      const bytes = Buffer.from(value, field === "data" ? "utf8" : "base64");
      if (field === "binaryData" && bytes.toString("base64") !== value)
        return { at, message: "the value is not base64" };
      total += bytes.length;
    }
  }
  const large = tooLargeFault(total);
  return large === undefined ? undefined : { at: [], message: large };
};
