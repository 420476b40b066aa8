import type { StackName } from "../domain/ids.ts";
import type { IdentityRecord, OutcomeRecord } from "../domain/journal.ts";

/** What a slot keeps for a ledger that could not take it (W6). */
export interface Spooled {
  readonly stack: StackName;
  readonly ledger: string;
  readonly record: OutcomeRecord | IdentityRecord;
}

/** One place on this host's disk, allocated and synced before the call, so that the result surely fits. */
export interface SpoolSlot {
  /** Writes and syncs. Outputs that do not fit are dropped from the end; the id and the outcome always fit. */
  keep(spooled: Spooled): Promise<void>;
  /** Gives the slot back for the next call. */
  release(): void;
}

export interface Spool {
  /** Takes a free slot, or allocates one (blocks written and synced). Throws when the disk has no room: that is W2. */
  take(): Promise<SpoolSlot>;
  /** What earlier runs on this host left, oldest first, with a way to clear each once the ledger has it. */
  pending(): Promise<readonly { readonly spooled: Spooled; clear(): Promise<void> }[]>;
  /** A slot that is lent still keeps a result after that: its call may be answered late (W4). */
  close(): Promise<void>;
}
