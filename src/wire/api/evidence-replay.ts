/** `evidence replay -o json`: kind `EvidenceReplay`. Pure; every field is always there. */
import type { RunLink } from "../../domain/evidence-run.ts";
import type { JsonObject } from "../../domain/json.ts";
import { document } from "./document.ts";
import { type VerdictListInput, verdictList } from "./verdict-list.ts";
import { type VerdictReportInput, verdictReport } from "./verdict-report.ts";

export interface EvidenceReplayInput {
  readonly of: RunLink & {
    readonly sequence: number;
    readonly verdict: string | null;
    readonly rules: string;
  };
  readonly differs: readonly {
    readonly target: string;
    readonly claim: string;
    readonly was: string | null;
    readonly is: string | null;
    readonly what: string;
  }[];
  readonly verdict:
    | { readonly kind: "one"; readonly report: VerdictReportInput }
    | { readonly kind: "sweep"; readonly list: VerdictListInput };
  readonly exit: number;
}

export const evidenceReplay = ({ of, differs, verdict, exit }: EvidenceReplayInput): JsonObject =>
  document("EvidenceReplay", {
    of: { ...of },
    differs: differs.map((one) => ({ ...one })),
    report: verdict.kind === "one" ? verdictReport(verdict.report) : verdictList(verdict.list),
    exit,
  });
