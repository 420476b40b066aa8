/** `evidence ls -o json`: kind `EvidenceList`. Pure; every field is always there. */
import type { EvidenceRun, IncompleteRun } from "../../domain/evidence-run.ts";
import type { Digest } from "../../domain/ids.ts";
import { iso } from "../../domain/ids.ts";
import type { JsonObject } from "../../domain/json.ts";
import { document } from "./document.ts";

export type EvidenceListItem =
  | { readonly kind: "run"; readonly run: EvidenceRun; readonly sha256: Digest }
  | ({ readonly kind: "incomplete" } & IncompleteRun)
  | { readonly kind: "altered"; readonly sequence: number; readonly fault: string };

export interface EvidenceListInput {
  readonly place: string;
  /** The newest last. */
  readonly items: readonly EvidenceListItem[];
  /** Runs of which what was observed was deleted. */
  readonly deleted: ReadonlySet<string>;
  /** There are older ones. */
  readonly more: boolean;
}

export const evidenceList = (list: EvidenceListInput): JsonObject =>
  document("EvidenceList", {
    place: list.place,
    more: list.more,
    items: list.items.map((one) => listItem(one, list.deleted)),
  });

export const listItem = (one: EvidenceListItem, deleted: ReadonlySet<string>): JsonObject => {
  const none = { run: null, sha256: null, verb: null, actor: null, recordedAt: null, target: null };
  const said = { verdict: null, trust: null, replays: null, observationsDeleted: false, fault: null };
  if (one.kind === "incomplete")
    return { state: "incomplete", sequence: one.sequence, ...none, ...said, run: one.run };
  if (one.kind === "altered")
    return { state: "altered", sequence: one.sequence, ...none, ...said, fault: one.fault };
  const { run, sequence, verb, actor, recordedAt, target, verdict, trust, replays } = one.run;
  return {
    state: "whole",
    sequence,
    run,
    sha256: one.sha256,
    verb,
    actor,
    recordedAt: iso(recordedAt),
    target: target === null ? null : { ...target },
    verdict,
    trust: { ...trust },
    replays: replays === null ? null : { ...replays },
    observationsDeleted: deleted.has(run),
    fault: null,
  };
};
