/** `status -o json`: kind `StackStatus` (DESIGN §7). Pure; every field is always there. */
import type { JsonObject } from "../../domain/json.ts";
import type { OutputSource, Previous, Surplus } from "../../domain/state.ts";
import type { Retain } from "../../domain/step.ts";
import { document, time } from "./document.ts";

/** What a report of one step has to hold; `runtime/status.ts` makes it. */
export interface StepStatusInput {
  readonly step: string;
  readonly provider: string;
  readonly status: string;
  readonly reason: string;
  readonly confirmed: string | null;
  readonly identity: { readonly id: string } | null;
  readonly surplus: readonly Surplus[];
  readonly outputs: JsonObject;
  readonly outputsFrom: { readonly [key: string]: OutputSource };
  readonly previous: readonly Previous[];
  readonly waitingOn: readonly { readonly step: string; readonly why: string }[];
  readonly failedCommand: string | null;
  readonly lastError: string | null;
  readonly effect: string;
  readonly owes: readonly string[];
  readonly rerunInputsFile: string | null;
  readonly resolvedInputsFile: string | null;
  readonly runId: string | null;
  readonly intent: string | null;
  readonly retained: Retain | null;
  readonly evidence: readonly string[];
  /** Provider processes of a call in doubt that still live on this host (N6). */
  readonly survivors: readonly { readonly pid: number; readonly command: string }[];
  readonly updatedAt: number;
}

export interface Suggested {
  readonly command: string;
  readonly why: string;
}

export interface StackStatusInput {
  readonly stack: string;
  readonly ledger: string;
  readonly working: string | null;
  readonly steps: readonly StepStatusInput[];
  readonly next: readonly Suggested[];
  readonly notOffered: readonly Suggested[];
  readonly exit: number;
}

export const stackStatus = (report: StackStatusInput): JsonObject =>
  document("StackStatus", statusMembers(report));

/** The members after `kind`; an operation's report carries them too. */
export const statusMembers = (report: StackStatusInput): JsonObject => ({
  stack: report.stack,
  steps: report.steps.map(stepStatus),
  next: report.next.map(suggested),
  notOffered: report.notOffered.map(suggested),
  working: report.working,
  ledger: report.ledger,
  exit: report.exit,
});

const suggested = ({ command, why }: Suggested): JsonObject => ({ command, why });

/** One step, as it also stands on a line of `-o jsonl`. */
export const stepStatus = (report: StepStatusInput): JsonObject => ({
  step: report.step,
  provider: report.provider,
  status: report.status,
  reason: report.reason,
  confirmed: report.confirmed,
  identity: report.identity === null ? null : { ...report.identity },
  surplus: report.surplus.map(({ id, since, operation, why }) => ({
    id,
    since: time(since.at),
    operation,
    why,
  })),
  outputs: report.outputs,
  outputsFrom: Object.fromEntries(
    Object.entries(report.outputsFrom).map(([key, { from, operation, at }]) => [
      key,
      { from, operation, at: time(at) },
    ]),
  ),
  previous: report.previous.map(({ identity, outputs, until, endedBy }) => ({
    identity,
    outputs,
    until: time(until.at),
    endedBy,
  })),
  waitingOn: report.waitingOn.map(({ step, why }) => ({ step, why })),
  failedCommand: report.failedCommand,
  lastError: report.lastError,
  effect: report.effect,
  owes: [...report.owes],
  rerunInputsFile: report.rerunInputsFile,
  resolvedInputsFile: report.resolvedInputsFile,
  runId: report.runId,
  intent: report.intent,
  retained:
    report.retained === null
      ? null
      : { owner: report.retained.owner, reason: report.retained.reason, reviewBy: report.retained.reviewBy },
  evidence: [...report.evidence],
  survivors: report.survivors.map(({ pid, command }) => ({ pid, command })),
  updatedAt: time(report.updatedAt),
});
