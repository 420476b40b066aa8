/** `verify -o json`: kind `VerdictReport` (DESIGN §7). Pure; every field is always there. */
import type { Changes } from "../../domain/difference.ts";
import type { Cited } from "../../domain/evidence.ts";
import { citation } from "../../domain/evidence.ts";
import type { Finding } from "../../domain/finding.ts";
import type { JsonObject } from "../../domain/json.ts";
import { document, time } from "./document.ts";
import { type KeptAs, recordedMember } from "./kept-as.ts";

export interface VerdictReportInput {
  readonly target: {
    readonly apiVersion: string | null;
    readonly kind: string;
    readonly namespace: string | null;
    readonly name: string;
    /** null, as the two below: it was not found, or does not say. */
    readonly uid: string | null;
    readonly generation: number | null;
    readonly resourceVersion: string | null;
    readonly source: Cited | null;
  };
  readonly verdict: string;
  readonly window: { readonly from: number; readonly to: number; readonly ended: boolean };
  readonly findings: readonly Finding[];
  readonly statement: string;
  readonly notLookedAt: readonly string[];
  /** null: nothing is said of it; the target was not found, or is proven and no earlier state was named. */
  readonly changes: Changes | null;
  readonly trust: { readonly tier: string; readonly limits: readonly string[] };
  readonly exit: number;
  /** Left out: it was not to be kept. */
  readonly kept?: KeptAs;
}

export const verdictReport = (report: VerdictReportInput): JsonObject =>
  document("VerdictReport", {
    target: {
      ...report.target,
      source: report.target.source === null ? null : citation(report.target.source),
    },
    verdict: report.verdict,
    window: {
      from: time(report.window.from),
      to: time(report.window.to),
      ended: report.window.ended,
    },
    findings: report.findings.map(finding),
    statement: report.statement,
    notLookedAt: [...report.notLookedAt],
    changes: report.changes === null ? null : changes(report.changes),
    trust: { tier: report.trust.tier, limits: [...report.trust.limits] },
    exit: report.exit,
    ...recordedMember(report.kept),
  });

export const changes = (all: Changes): JsonObject => ({
  since: all.since === null ? null : { ...all.since, at: time(all.since.at) },
  statement: all.statement,
  recreated: all.recreated === null ? null : { ...all.recreated },
  total: all.total,
  items: all.items.map((one) => ({
    path: one.path,
    part: one.part,
    was: one.was,
    is: one.is,
    hidden: one.hidden,
    writers: one.writers.map((writer) => ({ ...writer, at: time(writer.at) })),
  })),
  notCompared: [...all.notCompared],
  limits: [...all.limits],
});

/** One finding, as it also stands on a line of `-o jsonl`. */
export const finding = (one: Finding): JsonObject => ({
  layer: one.layer,
  claim: one.claim,
  finding: one.finding,
  reason: one.reason,
  sentence: one.sentence,
  evidence: one.evidence.map(citation),
  missing: [...one.missing],
  limits: [...one.limits],
  required: one.required,
});
