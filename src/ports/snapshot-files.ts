/**
 * A folder for a snapshot of many: files are written as drafts, piece by piece, and are there under their names only when all
 * of them are whole. Nothing is ever written over (E1). Each method throws `SnapshotFault` where the disk does not take it.
 */
export class SnapshotFault extends Error {
  readonly code = "ASFOUND_SNAPSHOT";
}

export interface Draft {
  readonly bytes: number;
  write(text: string): Promise<void>;
  /** Empties it. */
  restart(): Promise<void>;
}

export interface SnapshotFiles {
  draft(): Promise<Draft>;
  /** Gives each its name, in this order; the others are dropped. */
  finish(files: readonly { readonly name: string; readonly draft: Draft }[]): Promise<void>;
  /** Leaves nothing behind of what is not finished. */
  abandon(): Promise<void>;
}
