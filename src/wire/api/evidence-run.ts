/** `evidence show -o json`: kind `EvidenceRun`. Pure; every field is always there. */
import type { EvidenceRun, RunLink } from "../../domain/evidence-run.ts";
import type { Digest } from "../../domain/ids.ts";
import { iso } from "../../domain/ids.ts";
import type { JsonObject } from "../../domain/json.ts";
import { document } from "./document.ts";

export interface ShownRunInput {
  readonly place: string;
  readonly run: EvidenceRun;
  readonly sha256: Digest;
  readonly report: JsonObject;
  /** The whole run after it; null: it is the newest. */
  readonly next: RunLink | null;
  readonly removed: readonly { readonly file: string; readonly pointer: string }[];
  /** What was observed was deleted by retention; null: not. */
  readonly deleted: { readonly by: RunLink; readonly at: string } | null;
}

export const shownRun = (shown: ShownRunInput): JsonObject => {
  const { run } = shown;
  const link = (one: RunLink | null): JsonObject | null => (one === null ? null : { ...one });
  return document("EvidenceRun", {
    place: shown.place,
    run: run.run,
    sequence: run.sequence,
    of: run.kind,
    sha256: shown.sha256,
    verb: run.verb,
    actor: run.actor,
    recordedAt: iso(run.recordedAt),
    target: run.target === null ? null : { ...run.target },
    verdict: run.verdict,
    trust: { ...run.trust },
    signer: run.signer,
    tool: run.tool,
    rules: run.rules,
    previous: link(run.previous),
    next: link(shown.next),
    replays: link(run.replays),
    files: [...run.subjects].map(([path, sha256]) => ({ path, sha256 })),
    removed: shown.removed.map((one) => ({ ...one })),
    deleted: shown.deleted === null ? null : { by: { ...shown.deleted.by }, at: shown.deleted.at },
    details: run.details,
    report: shown.report,
  });
};
