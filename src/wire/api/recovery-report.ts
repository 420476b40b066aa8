/** `recover -o json`: kind `RecoveryReport`. Pure; every field is always there. */
import { citation } from "../../domain/evidence.ts";
import type { Finding, Judgement } from "../../domain/finding.ts";
import type { JsonObject } from "../../domain/json.ts";
import type { Check } from "../../domain/rollback.ts";
import { document, time } from "./document.ts";
import { rollbackCheck } from "./rollback-plan.ts";
import { finding, type VerdictReportInput } from "./verdict-report.ts";

export interface SidePod {
  readonly name: string;
  readonly uid: string | null;
  readonly template: "new" | "old" | "held";
  readonly ready: boolean;
}

export interface RecoverySide {
  readonly side: "normal" | "failure" | "recovery";
  readonly says: string;
  /** null: nobody judged it. */
  readonly verdict: Judgement | null;
  /** Whether the template is the target's; null: it was not read. */
  readonly templateIsThere: boolean | null;
  /** In hex; null: it is not there, is not told, or is a Secret (C6). */
  readonly config: readonly {
    readonly kind: string;
    readonly name: string;
    readonly sha256: string | null;
  }[];
  readonly pods: readonly SidePod[];
}

export interface RecoveryReportInput {
  readonly target: VerdictReportInput["target"];
  readonly to: string | null;
  readonly verdict: string;
  readonly statement: string;
  readonly sides: readonly RecoverySide[];
  readonly checks: readonly Check[];
  readonly rollback: { readonly statement: string; readonly wrote: boolean };
  readonly drill: { readonly asked: boolean; readonly ran: boolean; readonly says: string };
  readonly bystanders: Finding | null;
  readonly findings: readonly Finding[];
  readonly notRestored: readonly string[];
  readonly firstAid: readonly string[];
  readonly permanent: readonly string[];
  readonly remaining: readonly string[];
  readonly stack: string;
  readonly window: { readonly from: number; readonly to: number };
  readonly exit: number;
}

export const recoveryReport = (report: RecoveryReportInput): JsonObject =>
  document("RecoveryReport", {
    target: {
      ...report.target,
      source: report.target.source === null ? null : citation(report.target.source),
    },
    to: report.to,
    verdict: report.verdict,
    statement: report.statement,
    sides: report.sides.map((side) => ({
      ...side,
      config: side.config.map((one) => ({ ...one })),
      pods: side.pods.map((one) => ({ ...one })),
    })),
    checks: report.checks.map(rollbackCheck),
    rollback: { ...report.rollback },
    drill: { ...report.drill },
    bystanders: report.bystanders === null ? null : finding(report.bystanders),
    findings: report.findings.map(finding),
    notRestored: [...report.notRestored],
    firstAid: [...report.firstAid],
    permanent: [...report.permanent],
    remaining: [...report.remaining],
    stack: report.stack,
    window: { from: time(report.window.from), to: time(report.window.to) },
    exit: report.exit,
  });
