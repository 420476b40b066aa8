/** How a verdict was kept, for people: its run, its digest, and what that is worth (E3). */
import type { KeptAs } from "../../../wire/api/kept-as.ts";
import { VERDICT } from "../texts/verdict.ts";
import { block } from "./block.ts";
import type { Page } from "./print.ts";

/** Nothing where it was not to be kept. */
export const keptLines = (kept: KeptAs | undefined, page: Page): readonly string[] => {
  if (kept === undefined) return [];
  if (kept.kind === "fault") return block(VERDICT.notRecorded, [kept.fault], page);
  const { run, sequence, sha256, place, trust, notes } = kept;
  return block(
    VERDICT.recorded(run, sequence, place),
    [VERDICT.digest(sha256), VERDICT.tier(trust.tier, trust.limit), ...notes],
    page,
  );
};
