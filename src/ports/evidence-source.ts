import type { Evidence } from "../domain/evidence.ts";

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

/** Where evidence comes from: saved files, a cluster. Reads only. */
export interface EvidenceSource {
  /**
   * All of it, at one time. A question that was not answered is in `asked` with its reason, never an empty list; a fault
   * is something that the person has to put right before anything can be judged.
   */
  collect(): Promise<{ readonly evidence: Evidence } | { readonly faults: readonly SourceFault[] }>;
}
