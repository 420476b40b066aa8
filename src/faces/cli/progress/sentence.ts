/** One event as a clause for a person, safe to print. */
import { formatDuration } from "../../../domain/duration.ts";
import type { Action } from "../../../domain/step.ts";
import type { ProgressEvent } from "../../../ports/reporter.ts";
import { printable } from "../../../wire/redact/printable.ts";
import { PROGRESS } from "../texts/progress.ts";

export const doing = (action: Action): string => PROGRESS.doing[action];

/** Whole seconds, as long work is counted. */
export const elapsed = (ms: number): string => formatDuration(Math.max(0, Math.floor(ms / 1000)) * 1000);

/** What is waited for, and until when at the latest. */
export const waitingText = (why: string, untilMs: number | null): string =>
  PROGRESS.waiting(printable(why), untilMs === null ? null : elapsed(untilMs));

export const sentence = (event: ProgressEvent): string => {
  switch (event.kind) {
    case "operation-began":
      return PROGRESS.began(event.verb, event.operation, event.steps);
    case "calling":
      return `${printable(event.step)}: ${doing(event.action)}${event.attempt > 1 ? PROGRESS.attempt(event.attempt) : ""}`;
    case "progress":
      return `${printable(event.step)}: ${printable(event.text)}`;
    case "observing":
      return `${printable(event.step)}: ${PROGRESS.observing}`;
    case "waiting":
      return `${event.step === null ? "" : `${printable(event.step)}: `}${waitingText(event.why, event.untilMs)}`;
    case "step":
      return `${printable(event.step)}: ${event.status}${event.why === "" ? "" : ` (${printable(event.why)})`}`;
    case "note":
    case "finding":
      return printable(event.text);
    case "looking":
      return `${printable(event.subject)}: ${PROGRESS.asking}`;
    case "looked":
      return `${printable(event.subject)}: ${printable(event.statement)}`;
    case "operation-ended":
      return printable(event.summary);
  }
};
