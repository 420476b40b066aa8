/** reconcile: asks what is there and settles what is in doubt. Changes nothing outside (R6), so it does not ask. */
import { reconcile as reconcileStack } from "../../../runtime/reconcile.ts";
import type { Cli } from "../context.ts";
import type { Working } from "../flags.ts";
import type { PrintFlags } from "../output/print.ts";
import { operating } from "./open.ts";
import { reportDone } from "./report.ts";
import type { PlaceFlags } from "./where.ts";

interface ReconcileFlags extends PlaceFlags, PrintFlags, Working {
  readonly parallelism: number;
  readonly noWait: boolean;
  readonly endSurvivor: boolean;
  readonly reason?: string;
}

export async function reconcile(this: Cli, flags: ReconcileFlags): Promise<void> {
  await operating(this, flags, { access: "write", needsFile: false }, async (project, progress) => {
    const done = await reconcileStack(project.runtime, {
      stack: project.stackName,
      stackId: project.stackId,
      file: project.stack,
      parallelism: flags.parallelism,
      wait: !flags.noWait,
      endSurvivors: flags.endSurvivor,
      reason: flags.reason ?? null,
      leaseWaitMs: flags.leaseWait ?? 0,
    });
    return reportDone(this, flags, { project, progress }, done);
  });
}
