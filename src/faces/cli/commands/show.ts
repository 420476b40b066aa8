/** show: one operation with every record of it, in order. */
import type { LedgerToAsk } from "../../../compose/ask.ts";
import type { OperationId } from "../../../domain/ids.ts";
import { historyOf, operationDetail } from "../../../runtime/history.ts";
import { refused } from "../../../runtime/runtime.ts";
import { operationDetail as detailJson } from "../../../wire/api/operation.ts";
import { timelineEntry } from "../../../wire/api/timeline.ts";
import type { Cli } from "../context.ts";
import { operationDetailPage } from "../output/history-page.ts";
import { type PrintFlags, print } from "../output/print.ts";
import { asking } from "./asking.ts";
import { type PlaceFlags, refuse } from "./where.ts";

export async function show(this: Cli, flags: PlaceFlags & PrintFlags, id: string): Promise<void> {
  await asking(this, flags, async (project) => {
    const found = await detailOf(project, id);
    if (found === undefined)
      return refuse(this, refused(23, `the ledger knows no operation ${id}; asfound history lists them`));
    await print(this, flags, {
      page: (page) => operationDetailPage(found, page),
      json: () => detailJson(found),
      stream: () => found.records.map(({ seq, record }) => timelineEntry(seq, record)),
    });
    return 0;
  });
}

const detailOf = async (project: LedgerToAsk, id: string) => {
  if (id !== "last") return operationDetail(project.runtime, id as OperationId);
  const [latest] = await historyOf(project.runtime, project.stackName, 1);
  return latest === undefined ? undefined : operationDetail(project.runtime, latest.operation.id);
};
