/** The files of one run against its statement: every one that is altered, missing or added is named. */
import { join } from "node:path";
import type { EvidenceProblem, EvidenceRun } from "../../../domain/evidence-run.ts";
import type { Digest } from "../../../domain/ids.ts";
import { SUMS } from "../../../wire/evidence/statement.ts";
import { readSums } from "../../../wire/evidence/sums.ts";
import { digestIn, readBytes } from "./files.ts";
import { BUNDLE, everythingIn, runPath, SEAL, STATEMENT } from "./layout.ts";
import { MOST_BYTES, refuted } from "./link.ts";

/** Raw observations: what retention may delete. */
const isObservation = (path: string): boolean => path.startsWith("snapshot/");

export interface FilesCheck {
  readonly problems: readonly EvidenceProblem[];
  /** Observations that are not there, with the digests that they had. */
  readonly gone: ReadonlyMap<string, Digest>;
  /** Observations that are there. */
  readonly kept: ReadonlyMap<string, number>;
}

/** `mayBeGone`: observations that are missing are no problem (retention deleted them). Throws the system's error. */
export const checkFiles = (
  place: string,
  run: EvidenceRun,
  buffer: Buffer,
  mayBeGone: () => boolean,
): FilesCheck => {
  const folder = runPath(run.run);
  const problems: EvidenceProblem[] = [];
  const gone = new Map<string, Digest>();
  const kept = new Map<string, number>();
  const say = (name: string, reason: string, sentence: string): void =>
    void problems.push(refuted(`${folder}/${name}`, reason, sentence));

  const its = new Set([...run.subjects.keys(), STATEMENT, SEAL, ...(run.signer === null ? [] : [BUNDLE])]);
  const folders = new Set([...its].flatMap(parentsOf));
  for (const { path, kind } of everythingIn(join(place, folder))) {
    if (kind === "other")
      say(path, "not-a-file", "is no ordinary file or folder; asfound writes nothing else");
    else if (!(kind === "folder" ? folders : its).has(path))
      say(path, "added", "was not there when the run was recorded");
  }
  for (const [path, digest] of run.subjects) {
    const found = digestIn(join(place, folder, path), buffer);
    if ("digest" in found) {
      if (isObservation(path)) kept.set(path, found.bytes);
      if (found.digest !== digest)
        say(path, "altered", `is not as it was recorded: its SHA-256 is not the one in ${STATEMENT}`);
    } else if (!found.isMissing) say(path, "unreadable", `cannot be read: ${found.fault}`);
    else if (isObservation(path)) gone.set(path, digest);
    else say(path, "missing", "is missing");
  }
  if (gone.size > 0 && !mayBeGone()) for (const path of gone.keys()) say(path, "missing", "is missing");
  const fault = problems.length > 0 ? undefined : sumsFault(join(place, folder, SUMS), run);
  if (fault !== undefined) say(SUMS, "disagrees", fault);
  return { problems, gone, kept };
};

/** What sha256sum checks has to be what the statement is about. */
const sumsFault = (path: string, { subjects }: EvidenceRun): string | undefined => {
  const read = readBytes(path, MOST_BYTES);
  if ("fault" in read) return `cannot be read: ${read.fault}`;
  const sums = readSums(read.bytes.toString("utf8"));
  if ("fault" in sums) return sums.fault;
  const isSame =
    sums.files.size === subjects.size - 1 &&
    [...sums.files].every(([name, its]) => subjects.get(name) === its);
  return isSame ? undefined : `does not name the same files and digests as ${STATEMENT}`;
};

/** `snapshot` of `snapshot/pods.json`. */
const parentsOf = (path: string): readonly string[] => {
  const parts = path.split("/");
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join("/"));
};
