/** What a prune is asked, for tests. */
import { instant } from "../../src/domain/ids.ts";
import type { PruneAsked } from "../../src/ports/evidence-runs.ts";
import { newRun } from "./made-run.ts";

export const OLD = "2026-06-01T00:00:00.000Z";
export const YOUNG = "2026-11-01T00:00:00.000Z";
export const BEFORE = instant(Date.parse("2026-09-01T00:00:00.000Z"));

export const pruning = (): PruneAsked => ({
  before: BEFORE,
  facts: newRun({ kind: "retention", verb: "evidence prune", target: null, verdict: null, findings: [] })
    .facts,
  signer: null,
  dryRun: false,
});
