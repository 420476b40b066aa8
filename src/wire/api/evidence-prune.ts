/** `evidence prune -o json`: kind `EvidencePrune`. Pure; every field is always there. */
import type { DeletedRun, RunLink } from "../../domain/evidence-run.ts";
import type { JsonObject } from "../../domain/json.ts";
import { document } from "./document.ts";

export interface PruneInput {
  readonly place: string;
  /** ISO 8601. */
  readonly before: string;
  readonly due: readonly DeletedRun[];
  readonly begun: readonly DeletedRun[];
  readonly left: readonly string[];
  readonly link: RunLink | null;
  readonly notes: readonly string[];
  readonly dryRun: boolean;
}

export const evidencePrune = (done: PruneInput): JsonObject =>
  document("EvidencePrune", {
    place: done.place,
    before: done.before,
    dryRun: done.dryRun,
    record: done.link === null ? null : { ...done.link },
    runs: done.due.map(deletedRun),
    begunBefore: done.begun.map(deletedRun),
    left: [...done.left],
    notes: [...done.notes],
  });

export const deletedRun = ({ run, sequence, files }: DeletedRun): JsonObject => ({
  run,
  sequence,
  files: files.map((file) => ({ ...file })),
});
