import type { OperationId, StepName } from "../domain/ids.ts";
import type { StepStatus } from "../domain/status.ts";
import type { Action } from "../domain/step.ts";

/** Progress, as it happens. Presentation only: nothing is decided by it. Texts are already scrubbed of secrets. */
export type ProgressEvent =
  | {
      readonly kind: "operation-began";
      readonly operation: OperationId;
      readonly verb: string;
      readonly steps: number;
    }
  | { readonly kind: "calling"; readonly step: StepName; readonly action: Action; readonly attempt: number }
  /** A line the provider printed. */
  | { readonly kind: "progress"; readonly step: StepName; readonly text: string }
  | { readonly kind: "observing"; readonly step: StepName }
  /** Long work says what it waits for, and until when at the latest. */
  | {
      readonly kind: "waiting";
      readonly step: StepName | null;
      readonly why: string;
      readonly untilMs: number | null;
    }
  | { readonly kind: "step"; readonly step: StepName; readonly status: StepStatus; readonly why: string }
  | { readonly kind: "note"; readonly text: string }
  | { readonly kind: "operation-ended"; readonly operation: OperationId; readonly summary: string };

export interface Reporter {
  report(event: ProgressEvent): void;
}
