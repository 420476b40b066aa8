/** What a call from code gives back. */
import type { Project } from "../../compose.ts";
import { EXIT } from "../../domain/exit.ts";
import type { Done } from "../../runtime/operation.ts";
import type { Refused } from "../../runtime/runtime.ts";
import { type StatusReport, statusOf } from "../../runtime/status.ts";
import type { Fault } from "../../wire/manifest/fault.ts";

/** The stack is not valid: nothing was called. */
export interface Invalid {
  readonly kind: "invalid";
  readonly exit: typeof EXIT.usage;
  /** All that is wrong, each with its field and one sentence. */
  readonly faults: readonly Fault[];
}

/** An operation that ran, whatever came of it: `exit` and each step's ending say that (DESIGN §7). */
export interface OperationReport extends Done {
  /** Every step as the ledger knows it right after. */
  readonly status: StatusReport;
}

/** A report that was only read, or why there is none. */
export type Answer<Report> = ({ readonly kind: "report" } & Report) | Refused | Invalid;

export type Work = Promise<OperationReport | Refused>;

export const invalid = (faults: readonly Fault[]): Invalid => ({ kind: "invalid", exit: EXIT.usage, faults });

/** The operation's report with the status after it. */
export const reported = async (project: Project, done: Done | Refused): Work => {
  if (done.kind === "refused") return done;
  const status = await statusOf(project.runtime, project.stackName);
  if (status === undefined) throw new Error(`the ledger lost the stack ${project.stackName}`);
  return { ...done, status };
};
