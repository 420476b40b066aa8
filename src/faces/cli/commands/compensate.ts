/** compensate: runs the compensations of the named steps (K1), when it is asked for. */
import type { StepName } from "../../../domain/ids.ts";
import { compensate as compensateSteps } from "../../../runtime/compensate.ts";
import { printable } from "../../../wire/redact/printable.ts";
import { mayGoOn, requireConsent } from "../ask.ts";
import type { Cli } from "../context.ts";
import type { Permitted, Place, Working } from "../flags.ts";
import type { PrintFlags } from "../output/print.ts";
import { ASK } from "../texts/ask.ts";
import { operating, reading } from "./open.ts";
import { reportDone } from "./report.ts";
import { inFile } from "./show-plan.ts";

export async function compensate(
  this: Cli,
  flags: Place & PrintFlags & Permitted & Working,
  ...steps: string[]
): Promise<void> {
  const told = `asfound: ${printable(ASK.compensations(steps.join(", ")))}\n`;
  if (!flags.dryRun) requireConsent(this, flags, "compensate");
  let goesOn = flags.yes && !flags.dryRun;
  if (!goesOn)
    await reading(this, flags, true, async (project) => {
      this.terminal.err.write(told);
      if (flags.dryRun) return 0;
      const stopped = await mayGoOn(this, ASK.goOn.compensate(project.stackName));
      goesOn = stopped === null;
      return stopped ?? 0;
    });
  if (!goesOn) return;
  await operating(this, flags, { access: "write", needsFile: true }, async (project, progress) => {
    const done = await compensateSteps(project.runtime, {
      stack: inFile(project).stack,
      stackId: project.stackId,
      described: project.described,
      steps: steps as StepName[],
      options: { only: steps, allowDestroy: false, failFast: flags.failFast, parallelism: flags.parallelism },
      reason: flags.reason ?? null,
      leaseWaitMs: flags.leaseWait ?? 0,
    });
    return reportDone(this, flags, { project, progress }, done);
  });
}
