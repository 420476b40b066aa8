/** Where saved evidence meets the judge. Light: no ledger, no provider and no stack file is opened to verify. */
import { resolve } from "node:path";
import { savedEvidence } from "../adapters/system/saved-evidence.ts";
import type { Instant } from "../domain/ids.ts";
import { type Question, type VerdictReport, verify } from "../runtime/verify.ts";
import type { StackFaults } from "./place.ts";

export interface Saved {
  /** A file or folder, as the person wrote it. */
  readonly from: string;
  readonly at: Instant | null;
  readonly cwd: string;
}

export const verifySaved = async (saved: Saved, question: Question): Promise<VerdictReport | StackFaults> => {
  const source = savedEvidence({ path: resolve(saved.cwd, saved.from), named: saved.from, at: saved.at });
  const report = await verify(source, question);
  return "faults" in report ? { kind: "faults", faults: report.faults } : report;
};
