import type { OperationId } from "../domain/ids.ts";

/** Where an operation leaves files for people: what to run again with, what was resolved. Never secrets, never evidence. */
export interface RunFiles {
  /** Writes (0600, whole or not at all) and tells the path; null where that failed: such a file is a help, not a record. */
  write(operation: OperationId, name: string, text: string): Promise<string | null>;
  /** The path if that file is on this host. */
  find(operation: OperationId, name: string): string | null;
}
