/** Where saved evidence meets the judge. Light: no ledger, no provider and no stack file is opened to verify. */
import { dirname, isAbsolute, join, resolve } from "node:path";
import { type SavedFile, savedEvidence } from "../adapters/system/saved-evidence.ts";
import { loadVerification } from "../adapters/system/verification-file.ts";
import { EXIT } from "../domain/exit.ts";
import type { Instant } from "../domain/ids.ts";
import type { Question, SweepQuestion } from "../domain/question.ts";
import type { Verification } from "../domain/verification.ts";
import type { Collected } from "../ports/evidence-source.ts";
import { otherCluster } from "../runtime/bystanders.ts";
import { BY_REVISION, type Comparison } from "../runtime/comparison.ts";
import { type ConfigConsumers, type ConfigNamed, configConsumersOf } from "../runtime/config-consumers.ts";
import { type ConfigTrace, configTraceOf, traceQuestion } from "../runtime/config-trace.ts";
import {
  type ConfigTraceList,
  configTraceSweepOf,
  traceSweepQuestion,
} from "../runtime/config-trace-sweep.ts";
import { withGit } from "../runtime/git-evidence.ts";
import { withHeld } from "../runtime/held-evidence.ts";
import { otherClusterOfRelease } from "../runtime/release-cluster.ts";
import { type Refused, refused } from "../runtime/runtime.ts";
import { reportOfSaved, savedSweep, sweepOf, type VerdictList } from "../runtime/sweep.ts";
import type { VerdictReport } from "../runtime/verify.ts";
import { comparingWith, type Earlier } from "./comparing.ts";
import { type GitPlace, gitClone } from "./git.ts";
import { heldFolder } from "./held.ts";
import type { StackFaults } from "./place.ts";
import type { Recording } from "./recording.ts";

/** What a Verification file asks. */
export const verificationIn = async (file: string, cwd: string): Promise<Verification | StackFaults> => {
  const loaded = await loadVerification(resolve(cwd, file));
  if ("faults" in loaded) return { kind: "faults", faults: loaded.faults };
  return pathsFrom(file, loaded.verification, cwd);
};

/** A path in a file is from that file's folder. */
export const pathsFrom = (file: string, verification: Verification, cwd: string): Verification => {
  const from = dirname(file);
  const rules = verification.rules.map((named) => (isAbsolute(named) ? named : join(from, named)));
  const { response } = verification.expected;
  if (response === null || response.ca === null) return { ...verification, rules };
  const ca = resolve(cwd, from, response.ca);
  return { ...verification, rules, expected: { ...verification.expected, response: { ...response, ca } } };
};

export interface Saved extends Pick<Earlier, "baseline"> {
  /** A file or folder, as the person wrote it. */
  readonly from: string;
  readonly at: Instant | null;
  readonly cwd: string;
  /** A recorder's folder, as the person wrote it. */
  readonly held?: string | undefined;
  /** Left out, or null: the verdict is not kept. */
  readonly recording?: Recording | null;
}

/** Saved, and a clone beside it. */
export interface SavedWithClone extends Saved {
  readonly git?: (Pick<GitPlace, "environment"> & { readonly named: string }) | undefined;
}

export const verifySaved = async (
  saved: SavedWithClone,
  question: Question,
): Promise<VerdictReport | StackFaults | Refused> => {
  const read: SavedFile[] = [];
  const { recording = null } = saved;
  const keep = recording === null ? undefined : (file: SavedFile) => read.push(file);
  const collected = await toldByGit(saved, question, await collectedIn(saved, keep));
  if ("kind" in collected) return collected;
  const { server } = collected;
  const other = otherCluster(question, server) ?? otherClusterOfRelease(question, { server, uid: null });
  if (other !== null) return refused(EXIT.usage, other);
  const comparison = await comparisonIn(saved, collected, question);
  if (!("changes" in comparison)) return comparison;
  if (recording === null) return reportOfSaved(collected, question, comparison);
  const { keptSaved, recordedOne } = await import("./recording.ts");
  const by = { from: saved.from, key: recording.key };
  const kept = keptSaved(read, collected, { kind: "one", question }, by);
  return recordedOne(recording, kept, comparison, null);
};

const toldByGit = async (
  { git, cwd }: SavedWithClone,
  question: Question,
  collected: Collected | StackFaults | Refused,
): Promise<Collected | StackFaults | Refused> => {
  if ("kind" in collected || git === undefined) return collected;
  const clone = await gitClone(git.named, { cwd, environment: git.environment });
  if (clone.kind === "refused") return clone;
  try {
    return await withGit(collected, question, clone.git);
  } finally {
    clone.git?.close();
  }
};

/** Which config each container start was given. */
export const traceSaved = async (
  saved: Omit<Saved, "baseline">,
  target: Parameters<typeof traceQuestion>[0],
): Promise<ConfigTrace | StackFaults | Refused> => {
  const collected = await collectedIn(saved);
  return "kind" in collected ? collected : configTraceOf(collected, traceQuestion(target));
};

/** The same of all that a selection takes in. */
export const traceSweepSaved = async (
  saved: Omit<Saved, "baseline">,
  selection: Omit<SweepQuestion, "claims">,
): Promise<ConfigTraceList | StackFaults | Refused> => {
  const collected = await collectedIn(saved);
  return "kind" in collected
    ? collected
    : configTraceSweepOf(savedSweep(collected), traceSweepQuestion(selection));
};

/** Who takes something from one ConfigMap or Secret. */
export const consumersSaved = async (
  saved: Omit<Saved, "baseline">,
  named: ConfigNamed,
): Promise<ConfigConsumers | StackFaults | Refused> => {
  const collected = await collectedIn(saved);
  return "kind" in collected ? collected : configConsumersOf(savedSweep(collected), named);
};

/** All that a selection takes in. */
export const verifySweepSaved = async (
  saved: Saved,
  question: SweepQuestion,
): Promise<VerdictList | StackFaults | Refused> => {
  const read: SavedFile[] = [];
  const { recording = null } = saved;
  const collected = await collectedIn(saved, recording === null ? undefined : (file) => read.push(file));
  if ("kind" in collected) return collected;
  const comparison = await comparisonIn(saved, collected, null);
  if (!("changes" in comparison)) return comparison;
  if (recording === null) return sweepOf(savedSweep(collected), question, comparison);
  const { keptSaved, recordedMany } = await import("./recording.ts");
  const by = { from: saved.from, key: recording.key };
  const kept = keptSaved(read, collected, { kind: "sweep", question, nameless: [], pins: [] }, by);
  return recordedMany(recording, kept, comparison, null);
};

const comparisonIn = async (
  { baseline, cwd }: Saved,
  { server }: Collected,
  wanted: Question | null,
): Promise<Comparison | StackFaults | Refused> => {
  if (baseline === null) return BY_REVISION;
  const comparing = await comparingWith({ baseline, record: null }, cwd);
  return "kind" in comparing ? comparing : comparing.comparison(server, wanted);
};

/** `keep`: told of each file as it was read. */
const collectedIn = async (
  { from, at, cwd, held }: Omit<Saved, "baseline">,
  keep: (file: SavedFile) => void = () => undefined,
): Promise<Collected | StackFaults | Refused> => {
  const folder = await heldFolder(held, cwd);
  if (folder.kind === "refused") return folder;
  const collected = await savedEvidence({ path: resolve(cwd, from), named: from, at, keep }).collect();
  return "faults" in collected
    ? { kind: "faults", faults: collected.faults }
    : withHeld(collected, folder.held);
};
