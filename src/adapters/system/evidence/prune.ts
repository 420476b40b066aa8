/**
 * Retention: observations that are older than somebody agreed to keep are deleted, and what was deleted is recorded before the
 * first of them goes. So a process that dies in between leaves files that the record says are to go, and never a file that is
 * gone without one. Statements, sums, reports and questions stay. The caller holds the folder's lock.
 */
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { DeletedRun, RunLink } from "../../../domain/evidence-run.ts";
import type { PruneAsked, Pruned } from "../../../ports/evidence-runs.ts";
import { retentionRecord } from "../../../wire/evidence/retention.ts";
import { syncFolder } from "../write-file.ts";
import { readingBuffer } from "./files.ts";
import { Keyring } from "./keyring.ts";
import { runPath, slotsIn } from "./layout.ts";
import { readLink, type WholeLink } from "./link.ts";
import { type Told, writeRun } from "./record.ts";
import { Retention } from "./retention.ts";
import { checkFiles } from "./run-files.ts";

/** Throws `NotRecorded`, or the system's error. */
export const pruneRuns = async (place: string, asked: PruneAsked, told: Told): Promise<Pruned> => {
  const { before, facts, signer, dryRun } = asked;
  const keyring = new Keyring(place, []);
  const isSound = (link: WholeLink): boolean => keyring.signed(link).problem === null;
  const retention = new Retention(place, isSound, { isTold: false });
  const buffer = readingBuffer();
  const due: DeletedRun[] = [];
  /** Recorded by an earlier one that did not come to its end. */
  const begun: DeletedRun[] = [];
  const left: string[] = [];
  for (const sequence of slotsIn(place).sequences) {
    const link = readLink(place, sequence);
    if (link.kind !== "whole" || link.statement.recordedAt >= before) continue;
    const { problems, kept } = checkFiles(place, link.statement, buffer, () => retention.of(link) !== null);
    const [problem] = problems;
    if (problem !== undefined) left.push(`run ${sequence} is left as it is: ${problem.sentence}`);
    else if (kept.size > 0) (retention.of(link) === null ? due : begun).push(deletedOf(link, kept));
  }
  const pruned = { due, begun, left, notes: [], dryRun } as const;
  if (dryRun || (due.length === 0 && begun.length === 0)) return { ...pruned, kind: "pruned", link: null };
  let link: RunLink | null = null;
  let notes: readonly string[] = [];
  if (due.length > 0) {
    const report = Buffer.from(`${JSON.stringify(retentionRecord(before, due), null, 2)}\n`);
    const done = await writeRun(
      place,
      { facts, files: [{ path: "report.json", bytes: report }], signer },
      told,
    );
    if (done.kind !== "recorded") return { kind: "fault", fault: "its id is taken" };
    ({ link, notes } = done);
  }
  for (const { run, files } of [...begun, ...due]) {
    const folder = join(place, runPath(run));
    const folders = new Set<string>();
    for (const { path } of files) {
      await rm(join(folder, path), { force: true });
      folders.add(dirname(path));
      told(`deleted ${path}`);
    }
    for (const one of folders) await syncFolder(join(folder, one));
  }
  return { ...pruned, kind: "pruned", link, notes };
};

const deletedOf = (
  { run, sequence, statement }: WholeLink,
  kept: ReadonlyMap<string, number>,
): DeletedRun => ({
  run,
  sequence,
  files: [...kept].flatMap(([path, bytes]) => {
    const sha256 = statement.subjects.get(path);
    return sha256 === undefined ? [] : [{ path, sha256, bytes }];
  }),
});
