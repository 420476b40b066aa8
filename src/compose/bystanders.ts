/** Where the state that bystanders are compared with comes from: saved files, as --from takes them. */
import { resolve } from "node:path";
import { savedEvidence } from "../adapters/system/saved-evidence.ts";
import type { Before } from "../domain/bystander.ts";
import type { Cited, Evidence } from "../domain/evidence.ts";
import type { StackFaults } from "./place.ts";

/** `named`: a file or folder, as the person wrote it. */
export const stateBefore = async (named: string, cwd: string): Promise<Before | StackFaults> => {
  const collected = await savedEvidence({ path: resolve(cwd, named), named, at: null }).collect();
  if ("faults" in collected) return { kind: "faults", faults: collected.faults };
  const { evidence, unsteady, server } = collected;
  return { named, server, evidence: citedFrom(named, evidence), unsteady: unsteady ?? [] };
};

/** A reading of now may have the same name. */
export const citedFrom = (named: string, evidence: Evidence): Evidence => {
  const source = (cited: Cited): Cited => ({ ...cited, evidence: `${named}/${cited.evidence}` });
  return {
    ...evidence,
    objects: evidence.objects.map((one) => ({ ...one, source: source(one.source) })),
    asked: evidence.asked.map((one) => ({ ...one, source: source(one.source) })),
  };
};
