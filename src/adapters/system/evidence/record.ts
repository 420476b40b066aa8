/**
 * Writing one run (docs/reference/evidence.md). The caller holds the folder's lock; without it (a file system whose locks do
 * not work) the slot is still claimed by one alone.
 */
import { join } from "node:path";
import {
  type EvidenceRun,
  type IncompleteRun,
  isRunId,
  type RunFacts,
  type RunLink,
  trustOf,
} from "../../../domain/evidence-run.ts";
import type { Digest } from "../../../domain/ids.ts";
import { iso } from "../../../domain/ids.ts";
import type { NewRun, RecordedRun, RunFile } from "../../../ports/evidence-runs.ts";
import type { Signer } from "../../../ports/signer.ts";
import { sha256Hex } from "../../../wire/digest.ts";
import { bundleText, paeOf } from "../../../wire/evidence/bundle.ts";
import { isSignedBy } from "../../../wire/evidence/public-key.ts";
import { SUMS, statementText } from "../../../wire/evidence/statement.ts";
import { digestOfHex, isRunPath, sumsText } from "../../../wire/evidence/sums.ts";
import { syncFolder } from "../write-file.ts";
import { appear, makeFolder, writeNew } from "./files.ts";
import {
  BUNDLE,
  DRAFTS,
  keyPath,
  kindOf,
  RUNS,
  runPath,
  SEAL,
  STATEMENT,
  slotPath,
  slotsIn,
} from "./layout.ts";
import { readLink, sealText, slotText, type WholeLink } from "./link.ts";

/** Told after each thing that was done on the disk, for tests that end the process there. */
export type Told = (done: string) => void;

const MOST_FILES = 100_000;

/** Nothing was recorded, for a reason that is no bug: the message is a clause. */
export class NotRecorded extends Error {
  readonly code = "ASFOUND_NOT_RECORDED";
}

/** Throws `NotRecorded`, or the system's error. */
export const writeRun = async (
  place: string,
  { facts, files, signer }: NewRun,
  told: Told,
): Promise<RecordedRun> => {
  const { run } = facts;
  if (!isRunId(run)) throw new NotRecorded(`${run} is no run's id`);
  if (kindOf(join(place, runPath(run))) !== "missing") return { kind: "exists" };
  const before = tipOf(place);
  const { sequence } = before;
  if (signer !== null)
    await appear(join(place, DRAFTS), join(place, keyPath(signer.key.keyId)), Buffer.from(signer.key.pem));
  told("key");
  const claimed = await appear(
    join(place, DRAFTS),
    join(place, slotPath(sequence)),
    Buffer.from(slotText(run)),
  );
  if (!claimed)
    throw new NotRecorded(`another recording took number ${sequence} at the same moment; run it again`);
  told("slot");
  const subjects = await fill(join(place, runPath(run)), files, told);
  await syncFolder(join(place, RUNS));
  told("files synced");
  const statement: EvidenceRun = {
    ...facts,
    sequence,
    previous: before.previous === null ? null : linkTo(before.previous),
    incomplete: before.incomplete,
    signer: signer === null ? null : signer.key.keyId,
    trust: trustAtRecording(signer),
    subjects,
  };
  const sha256 = await seal(place, statement, signer, told);
  return {
    kind: "recorded",
    run: statement,
    link: { run, sha256 },
    notes: notesOf(facts, before),
  };
};

const linkTo = ({ run, sha256 }: WholeLink): RunLink => ({ run, sha256 });

// ---- what is there already -----------------------------------------------------------------------------------------

interface Tip {
  /** The next one. */
  readonly sequence: number;
  readonly previous: WholeLink | null;
  readonly incomplete: readonly IncompleteRun[];
}

/** Nothing is recorded upon what is not as it was recorded: the new run would vouch for it. */
const tipOf = (place: string): Tip => {
  const newest = slotsIn(place).sequences.at(-1) ?? 0;
  const incomplete: IncompleteRun[] = [];
  for (let sequence = newest; sequence > 0; sequence -= 1) {
    const link = readLink(place, sequence);
    if (link.kind === "whole") return { sequence: newest + 1, previous: link, incomplete };
    if (link.kind !== "incomplete") {
      const what = link.kind === "missing" ? `${slotPath(sequence)} is missing` : link.problem.sentence;
      throw new NotRecorded(
        `what was recorded last is not as it was (${what}), and no run is put upon it; look at it with asfound evidence verify --all, then record into another folder`,
      );
    }
    incomplete.unshift({ sequence, run: link.run });
  }
  return { sequence: newest + 1, previous: null, incomplete };
};

