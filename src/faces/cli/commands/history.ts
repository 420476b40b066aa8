/** history: what was attempted, by whom, why, and what came of it. */
import { historyOf } from "../../../runtime/history.ts";
import { history as historyJson, operationMembers } from "../../../wire/api/operation.ts";
import type { Cli } from "../context.ts";
import { historyPage } from "../output/history-page.ts";
import { type PrintFlags, print } from "../output/print.ts";
import { asking } from "./asking.ts";
import type { PlaceFlags } from "./where.ts";

interface HistoryFlags extends PlaceFlags, PrintFlags {
  readonly limit: number;
}

export async function history(this: Cli, flags: HistoryFlags): Promise<void> {
  await asking(this, flags, async (project) => {
    const operations = await historyOf(project.runtime, project.stackName, flags.limit);
    await print(this, flags, {
      page: (page) => historyPage(project.stackName, operations, flags.limit, page),
      json: () => historyJson(project.stackName, operations),
      stream: () => operations.map(({ operation, state }) => operationMembers(operation, state)),
      names: () => operations.map(({ operation }) => operation.id),
    });
    return 0;
  });
}
