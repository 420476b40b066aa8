import type { JsonValue } from "../domain/json.ts";

/**
 * The ledger's own key: digests secrets, and encrypts them where a step asks to keep them.
 * A lost or another key is a fact to be said, never a reason to overwrite what it protected.
 */
export interface Vault {
  /** Names the key without telling it (first 16 hex digits of its SHA-256). */
  readonly keyId: string;
  /** `hmac-sha256:` + 64 hex digits over the canonical JSON of `value`. */
  digest(value: JsonValue): string;
  /** AES-256-GCM, text form `aes-256-gcm:KEYID:NONCE:BYTES` (base64url). */
  seal(value: JsonValue): string;
  /** undefined when it was sealed with another key or was altered. */
  open(sealed: string): JsonValue | undefined;
}
