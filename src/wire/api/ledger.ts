/** What `ledger import`, `ledger backup` and `doctor` print. */
import type { JsonObject } from "../../domain/json.ts";
import { document } from "./document.ts";

export const ledgerImport = (imported: {
  readonly path: string;
  readonly ledgerId: string;
  readonly records: number;
}): JsonObject =>
  document("LedgerImport", {
    ledger: imported.path,
    ledgerId: imported.ledgerId,
    records: imported.records,
  });

export const ledgerBackup = (made: { readonly path: string }): JsonObject =>
  document("LedgerBackup", { path: made.path });

export interface CheckInput {
  readonly name: string;
  readonly finding: string;
  readonly sentence: string;
}

export const doctorReport = (checks: readonly CheckInput[]): JsonObject =>
  document("DoctorReport", {
    wrong: checks.filter(({ finding }) => finding === "wrong").length,
    checks: checks.map(check),
  });

/** One check, as it also stands on a line of `-o jsonl`. */
export const check = ({ name, finding, sentence }: CheckInput): JsonObject => ({ name, finding, sentence });
