/** destroy: shows what goes and what stays, asks, and removes. Works without the stack file (op-08). */
import type { StepName } from "../../../domain/ids.ts";
import type { OperationOptions } from "../../../domain/operation.ts";
import { destroy as destroyStack } from "../../../runtime/destroy.ts";
import type { Cli } from "../context.ts";
import type { Permitted, Working } from "../flags.ts";
import type { PrintFlags } from "../output/print.ts";
import { ASK } from "../texts/ask.ts";
import { consented, tellWhatComes } from "./consent.ts";
import { operating, reading } from "./open.ts";
import { reportDone } from "./report.ts";
import { planOf, printPlan } from "./show-plan.ts";
import type { PlaceFlags } from "./where.ts";

export async function destroy(
  this: Cli,
  flags: PlaceFlags & PrintFlags & Permitted & Working,
  ...steps: string[]
): Promise<void> {
  await destroyWith(this, flags, {
    only: steps as StepName[],
    allowDestroy: true,
    failFast: flags.failFast,
    parallelism: flags.parallelism,
  });
}

/** Also what `resume` does with the options of the destroy before. */
export const destroyWith = async (
  cli: Cli,
  flags: PlaceFlags & PrintFlags & Working & { readonly dryRun: boolean; readonly reason?: string },
  options: OperationOptions,
): Promise<void> => {
  const wanted = { verb: "destroy", only: options.only } as const;
  if (flags.dryRun) {
    await reading(cli, flags, false, async (project) => {
      await printPlan(cli, flags, await planOf(project, wanted), null, options.only);
      return 0;
    });
    return;
  }
  if (!(await consented(cli, flags, { needsFile: false, wanted, question: ASK.goOn.destroy }))) return;
  await operating(cli, flags, { access: "write", needsFile: false }, async (project, progress) => {
    if (flags.yes) await tellWhatComes(cli, flags, project, wanted);
    const done = await destroyStack(project.runtime, {
      stack: project.stackName,
      stackId: project.stackId,
      file: project.stack,
      described: project.described,
      fileDigest: project.fileDigest,
      options,
      reason: flags.reason ?? null,
      leaseWaitMs: flags.leaseWait ?? 0,
    });
    return reportDone(cli, flags, { project, progress }, done);
  });
};
