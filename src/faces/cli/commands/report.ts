/** How every operation ends on the screen: what came of it, the stack as it is now, and what to do next. */
import type { Project } from "../../../compose.ts";
import type { ExitCode } from "../../../domain/exit.ts";
import { StoreFault } from "../../../ports/store.ts";
import type { Done } from "../../../runtime/operation.ts";
import type { Refused } from "../../../runtime/runtime.ts";
import { type StatusReport, statusOf } from "../../../runtime/status.ts";
import { operationReport } from "../../../wire/api/operation.ts";
import { stepStatus } from "../../../wire/api/stack-status.ts";
import type { Cli } from "../context.ts";
import { located } from "../output/next.ts";
import { operationPage } from "../output/operation-page.ts";
import { type PrintFlags, print } from "../output/print.ts";
import type { Progress } from "../progress/progress.ts";
import { type PlaceFlags, refuse } from "./where.ts";

export const reportDone = async (
  cli: Cli,
  flags: PlaceFlags & PrintFlags,
  at: { readonly project: Project; readonly progress: Progress },
  done: Done | Refused,
): Promise<ExitCode> => {
  at.progress.stop();
  if (done.kind === "refused") return refuse(cli, done);
  const status = await statusAfter(at.project, flags);
  await print(cli, flags, {
    page: (page) => operationPage(done, status, page),
    json: () => operationReport(done, status),
    stream: () => (status?.steps ?? []).map(stepStatus),
    names: () => (status?.steps ?? []).map(({ step }) => step),
  });
  return done.exit;
};

/** The operation is over, whatever becomes of this: a ledger that cannot be read now does not change what it came to. */
const statusAfter = async (project: Project, flags: PlaceFlags): Promise<StatusReport | null> => {
  try {
    const status = await statusOf(project.runtime, project.stackName);
    return status === undefined ? null : located(status, flags);
  } catch (error) {
    if (error instanceof StoreFault) return null;
    throw error;
  }
};
