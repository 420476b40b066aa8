/**
 * Who signs evidence. One that holds its private key on this host cannot lift what it signs here above T0 (E3): whoever has
 * this host has the key. What it signed is worth more elsewhere, and later.
 *
 * Every adapter passes `test/contract/signer.ts`.
 */
import type { PublicKey } from "../domain/evidence-run.ts";

export interface Signer {
  readonly key: PublicKey;
  /** Where the private key is: on this host, or with somebody else who only signs. */
  readonly custody: "this-host" | "elsewhere";
  /** Ed25519 over these very bytes: 64 bytes. Throws where the key cannot be used; then nothing is signed. */
  sign(bytes: Uint8Array): Promise<Uint8Array>;
}
