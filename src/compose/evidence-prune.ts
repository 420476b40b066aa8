/** evidence prune: what is older than somebody agreed to keep. Deletes nothing but observations, and records it first. */
import { systemClock } from "../adapters/system/clock.ts";
import { EXIT } from "../domain/exit.ts";
import { instant, iso } from "../domain/ids.ts";
import { type Refused, refused } from "../runtime/runtime.ts";
import type { PruneInput } from "../wire/api/evidence-prune.ts";
import { type EvidencePlace, evidenceIn, ownFacts, signerFor } from "./evidence.ts";

export interface PruneReport extends PruneInput {
  readonly kind: "pruned";
}

export const pruneEvidence = async (
  place: EvidencePlace,
  asked: {
    readonly olderThanMs: number;
    readonly dryRun: boolean;
    readonly signingKey: string | null;
    readonly actor: string | null;
    readonly reason: string;
    readonly tool: string;
  },
): Promise<PruneReport | Refused> => {
  const runs = evidenceIn(place);
  const there = await runs.read("latest");
  // Nothing is made where there is nothing to prune.
  if ("fault" in there && there.reason === "absent") return refused(EXIT.usage, there.fault);
  const found = signerFor(place, asked.signingKey);
  if ("fault" in found) return refused(EXIT.usage, found.fault);
  const now = systemClock.now();
  const before = instant(now - asked.olderThanMs);
  const done = await runs.prune({
    before,
    dryRun: asked.dryRun,
    signer: found.signer,
    facts: ownFacts(place, asked, {
      kind: "retention",
      verb: "evidence prune",
      at: now,
      details: { before: iso(before), reason: asked.reason },
    }),
  });
  return done.kind === "fault"
    ? refused(EXIT.notDurable, `nothing more was deleted from ${runs.place}: ${done.fault}`)
    : { ...done, place: runs.place, before: iso(before) };
};