const notesOf = ({ recordedAt }: RunFacts, { previous, incomplete }: Tip): readonly string[] => [
  ...incomplete.map(({ sequence, run }) => `run ${sequence} (${run}) before it was never finished`),
  ...(previous !== null && recordedAt < previous.statement.recordedAt
    ? [
        `this host's clock went backwards: the run before it was recorded at ${iso(previous.statement.recordedAt)}; the numbers are the order`,
      ]
    : []),
];

/** E3: who holds the key at the very place where the evidence is made can make other evidence just as well. */
const trustAtRecording = (signer: Signer | null): EvidenceRun["trust"] => {
  if (signer === null) return trustOf("T0");
  return signer.custody === "elsewhere"
    ? trustOf("T1")
    : trustOf(
        "T0",
        "signed, but by a key on the host that recorded it: whoever controls that host can sign other evidence; it is T1 for somebody who has the public key from the signer and checks it where the private one is not",
      );
};

// ---- writing -------------------------------------------------------------------------------------------------------

const fill = async (
  folder: string,
  files: NewRun["files"],
  told: Told,
): Promise<ReadonlyMap<string, Digest>> => {
  if (!(await makeFolder(folder))) throw new NotRecorded("its folder appeared in the meantime");
  told("folder");
  const digests = new Map<string, Digest>();
  const folders = new Set([folder]);
  for await (const file of files) {
    check(file, digests);
    for (const parent of parentsOf(file.path)) {
      await makeFolder(join(folder, parent));
      folders.add(join(folder, parent));
    }
    digests.set(file.path, await writeNew(join(folder, file.path), file.bytes));
    told(file.path);
  }
  if (!digests.has("report.json")) throw new NotRecorded("it has no report.json");
  const sums = Buffer.from(sumsText(digests));
  await writeNew(join(folder, SUMS), sums);
  told(SUMS);
  for (const one of folders) await syncFolder(one);
  const sorted = [...digests].sort(([a], [b]) => (a < b ? -1 : 1));
  return new Map([[SUMS, digestOfHex(sha256Hex(sums))], ...sorted]);
};

const check = ({ path }: RunFile, there: ReadonlyMap<string, Digest>): void => {
  if (!isRunPath(path)) throw new NotRecorded(`${JSON.stringify(path)} is no path of a file in a run`);
  if (there.has(path)) throw new NotRecorded(`it has ${path} twice`);
  if (there.size >= MOST_FILES) throw new NotRecorded(`it has more than ${MOST_FILES} files`);
};

/** `snapshot` and `snapshot/a` of `snapshot/a/b.json`. */
const parentsOf = (path: string): readonly string[] => {
  const parts = path.split("/");
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join("/"));
};

/** The statement and what covers it. The seal and the bundle appear whole: half of one would look altered, not unfinished. */
const seal = async (place: string, run: EvidenceRun, signer: Signer | null, told: Told): Promise<Digest> => {
  const folder = join(place, runPath(run.run));
  const drafts = join(place, DRAFTS);
  const payload = Buffer.from(statementText(run));
  const sha256 = await writeNew(join(folder, STATEMENT), payload);
  told(STATEMENT);
  await syncFolder(folder);
  await appear(drafts, join(folder, SEAL), Buffer.from(sealText(sha256)));
  if (signer !== null) {
    told(SEAL);
    const signature = await signer.sign(paeOf(payload));
    if (!isSignedBy(signer.key, paeOf(payload), signature))
      throw new NotRecorded("what the signer gave back is no signature by its key");
    const bundle = Buffer.from(bundleText({ payload, signature, keyId: signer.key.keyId }));
    await appear(drafts, join(folder, BUNDLE), bundle);
  }
  told("whole");
  return sha256;
};
