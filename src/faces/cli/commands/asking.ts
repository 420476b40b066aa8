/** For verbs that ask the ledger alone: what opens a project, with its providers and its file, is not even loaded. */
import type { LedgerToAsk } from "../../../compose/ask.ts";
import type { ExitCode } from "../../../domain/exit.ts";
import type { Cli } from "../context.ts";
import { type PlaceFlags, whereOf, withOpened } from "./where.ts";

export const asking = async (
  cli: Cli,
  flags: PlaceFlags,
  use: (ledger: LedgerToAsk) => Promise<ExitCode>,
): Promise<void> => {
  const { openLedgerToAsk } = await import("../../../compose/ask.ts");
  await withOpened(cli, await openLedgerToAsk(whereOf(cli, flags, false)), use);
};
