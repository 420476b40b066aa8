/**
 * By whose key a run is signed. A key is one that the person named, one that such a key handed over to (a rotation recorded in
 * the chain and signed by the old one), or one that lies beside the evidence: that shows the bytes whole, and nobody's name.
 */
import { join } from "node:path";
import type { EvidenceProblem, PublicKey } from "../../../domain/evidence-run.ts";
import type { Digest } from "../../../domain/ids.ts";
import { paeOf } from "../../../wire/evidence/bundle.ts";
import { isSignedBy, readPublicKey } from "../../../wire/evidence/public-key.ts";
import { rotationIn } from "../../../wire/evidence/rotation.ts";
import { readBytes } from "./files.ts";
import { BUNDLE, keyPath, runPath, slotsIn } from "./layout.ts";
import { readLink, refuted, type WholeLink } from "./link.ts";

const KEY_BYTES = 4096;

export interface Signed {
  /** `named`: by the person, or handed over to by one that was. */
  readonly by: "nobody" | "named" | "beside" | "unknown";
  readonly problem: EvidenceProblem | null;
}

export class Keyring {
  readonly #place: string;
  readonly #named: ReadonlyMap<Digest, PublicKey>;
  #handedOver: ReadonlyMap<Digest, PublicKey> | undefined;
  readonly #beside = new Map<Digest, PublicKey | string>();

  constructor(place: string, named: readonly PublicKey[]) {
    this.#place = place;
    this.#named = new Map(named.map((key) => [key.keyId, key]));
  }

  get isAskedFor(): boolean {
    return this.#named.size > 0;
  }

  /** Whether the signature is right, and by whom. */
  signed(link: WholeLink): Signed {
    const { statement, bundle } = link;
    const file = `${runPath(link.run)}/${BUNDLE}`;
    const open = (reason: string, sentence: string): Signed => ({
      by: statement.signer === null ? "nobody" : "unknown",
      problem: { file, reason, sentence: `${file} ${sentence}`, finding: "undetermined" },
    });
    if (statement.signer === null || bundle === null)
      return this.isAskedFor
        ? open("not-signed", "is not there: nobody signed this run, and you named a key")
        : { by: "nobody", problem: null };
    const named = this.#named.get(statement.signer) ?? this.#vouched(statement.signer);
    if (named === undefined && this.isAskedFor)
      return open(
        "unknown-signer",
        `is signed by ${statement.signer}, which is none of the keys that you named and which none of them handed over to`,
      );
    const key = named ?? this.#lyingBeside(statement.signer);
    if (typeof key === "string")
      return open("no-key", `cannot be checked: ${key}; name the signer's key (--key)`);
    return isSignedBy(key, paeOf(bundle.payload), bundle.signature)
      ? { by: named === undefined ? "beside" : "named", problem: null }
      : {
          by: "unknown",
          problem: refuted(
            file,
            "bad-signature",
            `holds a signature that is not by ${statement.signer} over this statement`,
          ),
        };
  }

  #lyingBeside(keyId: Digest): PublicKey | string {
    const found = this.#beside.get(keyId) ?? this.#readBeside(keyId);
    this.#beside.set(keyId, found);
    return found;
  }

  #readBeside(keyId: Digest): PublicKey | string {
    const path = keyPath(keyId);
    const read = readBytes(join(this.#place, path), KEY_BYTES);
    if ("fault" in read) return `${path} cannot be read: ${read.fault}`;
    const key = readPublicKey(read.bytes.toString("latin1"));
    if ("fault" in key) return `${path} ${key.fault}`;
    return key.keyId === keyId ? key : `${path} is another key`;
  }

  /** The whole chain is looked through once, and only for a signer whom the person did not name. */
  #vouched(keyId: Digest): PublicKey | undefined {
    if (!this.isAskedFor) return undefined;
    this.#handedOver ??= this.#rotations();
    return this.#handedOver.get(keyId);
  }

  #rotations(): ReadonlyMap<Digest, PublicKey> {
    const active = new Map(this.#named);
    const everActive = new Map(this.#named);
    for (const sequence of slotsIn(this.#place).sequences) {
      const link = readLink(this.#place, sequence);
      if (link.kind !== "whole" || link.bundle === null) continue;
      const rotation = rotationIn(link.statement);
      const by = rotation === undefined ? undefined : active.get(rotation.replaces);
      if (rotation === undefined || by === undefined) continue;
      if (!isSignedBy(by, paeOf(link.bundle.payload), link.bundle.signature)) continue;
      active.set(rotation.key.keyId, rotation.key);
      everActive.set(rotation.key.keyId, rotation.key);
      // From here on it vouches for nobody.
      active.delete(rotation.replaces);
    }
    return everActive;
  }
}
