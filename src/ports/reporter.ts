import type { Judgement } from "../domain/finding.ts";
import type { Instant, OperationId, StepName } from "../domain/ids.ts";
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
  /** What is new of a claim that is watched, or of a target of a sweep; `of` null: of all of them together. */
  | {
      readonly kind: "finding";
      readonly of: string | null;
      readonly finding: Judgement;
      /** The whole line. */
      readonly text: string;
    }
  /** A look of a watch begins; its answers may take their time. */
  | { readonly kind: "looking"; readonly subject: string }
  | Looked
  | { readonly kind: "operation-ended"; readonly operation: OperationId; readonly summary: string };

/** A look of a watch: all that it showed. The next one takes its place; nothing of it is true of a later moment. */
export interface Looked {
  readonly kind: "looked";
  /** `Deployment shop/web`, or what a sweep takes in. */
  readonly subject: string;
  readonly verdict: Judgement;
  readonly statement: string;
  /** When its last answer was there. */
  readonly at: Instant;
  /** What was left then of the watch's window; and of the controller's own deadline, null where none is known. */
  readonly windowLeftMs: number;
  readonly deadlineLeftMs: number | null;
  /** The worst first. */
  readonly waits: readonly Wait[];
  /** How many more are waited for. */
  readonly more: number;
}

/** One thing that is waited for. */
export interface Wait {
  /** A claim's name, `Pod web-1`, or a target of a sweep. */
  readonly what: string;
  readonly finding: Judgement;
  readonly why: string;
}

export interface Reporter {
  report(event: ProgressEvent): void;
}
