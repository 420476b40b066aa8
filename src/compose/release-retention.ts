/** Where a namespace, live or as saved files, meets the releases that were recorded. Changes nothing. */
import { resolve } from "node:path";
import { savedEvidence } from "../adapters/system/saved-evidence.ts";
import { EXIT } from "../domain/exit.ts";
import type { ReleaseListing } from "../ports/releases.ts";
import { collectForRetention, type RetentionReport, retentionReport } from "../runtime/release-retention.ts";
import { isRefused, type Refused, refused } from "../runtime/runtime.ts";
import type { StackFaults } from "./place.ts";
import { type ReleasesPlace, releasesIn } from "./releases.ts";
import type { Saved } from "./verify.ts";
import { type Live, openedFor } from "./verify-cluster.ts";

interface Listed {
  readonly listing: ReleaseListing;
  readonly place: string;
}

const listed = async (place: ReleasesPlace): Promise<Listed | Refused> => {
  const releases = releasesIn(place);
  const listing = await releases.list();
  return "fault" in listing ? refused(EXIT.broken, listing.fault) : { listing, place: releases.place };
};

/** Of the namespace that `-n`, else the context says. */
export const retentionLive = async (
  live: Live,
  place: ReleasesPlace,
  secrets: boolean,
): Promise<RetentionReport | Refused> => {
  const kept = await listed(place);
  if (isRefused(kept)) return kept;
  return openedFor(live, async (opened) => {
    const { namespace } = opened.cluster.facts;
    const evidence = await collectForRetention(opened, namespace, secrets);
    return retentionReport(evidence, { ...kept, namespace, secrets });
  });
};

export const retentionSaved = async (
  { from, at, cwd }: Omit<Saved, "baseline" | "held" | "files">,
  place: ReleasesPlace,
  { namespace, secrets }: { readonly namespace: string; readonly secrets: boolean },
): Promise<RetentionReport | Refused | StackFaults> => {
  const kept = await listed(place);
  if (isRefused(kept)) return kept;
  const collected = await savedEvidence({ path: resolve(cwd, from), named: from, at }).collect();
  if ("faults" in collected) return { kind: "faults", faults: collected.faults };
  return retentionReport(collected.evidence, { ...kept, namespace, secrets });
};
