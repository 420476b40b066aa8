/** key new, key rotate: a key pair in two files, and the record that says which key signs from here on. */
import { lstatSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { newKey } from "../adapters/signer-ed25519/signer.ts";
import { systemClock } from "../adapters/system/clock.ts";
import { readPlain, reasonOf } from "../adapters/system/read-file.ts";
import { createFile } from "../adapters/system/write-file.ts";
import type { PublicKey } from "../domain/evidence-run.ts";
import { EXIT } from "../domain/exit.ts";
import { jsonFile } from "../runtime/evidence-run.ts";
import { isRefused, type Refused, refused } from "../runtime/runtime.ts";
import { document } from "../wire/api/document.ts";
import type { MadeKeyInput, RotationInput } from "../wire/api/key.ts";
import { readPublicKey } from "../wire/evidence/public-key.ts";
import { rotationDetails } from "../wire/evidence/rotation.ts";
import { hexOf } from "../wire/evidence/sums.ts";
import { type EvidencePlace, evidenceIn, folderOf, ownFacts, SIGNING_KEY, signerFor } from "./evidence.ts";

const KEY_BYTES = 64 * 1024;

export interface MadeKey extends MadeKeyInput {
  readonly kind: "made";
}

/** `file`: null for the usual one, beside the evidence. Nothing is written over. */
export const makeKey = async (place: EvidencePlace, file: string | null): Promise<MadeKey | Refused> => {
  const { path: folder, named: folderNamed } = folderOf(place);
  const named = file ?? `${folderNamed}/${SIGNING_KEY}`;
  const path = file === null ? join(folder, SIGNING_KEY) : resolve(place.cwd, file);
  const publicFile = `${named}.pub`;
  for (const [its, name] of [
    [path, named],
    [`${path}.pub`, publicFile],
  ] as const)
    if (isThere(its)) return taken(name);
  const { privatePem, publicKey } = newKey();
  try {
    if (file === null) {
      const opened = await evidenceIn(place).key({ create: true });
      if (opened.kind === "fault") return refused(EXIT.notDurable, opened.fault);
    }
    // The private one first: a public key without it would be of no use, and looks like one that is.
    if (!(await createFile(path, privatePem, 0o600))) return taken(named);
    if (!(await createFile(`${path}.pub`, publicKey.pem, 0o644))) return taken(publicFile);
  } catch (error) {
    return refused(EXIT.notDurable, `the key ${named} cannot be written: ${reasonOf(error).why}`);
  }
  const within = relative(folder, dirname(path));
  const isBeside = within === "" || !(within.startsWith("..") || within.startsWith("/"));
  return { kind: "made", key: publicKey, file: named, publicFile, isBeside };
};

const isThere = (path: string): boolean => {
  try {
    lstatSync(path);
    return true;
  } catch {
    return false;
  }
};

const taken = (name: string): Refused =>
  refused(EXIT.refused, `${name} is there already, and no key is ever written over; name another file`);

export interface Rotated extends RotationInput {
  readonly kind: "rotated";
}

/** Recorded and signed by the key that signed until now. `publicFile`: of the one that signs from here on. */
export const rotateKey = async (
  place: EvidencePlace,
  asked: {
    readonly publicFile: string;
    readonly signingKey: string | null;
    readonly actor: string | null;
    readonly reason: string;
    /** asfound's version. */
    readonly tool: string;
  },
): Promise<Rotated | Refused> => {
  const key = publicKeyIn(asked.publicFile, place.cwd);
  if (isRefused(key)) return key;
  const found = signerFor(place, asked.signingKey);
  if ("fault" in found) return refused(EXIT.usage, found.fault);
  const { signer } = found;
  if (signer === null)
    return refused(
      EXIT.refused,
      "there is no key that signed until now: name its file (--signing-key FILE, or ASFOUND_SIGNING_KEY)",
    );
  if (signer.key.keyId === key.keyId)
    return refused(EXIT.refused, `${asked.publicFile} is the key that signs already; name the new one`);
  const runs = evidenceIn(place);
  const report = document("KeyRotationRecord", {
    replaces: hexOf(signer.key.keyId),
    keyId: hexOf(key.keyId),
    reason: asked.reason,
  });
  const done = await runs.record({
    facts: ownFacts(place, asked, {
      kind: "key",
      verb: "key rotate",
      at: systemClock.now(),
      details: { ...rotationDetails({ replaces: signer.key.keyId, key }), reason: asked.reason },
    }),
    files: [jsonFile("report.json", report)],
    signer,
  });
  if (done.kind !== "recorded")
    return refused(
      EXIT.notDurable,
      `the rotation is not recorded in ${runs.place}: ${done.kind === "fault" ? done.fault : "its id is taken"}`,
    );
  return {
    kind: "rotated",
    replaced: signer.key,
    key,
    link: done.link,
    sequence: done.run.sequence,
    place: runs.place,
    notes: done.notes,
  };
};

const publicKeyIn = (file: string, cwd: string): PublicKey | Refused => {
  const read = readPlain(resolve(cwd, file), KEY_BYTES);
  if ("fault" in read) return refused(EXIT.usage, `${file}: ${read.fault}`);
  const key = readPublicKey(read.bytes.toString("latin1"));
  return "fault" in key ? refused(EXIT.usage, `${file} ${key.fault}`) : key;
};
