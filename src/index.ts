/**
 * `asfound` from code: define a stack, open it, run operations on it.
 *
 *     const stack = openStack({ stack: defineStack({ … }), providers: [mine] });
 *     const report = await stack.apply({ reason: "release 42" });
 *     if (report.kind !== "done" || report.exit !== 0) …
 *
 * Exit codes mean what they mean on the command line. No signal handler is armed.
 */
export { EXIT, EXIT_MEANING, type ExitCode } from "./domain/exit.ts";
export type { JsonObject, JsonValue } from "./domain/json.ts";
export type { Operation } from "./domain/operation.ts";
export type { StepStatus } from "./domain/status.ts";
export { type OpenedStack, openStack } from "./faces/library/open-stack.ts";
export type {
  ApplyOptions,
  DestroyOptions,
  ReconcileOptions,
  RunOptions,
  StackOptions,
} from "./faces/library/options.ts";
export type { Answer, Invalid, OperationReport } from "./faces/library/reports.ts";
export type { ProgressEvent } from "./ports/reporter.ts";
export type { PlannedChange, PlanReport } from "./runtime/plan.ts";
export type { Refused } from "./runtime/runtime.ts";
export type { StatusReport, StepReport } from "./runtime/status.ts";
export type { Ending } from "./runtime/work.ts";
export { defineStack, type StackDefinition, type StepDefinition } from "./wire/manifest/define-stack.ts";
export type { Fault } from "./wire/manifest/fault.ts";
