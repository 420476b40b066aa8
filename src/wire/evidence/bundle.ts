/**
 * `bundle.sigstore.json`: the statement in a DSSE envelope (https://github.com/secure-systems-lab/dsse/blob/master/protocol.md)
 * in a Sigstore bundle v0.3 (https://github.com/sigstore/protobuf-specs, sigstore_bundle.proto). One text for one statement and
 * signature: no byte of the file can be another without being found, base64's own spare bits included.
 */
import type { Digest } from "../../domain/ids.ts";
import { isJsonObject } from "../../domain/json.ts";
import { parseStrictJson } from "../objects/strict-json.ts";
import { digestOfHex, hexOf } from "./sums.ts";

const PAYLOAD_TYPE = "application/vnd.in-toto+json";
const MEDIA_TYPE = "application/vnd.dev.sigstore.bundle.v0.3+json";
const SIGNATURE_BYTES = 64;

/** DSSE's pre-authentication encoding: what is signed. */
export const paeOf = (payload: Uint8Array): Uint8Array =>
  Buffer.concat([Buffer.from(`DSSEv1 ${PAYLOAD_TYPE.length} ${PAYLOAD_TYPE} ${payload.length} `), payload]);

export interface Bundle {
  /** The bytes of `statement.json`. */
  readonly payload: Uint8Array;
  /** Ed25519 over `paeOf(payload)`. */
  readonly signature: Uint8Array;
  readonly keyId: Digest;
}

export const bundleText = ({ payload, signature, keyId }: Bundle): string =>
  `${JSON.stringify(
    {
      mediaType: MEDIA_TYPE,
      verificationMaterial: { publicKey: { hint: hexOf(keyId) }, tlogEntries: [] },
      dsseEnvelope: {
        payload: Buffer.from(payload).toString("base64"),
        payloadType: PAYLOAD_TYPE,
        signatures: [{ sig: Buffer.from(signature).toString("base64"), keyid: hexOf(keyId) }],
      },
    },
    null,
    2,
  )}\n`;

/** The fault is a clause without the file's name. */
export const readBundle = (bytes: Uint8Array): Bundle | { readonly fault: string } => {
  const text = Buffer.from(bytes).toString("latin1");
  const json = parseStrictJson(text);
  if ("fault" in json) return { fault: `is not JSON: ${json.fault}` };
  const payload = textAt(json.value, "dsseEnvelope", "payload");
  const hint = textAt(json.value, "verificationMaterial", "publicKey", "hint");
  const signature = textAt(json.value, "dsseEnvelope", "signatures", 0, "sig");
  if (payload === undefined || signature === undefined || hint === undefined || !/^[0-9a-f]{64}$/.test(hint))
    return { fault: "is no bundle of one signed statement" };
  const bundle = {
    payload: Buffer.from(payload, "base64"),
    signature: Buffer.from(signature, "base64"),
    keyId: digestOfHex(hint),
  };
  if (bundle.signature.length !== SIGNATURE_BYTES || bundleText(bundle) !== text)
    return { fault: "is not as asfound writes a bundle" };
  return bundle;
};

const textAt = (value: unknown, ...path: readonly (string | number)[]): string | undefined => {
  let at: unknown = value;
  for (const key of path) {
    if (Array.isArray(at)) at = at[Number(key)];
    else at = isJsonObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }
  return typeof at === "string" ? at : undefined;
};
