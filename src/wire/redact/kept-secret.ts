/**
 * What stands in a stored record where a secret was: `{"$secret": {digest, keyId, sealed?}}`. The digest is keyed by the
 * ledger's own key, so that a change is seen and nothing can be guessed; `sealed` is the value, encrypted, where the
 * step asks to keep it (`keepSecrets`).
 *
 * E5: what is secret is decided by its key (`domain/secret-name.ts`) or because it came from a secret (`secretPaths`).
 * Keeping is idempotent: what is kept already stays as it is, also when it was kept under another ledger key.
 */
import { escapeValue } from "../../domain/expression.ts";
import type { JsonObject, JsonValue } from "../../domain/json.ts";
import { isJsonObject } from "../../domain/json.ts";
import { readText } from "../../domain/reference.ts";
import { looksSecret } from "../../domain/secret-name.ts";
import type { Place } from "./map-json.ts";
import { mapJson, pointerTo } from "./map-json.ts";

/** The part of `ports/vault.ts` that is needed here (wire may not import ports). */
export interface SecretKeeper {
  readonly keyId: string;
  digest(value: JsonValue): string;
  seal(value: JsonValue): string;
  open(sealed: string): JsonValue | undefined;
}

export interface KeepOptions {
  /** Keys that look secret but are not. */
  readonly public: readonly string[];
  /** Whether the value itself is kept, encrypted. */
  readonly keepSecrets: boolean;
  readonly vault: SecretKeeper;
  /** JSON pointers of values that came from a secret, whatever their key; they stay secret even under a public key. */
  readonly secretPaths?: readonly string[];
}

interface KeptSecret {
  readonly $secret: { readonly digest: string; readonly keyId: string; readonly sealed?: string };
}

const FIELDS: ReadonlySet<string> = new Set(["digest", "keyId", "sealed"]);

/** Whether this value is what asfound keeps in a secret's place. Exact, so that no output is taken for one by accident. */
export const isKeptSecret = (value: JsonValue): value is JsonValue & KeptSecret => {
  if (!isJsonObject(value) || Object.keys(value).length !== 1) return false;
  const inner = value["$secret"];
  if (inner === undefined || !isJsonObject(inner) || !Object.keys(inner).every((key) => FIELDS.has(key)))
    return false;
  const { digest, keyId, sealed } = inner;
  if (typeof digest !== "string" || !/^hmac-sha256:[0-9a-f]{64}$/.test(digest)) return false;
  return typeof keyId === "string" && (sealed === undefined || typeof sealed === "string");
};

/** Whether one is kept anywhere in it. */
export const holdsSecret = (value: JsonValue): boolean => {
  const todo: JsonValue[] = [value];
  for (let at = todo.pop(); at !== undefined; at = todo.pop()) {
    if (isKeptSecret(at)) return true;
    if (typeof at === "object" && at !== null)
      for (const child of Object.values(at)) todo.push(child as JsonValue);
  }
  return false;
};

const keep = (value: JsonValue, options: KeepOptions): JsonValue => ({
  $secret: {
    digest: options.vault.digest(value),
    keyId: options.vault.keyId,
    ...(options.keepSecrets ? { sealed: options.vault.seal(value) } : {}),
  },
});

const secretKey = (place: Place | null, open: ReadonlySet<string>): boolean =>
  place !== null && typeof place.key === "string" && !open.has(place.key) && looksSecret(place.key);

/**
 * Outputs as they may be stored: every value under a secret key is replaced as a whole, at any depth. null stays null:
 * it says that there is no value.
 */
export const keepOutputs = (outputs: JsonObject, options: KeepOptions): JsonObject => {
  const open = new Set(options.public);
  const paths = new Set(options.secretPaths);
  const kept = mapJson(outputs, (value, place) => {
    if (value === null || isKeptSecret(value)) return value;
    const secret = secretKey(place, open) || (paths.size > 0 && paths.has(pointerTo(place)));
    return secret ? keep(value, options) : undefined;
  });
  return kept as JsonObject;
};

/**
 * Inputs in the written form (`Resolved.kept`) as they may be stored: every literal at or below a secret key is
 * replaced by itself, so that references beside it can still be resolved. A text with a reference in it stays as written.
 */
export const keepInputs = (inputs: JsonObject, options: KeepOptions): JsonObject => {
  const open = new Set(options.public);
  const paths = new Set(options.secretPaths);
  const kept = mapJson(inputs, (value, place) => {
    if (value === null || isKeptSecret(value)) return value;
    if (typeof value === "object") return undefined;
    if (!belowSecretKey(place, open) && !(paths.size > 0 && paths.has(pointerTo(place)))) return value;
    const literal = literalOf(value);
    return literal === undefined ? value : keep(literal, options);
  });
  return kept as JsonObject;
};

const belowSecretKey = (place: Place | null, open: ReadonlySet<string>): boolean => {
  for (let at = place; at !== null; at = at.up) if (secretKey(at, open)) return true;
  return false;
};

/** The value that a written scalar stands for; undefined when that depends on a reference. */
const literalOf = (written: string | number | boolean): JsonValue | undefined => {
  if (typeof written !== "string") return written;
  const pieces = readText(written);
  if ("fault" in pieces) return written;
  return pieces.every((piece) => typeof piece === "string") ? pieces.join("") : undefined;
};

/**
 * The same value with `[secret]` for every literal at or below a secret key: for a plain digest, from which a short
 * password could be guessed. References stay.
 */
export const blankSecrets = (value: JsonValue): JsonValue =>
  mapJson(value, (part, place) => {
    if (part === null || (typeof part === "object" && !isKeptSecret(part))) return undefined;
    if (typeof part === "object" || !belowSecretKey(place, new Set())) return part;
    return literalOf(part) === undefined ? part : "[secret]";
  });

/** The value that is kept here; undefined when it was kept as a digest only, under another key, or was altered. */
export const openKept = (value: JsonValue, vault: SecretKeeper): JsonValue | undefined => {
  if (!isKeptSecret(value) || value.$secret.sealed === undefined) return undefined;
  return vault.open(value.$secret.sealed);
};

/**
 * The same value with every kept secret opened, `closed` naming (JSON pointers) those that could not be and still stand.
 * `as: "written"` escapes what was opened, for a `with` that will be resolved again.
 */
export const openAllKept = (
  value: JsonObject,
  vault: SecretKeeper | null,
  as: "value" | "written" = "value",
): { readonly value: JsonObject; readonly closed: readonly string[] } => {
  const closed: string[] = [];
  const opened = mapJson(value, (part, place) => {
    if (!isKeptSecret(part)) return undefined;
    const inside = vault === null ? undefined : openKept(part, vault);
    if (inside !== undefined) return as === "written" ? escapeValue(inside) : inside;
    closed.push(pointerTo(place));
    return part;
  });
  return { value: opened as JsonObject, closed };
};
