/** Where a snapshot of many meets the cluster and the disk. */
import { resolve } from "node:path";
import { openSnapshotFolder } from "../adapters/system/snapshot-drafts.ts";
import { passingKey } from "../adapters/system/snapshot-folder.ts";
import { EXIT } from "../domain/exit.ts";
import type { SweepQuestion } from "../domain/question.ts";
import { SnapshotFault } from "../ports/snapshot-files.ts";
import { type Refused, refused } from "../runtime/runtime.ts";
import { snapshotSweep } from "../runtime/snapshot-sweep.ts";
import { type Live, openedFor, type Saved } from "./verify-cluster.ts";

/** Writes the lists that verdicts about a selection rest on into a new folder; nothing where none was answered. */
export const saveSweep = async (
  live: Live,
  question: SweepQuestion,
  everywhere: boolean,
  folder: string,
): Promise<Saved | Refused> => {
  const files = await openSnapshotFolder(resolve(live.cwd, folder));
  if ("fault" in files) return refused(EXIT.usage, `${folder}: ${files.fault}`);
  try {
    return await openedFor(live, async (opened) => {
      const namespace = everywhere ? null : opened.cluster.facts.namespace;
      const snapped = await snapshotSweep(
        { ...opened, question: { ...question, namespace } },
        files,
        passingKey(),
      );
      if ("none" in snapped) return refused(EXIT.refused, `nothing was written: ${snapped.none}`);
      const { unanswered } = snapped;
      const exit = unanswered.length === 0 ? EXIT.proven : EXIT.undetermined;
      return { kind: "saved", files: snapped.files, namespace, unanswered, exit };
    });
  } catch (error) {
    if (!(error instanceof SnapshotFault)) throw error;
    return refused(EXIT.usage, `${folder}: it cannot be written: ${error.message}; nothing is left of it`);
  } finally {
    await files.abandon();
  }
};
