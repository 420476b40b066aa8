/** ConfigMaps and Secrets as a release holds them: content by its digests (C3), of Secrets keyed digests alone (C6). */

import { keyBytes, linesOf, objectDigest, secretBytes } from "../domain/config-digest.ts";
import type { Seen } from "../domain/evidence.ts";
import type { ReleasedConfig } from "../domain/release.ts";
import { FLAG, hint, TEXT } from "../judge/read.ts";
import type { ReleaseKey } from "../ports/releases.ts";
import { sha256Hex } from "../wire/digest.ts";
import { keyedHex } from "../wire/objects/without-secrets.ts";

/** null: something in it is of no form that the API has. */
export const heldConfigMap = (object: Seen): ReleasedConfig | null => {
  const content = keyBytes(object.raw);
  if (content === null) return null;
  const keys = new Map([...content].map(([key, bytes]) => [key, sha256Hex(bytes)]));
  return { ...identityOf(object), kind: "ConfigMap", digest: objectDigest(keys), keys, content };
};

/** As `heldConfigMap`. */
export const heldSecret = (object: Seen, key: ReleaseKey): ReleasedConfig | null => {
  const content = secretBytes(object.raw);
  if (content === null) return null;
  const keys = new Map([...content].map(([name, bytes]) => [name, keyedHex(bytes, key.bytes)]));
  const digest = keyedHex(linesOf(keys), key.bytes);
  return { ...identityOf(object), kind: "Secret", digest, keys, content: null };
};

const identityOf = (object: Seen) => ({
  name: object.name,
  uid: object.uid,
  resourceVersion: hint(object.raw, ["metadata", "resourceVersion"], TEXT) ?? null,
  immutable: hint(object.raw, ["immutable"], FLAG) === true,
});
