/** `gate check -o json`: kind `GateReport`, and `gate test -o json`: kind `GateTestReport` (DESIGN §7). Pure; every field is always there. */
import type { GateApproval, GateEvidence, GateRefusal } from "../../domain/gate-decision.ts";
import type { JsonObject } from "../../domain/json.ts";
import { document, time } from "./document.ts";
import { type VerdictReportInput, verdictReport } from "./verdict-report.ts";

export interface GateReportInput {
  readonly file: string;
  readonly at: number;
  readonly decision: string;
  readonly statement: string;
  readonly trust: string;
  readonly items: readonly {
    readonly target: { readonly kind: string; readonly namespace: string | null; readonly name: string };
    readonly evidence: GateEvidence | null;
    readonly live: VerdictReportInput | null;
    readonly approvals: readonly GateApproval[];
    readonly refusals: readonly GateRefusal[];
    readonly notes: readonly string[];
  }[];
  readonly limits: readonly string[];
  readonly exit: number;
}

export const gateReport = (report: GateReportInput): JsonObject =>
  document("GateReport", {
    gate: report.file,
    at: time(report.at),
    decision: report.decision,
    statement: report.statement,
    trust: report.trust,
    items: report.items.map((item) => ({
      target: { kind: item.target.kind, namespace: item.target.namespace, name: item.target.name },
      evidence: item.evidence === null ? null : evidence(item.evidence),
      live: item.live === null ? null : verdictReport(item.live),
      approvals: item.approvals.map(({ run, actor, reason, at, of, whole, trust }) => ({
        run,
        actor,
        reason,
        at: time(at),
        of,
        whole,
        trust,
      })),
      refusals: item.refusals.map(gateRefusal),
      notes: [...item.notes],
    })),
    limits: [...report.limits],
    exit: report.exit,
  });

const evidence = ({
  run,
  sha256,
  readAt,
  recordedAt,
  recorded,
  trust,
  faults,
  judged,
}: GateEvidence): JsonObject => ({
  run,
  sha256,
  readAt: time(readAt),
  recordedAt: time(recordedAt),
  recorded,
  trust,
  faults: faults.map(({ kind, sentence }) => ({ kind, sentence })),
  verdict: judged === null ? null : judged.verdict,
});

/** One refusal, as it also stands on a line of `-o jsonl`. */
export const gateRefusal = ({ side, reason, claim, finding, sentence }: GateRefusal): JsonObject => ({
  side,
  reason,
  claim,
  finding,
  sentence,
});

export interface GateTestInput {
  readonly file: string | null;
  readonly statement: string;
  readonly healthy: { readonly promoted: boolean; readonly details: readonly string[] };
  readonly refusals: readonly {
    readonly name: string;
    readonly says: string;
    readonly outcome: string;
    readonly details: readonly string[];
    readonly needs: string | null;
    readonly states: number;
  }[];
  readonly cases: readonly {
    readonly name: string;
    readonly expected: string;
    readonly held: boolean;
    readonly details: readonly string[];
  }[];
  readonly notTested: readonly string[];
  readonly exit: number;
}

export const gateTestReport = (report: GateTestInput): JsonObject =>
  document("GateTestReport", {
    gate: report.file,
    statement: report.statement,
    healthy: { promoted: report.healthy.promoted, details: [...report.healthy.details] },
    refusals: report.refusals.map((one) => ({ ...one, details: [...one.details] })),
    cases: report.cases.map((one) => ({ ...one, details: [...one.details] })),
    notTested: [...report.notTested],
    exit: report.exit,
  });

export interface GateApprovalInput {
  readonly file: string;
  readonly link: { readonly run: string; readonly sha256: string };
  readonly approves: { readonly run: string; readonly sha256: string };
  readonly target: { readonly kind: string; readonly namespace: string | null; readonly name: string };
  readonly actor: string;
  readonly reason: string;
  readonly at: number;
  readonly why: string | null;
  readonly given: number;
  readonly wanted: number;
  readonly trust: { readonly tier: string; readonly limit: string };
  readonly exit: number;
}

/** `approve --gate -o json`: kind `GateApproval`. */
export const gateApproval = (one: GateApprovalInput, limits: readonly string[]): JsonObject =>
  document("GateApproval", {
    gate: one.file,
    run: one.link.run,
    sha256: one.link.sha256,
    approves: { ...one.approves },
    target: { kind: one.target.kind, namespace: one.target.namespace, name: one.target.name },
    actor: one.actor,
    reason: one.reason,
    at: time(one.at),
    counts: one.why === null,
    why: one.why,
    given: one.given,
    wanted: one.wanted,
    trust: { ...one.trust },
    limits: [...limits],
    exit: one.exit,
  });
