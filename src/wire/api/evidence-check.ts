/** `evidence verify -o json`: kind `EvidenceCheck`. Pure; every field is always there. */
import type { RunCheck, RunLink, Trust } from "../../domain/evidence-run.ts";
import type { JsonObject, JsonValue } from "../../domain/json.ts";
import { document } from "./document.ts";

export interface EvidenceCheckInput {
  readonly place: string;
  readonly finding: string;
  readonly statement: string;
  readonly runs: number;
  readonly incomplete: number;
  readonly newest: RunLink | null;
  readonly trust: Trust;
  readonly notes: readonly string[];
  /** Newest first. */
  readonly items: readonly RunCheck[];
  readonly exit: number;
}

export const evidenceCheck = (check: EvidenceCheckInput): JsonObject =>
  document("EvidenceCheck", {
    place: check.place,
    finding: check.finding,
    statement: check.statement,
    runs: check.runs,
    incomplete: check.incomplete,
    newest: link(check.newest),
    trust: { ...check.trust },
    notes: [...check.notes],
    items: check.items.map(runCheck),
    exit: check.exit,
  });

/** One run, as it also stands on a line of `-o jsonl`. */
export const runCheck = (check: RunCheck): JsonObject => ({
  run: check.run,
  sequence: check.sequence,
  finding: check.finding,
  sha256: check.sha256,
  trust: { ...check.trust },
  problems: check.problems.map((one) => ({ ...one })),
  notes: [...check.notes],
});

const link = (one: RunLink | null): JsonValue => (one === null ? null : { ...one });
