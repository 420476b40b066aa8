/** How a verdict was kept as evidence, as every report of it tells: by its run, with what its digest is worth (E3). */
import type { EvidenceRun, RunLink } from "../../domain/evidence-run.ts";
import type { JsonObject } from "../../domain/json.ts";

export type KeptAs =
  | {
      readonly kind: "recorded";
      readonly run: RunLink["run"];
      readonly sequence: number;
      readonly sha256: RunLink["sha256"];
      /** The folder, as the person named it. */
      readonly place: string;
      readonly trust: EvidenceRun["trust"];
      /** What has to be known of the recording, each a sentence. */
      readonly notes: readonly string[];
    }
  /** It was to be kept and was not. A clause. */
  | { readonly kind: "fault"; readonly fault: string };

/** A member of its own, there only where it was to be kept. */
export const recordedMember = (kept: KeptAs | undefined): JsonObject => {
  if (kept === undefined) return {};
  if (kept.kind === "fault") return { recorded: { run: null, fault: kept.fault } };
  const { run, sequence, sha256, place, trust } = kept;
  return { recorded: { run, sequence, sha256, place, trust: { ...trust }, fault: null } };
};
