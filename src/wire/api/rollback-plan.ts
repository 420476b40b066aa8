/** `rollback plan -o json`: kind `RollbackPlan`. Pure; every field is always there. */
import type { Changes } from "../../domain/difference.ts";
import { citation } from "../../domain/evidence.ts";
import type { JsonObject } from "../../domain/json.ts";
import type { Check, ConfigStep } from "../../domain/rollback.ts";
import { document, time } from "./document.ts";
import type { Suggested } from "./stack-status.ts";
import { changes, type VerdictReportInput } from "./verdict-report.ts";

export interface RollbackPlanInput {
  readonly report: VerdictReportInput;
  /** null: there is nothing to go to. */
  readonly to: {
    readonly text: string;
    readonly release: string | null;
    readonly revision: {
      readonly kind: string;
      readonly name: string;
      readonly uid: string | null;
      readonly number: number;
    } | null;
  } | null;
  readonly decision: string;
  readonly checks: readonly Check[];
  /** `was`: in the target, and so what it would become. null: there is nothing to go to. */
  readonly changes: Changes | null;
  /** The live template is the target's already. */
  readonly templateIsThere: boolean;
  readonly config: readonly ConfigStep[];
  /** Other workloads that take something from what would be written. */
  readonly bystanders: readonly string[];
  readonly statement: string;
  readonly exit: number;
}

export interface RollbackAdvice {
  readonly next: readonly Suggested[];
  readonly notOffered: readonly Suggested[];
}

export const rollbackPlan = (plan: RollbackPlanInput, advice: RollbackAdvice): JsonObject => {
  const { report } = plan;
  return document("RollbackPlan", {
    target: {
      ...report.target,
      source: report.target.source === null ? null : citation(report.target.source),
    },
    to:
      plan.to === null
        ? null
        : { ...plan.to, revision: plan.to.revision === null ? null : { ...plan.to.revision } },
    decision: plan.decision,
    statement: plan.statement,
    checks: plan.checks.map(rollbackCheck),
    changes: plan.changes === null ? null : changes(plan.changes),
    templateIsThere: plan.templateIsThere,
    config: plan.config.map((one) => ({ ...one, sharers: [...one.sharers] })),
    bystanders: [...plan.bystanders],
    now: { verdict: report.verdict, statement: report.statement },
    window: { from: time(report.window.from), to: time(report.window.to), ended: report.window.ended },
    trust: { tier: report.trust.tier, limits: [...report.trust.limits] },
    next: advice.next.map((one) => ({ ...one })),
    notOffered: advice.notOffered.map((one) => ({ ...one })),
    exit: plan.exit,
  });
};

/** One check, as it also stands on a line of `-o jsonl`. */
export const rollbackCheck = (one: Check): JsonObject => ({
  check: one.check,
  finding: one.finding,
  reason: one.reason,
  sentence: one.sentence,
  todo: one.todo,
  evidence: one.evidence.map(citation),
  missing: [...one.missing],
  limits: [...one.limits],
  required: one.required,
  accepted: one.accepted,
});
