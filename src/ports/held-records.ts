/**
 * Where the recorder keeps its records: appended, durable when told so, never written over (E1), bounded. One writer at a time.
 * Every adapter passes `test/contract/held-records.ts`.
 */
import type { HeldRecord } from "../domain/held-record.ts";
import type { Instant } from "../domain/ids.ts";

/** A record could not be kept; the message is a clause. Nothing that was kept before is lost by it. */
export class HeldFault extends Error {
  readonly code = "ASFOUND_HELD";
}

export interface HeldWriter {
  /**
   * The records that the last writer left, from the beginning of its last file. false: they end before something that is
   * there and cannot be read, so more may have been said.
   */
  left(take: (record: HeldRecord) => void): Promise<boolean>;
  /**
   * All of them, in this order, or a `HeldFault`: then what reached the disk is a beginning of them. `at`: now, by the API
   * server's clock. `whole`: what a new file begins with, where one has to be begun.
   */
  append(records: readonly HeldRecord[], at: Instant, whole: () => readonly HeldRecord[]): Promise<void>;
  /** Nothing could be recorded, and the writer lives. */
  alive(): Promise<void>;
  /** The last record, as far as it can be kept. */
  end(why: string): Promise<void>;
}

export interface HeldReader {
  /**
   * Every file's records in their order, each file's for itself. Tells what of it does not count, and why not all that ever
   * was recorded is there, each a sentence.
   */
  read(file: () => { take(record: HeldRecord): void; end(): void }): Promise<readonly string[]>;
}
