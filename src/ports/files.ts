import type { Digest } from "../domain/ids.ts";

/** Reads the input files that a step's inputs' digest covers. */
export interface InputFiles {
  /**
   * SHA-256 per file that the globs match, by path relative to the stack file's folder, sorted.
   * A glob without a match and an unreadable file are faults: one sentence.
   */
  digests(
    globs: readonly string[],
  ): Promise<{ readonly files: ReadonlyMap<string, Digest> } | { readonly fault: string }>;
}
