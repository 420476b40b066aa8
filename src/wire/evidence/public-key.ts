/** Public keys of signers: Ed25519 as PEM, named by the SHA-256 over their DER. */
import { createPublicKey, type KeyObject, verify } from "node:crypto";
import type { PublicKey } from "../../domain/evidence-run.ts";
import { sha256Hex } from "../digest.ts";
import { digestOfHex } from "./sums.ts";

/** The fault is a clause without the file's name; a private key's text is in none. */
export const readPublicKey = (pem: string): PublicKey | { readonly fault: string } => {
  if (/PRIVATE KEY/.test(pem))
    return { fault: "holds a private key; name the public one (openssl pkey -pubout makes it)" };
  const key = keyIn(pem);
  if (key === undefined) return { fault: "is no public key in PEM" };
  return key.asymmetricKeyType === "ed25519"
    ? publicKeyOf(key)
    : {
        fault: `is a key for ${key.asymmetricKeyType ?? "another algorithm"}; evidence is signed with Ed25519`,
      };
};

export const publicKeyOf = (key: KeyObject): PublicKey => ({
  keyId: digestOfHex(sha256Hex(key.export({ type: "spki", format: "der" }))),
  pem: String(key.export({ type: "spki", format: "pem" })),
});

export const isSignedBy = ({ pem }: PublicKey, bytes: Uint8Array, signature: Uint8Array): boolean => {
  const key = keyIn(pem);
  return key !== undefined && verify(null, bytes, key, signature);
};

const keyIn = (pem: string): KeyObject | undefined => {
  try {
    return createPublicKey(pem);
  } catch {
    return undefined;
  }
};
