/** evidence verify: a folder of evidence against the keys and the checkpoint that a person has. Writes nothing. */
import { resolve } from "node:path";
import { readPlain } from "../adapters/system/read-file.ts";
import { isRunId, type PublicKey, type RunCheck, type RunLink } from "../domain/evidence-run.ts";
import { EXIT } from "../domain/exit.ts";
import type { Digest } from "../domain/ids.ts";
import type { CheckOptions, EvidenceCheck } from "../ports/evidence-runs.ts";
import { isRefused, type Refused, refused } from "../runtime/runtime.ts";
import { readPublicKey } from "../wire/evidence/public-key.ts";
import { digestOfHex } from "../wire/evidence/sums.ts";
import { type EvidencePlace, evidenceIn, signerFor } from "./evidence.ts";

const KEY_BYTES = 64 * 1024;

export interface CheckAsked extends EvidencePlace {
  /** null: all of them. */
  readonly run: string | null;
  /** Files of public keys, as the person gave them. */
  readonly keys: readonly string[];
  /** A file, or `run@sha256`. */
  readonly checkpoint: string | null;
  readonly depth: "files" | "chain";
}

export interface Checked extends EvidenceCheck {
  readonly place: string;
}

export const checkEvidence = async (
  asked: CheckAsked,
  tell: (check: RunCheck) => void,
): Promise<Checked | Refused> => {
  const trusted = trustedBy(asked);
  if (isRefused(trusted)) return trusted;
  const runs = evidenceIn(asked);
  const done = await runs.check({ ...trusted, run: asked.run, depth: asked.depth }, tell);
  if (!("fault" in done)) return { ...done, place: runs.place };
  return refused(done.reason === "absent" ? EXIT.usage : EXIT.broken, done.fault);
};

/** What a person has of those who recorded: their public keys, and what was kept elsewhere. */
export const trustedBy = (
  asked: Omit<CheckAsked, "run" | "depth">,
): Pick<CheckOptions, "keys" | "heldHere" | "checkpoint"> | Refused => {
  const keys: PublicKey[] = [];
  for (const file of asked.keys) {
    const key = keyIn(file, asked.cwd);
    if (isRefused(key)) return key;
    keys.push(key);
  }
  const checkpoint = asked.checkpoint === null ? null : checkpointIn(asked.checkpoint, asked.cwd);
  return isRefused(checkpoint) ? checkpoint : { keys, heldHere: heldHere(asked), checkpoint };
};

/**
 * Where asfound itself would look for a private key, and where `key new` puts it: beside the public one. One that cannot be used
 * is no reason to check less.
 */
const heldHere = (asked: Omit<CheckAsked, "run" | "depth">): ReadonlySet<Digest> => {
  const beside = asked.keys.flatMap((file) => (file.endsWith(".pub") ? [file.slice(0, -".pub".length)] : []));
  return new Set(
    [null, ...beside].flatMap((file) => {
      const found = signerFor(asked, file);
      return "signer" in found && found.signer !== null ? [found.signer.key.keyId] : [];
    }),
  );
};

const keyIn = (file: string, cwd: string): PublicKey | Refused => {
  const read = readPlain(resolve(cwd, file), KEY_BYTES);
  const key = "fault" in read ? read : readPublicKey(read.bytes.toString("latin1"));
  return "fault" in key
    ? refused(EXIT.usage, `--key ${file}: ${"bytes" in read ? `the file ${key.fault}` : key.fault}`)
    : key;
};

const LINK = /^(run_[0-9a-f-]{36})@(?:sha256:)?([0-9a-f]{64})$/;

/** What evidence verify prints as the newest run; or a file that holds it. */
const checkpointIn = (text: string, cwd: string): RunLink | Refused => {
  const link = linkIn(text);
  if (link !== undefined) return link;
  const read = readPlain(resolve(cwd, text), KEY_BYTES);
  if ("fault" in read)
    return refused(EXIT.usage, `--checkpoint ${text}: it is no run@sha256, and as a file ${read.fault}`);
  return (
    linkIn(read.bytes.toString("latin1").trim()) ??
    refused(
      EXIT.usage,
      `--checkpoint ${text}: the file holds no run@sha256, as asfound evidence verify prints it`,
    )
  );
};

const linkIn = (text: string): RunLink | undefined => {
  const [, run, hex] = LINK.exec(text) ?? [];
  return run !== undefined && hex !== undefined && isRunId(run)
    ? { run, sha256: digestOfHex(hex) }
    : undefined;
};
