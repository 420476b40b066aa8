/** `drill -o json`: kind `DrillReport`: what was decided, what was done, and what came of it. Pure; every field is always there. */
import type { JsonObject } from "../../domain/json.ts";
import { document } from "./document.ts";
import { type VerdictReportInput, verdictReport } from "./verdict-report.ts";

export interface DrillReportInput {
  readonly target: VerdictReportInput["target"];
  readonly dryRun: boolean;
  readonly by: "evict" | "delete";
  /** null: none was chosen, and `refused` says why. */
  readonly chosen: {
    readonly pod: { readonly name: string; readonly uid: string };
    readonly why: string;
    readonly beside: readonly { readonly name: string; readonly uid: string }[];
    readonly notes: readonly string[];
  } | null;
  readonly refused: { readonly reason: string; readonly sentence: string } | null;
  /** What the server says to it, where it was only rehearsed. */
  readonly rehearsed: { readonly what: "remove" | "refused" | "unknown"; readonly why: string | null } | null;
  readonly stack: string | null;
  readonly operation: string | null;
  readonly step: { readonly status: string; readonly reason: string; readonly effect: string } | null;
  /** null: no Pod was removed, so nothing was looked at after it. */
  readonly verdict: VerdictReportInput | null;
  readonly disturbed: string | null;
  readonly exit: number;
}

export const drillReport = (drill: DrillReportInput): JsonObject =>
  document("DrillReport", {
    target: {
      apiVersion: drill.target.apiVersion,
      kind: drill.target.kind,
      namespace: drill.target.namespace,
      name: drill.target.name,
      uid: drill.target.uid,
    },
    dryRun: drill.dryRun,
    by: drill.by,
    pod: drill.chosen === null ? null : { name: drill.chosen.pod.name, uid: drill.chosen.pod.uid },
    why: drill.chosen === null ? null : drill.chosen.why,
    beside: drill.chosen === null ? [] : drill.chosen.beside.map(({ name, uid }) => ({ name, uid })),
    notes: drill.chosen === null ? [] : [...drill.chosen.notes],
    refused:
      drill.refused === null ? null : { reason: drill.refused.reason, sentence: drill.refused.sentence },
    rehearsed: drill.rehearsed === null ? null : { ...drill.rehearsed },
    stack: drill.stack,
    operation: drill.operation,
    step: drill.step === null ? null : { ...drill.step },
    verdict: drill.verdict === null ? null : verdictReport(drill.verdict),
    disturbed: drill.disturbed,
    exit: drill.exit,
  });
