/** status: what the ledger alone tells of the stack. */
import type { LedgerToAsk } from "../../../compose/ask.ts";
import { type StatusReport, statusOf } from "../../../runtime/status.ts";
import { stackStatus, stepStatus } from "../../../wire/api/stack-status.ts";
import type { Cli } from "../context.ts";
import { located } from "../output/next.ts";
import { type PrintFlags, print } from "../output/print.ts";
import { statusPage } from "../output/status-page.ts";
import { ADVICE } from "../texts/advice.ts";
import { asking } from "./asking.ts";
import type { PlaceFlags } from "./where.ts";

export async function status(this: Cli, flags: PlaceFlags & PrintFlags): Promise<void> {
  await asking(this, flags, async (project) => {
    const known = await statusOf(project.runtime, project.stackName);
    const report = located(known ?? nothingKnown(project), flags);
    await print(this, flags, {
      page: (page) => statusPage(report, page),
      json: () => stackStatus(report),
      stream: () => report.steps.map(stepStatus),
      names: () => report.steps.map(({ step }) => step),
    });
    return report.exit;
  });
}

const nothingKnown = (project: LedgerToAsk): StatusReport => ({
  stack: project.stackName,
  ledger: project.runtime.store.location,
  working: null,
  steps: [],
  next: [ADVICE.plan],
  notOffered: [],
  exit: 0,
});
