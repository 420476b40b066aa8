/**
 * One slot of the chain and the statement behind it, as they stand: whole, never finished, or not as asfound wrote them. Whether
 * it fits those around it, whose signature it bears and what became of its files is asked elsewhere.
 */
import { join } from "node:path";
import { type EvidenceProblem, type EvidenceRun, isRunId, type RunId } from "../../../domain/evidence-run.ts";
import type { Digest } from "../../../domain/ids.ts";
import { sha256Hex } from "../../../wire/digest.ts";
import { type Bundle, readBundle } from "../../../wire/evidence/bundle.ts";
import { readStatement } from "../../../wire/evidence/statement.ts";
import { digestOfHex, hexOf } from "../../../wire/evidence/sums.ts";
import { readBytes } from "./files.ts";
import { BUNDLE, kindOf, runPath, SEAL, STATEMENT, slotPath } from "./layout.ts";

/** A sweep of many targets names each file and finding. */
export const MOST_BYTES = 64 * 1024 * 1024;
const SLOT_BYTES = 64;
const SEAL_BYTES = 128;

interface At {
  readonly sequence: number;
}

export interface WholeLink extends At {
  readonly kind: "whole";
  readonly run: RunId;
  readonly statement: EvidenceRun;
  /** The bytes that were signed. */
  readonly bytes: Uint8Array;
  readonly sha256: Digest;
  /** null: nobody signed. */
  readonly bundle: Bundle | null;
}

export interface IncompleteLink extends At {
  readonly kind: "incomplete";
  readonly run: RunId;
  /** The file that would make it whole; or the folder that was never made. */
  readonly lacks: string;
}

export interface AlteredLink extends At {
  readonly kind: "altered";
  /** null: its slot names none. */
  readonly run: RunId | null;
  readonly problem: EvidenceProblem;
  /** What its statement has as digest, if only its seal tells another. */
  readonly unsealed: Digest | null;
}

export type Link = WholeLink | IncompleteLink | AlteredLink | (At & { readonly kind: "missing" });

export const sealText = (digest: Digest): string => `${hexOf(digest)}  ${STATEMENT}\n`;
export const slotText = (run: RunId): string => `${run}\n`;

export const refuted = (file: string, reason: string, sentence: string): EvidenceProblem => ({
  file,
  reason,
  sentence: `${file} ${sentence}`,
  finding: "refuted",
});

/** Throws the system's error where a folder cannot be looked at. */
export const readLink = (place: string, sequence: number): Link => {
  const slot = slotPath(sequence);
  const named = readBytes(join(place, slot), SLOT_BYTES);
  const altered = (problem: EvidenceProblem, run: RunId | null = null): AlteredLink => ({
    kind: "altered",
    sequence,
    run,
    problem,
    unsealed: null,
  });
  if ("fault" in named)
    return named.isMissing
      ? { kind: "missing", sequence }
      : altered(refuted(slot, "slot-unreadable", `cannot be read: ${named.fault}`));
  const run = named.bytes.toString("latin1").slice(0, -1);
  if (!isRunId(run) || slotText(run) !== named.bytes.toString("latin1"))
    return altered(refuted(slot, "slot-altered", "does not name a run as asfound writes it"));
  const folder = runPath(run);
  const kind = kindOf(join(place, folder));
  if (kind === "missing") return { kind: "incomplete", sequence, run, lacks: folder };
  return kind === "folder"
    ? readIn(place, sequence, run)
    : altered(refuted(folder, "not-a-folder", "is no folder, as a run is"), run);
};

/** The folder of a run. */
const readIn = (place: string, sequence: number, run: RunId): Link => {
  const at = (name: string): string => `${runPath(run)}/${name}`;
  const read = (name: string, most: number) => readBytes(join(place, at(name)), most);
  const altered = (name: string, reason: string, sentence: string): AlteredLink => ({
    kind: "altered",
    sequence,
    run,
    problem: refuted(at(name), reason, sentence),
    unsealed: null,
  });
  const [statement, seal, bundle] = [
    read(STATEMENT, MOST_BYTES),
    read(SEAL, SEAL_BYTES),
    read(BUNDLE, 2 * MOST_BYTES),
  ];
  for (const [name, one] of [
    [STATEMENT, statement],
    [SEAL, seal],
    [BUNDLE, bundle],
  ] as const)
    if ("fault" in one && !one.isMissing) return altered(name, "unreadable", `cannot be read: ${one.fault}`);
  // What is written later is there only if what is written before it was.
  const later = "bytes" in bundle ? BUNDLE : "bytes" in seal ? SEAL : null;
  if ("fault" in statement)
    return later === null
      ? { kind: "incomplete", sequence, run, lacks: at(STATEMENT) }
      : altered(STATEMENT, "missing", `is missing; ${later}, which is written after it, is there`);
  if ("fault" in seal)
    return "fault" in bundle
      ? { kind: "incomplete", sequence, run, lacks: at(SEAL) }
      : altered(SEAL, "missing", `is missing; ${BUNDLE}, which is written after it, is there`);
  const sha256 = digestOfHex(sha256Hex(statement.bytes));
  if (seal.bytes.toString("latin1") !== sealText(sha256)) {
    const signed = "bytes" in bundle ? readBundle(bundle.bytes) : null;
    const isSigned = signed !== null && "payload" in signed && statement.bytes.equals(signed.payload);
    return isSigned
      ? altered(SEAL, "altered", `is not as it was recorded: ${STATEMENT} is the one that was signed`)
      : {
          ...altered(STATEMENT, "altered", `is not as it was recorded: ${SEAL} beside it has another digest`),
          unsealed: sha256,
        };
  }
  const parsed = readStatement(statement.bytes);
  if ("fault" in parsed) return altered(STATEMENT, "altered", parsed.fault);
  if (parsed.run !== run || parsed.sequence !== sequence)
    return altered(
      STATEMENT,
      "out-of-place",
      `says that it is run ${parsed.sequence}, ${parsed.run}; ${slotPath(sequence)} has it as run ${sequence}, ${run}`,
    );
  const whole = { kind: "whole", sequence, run, statement: parsed, bytes: statement.bytes, sha256 } as const;
  if (parsed.signer === null)
    return "fault" in bundle
      ? { ...whole, bundle: null }
      : altered(
          BUNDLE,
          "added",
          `was not there when the run was recorded: ${STATEMENT} says that nobody signed`,
        );
  if ("fault" in bundle) return { kind: "incomplete", sequence, run, lacks: at(BUNDLE) };
  const envelope = readBundle(bundle.bytes);
  if ("fault" in envelope) return altered(BUNDLE, "altered", envelope.fault);
  if (!statement.bytes.equals(envelope.payload) || envelope.keyId !== parsed.signer)
    return altered(BUNDLE, "altered", `is not as it was recorded: it is about another statement or key`);
  return { ...whole, bundle: envelope };
};
