/** What judging one claim came to. */
import type { ClaimName, Layer } from "./claim.ts";
import type { Cited } from "./evidence.ts";

/**
 * - `proven`        fresh evidence tied to this object's UID shows it
 * - `refuted`       a fact contradicts it
 * - `progressing`   facts show it under way
 * - `undetermined`  a named absence keeps it open
 */
export type Judgement = "proven" | "refuted" | "progressing" | "undetermined";

export interface Finding {
  readonly layer: Layer;
  readonly claim: ClaimName;
  readonly finding: Judgement;
  /** A stable code; scripts branch on it. */
  readonly reason: string;
  /** For a person: counts, versions, what happened. Holds text from the cluster, cut but not yet made printable. */
  readonly sentence: string;
  /** What it rests on. V1: without any one of these a proven finding is not proven any more. */
  readonly evidence: readonly Cited[];
  /** Fields and resources that were needed and not there, as `Pod shop/web-1 status.phase`. */
  readonly missing: readonly string[];
  /** What it does not tell, each a sentence. */
  readonly limits: readonly string[];
  /** Whether the verdict needs it. */
  readonly required: boolean;
}
