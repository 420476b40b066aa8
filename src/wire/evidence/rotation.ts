/** What a run of the kind `key` says: from here on another key signs. It is signed by the one that it replaces. */
import type { EvidenceRun, PublicKey } from "../../domain/evidence-run.ts";
import type { Digest } from "../../domain/ids.ts";
import type { JsonObject } from "../../domain/json.ts";
import { readPublicKey } from "./public-key.ts";
import { digestOfHex, hexOf } from "./sums.ts";

export interface Rotation {
  readonly replaces: Digest;
  readonly key: PublicKey;
}

export const rotationDetails = ({ replaces, key }: Rotation): JsonObject => ({
  replaces: hexOf(replaces),
  keyId: hexOf(key.keyId),
  publicKey: key.pem,
});

/** undefined: it is no rotation, or one that its signer may not declare. */
export const rotationIn = ({ kind, signer, details }: EvidenceRun): Rotation | undefined => {
  if (kind !== "key" || details === null || signer === null) return undefined;
  const { replaces, publicKey } = details;
  if (typeof replaces !== "string" || digestOfHex(replaces) !== signer || typeof publicKey !== "string")
    return undefined;
  const key = readPublicKey(publicKey);
  return "fault" in key || key.keyId === signer ? undefined : { replaces: signer, key };
};
