import type { Evidence, Unsteady } from "../domain/evidence.ts";
import type { Instant } from "../domain/ids.ts";

/** What is wrong with a file, and where, from 1. */
export interface SourceFault {
  readonly file: string;
  readonly line: number | null;
  readonly column: number | null;
  /** Where inside the file's value, as a JSON pointer; empty for the file as a whole. */
  readonly field: string;
  /** One sentence: what, and what to do. */
  readonly message: string;
}

export interface Collected {
  readonly evidence: Evidence;
  /** From the first question to the last answer, by our clock; for saved files both are the time that is judged. */
  readonly from: Instant;
  readonly to: Instant;
  /** What the target is, where the source knows it better than who named it; null: as it was named. */
  readonly meant: { readonly kind: string; readonly namespace: string | null } | null;
  /** The address of the cluster that it was read from, without user or query; null: nothing says it. */
  readonly server: string | null;
  /** What a snapshot of many says of them; a reading of a cluster tells it in its own way. */
  readonly unsteady?: readonly Unsteady[];
}

/** Where evidence comes from: saved files, a cluster. Reads only. */
export interface EvidenceSource {
  /**
   * All of it, at one time. A question that was not answered is in `asked` with its reason, never an empty list; a fault
   * is something that the person has to put right before anything can be judged.
   */
  collect(): Promise<Collected | { readonly faults: readonly SourceFault[] }>;
}
