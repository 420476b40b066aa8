/** Words of the evidence verbs' pages, and of key's. */

import type { Digest } from "../../../domain/ids.ts";
import { hexOf } from "../../../wire/evidence/sums.ts";

const runs = (count: number): string => (count === 1 ? "1 run" : `${count} runs`);

const fileCount = (count: number): string => (count === 1 ? "1 file" : `${count} files`);

interface PruneCounts {
  readonly runs: number;
  readonly files: number;
  readonly bytes: number;
  readonly before: string;
}

export const EVIDENCE = {
  statement: {
    proven: (count: number, place: string): string =>
      count === 1
        ? `1 run in ${place} is as it was recorded.`
        : `${runs(count)} in ${place} are as they were recorded.`,
    refuted: (count: number, place: string): string =>
      `The evidence in ${place} is not as it was recorded: ${count === 1 ? "1 thing is" : `${count} things are`} wrong.`,
    undetermined: (count: number, place: string): string =>
      count === 0
        ? `There is no whole run in ${place}: nothing is proven by it.`
        : `Whether the evidence in ${place} is as it was recorded cannot be told from here.`,
  },
  trust: ({ tier, limit }: { readonly tier: string; readonly limit: string }): string =>
    `Trust ${tier}: ${limit}.`,
  newest: (run: string, sha256: Digest): string => `Newest: ${run}@${hexOf(sha256)}`,
  refuted: "Not as recorded:",
  undetermined: "Cannot be told:",
  notes: "To know:",
  note: (sequence: number | null, note: string): string =>
    sequence === null ? note : `run ${sequence}: ${note}`,
  incomplete: (count: number): string => `${count} never finished`,
  more: (count: number): string => `${count} more (-o wide)`,
  recipeNeedsRun: "--recipe prints a script for one run; name it (its id, its number, or latest)",
  runOrAll: "--all checks every run; leave RUN out, or --all",
  keep: (command: string) => ({
    command,
    why: "fixes what is here now, once the newest run's line is kept where nobody who can write here can write",
  }),
  withKey: (command: string) => ({
    command,
    why: "says who signed; the public key has to come from the signer",
  }),
  look: (command: string) => ({ command, why: "names every file that is not as it was recorded" }),
  made: (file: string, publicFile: string): string =>
    `Made the private key ${file} (readable by its owner alone) and the public key ${publicFile}.`,
  keyId: (keyId: Digest): string => `Key ${hexOf(keyId)}`,
  beside:
    "It lies where the evidence is: whoever can write the evidence can sign it too, and a signature by it says no more than a digest (T0). Keep the private key on another host, or out of the reach of what records, to reach T1.",
  apart: (publicFile: string): string =>
    `Give ${publicFile} to whoever is to check, by another way than the evidence. Where the private key is, its signatures are T0; elsewhere T1.`,
  rotated: (key: Digest, sequence: number, place: string): string =>
    `Recorded as run ${sequence} in ${place}: from here on ${hexOf(key)} signs.`,
  rotatedFrom: (replaced: Digest): string =>
    `The key before, ${hexOf(replaced)}, signed that, and signs nothing any more.`,
  mayPrune: "Delete these observations?",
  wouldPrune: ({ runs: count, files, bytes, before }: PruneCounts): string =>
    count === 0
      ? `No observation from before ${before} is there to delete.`
      : `Would delete ${fileCount(files)} (${bytes} bytes) that ${runs(count)} from before ${before} observed; statements, sums, reports and questions stay.`,
  pruned: ({ runs: count, files, bytes, before }: PruneCounts): string =>
    `Deleted ${fileCount(files)} (${bytes} bytes) that ${runs(count)} from before ${before} observed; it is recorded which, and statements, sums, reports and questions stay.`,
  left: "Left as they are:",
} as const;
