/** `rollback run -o json`: kind `RollbackReport`: what was planned, what was done of it, and what it came to, layer by layer. */
import type { JsonObject } from "../../domain/json.ts";
import type { RollbackLayers } from "../../domain/rollback.ts";
import { document } from "./document.ts";
import { type DrillReportInput, drillReport } from "./drill-report.ts";
import { type DoneInput, operationReport } from "./operation.ts";
import { type RollbackAdvice, type RollbackPlanInput, rollbackPlan } from "./rollback-plan.ts";
import type { StackStatusInput } from "./stack-status.ts";
import { type VerdictReportInput, verdictReport } from "./verdict-report.ts";

export interface RollbackReportInput {
  readonly plan: RollbackPlanInput;
  readonly operation: { readonly done: DoneInput; readonly status: StackStatusInput | null } | null;
  readonly report: VerdictReportInput | null;
  readonly layers: RollbackLayers | null;
  readonly drill: DrillReportInput | null;
  readonly statement: string;
  readonly stack: string;
  readonly exit: number;
}

const isConfirmed = ({ drill, report }: RollbackReportInput): boolean =>
  drill?.verdict?.verdict === "proven" && report?.verdict === "proven";

export const rollbackReport = (done: RollbackReportInput, advice: RollbackAdvice): JsonObject =>
  document("RollbackReport", {
    statement: done.statement,
    layers: done.layers === null ? null : { ...done.layers },
    // Only a replaced Pod shows it, and only where nothing else is open (Y2).
    confirmed: isConfirmed(done),
    stack: done.stack,
    plan: rollbackPlan(done.plan, { next: [], notOffered: [] }),
    operation: done.operation === null ? null : operationReport(done.operation.done, done.operation.status),
    verdict: done.report === null ? null : verdictReport(done.report),
    drill: done.drill === null ? null : drillReport(done.drill),
    next: advice.next.map((one) => ({ ...one })),
    notOffered: advice.notOffered.map((one) => ({ ...one })),
    exit: done.exit,
  });
