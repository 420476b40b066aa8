/** The key of a store's keyed digests (C6, E5), in a file of the store's folder and never within what is stored. */
import type { FoundKey } from "../../ports/releases.ts";
import { openVault } from "./vault.ts";

/** `use`: what the digests are of. A key of its own for each use, derived as every digest is. */
export const storeKey = async (
  path: string,
  use: string,
  options: { readonly create: boolean },
): Promise<FoundKey> => {
  const opened = await openVault(path, options);
  if (opened.kind !== "vault") return opened;
  const { keyId, digest } = opened.vault;
  const bytes = Buffer.from(digest(`keyed digests of ${use}`).replace(/^.*:/, ""), "hex");
  return { kind: "key", key: { id: keyId, bytes } };
};
