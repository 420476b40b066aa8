/** Where evidence is kept and who signs it: what the person named, else what the environment says, else the usual place. */
import { join, resolve } from "node:path";
import { signerOf } from "../adapters/signer-ed25519/signer.ts";
import { systemClock } from "../adapters/system/clock.ts";
import { openEvidence } from "../adapters/system/evidence/evidence-folder.ts";
import { SIGNING_KEY } from "../adapters/system/evidence/layout.ts";
import { systemIds } from "../adapters/system/ids.ts";
import { readPlain } from "../adapters/system/read-file.ts";
import type { RunFacts, RunId } from "../domain/evidence-run.ts";
import type { Instant } from "../domain/ids.ts";
import type { EvidenceRuns } from "../ports/evidence-runs.ts";
import type { Signer } from "../ports/signer.ts";
import { actorOf } from "./actor.ts";

export interface EvidencePlace {
  /** As the person gave it; null: not given. */
  readonly evidence: string | null;
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const USUAL = join(".asfound", "evidence");
const KEY_BYTES = 64 * 1024;

/** Nothing is read or made yet. */
export const evidenceIn = (place: EvidencePlace): EvidenceRuns => {
  const { path, named } = folderOf(place);
  return openEvidence(path, named);
};

export const folderOf = ({ evidence, cwd, environment }: EvidencePlace): Folder => {
  const told = environment["ASFOUND_EVIDENCE"];
  const named = evidence !== null ? evidence : told === undefined || told === "" ? USUAL : told;
  return { path: resolve(cwd, named), named };
};

interface Folder {
  readonly path: string;
  /** As the person wrote it. */
  readonly named: string;
}

export { SIGNING_KEY } from "../adapters/system/evidence/layout.ts";

/**
 * The private key that the person named, else ASFOUND_SIGNING_KEY, else one beside the evidence. null: there is none, and
 * nobody signs. The fault is a sentence: a key that was named and cannot be used is never left out unsaid.
 */
export const signerFor = (
  place: EvidencePlace,
  named: string | null,
): { readonly signer: Signer | null } | { readonly fault: string } => {
  const told = place.environment["ASFOUND_SIGNING_KEY"];
  const file = named !== null ? named : told === undefined || told === "" ? null : told;
  if (file !== null) return signerIn(resolve(place.cwd, file), file);
  const { path, named: folder } = folderOf(place);
  const beside = signerIn(join(path, SIGNING_KEY), `${folder}/${SIGNING_KEY}`);
  return "fault" in beside && beside.isMissing ? { signer: null } : beside;
};

const signerIn = (
  path: string,
  named: string,
): { readonly signer: Signer } | { readonly fault: string; readonly isMissing: boolean } => {
  const read = readPlain(path, KEY_BYTES);
  if ("fault" in read)
    return { fault: `the key ${named} cannot be read: ${read.fault}`, isMissing: read.code === "ENOENT" };
  const signer = signerOf(read.bytes.toString("latin1"));
  return "fault" in signer ? { fault: `the key ${named} ${signer.fault}`, isMissing: false } : { signer };
};

const ids = systemIds(systemClock);

export const newRunId = (): RunId => `run_${ids.uuid()}`;

/** Of a run about the evidence itself, in which nothing was judged. */
export const ownFacts = (
  { environment }: EvidencePlace,
  { actor, tool }: { readonly actor: string | null; readonly tool: string },
  of: Pick<RunFacts, "kind" | "verb" | "details"> & { readonly at: Instant },
): RunFacts => ({
  run: newRunId(),
  kind: of.kind,
  verb: of.verb,
  actor: actorOf(actor, environment),
  recordedAt: of.at,
  target: null,
  verdict: null,
  findings: [],
  replays: null,
  tool,
  rules: "",
  details: of.details,
});
