/** apply: shows the plan, asks, carries it out, and reports. */
import type { Project } from "../../../compose.ts";
import { EXIT, type ExitCode } from "../../../domain/exit.ts";
import type { OperationOptions } from "../../../domain/operation.ts";
import { apply as applyStack } from "../../../runtime/apply.ts";
import { refused } from "../../../runtime/runtime.ts";
import type { SavedPlan } from "../../../wire/api/plan.ts";
import type { Cli } from "../context.ts";
import type { Permitted, Place, Working } from "../flags.ts";
import type { PrintFlags } from "../output/print.ts";
import { ASK } from "../texts/ask.ts";
import { consented, tellWhatComes } from "./consent.ts";
import { operating, reading } from "./open.ts";
import { reportDone } from "./report.ts";
import { savedPlanIn } from "./saved-plan.ts";
import { inFile, previewOf, printPlan } from "./show-plan.ts";
import { type PlaceFlags, refuse } from "./where.ts";

interface ApplyFlags extends Place, PrintFlags, Permitted, Working {
  readonly allowDestroy: boolean;
  readonly plan?: string;
}

export async function apply(this: Cli, flags: ApplyFlags): Promise<void> {
  const saved = flags.plan === undefined ? null : await savedPlanIn(this, flags.plan);
  const options: OperationOptions = {
    only: [],
    allowDestroy: flags.allowDestroy,
    failFast: flags.failFast,
    parallelism: flags.parallelism,
  };
  await applyWith(this, flags, options, saved);
}

/** Also what `resume` does with the options of the apply before. */
export const applyWith = async (
  cli: Cli,
  flags: PlaceFlags & PrintFlags & Working & { readonly dryRun: boolean; readonly reason?: string },
  options: OperationOptions,
  saved: SavedPlan | null,
): Promise<void> => {
  const wanted = {
    verb: "apply",
    allowDestroy: saved === null ? options.allowDestroy : saved.destroys.size > 0,
  } as const;
  if (flags.dryRun) {
    await reading(cli, flags, true, async (project) => {
      await printPlan(cli, flags, await previewOf(project, wanted), null);
      return 0;
    });
    return;
  }
  if (!(await consented(cli, flags, { needsFile: true, wanted, question: ASK.goOn.apply }))) return;
  if (saved !== null && !(await fits(cli, flags, saved))) return;
  await operating(cli, flags, { access: "create", needsFile: true }, async (project, progress) => {
    if (flags.yes) await tellWhatComes(cli, flags, project, wanted);
    const done = await applyStack(project.runtime, {
      ...inFile(project),
      stackId: project.stackId,
      described: project.described,
      options,
      reason: flags.reason ?? null,
      leaseWaitMs: flags.leaseWait ?? 0,
      plan: saved,
    });
    return reportDone(cli, flags, { project, progress }, done);
  });
};

/** Looked at before anything is made: a plan that does not fit leaves no ledger behind. */
const fits = async (cli: Cli, flags: PlaceFlags, saved: SavedPlan): Promise<boolean> => {
  let fit = false;
  await reading(cli, flags, true, async (project) => {
    const unfit = await unfitPlan(cli, project, saved);
    fit = unfit === null;
    return unfit ?? EXIT.proven;
  });
  return fit;
};

/** A plan of another stack, or of another file, is another plan. Where the ledger stands is compared under its lock. */
const unfitPlan = async (cli: Cli, project: Project, saved: SavedPlan): Promise<ExitCode | null> => {
  if (saved.stack !== project.stackName)
    return refuse(
      cli,
      refused(
        23,
        `the saved plan is one of the stack ${saved.stack}, not of ${project.stackName}; nothing was called`,
      ),
    );
  if (saved.fileDigest !== project.fileDigest)
    return refuse(
      cli,
      refused(
        23,
        "the saved plan does not fit any more: the stack file or its variables have changed since; nothing was called",
      ),
    );
  return null;
};
