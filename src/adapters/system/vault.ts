/**
 * The ledger's own key (ports/vault.ts): a file of 32 random bytes, kept apart from the ledger, readable by its owner
 * only. Two keys are derived from it (HKDF, RFC 5869), one for digests and one for sealing, so that neither use tells
 * anything about the other.
 *
 * A key that is lost or damaged is said and left as it is: a new one in its place would make every kept digest and
 * sealed value meaningless without anybody noticing.
 */
import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { dirname } from "node:path";
import type { JsonValue } from "../../domain/json.ts";
import type { Vault } from "../../ports/vault.ts";
import { canonicalJson } from "../../wire/canonical.ts";
import { printable } from "../../wire/redact/printable.ts";
import { reasonOf } from "./read-file.ts";
import { createFile, syncFolder } from "./write-file.ts";

const KEY_BYTES = 32;
const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export type OpenedVault =
  | { readonly kind: "vault"; readonly vault: Vault }
  | { readonly kind: "absent" }
  /** One sentence with the way out. */
  | { readonly kind: "fault"; readonly fault: string };

/** Opens the key file; with `create`, makes it (durably, 0600) where there is none. Its folder must be there. */
export const openVault = async (
  path: string,
  options: { readonly create: boolean },
): Promise<OpenedVault> => {
  const found = await readKey(path);
  if (!options.create || found.kind === "fault") return found;
  try {
    // Who made it may have died before its name was durable.
    if (found.kind === "vault") await syncFolder(dirname(path));
    else await createFile(path, randomBytes(KEY_BYTES), 0o600);
  } catch (error) {
    return fault(path, `cannot be made durable: ${reasonOf(error).why}`);
  }
  // Whoever came first, all use the one that stands.
  return found.kind === "vault" ? found : readKey(path);
};

const fault = (path: string, what: string): OpenedVault => ({
  kind: "fault",
  fault: `the key file ${printable(path)} ${what}`,
});

const readKey = async (path: string): Promise<OpenedVault> => {
  let file: Awaited<ReturnType<typeof open>>;
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const { why, code } = reasonOf(error);
    if (code === "ENOENT") return { kind: "absent" };
    if (code === "ELOOP")
      return fault(path, "is a symbolic link, so who can read it is not known; put the file itself there");
    return fault(path, `cannot be read: ${why}`);
  }
  try {
    const stat = await file.stat();
    if (!stat.isFile()) return fault(path, "is not an ordinary file; move it away if it is not the key");
    if ((stat.mode & 0o077) !== 0)
      return fault(
        path,
        `can be read by others (mode ${(stat.mode & 0o777).toString(8)}); run chmod 600 on it, and change the secrets it protects if others were there`,
      );
    const bytes = Buffer.alloc(KEY_BYTES + 1);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
    if (bytesRead !== KEY_BYTES || stat.size !== KEY_BYTES)
      return fault(
        path,
        `has ${stat.size} bytes where a key has ${KEY_BYTES}: it is damaged or is something else; restore it from a backup`,
      );
    return { kind: "vault", vault: vaultOf(bytes.subarray(0, KEY_BYTES)) };
  } catch (error) {
    return fault(path, `cannot be read: ${reasonOf(error).why}`);
  } finally {
    await file.close();
  }
};

const derive = (key: Uint8Array, use: string): Buffer =>
  Buffer.from(hkdfSync("sha256", key, Buffer.alloc(0), `asfound ${use}`, KEY_BYTES));

const vaultOf = (key: Uint8Array): Vault => {
  const keyId = createHash("sha256").update(key).digest("hex").slice(0, 16);
  const digestKey = derive(key, "digest");
  const sealKey = derive(key, "seal");
  const prefix = `${CIPHER}:${keyId}`;
  return {
    keyId,
    digest: (value) => `hmac-sha256:${createHmac("sha256", digestKey).update(textOf(value)).digest("hex")}`,
    seal(value) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, sealKey, nonce).setAAD(Buffer.from(prefix));
      const bytes = Buffer.concat([
        cipher.update(JSON.stringify(value), "utf8"),
        cipher.final(),
        cipher.getAuthTag(),
      ]);
      return `${prefix}:${nonce.toString("base64url")}:${bytes.toString("base64url")}`;
    },
    open: (sealed) => (sealed.startsWith(`${prefix}:`) ? unseal(sealed, prefix, sealKey) : undefined),
  };
};

/** What canonical JSON refuses (half a surrogate pair in a provider's output) still has one JSON text of its own. */
const textOf = (value: JsonValue): string => {
  try {
    return canonicalJson(value);
  } catch {
    return JSON.stringify(value);
  }
};

const unseal = (sealed: string, prefix: string, key: Buffer): JsonValue | undefined => {
  const [nonceText, bytesText, ...more] = sealed.slice(prefix.length + 1).split(":");
  if (nonceText === undefined || bytesText === undefined || more.length > 0) return undefined;
  const nonce = Buffer.from(nonceText, "base64url");
  const bytes = Buffer.from(bytesText, "base64url");
  if (nonce.length !== NONCE_BYTES || bytes.length < TAG_BYTES) return undefined;
  try {
    const decipher = createDecipheriv(CIPHER, key, nonce).setAAD(Buffer.from(prefix));
    decipher.setAuthTag(bytes.subarray(bytes.length - TAG_BYTES));
    const text = Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]);
    return JSON.parse(text.toString("utf8")) as JsonValue;
  } catch {
    return undefined;
  }
};

/** A key that lives as long as this process: for verbs that store nothing, where there is no key file yet. */
export const passingVault = (): Vault => vaultOf(randomBytes(KEY_BYTES));
