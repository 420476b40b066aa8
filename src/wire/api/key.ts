/** `key new -o json` and `key rotate -o json`: kinds `SigningKey` and `KeyRotation`. Nothing of a private key is in them. Pure. */
import type { PublicKey, RunLink } from "../../domain/evidence-run.ts";
import type { JsonObject } from "../../domain/json.ts";
import { document } from "./document.ts";

export interface MadeKeyInput {
  readonly key: PublicKey;
  /** As the person named them. */
  readonly file: string;
  readonly publicFile: string;
  /** It lies where the evidence does, so that a signature by it says no more than a digest (E3). */
  readonly isBeside: boolean;
}

export const madeKey = ({ key, file, publicFile, isBeside }: MadeKeyInput): JsonObject =>
  document("SigningKey", {
    keyId: key.keyId,
    publicKey: key.pem,
    file,
    publicFile,
    besideEvidence: isBeside,
  });

export interface RotationInput {
  readonly replaced: PublicKey;
  readonly key: PublicKey;
  readonly link: RunLink;
  readonly sequence: number;
  readonly place: string;
  readonly notes: readonly string[];
}

export const keyRotation = (done: RotationInput): JsonObject =>
  document("KeyRotation", {
    replaces: done.replaced.keyId,
    keyId: done.key.keyId,
    publicKey: done.key.pem,
    run: { ...done.link },
    sequence: done.sequence,
    place: done.place,
    notes: [...done.notes],
  });
